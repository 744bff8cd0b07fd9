use std::time::Duration;

use game::{Key, Position};
use rustc_hash::FxHashMap;

use super::search::{SearchThread, Window};
use super::threads::Completed;
use crate::hash_table::SubtreeSize;
use crate::heuristics::{AlphaBetaHeuristics, ForcedWinLimits, ForcedWinLook};
use crate::transposition_table::{Bound, TranspositionEntry};
use crate::value::Value;
use crate::{Limits, Parameters};

/// Verification of what iterations have found: each turn of the principal variation leads to a position that is
/// looked at for a forced win, which the search may have reduced away.
pub(super) struct Verification<Step> {
    /// The iterations whose principal variation was refuted.
    pub(super) refuted: Vec<Completed<Step>>,
    /// By the position after a turn.
    looks: FxHashMap<Key, Look>,
    /// How many of them have found a win.
    wins: usize,
    /// First turns after which a look has found nothing, with their values when they were looked at.
    held: Vec<Completed<Step>>,
}

#[derive(Clone, Copy, Debug)]
enum Look {
    /// The side to move wins: the value of the position, as if it were the root.
    Refuted(Value),
    /// No win was found in a look at this many positions.
    Holds { nodes: u64 },
    /// There is no win of the kind that is looked for.
    Safe,
}

/// A position is looked at again when the look may take this many times as many positions.
const AGAIN: u64 = 2;

/// The positions after later turns of the principal variation are looked at with this part of the allowance.
const LATER_TURNS: u32 = 16;

/// Before this share of the time has passed, in percent, looks are short: first iterations find turns that are not played.
const EARLY_PERCENT: u32 = 30;

/// A short look takes this share of the time that has passed, in percent.
const EARLY_LOOK_PERCENT: u32 = 5;

/// The same once a look has found a win: then other turns that seem good may lose too.
const EARLY_LOOK_IN_DANGER_PERCENT: u32 = 25;

/// Once a look has found a win, a turn is trusted only if it was looked at with at least this part of a long look.
const TRUSTED_PART: u64 = 8;

/// Positions that a long look comes to in a microsecond, at most. A short look gets one: where it would take longer, it is not
/// worth its time yet.
const POSITIONS_A_MICROSECOND: u64 = 16;

/// A look takes at most this part of the time that is left, so that another turn can be found.
const LEFT_PART: u32 = 2;

/// After this many refuted iterations, no other one is looked at.
const MOST_REFUTED: usize = 500;

/// The shortest look.
const LEAST_NODES: u64 = 300;
const LEAST_TIME: Duration = Duration::from_millis(1);

/// How long a look may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    nodes: u64,
    /// Where the time is limited.
    time: Option<Duration>,
}

impl Allowance {
    fn part(self, divisor: u32) -> Allowance {
        let nodes = (self.nodes / u64::from(divisor)).max(LEAST_NODES);
        Allowance { nodes, time: self.time.map(|time| time / divisor) }
    }
}

impl<Step> Verification<Step> {
    pub(super) fn new() -> Verification<Step> {
        Verification { refuted: Vec::new(), looks: FxHashMap::default(), wins: 0, held: Vec::new() }
    }

    /// The search pauses to look again at the turn that it would play, when a look may take this many positions.
    pub(super) fn pause<P: Position<Step = Step>>(
        &self,
        root: &P,
        last: Option<&Completed<Step>>,
    ) -> Option<u64> {
        let last = last.filter(|last| !last.value.is_result() && !self.is_exhausted())?;
        let after = after_turns(root, &last.line).next()?;
        match self.looks.get(&after.key())? {
            Look::Holds { nodes } => Some(nodes * AGAIN),
            Look::Refuted(_) | Look::Safe => None,
        }
    }

    /// Whether the first turn of an iteration is known to lose.
    pub(super) fn has_refuted<P: Position<Step = Step>>(
        &self,
        root: &P,
        completed: &Completed<Step>,
    ) -> bool {
        matches!(self.look_at(root, completed), Some(Look::Refuted(_)))
    }

    /// The turn to play: that of the last iteration that holds. Where looks have found wins, it is the last one that
    /// was looked at for long or, if there is none, the best of all turns that were.
    pub(super) fn answer<'a, P: Position<Step = Step>>(
        &'a self,
        root: &P,
        iterations: &'a [Completed<Step>],
        full_look: u64,
    ) -> Option<&'a Completed<Step>> {
        let holds = |completed: &&Completed<Step>| !self.has_refuted(root, completed);
        let is_trusted = |completed: &&Completed<Step>| match self.look_at(root, completed) {
            Some(Look::Refuted(_)) | None => completed.value.is_result(),
            Some(Look::Safe) => true,
            Some(Look::Holds { nodes }) => nodes * TRUSTED_PART >= full_look,
        };
        // A loss that is certain is the answer, however it was found.
        let last = iterations.iter().rfind(|last| last.value.is_result() || holds(last));
        if self.wins == 0 || last.is_some_and(|last| is_trusted(&last)) {
            return last.or(iterations.last());
        }
        let trusted = iterations.iter().rfind(is_trusted);
        trusted
            .or_else(|| self.held.iter().filter(is_trusted).max_by_key(|held| held.value))
            .or(last)
            .or(iterations.last())
    }

    fn look_at<P: Position<Step = Step>>(
        &self,
        root: &P,
        completed: &Completed<Step>,
    ) -> Option<Look> {
        let after = after_turns(root, &completed.line).next()?;
        self.looks.get(&after.key()).copied()
    }

    /// The positions in which a look has found nothing.
    pub(super) fn verified(&self) -> impl Iterator<Item = Key> {
        let holds = |look: &Look| matches!(look, Look::Holds { .. } | Look::Safe);
        self.looks.iter().filter(move |(_, look)| holds(look)).map(|(&key, _)| key)
    }

    fn is_exhausted(&self) -> bool {
        self.refuted.len() >= MOST_REFUTED
    }
}

impl Parameters {
    /// Whether looks for forced wins verify turns: the transposition table keeps what they find.
    pub(super) fn verifies(&self) -> bool {
        self.verification != 0 && self.transposition_table
    }
}

/// The positions after the whole turns of a line.
pub(crate) fn after_turns<P: Position>(root: &P, line: &[P::Step]) -> impl Iterator<Item = P> {
    let mut position = root.clone();
    line.iter().filter_map(move |&step| {
        position.play(step);
        position.turn_starts().then(|| position.clone())
    })
}

impl<P: Position, H: AlphaBetaHeuristics<P>> SearchThread<'_, P, H> {
    /// Whether one of the first turns of a principal variation, at most `most`, leads to a forced win that the search has not
    /// seen. The transposition table keeps it, and the iteration is to be repeated: it finds another turn, if there is a better
    /// one.
    pub(super) fn refutes(&mut self, found: &Completed<P::Step>, most: usize) -> bool {
        if found.value.is_result() {
            return false;
        }
        let allowance = self.allowance();
        let is_refuted = after_turns(self.root, &found.line)
            .take(most)
            .take_while(|after| after.winner().is_none())
            .enumerate()
            .any(|(number, after)| {
                let divisor = if number == 0 { 1 } else { LATER_TURNS };
                self.forced_win(&after, allowance.part(divisor)).is_some()
            });
        if is_refuted {
            self.shared.progress.reopen(found.depth);
            if let Some(verification) = &mut self.verification {
                verification.refuted.push(found.clone());
            }
        }
        is_refuted
    }

    /// Whether the transposition table knows of a forced win after the first turn, which the search has not seen.
    pub(super) fn knows_refuted(&self, found: &Completed<P::Step>) -> bool {
        let after = after_turns(self.root, &found.line).next();
        let entry = after.and_then(|after| self.probe(after.key()));
        !found.value.is_result() && entry.is_some_and(|entry| entry.is_verified())
    }

    /// Drops the last iterations as long as their first turns are known to lose: what they have found is of no use.
    pub(super) fn drop_refuted(&self, iterations: &mut Vec<Completed<P::Step>>) {
        let Some(verification) = &self.verification else { return };
        while let Some(refuted) =
            iterations.pop_if(|last| verification.has_refuted(self.root, last))
        {
            self.shared.progress.reopen(refuted.depth);
        }
    }

    /// The value of a position after a first turn that seems good: a win, if a known refutation wins or, where the turn may
    /// become the best one, a look finds a win.
    pub(super) fn verified_value(&mut self, position: &P, value: Value, window: Window) -> Value {
        if let Some(win) = self.known_refutation(position) {
            return win;
        }
        if position.winner().is_some() || value.is_result() {
            return value;
        }
        if !window.is_null() {
            let allowance = self.allowance();
            if let Some(win) = self.forced_win(position, allowance) {
                return win.seen_from_root(1);
            }
            if let Some(verification) =
                self.verification.as_mut().filter(|_| self.parameters.verifies())
            {
                let (depth, line) = (self.iteration, self.first_turn.clone());
                verification.held.push(Completed { depth, value: -value, line });
            }
        }
        value
    }

    /// How many positions a look may take by now.
    pub(super) fn look_nodes(&self) -> u64 {
        self.allowance().nodes
    }

    /// How long a look may take by now: a share of the nodes that the search has entered or, where the time is limited, of
    /// the time.
    fn allowance(&self) -> Allowance {
        let percent = self.parameters.verification as u32;
        let Limits { soft, hard, .. } = self.limits;
        let Some(hard) = hard else {
            let nodes = (self.nodes * u64::from(percent) / 100).max(LEAST_NODES);
            return Allowance { nodes, time: None };
        };
        let limit = soft.map_or(hard, |soft| soft.min(hard));
        let passed = self.begin.elapsed();
        let left = hard.saturating_sub(passed) / LEFT_PART;
        let is_early = passed < limit * EARLY_PERCENT / 100;
        let is_danger =
            self.verification.as_ref().is_some_and(|verification| verification.wins > 0);
        let long = limit * percent / 100;
        let (time, rate) = match (is_early, is_danger) {
            (false, _) => (long, POSITIONS_A_MICROSECOND),
            (true, true) => {
                (long.min(passed * EARLY_LOOK_IN_DANGER_PERCENT / 100), POSITIONS_A_MICROSECOND)
            }
            (true, false) => (passed * EARLY_LOOK_PERCENT / 100, 1),
        };
        let time = time.min(left);
        let nodes = time.as_micros() as u64 * rate;
        Allowance { nodes: nodes.max(LEAST_NODES), time: Some(time.max(LEAST_TIME)) }
    }

    /// How many positions a look may take if there is time for it.
    pub(super) fn full_look(&self) -> u64 {
        let Limits { soft, hard, .. } = self.limits;
        let percent = self.parameters.verification as u32;
        match hard {
            None => self.nodes * u64::from(percent) / 100,
            Some(hard) => {
                let limit = soft.map_or(hard, |soft| soft.min(hard));
                (limit * percent / 100).as_micros() as u64 * POSITIONS_A_MICROSECOND
            }
        }
    }

    /// The value of a position, as if it were the root, if the side to move is found to win by force. The transposition table
    /// keeps it.
    fn forced_win(&mut self, position: &P, allowance: Allowance) -> Option<Value> {
        let verification = self.verification.as_ref()?;
        if !self.parameters.verifies() || verification.is_exhausted() {
            return None;
        }
        let value = match verification.looks.get(&position.key()) {
            Some(Look::Refuted(value)) => Some(*value),
            Some(Look::Safe) => None,
            Some(Look::Holds { nodes }) if allowance.nodes < nodes * AGAIN => None,
            _ => self.look(position, allowance),
        }?;
        self.store_forced_win(position, value);
        Some(value)
    }

    /// Looks for a forced win in a position: its value, as if it were the root.
    fn look(&mut self, position: &P, Allowance { nodes, time }: Allowance) -> Option<Value> {
        let (past, stop, begin) = (self.past, self.stop, self.begin);
        let end = time.map(|time| begin.elapsed() + time);
        let is_allowed = |key| past.count(key) < 2;
        let must_stop = || stop.is_requested() || end.is_some_and(|end| begin.elapsed() >= end);
        let limits = ForcedWinLimits { is_allowed: &is_allowed, must_stop: &must_stop, nodes };
        let found = self.heuristics.forced_win(position, limits, &mut self.scratch);
        let (look, value) = match found {
            ForcedWinLook::Win(win) => {
                // The turns before the last one are of both sides.
                let value = Value::win(2 * (win.turns.0 - 1));
                self.refutations.add(position.side(), win);
                (Look::Refuted(value), Some(value))
            }
            ForcedWinLook::NoWin => (Look::Safe, None),
            ForcedWinLook::CutOff => (Look::Holds { nodes }, None),
        };
        if let Some(verification) = &mut self.verification {
            verification.looks.insert(position.key(), look);
            verification.wins += usize::from(value.is_some());
        }
        value
    }

    /// Stores a forced win of a position in the transposition table; its value is that of a root.
    pub(super) fn store_forced_win(&self, position: &P, value: Value) {
        let entry = TranspositionEntry {
            value,
            bound: Bound::Exact,
            depth: TranspositionEntry::<P::Step>::VERIFIED,
            step: None,
            size: SubtreeSize::default(),
        };
        self.shared.table.store(position.key(), entry);
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use game::{History, KeyGenerator, PackedStep, Score, Side, Steps, Turns};

    use super::*;
    use crate::{
        AlphaBeta, Evaluator, ForcedWin, StepOrdering, Stop, Tactics, Task, TurnStructure,
    };

    /// A number to which each side in turn adds 1 to 9; the higher, the better for the first side. Nobody wins.
    #[derive(Clone)]
    struct Sum(u32, Side);

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct Add(u8);

    impl PackedStep for Add {
        fn pack(self) -> u16 {
            self.0.into()
        }

        fn unpack(bits: u16) -> Option<Add> {
            (bits != 0).then_some(Add(bits as u8))
        }
    }

    impl Position for Sum {
        type Step = Add;

        fn side(&self) -> Side {
            self.1
        }

        fn turn_starts(&self) -> bool {
            true
        }

        fn for_each_step(&self, visit: impl FnMut(Add) -> ControlFlow<()>) -> ControlFlow<()> {
            (1..=9).map(Add).try_for_each(visit)
        }

        fn cost(&self, _: Add) -> Steps {
            Steps(1)
        }

        fn is_idle(&self) -> bool {
            false
        }

        fn play(&mut self, step: Add) {
            *self = Sum(self.0 + u32::from(step.0), !self.1);
        }

        fn key(&self) -> Key {
            KeyGenerator::new(u64::from(self.0) << 1 | self.1 as u64).next_key()
        }

        fn winner(&self) -> Option<Side> {
            None
        }
    }

    /// A side that is to move at a sum above this has a forced win, which no search sees.
    struct WonAbove {
        sum: u32,
        side: Side,
        /// A look at fewer positions is cut off.
        least_nodes: u64,
        /// How often a forced win was found.
        found: AtomicUsize,
    }

    impl WonAbove {
        fn new(sum: u32, side: Side) -> WonAbove {
            WonAbove { sum, side, least_nodes: 0, found: AtomicUsize::new(0) }
        }

        fn wins(&self, sum: &Sum) -> bool {
            sum.1 == self.side && sum.0 > self.sum
        }
    }

    impl Evaluator<Sum> for WonAbove {
        type State = ();
        type Cache = ();

        fn state(&self, _: &Sum) {}

        fn evaluate(&self, sum: &Sum, (): &(), (): &mut ()) -> Score {
            let first = sum.0 as i32;
            Score(if sum.1 == Side::First { first } else { -first })
        }
    }

    impl Tactics<Sum> for WonAbove {
        type Scratch = ();

        fn forced_win(
            &self,
            sum: &Sum,
            limits: ForcedWinLimits,
            (): &mut (),
        ) -> ForcedWinLook<Add> {
            assert!(limits.nodes >= LEAST_NODES);
            if limits.nodes < self.least_nodes {
                return ForcedWinLook::CutOff;
            }
            if !self.wins(sum) {
                return ForcedWinLook::NoWin;
            }
            self.found.fetch_add(1, Ordering::Relaxed);
            ForcedWinLook::Win(ForcedWin { turn: vec![Add(1)], turns: Turns(2) })
        }

        /// By the 1 that begins the forced win.
        fn is_threatened(&self, sum: &Sum) -> bool {
            sum.0.checked_sub(1).is_some_and(|before| self.wins(&Sum(before, !sum.1)))
        }

        fn has_defence(&self, _: &Sum, (): &mut ()) -> bool {
            false
        }
    }

    impl StepOrdering<Sum> for WonAbove {}

    impl TurnStructure<Sum> for WonAbove {
        const WHOLE_TURN: Steps = Steps(1);
    }

    fn best_step(bound: u32, verification: i32) -> (Vec<Add>, crate::Verdict) {
        let parameters = Parameters { verification, defences: 0, ..Parameters::default() };
        searched(&WonAbove::new(bound, Side::Second), parameters)
    }

    fn searched(heuristics: &WonAbove, parameters: Parameters) -> (Vec<Add>, crate::Verdict) {
        searched_to(Steps(4), heuristics, parameters)
    }

    fn searched_to(
        depth: Steps,
        heuristics: &WonAbove,
        parameters: Parameters,
    ) -> (Vec<Add>, crate::Verdict) {
        let mut search = AlphaBeta::new(parameters, 1);
        search.threads = if parameters.parallel != crate::Parallel::Abdada { 3 } else { 1 };
        let (past, stop) = (History::new(), Stop::new());
        let task = Task {
            position: &Sum(0, Side::First),
            past: &past,
            heuristics,
            limits: Limits::depth(depth),
            stop: &stop,
        };
        let info = search.search(&task, |_| ()).expect("an answer");
        (info.pv()[..1].to_vec(), info.verdict().expect("a verdict"))
    }

    #[test]
    fn a_turn_that_loses_by_force_is_not_played_if_there_is_another() {
        assert_eq!(best_step(6, 0).0, [Add(9)]);
        assert_eq!(best_step(6, 10).0, [Add(6)]);
        assert_eq!(best_step(9, 10).0, [Add(9)]);
    }

    #[test]
    fn with_lazy_smp_no_turn_is_elected_that_loses_by_force_if_there_is_another() {
        let parameters = Parameters {
            verification: 10,
            defences: 0,
            parallel: crate::Parallel::LazySmp,
            ..Parameters::default()
        };
        for _ in 0..30 {
            let (turn, _) = searched(&WonAbove::new(6, Side::Second), parameters);
            assert_eq!(turn, [Add(6)]);
        }
    }

    #[test]
    fn a_turn_that_only_a_long_look_refutes_is_not_played_and_is_looked_at_once() {
        let heuristics =
            WonAbove { least_nodes: 2 * LEAST_NODES, ..WonAbove::new(8, Side::Second) };
        let parameters = Parameters { verification: 10, defences: 0, ..Parameters::default() };
        assert_eq!(searched_to(Steps(30), &heuristics, parameters).0, [Add(8)]);
        assert_eq!(heuristics.found.into_inner(), 1);
    }

    #[test]
    fn what_refutes_one_turn_is_tried_against_the_others() {
        let heuristics = WonAbove::new(3, Side::Second);
        let parameters = Parameters { verification: 10, defences: 0, ..Parameters::default() };
        assert_eq!(searched_to(Steps(2), &heuristics, parameters).0, [Add(3)]);
        assert_eq!(heuristics.found.into_inner(), 1);
    }

    #[test]
    fn without_a_transposition_table_nothing_is_verified() {
        let parameters = Parameters {
            verification: 10,
            transposition_table: false,
            defences: 0,
            ..Parameters::default()
        };
        assert_eq!(searched(&WonAbove::new(6, Side::Second), parameters).0, [Add(9)]);
    }

    #[test]
    fn later_turns_of_the_principal_variation_are_verified_too() {
        // Whatever the second side answers to 9, the first is above 9 then.
        let found = |bound| {
            let parameters = Parameters { verification: 10, defences: 0, ..Parameters::default() };
            searched(&WonAbove::new(bound, Side::First), parameters).1
        };
        assert_eq!(found(9), crate::Verdict::Proof(game::Proof::Win(Turns(3))));
        assert!(matches!(found(30), crate::Verdict::Score(_)));
    }

    #[test]
    fn the_search_pauses_when_a_turn_may_be_looked_at_twice_as_long() {
        let root = Sum(0, Side::First);
        let last = Completed { depth: 4, value: Value::from(Score(5)), line: vec![Add(3)] };
        let mut verification = Verification::new();
        let pause = |verification: &Verification<Add>| verification.pause(&root, Some(&last));
        assert_eq!(pause(&verification), None);
        verification.looks.insert(Sum(3, Side::Second).key(), Look::Holds { nodes: 300 });
        assert_eq!(pause(&verification), Some(600));
        verification.looks.insert(Sum(3, Side::Second).key(), Look::Refuted(Value::win(2)));
        assert_eq!(pause(&verification), None);
    }

    /// A verification with a look after each of these turns.
    fn with_looks(looks: &[(u8, Look)]) -> Verification<Add> {
        let mut verification = Verification::new();
        for &(step, look) in looks {
            verification.looks.insert(Sum(step.into(), Side::Second).key(), look);
            verification.wins += usize::from(matches!(look, Look::Refuted(_)));
        }
        verification
    }

    fn found(depth: u8, value: Value, step: u8) -> Completed<Add> {
        Completed { depth, value, line: vec![Add(step)] }
    }

    const FULL_LOOK: u64 = 8000;

    #[test]
    fn a_certain_loss_is_the_answer_although_its_turn_was_refuted() {
        let verification = with_looks(&[(9, Look::Refuted(Value::win(2)))]);
        let score = Value::from(Score(5));
        let iterations = [found(3, score, 4), found(4, Value::loss(3), 9)];
        let answer = verification.answer(&Sum(0, Side::First), &iterations, FULL_LOOK);
        assert_eq!(answer, Some(&iterations[1]));
    }

    #[test]
    fn once_a_look_has_found_a_win_a_turn_must_have_been_looked_at_for_long() {
        let (root, score) = (Sum(0, Side::First), Value::from(Score(5)));
        let iterations = [found(3, score, 4), found(4, score, 6), found(5, score, 7)];
        let (long, short) = (Look::Holds { nodes: 1000 }, Look::Holds { nodes: 999 });
        let looks = [(4, Look::Safe), (6, long), (7, short)];
        let in_peace = with_looks(&looks);
        assert_eq!(in_peace.answer(&root, &iterations, FULL_LOOK), Some(&iterations[2]));
        let danger = [&looks[..], &[(8, Look::Refuted(Value::win(2)))]].concat();
        let in_danger = with_looks(&danger);
        assert_eq!(in_danger.answer(&root, &iterations, FULL_LOOK), Some(&iterations[1]));
    }

    #[test]
    fn where_no_iteration_has_a_trusted_turn_the_best_of_the_others_is_played() {
        let (root, score) = (Sum(0, Side::First), |score| Value::from(Score(score)));
        let looks = [
            (1, Look::Safe),
            (2, Look::Safe),
            (3, Look::Holds { nodes: 1 }),
            (9, Look::Refuted(Value::win(2))),
        ];
        let mut verification = with_looks(&looks);
        let iterations = [found(4, score(90), 9), found(5, score(50), 3)];
        assert_eq!(verification.answer(&root, &iterations, FULL_LOOK), Some(&iterations[1]));
        verification.held = vec![found(4, score(20), 1), found(4, score(10), 2)];
        let best = found(4, score(20), 1);
        assert_eq!(verification.answer(&root, &iterations, FULL_LOOK), Some(&best));
    }

    #[test]
    fn where_all_turns_lose_the_search_says_so() {
        let (_, verdict) = best_step(0, 10);
        assert_eq!(verdict, crate::Verdict::Proof(game::Proof::Loss(Turns(2))));
    }
}
