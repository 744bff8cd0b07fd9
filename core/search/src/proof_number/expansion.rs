//! Expansion: the children of a position, in which order they are tried, and their initial numbers.

use std::ops::ControlFlow;
use std::sync::Arc;

use game::{Key, Position, Score};

use super::backup::{Branch, Standing};
use super::numbers::{Decided, MAX_FINITE, ProofNumbers};
use super::tables::{Path, RepetitionCheck, Tables};
use super::{ChildSum, DefenceTest, FirstNumbers, ProofOrdering, ProofParameters};
use crate::defences::{Defences, List};
use crate::{ProofNumberHeuristics, TurnList};

/// A child of a position: after a step, or after a whole turn of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child<Step> {
    pub(crate) branch: Branch,
    pub(crate) step: Step,
    /// The number of the turn in the list.
    pub(crate) number: u16,
    pub(crate) key: Key,
}

impl<Step> Child<Step> {
    pub(crate) fn decide(&mut self, decided: Decided) {
        self.branch.numbers = ProofNumbers::decided(decided.winner);
        (self.branch.turns, self.branch.path_dependent) = (decided.turns, decided.path_dependent);
    }
}

/// What an expansion says about a position besides its children.
#[derive(Clone, Debug)]
pub(crate) struct Expansion<Step> {
    /// A child was left out because the path forbids it.
    pub(crate) path_cut: bool,
    /// If the children are whole turns: their list.
    pub(crate) turns: List<Step>,
    /// The mover has no defence against a threat.
    pub(crate) is_lost: bool,
    pub(crate) standing: Standing,
}

/// How far a position is from the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct TreePlace {
    pub(crate) turns: u16,
    /// The cost of the steps of the turn so far.
    pub(crate) used: u8,
}

impl TreePlace {
    /// The place after a step of that cost.
    #[inline]
    pub(crate) fn after(self, cost: u8, ends_turn: bool) -> TreePlace {
        match ends_turn {
            true => TreePlace { turns: self.turns.saturating_add(1), used: 0 },
            false => TreePlace { used: self.used.saturating_add(cost), ..self },
        }
    }

    /// The level of a vertex, in steps (Majerech 2012, 4.3.2).
    pub(crate) fn level(self, whole_turn: u8) -> usize {
        usize::from(self.turns) * usize::from(whole_turn) + usize::from(self.used)
    }
}

/// A list of all defences takes as long as many positions. It is made where the number of the side that
/// threatens is above this (1, 4, 20 and 100: 16, 16, 17 and 14 of 20 wins in 3 within 4 million
/// nodes, 14 without lists; 2026-11).
const HARD: u32 = 10;

/// Lists the children of positions.
pub(crate) struct Expander<'a, P: Position, K: ProofNumberHeuristics<P>> {
    pub(crate) heuristics: &'a K,
    pub(crate) parameters: &'a ProofParameters,
    pub(crate) tables: &'a Tables,
    defences: &'a Defences<P::Step>,
    pub(crate) path: Path<'a>,
    pub(crate) killers: KillerSteps<P::Step>,
    /// Whether the children may be lists of defences.
    pub(crate) lists: bool,
    /// Whether the children are all turns.
    pub(crate) whole_turns: bool,
    pub(crate) nodes: u64,
    cache: K::Cache,
    scratch: K::Scratch,
    steps: Vec<(i32, P::Step)>,
    /// The positions after them.
    entered: Vec<(P, Key, P::Step)>,
}

impl<'a, P: Position, K: ProofNumberHeuristics<P>> Expander<'a, P, K> {
    pub(crate) fn new(
        heuristics: &'a K,
        parameters: &'a ProofParameters,
        tables: &'a Tables,
        defences: &'a Defences<P::Step>,
        path: Path<'a>,
    ) -> Expander<'a, P, K> {
        Expander {
            heuristics,
            parameters,
            tables,
            defences,
            path,
            killers: KillerSteps::new(parameters),
            lists: parameters.defences == DefenceTest::List,
            whole_turns: parameters.whole_turns,
            nodes: 0,
            cache: K::Cache::default(),
            scratch: K::Scratch::default(),
            steps: Vec::new(),
            entered: Vec::new(),
        }
    }

    /// Who wins the root, if the rules or a static test say so.
    pub(crate) fn decided_statically(&self, position: &P) -> Option<Decided> {
        let over = if position.turn_starts() { position.winner() } else { None };
        let over = over.map(|winner| Decided::statically(winner, 0));
        let wins = || self.parameters.wins && self.heuristics.wins(position);
        over.or_else(|| wins().then(|| Decided::statically(position.side(), 1)))
    }

    /// Lists the children of a position that no static test decides, the most promising first.
    pub(crate) fn expand(
        &mut self,
        position: &P,
        place: TreePlace,
        children: &mut Vec<Child<P::Step>>,
    ) -> Expansion<P::Step> {
        let standing = self.standing(position);
        let mut expansion = Expansion { path_cut: false, turns: None, is_lost: false, standing };
        if position.turn_starts() && self.parameters.defences != DefenceTest::Off {
            self.answer_threat(position, &mut expansion);
            if expansion.is_lost {
                return expansion;
            }
        }
        if self.whole_turns && expansion.turns.is_none() && position.turn_starts() {
            expansion.turns = self.all_turns(position, place);
        }
        match expansion.turns.clone() {
            Some(turns) => {
                let count = turns.len();
                let listed = (0..count).filter_map(|number| Some((number, turns.get(number)?)));
                for (number, steps) in listed {
                    let mut after = position.clone();
                    steps.iter().for_each(|&step| after.play(step));
                    let (key, path_cut) = (after.key(), &mut expansion.path_cut);
                    let child = self.child(position, &after, key, steps[0], count, path_cut);
                    children.extend(child.map(|child| Child { number: number as u16, ..child }));
                    // With whole turns, no other is looked at once one wins (Veselý 2013, Algorithm 5).
                    let winner = child.and_then(|child| child.branch.numbers.winner());
                    if self.whole_turns && winner == Some(position.side()) {
                        break;
                    }
                }
            }
            None => self.expand_steps(position, place, children, &mut expansion.path_cut),
        }
        expansion
    }

    fn expand_steps(
        &mut self,
        position: &P,
        place: TreePlace,
        children: &mut Vec<Child<P::Step>>,
        path_cut: &mut bool,
    ) {
        self.order_steps(position, place);
        let (steps, mut entered) =
            (std::mem::take(&mut self.steps), std::mem::take(&mut self.entered));
        entered.clear();
        // The prefetched entry of the first is in the cache by the time that the last is entered.
        for &(_, step) in &steps {
            let mut after = position.clone();
            after.play(step);
            if !after.is_idle() {
                let key = after.key();
                self.tables.prefetch(&self.path, key);
                entered.push((after, key, step));
            }
        }
        for (after, key, step) in entered.drain(..) {
            let child = self.child(position, &after, key, step, steps.len(), path_cut);
            children.extend(child);
        }
        (self.steps, self.entered) = (steps, entered);
    }

    /// All turns, in the order of their first steps, then of the next; nothing, if there are too many for a list.
    fn all_turns(&mut self, position: &P, place: TreePlace) -> List<P::Step> {
        let (mut turns, mut begun) = (TurnList::new(), Vec::new());
        self.add_turns(position, place, &mut begun, &mut turns);
        (turns.len() <= usize::from(u16::MAX)).then(|| Arc::new(turns))
    }

    fn add_turns(
        &mut self,
        position: &P,
        place: TreePlace,
        begun: &mut Vec<P::Step>,
        turns: &mut TurnList<P::Step>,
    ) {
        self.order_steps(position, place);
        for (_, step) in std::mem::take(&mut self.steps) {
            let mut after = position.clone();
            after.play(step);
            begun.push(step);
            if after.turn_starts() {
                turns.push(begun.iter().copied());
            } else if !after.is_idle() && turns.len() <= usize::from(u16::MAX) {
                let next = place.after(position.cost(step).0, false);
                self.add_turns(&after, next, begun, turns);
            }
            begun.pop();
        }
    }

    /// The steps of a position, the most promising first.
    fn order_steps(&mut self, position: &P, place: TreePlace) {
        let level = place.level(K::WHOLE_TURN.0);
        self.steps.clear();
        let _ = position.for_each_step(|step| {
            let score = match self.parameters.ordering {
                ProofOrdering::Off => 0,
                ProofOrdering::Steps => self.heuristics.ordering_score(position, step),
                ProofOrdering::Endgame => self.heuristics.endgame_ordering_score(position, step),
            };
            let score = score.clamp(-(1 << 24), 1 << 24);
            let killer = self.killers.rank(level, step);
            self.steps.push((score + (killer << 26), step));
            ControlFlow::Continue(())
        });
        if self.parameters.ordering != ProofOrdering::Off || self.parameters.killers != 0 {
            self.steps.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
        }
    }

    /// The child `after` a step from the position `before`, one of `count`; nothing, if repetition forbids
    /// it.
    #[inline]
    fn child(
        &mut self,
        before: &P,
        after: &P,
        key: Key,
        step: P::Step,
        count: usize,
        path_cut: &mut bool,
    ) -> Option<Child<P::Step>> {
        self.nodes += 1;
        let ends_turn = after.turn_starts();
        let branch =
            Branch { numbers: ProofNumbers::UNKNOWN, turns: 0, path_dependent: false, ends_turn };
        let mut child = Child { branch, step, number: 0, key };
        let mut sum = self.path.sum();
        if ends_turn {
            if let Some(winner) = after.winner() {
                child.decide(Decided::statically(winner, 0));
                return Some(child);
            }
            match self.path.repetition(after.repetition_key()) {
                RepetitionCheck::Allowed => {}
                RepetitionCheck::ForbiddenByPast => return None,
                RepetitionCheck::ForbiddenByPath => {
                    *path_cut = true;
                    return None;
                }
            }
            sum = self.path.sum_with(key);
        } else if self.is_won_inside(after) {
            child.decide(Decided::statically(after.side(), 1));
            return Some(child);
        }
        if let Some(decided) = self.tables.decided(&self.path, key, sum) {
            child.decide(decided);
            return Some(child);
        }
        let known = self.tables.numbers(key);
        // Positions with numbers were tested before; those inside a turn, at its start.
        let is_new = known.is_none() && (ends_turn || after.side() != before.side());
        if is_new && self.parameters.wins && self.heuristics.wins(after) {
            child.decide(Decided::statically(after.side(), 1));
            return Some(child);
        }
        child.branch.numbers = known.unwrap_or_else(|| self.initial_numbers(after, count));
        if is_new && self.parameters.quiet != 0 && !self.heuristics.is_threatened(after) {
            child.branch.numbers =
                child.branch.numbers.plus(!after.side(), self.parameters.quiet as u32);
        }
        Some(child)
    }

    /// Whether the side to move has won if its turn ends here. The static test for wins has seen that at the start of
    /// the turn.
    #[inline]
    fn is_won_inside(&self, position: &P) -> bool {
        !self.parameters.wins && self.heuristics.winning_end(position).is_some()
    }

    /// The initial numbers of a position that was not searched yet (Veselý 2013, 2.2.2). It is taken to have
    /// as many children as siblings.
    fn initial_numbers(&mut self, position: &P, siblings: usize) -> ProofNumbers {
        match self.parameters.estimate {
            FirstNumbers::One => return ProofNumbers::UNKNOWN,
            FirstNumbers::Evaluation => {}
            FirstNumbers::Heuristics => {
                let (own, other) = self.heuristics.initial_numbers(position);
                return ProofNumbers::new(
                    position.side(),
                    own.clamp(1, MAX_FINITE),
                    other.clamp(1, MAX_FINITE),
                );
            }
        }
        let Score(score) = self.evaluate(position);
        let worse = 1 - standing_at(score, self.parameters.estimate_advantage) as i32;
        let all = siblings as i32 * (1 + self.parameters.estimate_win * (1 - worse));
        let one = 1 + self.parameters.estimate_loss * (1 + worse);
        ProofNumbers::new(position.side(), one as u32, all.max(1) as u32)
    }

    fn evaluate(&mut self, position: &P) -> Score {
        let state = self.heuristics.state(position);
        self.heuristics.evaluate(position, &state, &mut self.cache)
    }

    fn standing(&mut self, position: &P) -> Standing {
        if self.parameters.sum != ChildSum::WeakByEvaluation {
            return Standing::Even;
        }
        let Score(score) = self.evaluate(position);
        standing_at(score, self.parameters.weak_advantage)
    }

    /// If the other side threatens to win: whether there is a defence, or the list of all.
    fn answer_threat(&mut self, position: &P, expansion: &mut Expansion<P::Step>) {
        let Expander { heuristics, scratch, .. } = self;
        if !heuristics.is_threatened(position) {
            return;
        }
        let mover = position.side();
        let is_hard = |numbers: ProofNumbers| numbers.to_win(!mover) > HARD;
        if self.lists && self.tables.numbers(position.key()).is_some_and(is_hard) {
            let find = || heuristics.few_defences(position, scratch);
            expansion.turns = self.defences.list(position.key(), find);
            expansion.is_lost = expansion.turns.as_ref().is_some_and(|turns| turns.is_empty());
        } else {
            let find = || heuristics.has_defence(position, scratch);
            expansion.is_lost = !self.defences.verdict(position.key(), find);
        }
    }
}

/// How a side stands with that evaluation.
fn standing_at(score: i32, advantage: i32) -> Standing {
    match score {
        _ if score >= advantage => Standing::Better,
        _ if score <= -advantage => Standing::Worse,
        _ => Standing::Even,
    }
}

/// Killer steps: those that have decided a position, for each level. They may decide a sibling of it too
/// (Majerech 2012, 4.3.2).
#[derive(Clone, Debug)]
pub(crate) struct KillerSteps<Step> {
    /// How many are kept for a level.
    most: usize,
    /// Whether the one with the fewest hits gives way, instead of the oldest.
    by_hits: bool,
    levels: Vec<Vec<Killer<Step>>>,
}

#[derive(Clone, Copy, Debug)]
struct Killer<Step> {
    step: Step,
    /// How many positions it has decided.
    hits: u32,
}

/// Beyond this level, nothing is kept.
const MOST_LEVELS: usize = 1 << 12;

impl<Step: Copy + PartialEq> KillerSteps<Step> {
    pub(crate) fn new(parameters: &ProofParameters) -> KillerSteps<Step> {
        let (most, by_hits) = (parameters.killers as usize, parameters.killer_hits);
        KillerSteps { most, by_hits, levels: Vec::new() }
    }

    /// The rank of a step, the highest first; 0 if it is no killer. Killers by their hits have one rank: among
    /// themselves they stay in the order of steps.
    pub(crate) fn rank(&self, level: usize, step: Step) -> i32 {
        let Some(killers) = self.levels.get(level) else { return 0 };
        let index = killers.iter().position(|killer| killer.step == step);
        index.map_or(0, |index| if self.by_hits { 1 } else { (self.most - index) as i32 })
    }

    /// Adds a step that has decided a position of that level.
    pub(crate) fn reward(&mut self, level: usize, step: Step) {
        if self.most == 0 || level >= MOST_LEVELS {
            return;
        }
        if level >= self.levels.len() {
            self.levels.resize_with(level + 1, Vec::new);
        }
        let killers = &mut self.levels[level];
        let known = killers.iter().position(|killer| killer.step == step);
        let new = Killer { step, hits: 1 };
        match known {
            Some(index) if self.by_hits => killers[index].hits += 1,
            Some(index) => killers[..=index].rotate_right(1),
            None if self.by_hits => {
                if killers.len() < self.most {
                    killers.push(new);
                } else if let Some(fewest) = killers.iter_mut().min_by_key(|killer| killer.hits) {
                    *fewest = new;
                }
            }
            None => {
                killers.truncate(self.most - 1);
                killers.insert(0, new);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn killers(killers: i32, killer_hits: bool) -> KillerSteps<char> {
        KillerSteps::new(&ProofParameters { killers, killer_hits, ..ProofParameters::default() })
    }

    #[test]
    fn the_last_killers_of_a_level_come_first() {
        let mut last = killers(2, false);
        ['a', 'b', 'c', 'b'].into_iter().for_each(|step| last.reward(5, step));
        assert_eq!(['a', 'b', 'c'].map(|step| last.rank(5, step)), [0, 2, 1]);
        assert_eq!(last.rank(4, 'b'), 0);
        let mut none = killers(0, false);
        none.reward(5, 'a');
        assert_eq!(none.rank(5, 'a'), 0);
    }

    #[test]
    fn the_killer_with_the_fewest_hits_gives_way() {
        let mut hit = killers(2, true);
        ['a', 'a', 'b', 'c'].into_iter().for_each(|step| hit.reward(5, step));
        assert_eq!(['a', 'b', 'c'].map(|step| hit.rank(5, step)), [1, 0, 1]);
        ['c', 'c', 'd'].into_iter().for_each(|step| hit.reward(5, step));
        assert_eq!(['a', 'c', 'd'].map(|step| hit.rank(5, step)), [0, 1, 1]);
    }
}
