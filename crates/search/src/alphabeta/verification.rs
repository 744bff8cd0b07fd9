use game::{Key, Position};
use rustc_hash::FxHashMap;

use super::Task;
use super::search::SearchThread;
use super::threads::Completed;
use crate::Parameters;
use crate::hash_table::SubtreeSize;
use crate::heuristics::{AlphaBetaHeuristics, ForcedWinLimits};
use crate::transposition_table::{Bound, TranspositionEntry};
use crate::value::Value;

/// Verification of the turns that iterations have found best: the position after such a turn is looked at for
/// a forced win of the enemy, which the search may have reduced away.
pub(super) struct Verification<Step> {
    /// The iterations whose best turn was refuted.
    pub(super) refuted: Vec<Completed<Step>>,
    /// By the position after the turn.
    looks: FxHashMap<Key, Look>,
}

#[derive(Clone, Copy, Debug)]
enum Look {
    /// The enemy wins.
    Refuted,
    /// Nothing was found in so many positions.
    Holds { nodes: u64 },
}

/// A turn is looked at again when this many times as many positions may be looked at.
const AGAIN: u64 = 4;

/// After so many turns that lose, another one is not looked at.
const MOST_REFUTED: usize = 50;

/// No look is shorter.
const LEAST_NODES: u64 = 300;

impl<Step> Verification<Step> {
    pub(super) fn new() -> Verification<Step> {
        Verification { refuted: Vec::new(), looks: FxHashMap::default() }
    }

    /// Whether the turn of an iteration is known to lose.
    pub(super) fn has_refuted<P: Position<Step = Step>>(
        &self,
        root: &P,
        completed: &Completed<Step>,
    ) -> bool {
        let after = after_turn(root, &completed.line);
        let look = after.and_then(|after| self.looks.get(&after.key()));
        matches!(look, Some(Look::Refuted))
    }
}

/// The position after the turn with which a line begins, if the line goes so far.
fn after_turn<P: Position>(root: &P, line: &[P::Step]) -> Option<P> {
    let mut position = root.clone();
    for &step in line {
        position.play(step);
        if position.side() != root.side() {
            return Some(position);
        }
    }
    None
}

impl<P: Position, H: AlphaBetaHeuristics<P>> SearchThread<'_, P, H> {
    /// Whether the best turn of an iteration turns out to lose by force. The transposition table is told, and
    /// the next iteration finds another turn, if there is a better one.
    pub(super) fn refutes(
        &mut self,
        task: &Task<P, H>,
        completed: &Completed<P::Step>,
        verification: &mut Verification<P::Step>,
    ) -> bool {
        let Parameters { verification: percent, transposition_table, .. } = *self.parameters;
        if percent == 0 || transposition_table == 0 || completed.value.is_result() {
            return false;
        }
        let Some(after) = after_turn(task.position, &completed.line) else { return false };
        if after.winner().is_some() {
            return false;
        }
        let nodes = self.nodes / 100 * percent as u64;
        let nodes = nodes.max(LEAST_NODES);
        match verification.looks.get(&after.key()) {
            Some(Look::Holds { nodes: before }) if nodes < before * AGAIN => return false,
            _ => {}
        }
        if verification.refuted.len() >= MOST_REFUTED {
            return false;
        }
        let is_allowed = |key| task.past.count(key) < 2;
        let hard = task.limits.hard;
        let begin = self.begin;
        let must_stop =
            || task.stop.is_requested() || hard.is_some_and(|time| begin.elapsed() >= time);
        let limits = ForcedWinLimits { is_allowed: &is_allowed, must_stop: &must_stop, nodes };
        let win = self.heuristics.forced_win(&after, limits, &mut self.scratch);
        let look = if win.is_some() { Look::Refuted } else { Look::Holds { nodes } };
        verification.looks.insert(after.key(), look);
        let Some(turns) = win else { return false };
        // The turns before the last one are of both sides.
        let value = Value::win(2 * (turns.0 - 1));
        let entry = TranspositionEntry {
            value,
            bound: Bound::Exact,
            depth: TranspositionEntry::<P::Step>::VERIFIED,
            step: None,
            size: SubtreeSize::default(),
        };
        self.shared.table.store(after.key(), entry);
        true
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use game::{History, KeyGenerator, PackedStep, Score, Side, Steps, Turns};

    use super::*;
    use crate::{AlphaBeta, Evaluator, Limits, StepOrdering, Stop, Tactics, TurnStructure};

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

    /// Sums above this are lost for the first side, which no search sees.
    struct LostAbove(u32);

    impl Evaluator<Sum> for LostAbove {
        type State = ();
        type Cache = ();

        fn state(&self, _: &Sum) {}

        fn evaluate(&self, sum: &Sum, (): &(), (): &mut ()) -> Score {
            let first = sum.0 as i32;
            Score(if sum.1 == Side::First { first } else { -first })
        }
    }

    impl Tactics<Sum> for LostAbove {
        type Scratch = ();

        fn forced_win(&self, sum: &Sum, limits: ForcedWinLimits, (): &mut ()) -> Option<Turns> {
            assert!(limits.nodes >= LEAST_NODES && !(limits.must_stop)());
            (sum.1 == Side::Second && sum.0 > self.0).then_some(Turns(2))
        }
    }

    impl StepOrdering<Sum> for LostAbove {}

    impl TurnStructure<Sum> for LostAbove {
        const WHOLE_TURN: Steps = Steps(1);
    }

    fn best_step(bound: u32, verification: i32) -> (Vec<Add>, crate::Verdict) {
        searched(bound, Parameters { verification, ..Parameters::default() })
    }

    fn searched(bound: u32, parameters: Parameters) -> (Vec<Add>, crate::Verdict) {
        let mut search = AlphaBeta::new(parameters, 1);
        let (past, stop) = (History::new(), Stop::new());
        let task = Task {
            position: &Sum(0, Side::First),
            past: &past,
            heuristics: &LostAbove(bound),
            limits: Limits::depth(Steps(4)),
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
    fn without_a_transposition_table_nothing_is_verified() {
        let parameters =
            Parameters { verification: 10, transposition_table: 0, ..Parameters::default() };
        assert_eq!(searched(6, parameters).0, [Add(9)]);
    }

    #[test]
    fn where_all_turns_lose_the_search_says_so() {
        let (_, verdict) = best_step(0, 10);
        assert_eq!(verdict, crate::Verdict::Proof(game::Proof::Loss(Turns(2))));
    }
}
