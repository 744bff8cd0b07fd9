use std::time::Duration;

use game::{Key, Position};
use rustc_hash::FxHashMap;

use super::search::SearchThread;
use super::threads::Completed;
use crate::Parameters;
use crate::hash_table::SubtreeSize;
use crate::heuristics::{AlphaBetaHeuristics, ForcedWinLimits};
use crate::transposition_table::{Bound, TranspositionEntry};
use crate::value::Value;

/// Verification of what iterations have found: each turn of the principal variation leads to a position that is
/// looked at for a forced win, which the search may have reduced away.
pub(super) struct Verification<Step> {
    /// The iterations whose principal variation was refuted.
    pub(super) refuted: Vec<Completed<Step>>,
    /// By the position after a turn.
    looks: FxHashMap<Key, Look>,
}

#[derive(Clone, Copy, Debug)]
enum Look {
    /// The side to move wins.
    Refuted,
    /// Nothing was found in so many positions.
    Holds { nodes: u64 },
}

/// A turn is looked at again when this many times as many positions may be looked at.
const AGAIN: u64 = 2;

/// The turns of the principal variation after the first are looked at with this part of the positions.
const LATER_TURNS: u64 = 4;

/// How many positions a look for a forced win comes to in a microsecond, at most. Where there are threats to win, a
/// search enters far fewer nodes, and just there the looks matter.
const LOOKED_AT_A_MICROSECOND: u64 = 2;

/// After so many iterations that were refuted, another one is not looked at.
const MOST_REFUTED: usize = 500;

/// No look is shorter.
const LEAST_NODES: u64 = 300;
const LEAST_TIME: Duration = Duration::from_millis(1);

impl<Step> Verification<Step> {
    pub(super) fn new() -> Verification<Step> {
        Verification { refuted: Vec::new(), looks: FxHashMap::default() }
    }

    /// The search pauses to look again at the turn that it would play, when a look may take so many positions.
    pub(super) fn pause<P: Position<Step = Step>>(
        &self,
        root: &P,
        last: Option<&Completed<Step>>,
    ) -> Option<u64> {
        let last = last.filter(|last| !last.value.is_result() && !self.is_exhausted())?;
        let after = after_turns(root, &last.line).next()?;
        match self.looks.get(&after.key())? {
            Look::Holds { nodes } => Some(nodes * AGAIN),
            Look::Refuted => None,
        }
    }

    /// Whether the first turn of an iteration is known to lose.
    pub(super) fn has_refuted<P: Position<Step = Step>>(
        &self,
        root: &P,
        completed: &Completed<Step>,
    ) -> bool {
        let after = after_turns(root, &completed.line).next();
        let look = after.and_then(|after| self.looks.get(&after.key()));
        matches!(look, Some(Look::Refuted))
    }

    /// The positions in which a look has found nothing.
    pub(super) fn verified(&self) -> impl Iterator<Item = Key> {
        let holds = |look: &Look| matches!(look, Look::Holds { .. });
        self.looks.iter().filter(move |(_, look)| holds(look)).map(|(&key, _)| key)
    }

    fn is_exhausted(&self) -> bool {
        self.refuted.len() >= MOST_REFUTED
    }

    /// Whether a position is to be looked at, with so many nodes.
    fn is_due(&self, position: Key, nodes: u64) -> bool {
        match self.looks.get(&position) {
            Some(Look::Holds { nodes: before }) => nodes >= before * AGAIN,
            Some(Look::Refuted) | None => true,
        }
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
    /// Whether one of the first turns of a principal variation, as many as `most`, leads to a forced win that the
    /// search has not seen. The transposition table is told, and the iteration is to be repeated: it finds another
    /// turn, if there is a better one.
    pub(super) fn refutes(&mut self, found: &Completed<P::Step>, most: usize) -> bool {
        let Parameters { verification: percent, transposition_table, .. } = *self.parameters;
        if percent == 0 || transposition_table == 0 || found.value.is_result() {
            return false;
        }
        let Some(mut verification) = self.verification.take_if(|it| !it.is_exhausted()) else {
            return false;
        };
        let is_refuted = after_turns(self.root, &found.line)
            .take(most)
            .take_while(|after| after.winner().is_none())
            .enumerate()
            .any(|(number, after)| {
                let part = if number == 0 { 1 } else { LATER_TURNS };
                let nodes = (self.look_nodes() / part).max(LEAST_NODES);
                let time = self.begin.elapsed() / part as u32 * percent as u32 / 100;
                verification.is_due(after.key(), nodes)
                    && self.has_forced_win(&after, (nodes, time), &mut verification)
            });
        if is_refuted {
            self.shared.progress.reopen(found.depth);
            verification.refuted.push(found.clone());
        }
        self.verification = Some(verification);
        is_refuted
    }

    /// Whether the transposition table knows of a forced win after the first turn, which the search has not seen.
    pub(super) fn knows_refuted(&self, found: &Completed<P::Step>) -> bool {
        let after = after_turns(self.root, &found.line).next();
        let entry = after.and_then(|after| self.probe(after.key()));
        !found.value.is_result() && entry.is_some_and(|entry| entry.is_verified())
    }

    /// How many positions a look may take by now: a part of those that the search has entered or, where time is
    /// limited, that looks could have come to in the same time.
    pub(super) fn look_nodes(&self) -> u64 {
        let micros = self.limits.hard.map_or(0, |_| self.begin.elapsed().as_micros() as u64);
        let nodes = self.nodes.max(micros * LOOKED_AT_A_MICROSECOND);
        (nodes * self.parameters.verification as u64 / 100).max(LEAST_NODES)
    }

    /// Looks for a forced win in a position, at so many positions and, where time is limited, for so long at most;
    /// the transposition table is told of it.
    fn has_forced_win(
        &mut self,
        position: &P,
        (nodes, time): (u64, Duration),
        verification: &mut Verification<P::Step>,
    ) -> bool {
        let (past, stop, begin) = (self.past, self.stop, self.begin);
        let end = self.limits.hard.map(|hard| hard.min(begin.elapsed() + time.max(LEAST_TIME)));
        let is_allowed = |key| past.count(key) < 2;
        let must_stop = || stop.is_requested() || end.is_some_and(|end| begin.elapsed() >= end);
        let limits = ForcedWinLimits { is_allowed: &is_allowed, must_stop: &must_stop, nodes };
        let win = self.heuristics.forced_win(position, limits, &mut self.scratch);
        let look = if win.is_some() { Look::Refuted } else { Look::Holds { nodes } };
        verification.looks.insert(position.key(), look);
        let Some(win) = win else { return false };
        // The turns before the last one are of both sides.
        self.store_forced_win(position, Value::win(2 * (win.turns.0 - 1)));
        self.refutations.add(position.side(), win);
        true
    }

    /// Tells the transposition table of a forced win in a position, its value as if it were the root.
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
        AlphaBeta, Evaluator, ForcedWin, Limits, StepOrdering, Stop, Tactics, Task, TurnStructure,
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
        /// How often a forced win was found.
        found: AtomicUsize,
    }

    impl WonAbove {
        fn new(sum: u32, side: Side) -> WonAbove {
            WonAbove { sum, side, found: AtomicUsize::new(0) }
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
        ) -> Option<ForcedWin<Add>> {
            assert!(limits.nodes >= LEAST_NODES);
            self.wins(sum).then(|| {
                self.found.fetch_add(1, Ordering::Relaxed);
                ForcedWin { turn: vec![Add(1)], turns: Turns(2) }
            })
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
        search.threads = if parameters.parallel != 0 { 3 } else { 1 };
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
        let parameters =
            Parameters { verification: 10, defences: 0, parallel: 1, ..Parameters::default() };
        for _ in 0..30 {
            let (turn, _) = searched(&WonAbove::new(6, Side::Second), parameters);
            assert_eq!(turn, [Add(6)]);
        }
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
            transposition_table: 0,
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
        verification.looks.insert(Sum(3, Side::Second).key(), Look::Refuted);
        assert_eq!(pause(&verification), None);
    }

    #[test]
    fn where_all_turns_lose_the_search_says_so() {
        let (_, verdict) = best_step(0, 10);
        assert_eq!(verdict, crate::Verdict::Proof(game::Proof::Loss(Turns(2))));
    }
}
