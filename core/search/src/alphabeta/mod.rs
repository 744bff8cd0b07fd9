//! Alpha-beta. This file has what others call: iterative deepening with aspiration windows, on several
//! threads. [`search`] has the search of a position; the other files hold its parts.

mod lazy_smp;
mod ordering;
mod pruning;
mod refutations;
mod search;
mod threads;
mod time;
mod transposition;
mod verification;

use std::ops::ControlFlow;

use engine::spawn_helpers;
use game::{History, Key, PackedStep, Position, Proof, Score, Steps};

use self::lazy_smp::{Ballot, LazySmp};
use self::search::{SearchThread, Window};
use self::threads::{Completed, NullMoveCounters, Progress, Shared};
use self::time::TimeManagement;
use self::verification::Verification;
pub(crate) use self::verification::after_turns;
use crate::defences::Defences;
use crate::heuristics::AlphaBetaHeuristics;
use crate::transposition_table::{Preference, TranspositionTable};
use crate::value::Value;
use crate::{Info, Limits, Parallel, Parameters, Stop, Verdict};

/// Alpha-beta with iterative deepening, for any game.
///
/// The sign is flipped when the side to move changes, and only then: the steps of a turn are
/// searched as plies of their own.
#[derive(Debug)]
pub struct AlphaBeta<Step> {
    /// How it searches.
    pub parameters: Parameters,
    /// How many threads share the work.
    pub threads: usize,
    /// Boards that the turn which is searched for must not lead to, by their repetition keys.
    excluded: Vec<Key>,
    shared: Shared<Step>,
}

/// What is searched, and what for.
#[derive(Debug)]
pub struct Task<'a, P, H> {
    /// The position, at the start of a turn or inside.
    pub position: &'a P,
    /// How often positions have come about in the game so far.
    pub past: &'a History,
    /// What is known of the game.
    pub heuristics: &'a H,
    /// When to end.
    pub limits: Limits,
    /// How to end it from elsewhere.
    pub stop: &'a Stop,
}

impl<P, H> Clone for Task<'_, P, H> {
    fn clone(&self) -> Self {
        *self
    }
}

/// Whatever is searched: a task only points at it.
impl<P, H> Copy for Task<'_, P, H> {}

impl<Step: PackedStep + Send + Sync> AlphaBeta<Step> {
    /// A search with a transposition table of that many MiB.
    pub fn new(parameters: Parameters, mebibytes: usize) -> AlphaBeta<Step> {
        AlphaBeta::with_table(parameters, TranspositionTable::new(mebibytes))
    }

    /// A search with that transposition table.
    pub fn with_table(parameters: Parameters, table: TranspositionTable<Step>) -> AlphaBeta<Step> {
        AlphaBeta { parameters, threads: 1, excluded: Vec::new(), shared: Shared::new(table) }
    }

    /// Forgets what earlier searches have found.
    pub fn clear(&mut self) {
        self.shared.table.clear();
        self.shared.defences = Defences::new();
        self.shared.null_moves = NullMoveCounters::default();
    }

    /// How many null moves were tried since the last [`AlphaBeta::clear`] and how many have caused a cutoff, by the
    /// steps between the root and the position (Zhong 2005, Table 5.4). They are counted with `null_move_eager`.
    pub fn null_moves(&self) -> Vec<(u64, u64)> {
        self.shared.null_moves.all()
    }

    /// Searches until a limit, a stop or a proof; `tell` hears of each iteration. The answer is that
    /// of the last completed iteration: none, if not even the first one was completed.
    pub fn search<P, H>(
        &mut self,
        task: &Task<P, H>,
        mut tell: impl FnMut(&Info<Step>),
    ) -> Option<Info<Step>>
    where
        P: Position<Step = Step> + Sync,
        H: AlphaBetaHeuristics<P>,
    {
        self.search_while(task, |info| {
            tell(info);
            ControlFlow::Continue(())
        })
    }

    /// The same, but `tell` says after each iteration whether to go on.
    pub fn search_while<P, H>(
        &mut self,
        task: &Task<P, H>,
        mut tell: impl FnMut(&Info<Step>) -> ControlFlow<()>,
    ) -> Option<Info<Step>>
    where
        P: Position<Step = Step> + Sync,
        H: AlphaBetaHeuristics<P>,
    {
        self.prepare();
        if let Some(info) = self.won_at_once(task) {
            let _ = tell(&info);
            return Some(info);
        }
        let helpers_stop = Stop::new();
        let this = &*self;
        std::thread::scope(|scope| {
            let stop = &helpers_stop;
            spawn_helpers(scope, "search", this.threads.saturating_sub(1), |index| {
                move || match this.is_lazy() {
                    true => this.help_lazily(task, stop, index + 1),
                    false => this.help(task, stop),
                }
            });
            let info = this.iterative_deepening(task, &mut tell);
            helpers_stop.request();
            info
        })
        .map(|info| self.elected(task, info))
        .map(|info| Info { nodes: self.shared.progress.add_nodes(0), ..info })
    }

    /// Searches for the best turn that leads to none of these boards, which are known by their repetition keys. There
    /// must be one.
    pub fn search_others<P, H>(
        &mut self,
        task: &Task<P, H>,
        excluded: &[Key],
        tell: impl FnMut(&Info<Step>),
    ) -> Option<Info<Step>>
    where
        P: Position<Step = Step> + Sync,
        H: AlphaBetaHeuristics<P>,
    {
        self.excluded = excluded.to_vec();
        let info = self.search(task, tell);
        self.excluded.clear();
        info
    }

    /// Searches to the depth of the limits at once, on one thread, with a window from `least` to `most`. A
    /// value outside comes back as some value outside, and without a line if it is less.
    ///
    /// It belongs to the search before it: the transposition table does not grow older.
    pub fn search_between<P, H>(
        &mut self,
        task: &Task<P, H>,
        least: Score,
        most: Score,
    ) -> Option<Info<Step>>
    where
        P: Position<Step = Step>,
        H: AlphaBetaHeuristics<P>,
    {
        self.forget_progress();
        if let Some(info) = self.won_at_once(task) {
            return Some(info);
        }
        let depth = task.limits.depth.map_or(1, |depth| depth.0);
        let window =
            Window { alpha: Value::from(least).predecessor(), beta: Value::from(most).successor() };
        let mut worker = self.worker(task, task.stop);
        let (value, line) = worker.search_root(depth, window)?;
        let completed = Completed { depth, value, line: line.to_vec() };
        Some(worker.info(&completed))
    }

    /// Makes ready for another search.
    fn prepare(&mut self) {
        self.forget_progress();
        self.shared.table.new_search();
        let by_nodes = self.parameters.two_big;
        let preference = if by_nodes { Preference::Nodes } else { Preference::Depth };
        self.shared.table.set_preference(preference);
    }

    /// Forgets how far the threads of the last search have come.
    fn forget_progress(&mut self) {
        self.shared.progress = Progress::new();
        self.shared.lazy_smp = LazySmp::new(self.threads.max(1));
    }

    /// The answer in a position whose win needs no search.
    fn won_at_once<P, H>(&self, task: &Task<P, H>) -> Option<Info<Step>>
    where
        P: Position<Step = Step>,
        H: AlphaBetaHeuristics<P>,
    {
        let wins = self.parameters.wins && self.excluded.is_empty();
        let pv = wins.then(|| task.heuristics.winning_steps(task.position)).flatten()?;
        Some(Info::without_search(Some(Value::win(0).verdict()), pv))
    }

    fn worker<'a, P, H>(&'a self, task: &'a Task<P, H>, stop: &'a Stop) -> SearchThread<'a, P, H>
    where
        P: Position<Step = Step>,
        H: AlphaBetaHeuristics<P>,
    {
        let mut worker = SearchThread::new(task, &self.parameters, &self.shared, stop);
        worker.exclude(&self.excluded);
        worker.abdada = (self.threads > 1 && !self.is_lazy()).then_some(&self.shared.abdada);
        worker
    }

    /// Whether several threads search by Lazy SMP.
    fn is_lazy(&self) -> bool {
        self.threads > 1 && self.parameters.parallel == Parallel::LazySmp
    }

    /// The depth of the next iteration, if there is one.
    fn next_depth(&self, limits: &Limits, last: Option<&Completed<Step>>) -> Option<u8> {
        let most = limits.depth.map_or(u8::MAX, |depth| depth.0);
        let next = match last {
            Some(last) => last.depth.checked_add(1)?,
            None if limits.depth.is_some() && !self.parameters.iterative_deepening => most,
            None => most.min(self.parameters.first_depth as u8).max(1),
        };
        (next <= most).then_some(next)
    }

    /// Searches one step deeper in each iteration.
    fn iterative_deepening<P, H>(
        &self,
        task: &Task<P, H>,
        tell: &mut impl FnMut(&Info<Step>) -> ControlFlow<()>,
    ) -> Option<Info<Step>>
    where
        P: Position<Step = Step>,
        H: AlphaBetaHeuristics<P>,
    {
        let mut worker = self.worker(task, task.stop);
        worker.verification = Some(Verification::new());
        let mut iterations: Vec<Completed<Step>> = Vec::new();
        let mut time_management = TimeManagement::new();
        loop {
            let verification = worker.verification.as_ref();
            worker.pause = verification
                .and_then(|verification| verification.pause(task.position, iterations.last()));
            let Some(completed) = self.iterate(&mut worker, task, iterations.last(), 0) else {
                if !worker.is_paused {
                    break;
                }
                if iterations.pop_if(|last| self.is_refuted(&mut worker, last)).is_some() {
                    worker.drop_refuted(&mut iterations);
                }
                continue;
            };
            if self.is_refuted(&mut worker, &completed) {
                worker.drop_refuted(&mut iterations);
                continue;
            }
            if self.is_lazy() {
                self.shared.lazy_smp.vote(0, Ballot::new(task.position, completed.clone()));
            }
            let info = worker.info(&completed);
            let told = tell(&info);
            let soft = task.limits.soft.map(|soft| time_management.time(&info, soft));
            let enough = told.is_break()
                || soft.is_some_and(|soft| info.time >= soft)
                || self.is_settled(&info, H::WHOLE_TURN);
            iterations.push(completed);
            if enough {
                break;
            }
        }
        let better = worker.better_turn.take();
        let full_look = worker.full_look();
        let verification = worker.verification.take()?;
        let holds =
            |completed: &&Completed<Step>| !verification.has_refuted(task.position, completed);
        // What an iteration was cut off in is reported as part of the one before. Where the turn of that one was refuted, the
        // better turn is only better than a loss.
        if let (Some(better), Some(last)) = (better, iterations.last()) {
            let known = iterations.iter().rfind(holds);
            if holds(&last) || known.is_none_or(|known| better.value >= known.value) {
                iterations.push(Completed { depth: last.depth, ..better });
            }
        }
        let answer = verification.answer(task.position, &iterations, full_look);
        let answer = answer.or(verification.refuted.last())?;
        if self.is_lazy() {
            self.shared.lazy_smp.add_verified(verification.verified());
            self.shared.lazy_smp.vote(0, Ballot::new(task.position, answer.clone()));
        }
        Some(worker.info(answer))
    }

    /// Whether the principal variation of an iteration leads to a forced win that the iteration has not seen.
    fn is_refuted<P, H>(&self, worker: &mut SearchThread<P, H>, found: &Completed<Step>) -> bool
    where
        P: Position<Step = Step>,
        H: AlphaBetaHeuristics<P>,
    {
        self.is_lazy() && worker.knows_refuted(found) || worker.refutes(found, usize::MAX)
    }

    /// The iteration of a thread after its last one; nothing, if there is none or the search was stopped. With ABDADA,
    /// the first thread that completes an iteration completes it for all.
    fn iterate<P, H>(
        &self,
        worker: &mut SearchThread<P, H>,
        task: &Task<P, H>,
        last: Option<&Completed<Step>>,
        thread: usize,
    ) -> Option<Completed<Step>>
    where
        P: Position<Step = Step>,
        H: AlphaBetaHeuristics<P>,
    {
        (worker.is_paused, worker.better_turn) = (false, None);
        let mut depth = self.next_depth(&task.limits, last)?;
        if self.is_lazy() {
            let most = task.limits.depth.map_or(u8::MAX, |depth| depth.0);
            depth = self.shared.lazy_smp.begin_iteration(thread, depth, most);
            worker.known_refutations = self.shared.lazy_smp.refutations();
        }
        let guess = last.map(|last| last.value);
        let progress = &self.shared.progress;
        let found = self.aspiration(worker, depth, guess);
        let mut completed = found.map(|(value, line)| Completed { depth, value, line });
        if !self.is_lazy() {
            completed.into_iter().for_each(|completed| progress.complete(completed));
            completed = progress.last().filter(|_| progress.has(depth));
        }
        if completed.is_some() {
            // Perhaps by another thread, which knows better.
            worker.better_turn = None;
        }
        completed
    }

    /// Aspiration windows: searches first with a narrow window around the value of the last iteration, then
    /// with wider ones where the value lies outside.
    fn aspiration<P, H>(
        &self,
        worker: &mut SearchThread<P, H>,
        depth: u8,
        guess: Option<Value>,
    ) -> Option<(Value, Vec<Step>)>
    where
        P: Position<Step = Step>,
        H: AlphaBetaHeuristics<P>,
    {
        let mut margin = self.parameters.aspiration;
        let mut window = match guess {
            Some(guess) if margin > 0 && !guess.is_result() => {
                Window { alpha: guess.plus(-margin), beta: guess.plus(margin) }
            }
            _ => Window::ALL,
        };
        loop {
            let (value, line) = worker.search_root(depth, window)?;
            let (low, high) = (value <= window.alpha, value >= window.beta);
            if !low && !high || value.is_result() && window == Window::ALL {
                return Some((value, line.to_vec()));
            }
            margin *= 4;
            if low {
                window.alpha = if margin > 1000 { Value::MIN } else { value.plus(-margin) };
            } else {
                window.beta = if margin > 1000 { Value::MAX } else { value.plus(margin) };
            }
            if value.is_result() {
                window = Window::ALL;
            }
        }
    }

    /// Whether another iteration could say nothing new.
    fn is_settled(&self, info: &Info<Step>, whole_turn: Steps) -> bool {
        match info.verdict() {
            None | Some(Verdict::Score(_)) => false,
            Some(Verdict::Proof(Proof::Win(_))) => true,
            // The winner may have a shorter way that takes more depth to see: all shorter ones are seen
            // when the turns before them are searched.
            Some(Verdict::Proof(Proof::Loss(turns))) => {
                let turns_before = 2 * (u32::from(turns.0) - 1);
                let is_exact = u32::from(info.depth.0) >= turns_before * u32::from(whole_turn.0);
                !self.parameters.resistance || is_exact
            }
        }
    }

    /// A helper of ABDADA: it searches the same iterations.
    fn help<P, H>(&self, task: &Task<P, H>, stop: &Stop)
    where
        P: Position<Step = Step>,
        H: AlphaBetaHeuristics<P>,
    {
        let mut worker = self.worker(task, stop);
        // Only the first thread looks at the clock.
        worker.limits = Limits { nodes: task.limits.nodes, ..Limits::default() };
        let mut last = None;
        while let Some(completed) = self.iterate(&mut worker, task, last.as_ref(), 0) {
            last = Some(completed);
        }
        worker.all_nodes();
    }

    /// A helper of Lazy SMP: it searches iterations of its own and votes. The first helper also verifies the turns that
    /// threads have voted for.
    fn help_lazily<P, H>(&self, task: &Task<P, H>, stop: &Stop, thread: usize)
    where
        P: Position<Step = Step>,
        H: AlphaBetaHeuristics<P>,
    {
        let lazy = &self.shared.lazy_smp;
        let verifies = thread == 1 && self.parameters.verifies();
        let mut worker = self.worker(task, stop);
        worker.limits = Limits { nodes: task.limits.nodes, ..Limits::default() };
        if verifies {
            worker.limits.hard = task.limits.hard;
            worker.verification = Some(Verification::new());
        }
        let percent = self.parameters.verification.saturating_mul(self.threads as i32).min(100);
        let thorough = Parameters { verification: percent, ..self.parameters };
        let mut last: Option<Completed<Step>> = None;
        loop {
            if verifies {
                self.verify_candidates(&mut worker, &thorough);
                worker.pause = Some(worker.look_nodes() / 4 * 5);
            }
            match self.iterate(&mut worker, task, last.as_ref(), thread) {
                Some(completed) if worker.knows_refuted(&completed) => (),
                Some(completed) => {
                    lazy.vote(thread, Ballot::new(task.position, completed.clone()));
                    last = Some(completed);
                }
                None if worker.is_paused => (),
                None => break,
            }
        }
        // What an iteration was cut off in counts as part of the one before.
        if let (Some(better), Some(last)) = (worker.better_turn.take(), last)
            && !worker.knows_refuted(&last)
        {
            let better = Completed { depth: last.depth, ..better };
            lazy.vote(thread, Ballot::new(task.position, better));
        }
        worker.all_nodes();
    }

    /// Looks for forced wins after the turns that threads have voted for: after the one with the most votes with
    /// `thorough` parameters, as many times longer as there are threads.
    fn verify_candidates<'a, P, H>(
        &'a self,
        worker: &mut SearchThread<'a, P, H>,
        thorough: &'a Parameters,
    ) where
        P: Position<Step = Step>,
        H: AlphaBetaHeuristics<P>,
    {
        let lazy = &self.shared.lazy_smp;
        for (number, Ballot { turn, found }) in lazy.candidates().into_iter().enumerate() {
            if found.value.is_result() || worker.knows_refuted(&found) {
                continue;
            }
            let most = if number == 0 { usize::MAX } else { 1 };
            worker.parameters = if number == 0 { thorough } else { &self.parameters };
            worker.refutes(&found, most);
            worker.parameters = &self.parameters;
            if worker.knows_refuted(&found) {
                lazy.count_refutation();
            } else if worker.stop.is_requested() {
                return;
            } else {
                lazy.add_verified([turn]);
            }
        }
    }

    /// The answer that the threads have voted for, where they do so; else that of the first thread.
    fn elected<P, H>(&self, task: &Task<P, H>, info: Info<Step>) -> Info<Step>
    where
        P: Position<Step = Step>,
        H: AlphaBetaHeuristics<P>,
    {
        if !self.is_lazy() {
            return info;
        }
        let worker = self.worker(task, task.stop);
        let holds = |ballot: &Ballot<Step>| !worker.knows_refuted(&ballot.found);
        let elected = self.shared.lazy_smp.elect(self.parameters.verifies(), holds);
        let Some(found) = elected else { return info };
        let Completed { depth, value, line } = found;
        let lines = Info::without_search(Some(value.verdict()), line).lines;
        Info { lines, depth: Steps(depth), ..info }
    }
}

#[cfg(test)]
mod tests {
    use game::{Key, KeyGenerator, Side};

    use super::*;
    use crate::{Evaluator, StepOrdering, Tactics, TurnStructure};

    /// A heap of which each side in turn takes one or two.
    #[derive(Clone)]
    struct Heap(u8, Side);

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct Take(u8);

    impl PackedStep for Take {
        fn pack(self) -> u16 {
            self.0.into()
        }

        fn unpack(bits: u16) -> Option<Take> {
            (bits != 0).then_some(Take(bits as u8))
        }
    }

    impl Position for Heap {
        type Step = Take;

        fn side(&self) -> Side {
            self.1
        }

        fn turn_starts(&self) -> bool {
            true
        }

        fn for_each_step(&self, visit: impl FnMut(Take) -> ControlFlow<()>) -> ControlFlow<()> {
            (1..=self.0.min(2)).map(Take).try_for_each(visit)
        }

        fn cost(&self, _: Take) -> Steps {
            Steps(1)
        }

        fn is_idle(&self) -> bool {
            false
        }

        fn play(&mut self, step: Take) {
            *self = Heap(self.0 - step.0, !self.1);
        }

        fn key(&self) -> Key {
            KeyGenerator::new(u64::from(self.0) << 1 | self.1 as u64).next_key()
        }

        fn winner(&self) -> Option<Side> {
            (self.0 == 0).then_some(!self.1)
        }
    }

    struct Nothing;

    impl Evaluator<Heap> for Nothing {
        type State = ();
        type Cache = ();

        fn state(&self, _: &Heap) {}

        fn evaluate(&self, heap: &Heap, (): &(), (): &mut ()) -> Score {
            Score(i32::from(heap.0 % 7))
        }
    }

    impl Tactics<Heap> for Nothing {
        type Scratch = ();
    }

    impl StepOrdering<Heap> for Nothing {}

    impl TurnStructure<Heap> for Nothing {
        const WHOLE_TURN: Steps = Steps(1);
    }

    #[test]
    fn a_candidate_ages_no_table_and_throws_no_cache_away() {
        // One bucket: what is old is soon replaced.
        let mut search = AlphaBeta::new(Parameters::default(), 0);
        let (past, stop) = (History::new(), Stop::new());
        let root = Heap(100, Side::First);
        let task = Task {
            position: &root,
            past: &past,
            heuristics: &Nothing,
            limits: Limits::depth(Steps(12)),
            stop: &stop,
        };
        search.search(&task, |_| ());
        assert!(search.shared.defences.verdict(Key(6), || true));
        for stones in 150..170 {
            let candidate = Heap(stones, Side::Second);
            let limits = Limits::depth(Steps(1));
            let task = Task { position: &candidate, limits, ..task };
            search.search_between(&task, Score(-50), Score(50));
        }
        let entry = search.shared.table.probe(root.key());
        assert_eq!(entry.map(|entry| entry.depth), Some(12));
        assert!(search.shared.defences.verdict(Key(6), || unreachable!()));
    }

    /// Three moves to choose from, with one reply each but for the last one, which has thousands.
    #[derive(Clone)]
    struct Choice {
        moves: u8,
        chosen: u16,
    }

    impl Position for Choice {
        type Step = Reply;

        fn side(&self) -> Side {
            if self.moves.is_multiple_of(2) { Side::First } else { Side::Second }
        }

        fn turn_starts(&self) -> bool {
            true
        }

        fn for_each_step(&self, visit: impl FnMut(Reply) -> ControlFlow<()>) -> ControlFlow<()> {
            let most = match (self.moves, self.chosen) {
                (0, _) => 3,
                (1, 3) => 5000,
                _ => 1,
            };
            (1..=most).map(Reply).try_for_each(visit)
        }

        fn cost(&self, _: Reply) -> Steps {
            Steps(1)
        }

        fn is_idle(&self) -> bool {
            false
        }

        fn play(&mut self, Reply(number): Reply) {
            let chosen = if self.moves == 0 { number } else { self.chosen };
            *self = Choice { moves: self.moves + 1, chosen };
        }

        fn key(&self) -> Key {
            KeyGenerator::new(u64::from(self.chosen) << 8 | u64::from(self.moves)).next_key()
        }

        fn winner(&self) -> Option<Side> {
            None
        }
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct Reply(u16);

    impl PackedStep for Reply {
        fn pack(self) -> u16 {
            self.0
        }

        fn unpack(bits: u16) -> Option<Reply> {
            (bits != 0).then_some(Reply(bits))
        }
    }

    impl Evaluator<Choice> for Nothing {
        type State = ();
        type Cache = ();

        fn state(&self, _: &Choice) {}

        /// The first choice looks best, until the reply is seen.
        fn evaluate(&self, choice: &Choice, (): &(), (): &mut ()) -> Score {
            let for_first = match (choice.moves, choice.chosen) {
                (1, chosen) => [0, 100, 0, -50][usize::from(chosen)],
                (_, chosen) => [0, -50, 10, 200][usize::from(chosen)],
            };
            Score(if choice.side() == Side::First { for_first } else { -for_first })
        }
    }

    impl Tactics<Choice> for Nothing {
        type Scratch = ();
    }

    impl StepOrdering<Choice> for Nothing {}

    impl TurnStructure<Choice> for Nothing {
        const WHOLE_TURN: Steps = Steps(1);
    }

    #[test]
    fn a_better_turn_counts_although_the_iteration_is_cut_off() {
        let parameters = Parameters { aspiration: 0, ..Parameters::default() };
        let (past, stop) = (History::new(), Stop::new());
        let task = Task {
            position: &Choice { moves: 0, chosen: 0 },
            past: &past,
            heuristics: &Nothing,
            limits: Limits { nodes: Some(2000), ..Limits::default() },
            stop: &stop,
        };
        let info = AlphaBeta::new(parameters, 0).search(&task, |_| ()).expect("a turn");
        assert_eq!((info.depth, info.pv()[0]), (Steps(1), Reply(2)));
        assert_eq!(info.verdict(), Some(Verdict::Score(Score(10))));
    }
}
