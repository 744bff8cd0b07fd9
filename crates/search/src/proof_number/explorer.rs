use std::ops::ControlFlow;

use game::{Key, Position, Score};

use super::decided::Decided;
use super::killers::Killers;
use super::numbers::{MOST, Numbers};
use super::path::{Path, Repetition};
use super::summary::{Branch, Stand};
use super::tables::Tables;
use crate::defences::{Defences, List};
use crate::{Knowledge, ProofParameters};

/// An option of a position: a step, or a whole turn of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child<Step> {
    pub(crate) branch: Branch,
    pub(crate) step: Step,
    /// Which turn of the list.
    pub(crate) number: u16,
    pub(crate) key: Key,
}

impl<Step> Child<Step> {
    pub(crate) fn decide(&mut self, decided: Decided) {
        self.branch.numbers = Numbers::decided(decided.winner);
        (self.branch.turns, self.branch.by_path) = (decided.turns, decided.by_path);
    }
}

/// What there is to say of a position besides its options.
#[derive(Clone, Debug)]
pub(crate) struct Expansion<Step> {
    /// An option was left out because of the path.
    pub(crate) cut: bool,
    /// The turns that are the only options, if not single steps are.
    pub(crate) turns: List<Step>,
    /// The mover has lost on sight.
    pub(crate) is_lost: bool,
    pub(crate) stand: Stand,
}

/// Where in the game a position is, as seen from the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Place {
    pub(crate) turns: u16,
    /// What the steps of the turn so far have cost.
    pub(crate) used: u8,
}

impl Place {
    /// The place after an option of that cost.
    #[inline]
    pub(crate) fn after(self, cost: u8, ends_turn: bool) -> Place {
        match ends_turn {
            true => Place { turns: self.turns.saturating_add(1), used: 0 },
            false => Place { used: self.used.saturating_add(cost), ..self },
        }
    }

    /// The level of a vertex, in steps (Majerech 2012, 4.3.2).
    pub(crate) fn level(self, whole_turn: u8) -> usize {
        usize::from(self.turns) * usize::from(whole_turn) + usize::from(self.used)
    }
}

/// To list all defences takes as long as many positions. It is worth its while where so much is left to be
/// done for the side that threatens (1, 4, 20 and 100: 16, 16, 17 and 14 of 20 wins in 3 within 4 million
/// nodes, 14 without lists; 2026-11).
const HARD: u32 = 10;

/// Lists the options of positions, and what is known of each at once.
pub(crate) struct Explorer<'a, P: Position, K: Knowledge<P>> {
    pub(crate) knowledge: &'a K,
    pub(crate) parameters: &'a ProofParameters,
    pub(crate) tables: &'a Tables,
    defences: &'a Defences<P::Step>,
    pub(crate) path: Path<'a>,
    pub(crate) killers: Killers<P::Step>,
    /// Whether whole turns may be listed.
    pub(crate) lists: bool,
    pub(crate) nodes: u64,
    scratch: K::Scratch,
    steps: Vec<(i32, P::Step)>,
    /// The positions after them, until they are looked at.
    entered: Vec<(P, Key, P::Step)>,
}

impl<'a, P: Position, K: Knowledge<P>> Explorer<'a, P, K> {
    pub(crate) fn new(
        knowledge: &'a K,
        parameters: &'a ProofParameters,
        tables: &'a Tables,
        defences: &'a Defences<P::Step>,
        path: Path<'a>,
    ) -> Explorer<'a, P, K> {
        Explorer {
            knowledge,
            parameters,
            tables,
            defences,
            path,
            killers: Killers::new(parameters.killers as usize),
            lists: parameters.defences > 1,
            nodes: 0,
            scratch: K::Scratch::default(),
            steps: Vec::new(),
            entered: Vec::new(),
        }
    }

    /// What is decided of the root by the rules, or seen at once.
    pub(crate) fn on_sight(&self, position: &P) -> Option<Decided> {
        let over = if position.turn_starts() { position.winner() } else { None };
        let over = over.map(|winner| Decided::on_sight(winner, 0));
        let wins = || self.parameters.wins != 0 && self.knowledge.wins(position);
        over.or_else(|| wins().then(|| Decided::on_sight(position.side(), 1)))
    }

    /// Lists the options of a position that is not won on sight, the most promising first.
    pub(crate) fn expand(
        &mut self,
        position: &P,
        place: Place,
        children: &mut Vec<Child<P::Step>>,
    ) -> Expansion<P::Step> {
        let stand = self.stand(position);
        let mut expansion = Expansion { cut: false, turns: None, is_lost: false, stand };
        if position.turn_starts() && self.parameters.defences != 0 {
            self.answer_threat(position, &mut expansion);
            if expansion.is_lost {
                return expansion;
            }
        }
        match expansion.turns.clone() {
            Some(turns) => {
                let count = turns.len();
                let listed = (0..count).filter_map(|number| Some((number, turns.get(number)?)));
                for (number, steps) in listed {
                    let mut after = position.clone();
                    steps.iter().for_each(|&step| after.play(step));
                    let (key, cut) = (after.key(), &mut expansion.cut);
                    let child = self.child(position, &after, key, steps[0], count, cut);
                    children.extend(child.map(|child| Child { number: number as u16, ..child }));
                }
            }
            None => self.expand_steps(position, place, children, &mut expansion.cut),
        }
        expansion
    }

    fn expand_steps(
        &mut self,
        position: &P,
        place: Place,
        children: &mut Vec<Child<P::Step>>,
        cut: &mut bool,
    ) {
        self.order_steps(position, place);
        let (steps, mut entered) =
            (std::mem::take(&mut self.steps), std::mem::take(&mut self.entered));
        entered.clear();
        // What the tables know of the first is here by the time that the last is entered.
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
            let child = self.child(position, &after, key, step, steps.len(), cut);
            children.extend(child);
        }
        (self.steps, self.entered) = (steps, entered);
    }

    /// The steps of a position, the most promising first.
    fn order_steps(&mut self, position: &P, place: Place) {
        let level = place.level(K::WHOLE_TURN.0);
        self.steps.clear();
        let _ = position.for_each_step(|step| {
            let promise = match self.parameters.ordering {
                0 => 0,
                _ => self.knowledge.promise(position, step).clamp(-(1 << 24), 1 << 24),
            };
            let killer = self.killers.rank(level, step);
            self.steps.push((promise + (killer << 26), step));
            ControlFlow::Continue(())
        });
        if self.parameters.ordering != 0 || self.parameters.killers != 0 {
            self.steps.sort_by_key(|&(promise, _)| std::cmp::Reverse(promise));
        }
    }

    /// What is known at once of the position after an option, one of so many; nothing, if the option is
    /// forbidden.
    #[inline]
    fn child(
        &mut self,
        before: &P,
        after: &P,
        key: Key,
        step: P::Step,
        count: usize,
        cut: &mut bool,
    ) -> Option<Child<P::Step>> {
        self.nodes += 1;
        let ends_turn = after.turn_starts();
        let branch = Branch { numbers: Numbers::UNKNOWN, turns: 0, by_path: false, ends_turn };
        let mut child = Child { branch, step, number: 0, key };
        let mut sum = self.path.sum();
        if ends_turn {
            if let Some(winner) = after.winner() {
                child.decide(Decided::on_sight(winner, 0));
                return Some(child);
            }
            match self.path.repetition(after.repetition_key()) {
                Repetition::Free => {}
                Repetition::ByPast => return None,
                Repetition::ByPath => {
                    *cut = true;
                    return None;
                }
            }
            sum = self.path.sum_with(key);
        }
        if let Some(decided) = self.tables.decided(&self.path, key, sum) {
            child.decide(decided);
            return Some(child);
        }
        let known = self.tables.numbers(key);
        // What was searched before was looked at then. Inside a turn, its start has told.
        let is_new = known.is_none() && (ends_turn || after.side() != before.side());
        if is_new && self.parameters.wins != 0 && self.knowledge.wins(after) {
            child.decide(Decided::on_sight(after.side(), 1));
            return Some(child);
        }
        child.branch.numbers = known.unwrap_or_else(|| self.first_numbers(after, count));
        if is_new && self.parameters.quiet != 0 && !self.knowledge.is_threatened(after) {
            child.branch.numbers =
                child.branch.numbers.harder(!after.side(), self.parameters.quiet as u32);
        }
        Some(child)
    }

    /// The numbers of a position that was not searched yet (Veselý 2013, 2.2.2); its options are taken to
    /// be as many as its siblings.
    fn first_numbers(&mut self, position: &P, siblings: usize) -> Numbers {
        match self.parameters.estimate {
            0 => return Numbers::UNKNOWN,
            1 => {}
            _ => {
                let (own, other) = self.knowledge.outlook(position, &mut self.scratch);
                return Numbers::new(position.side(), own.clamp(1, MOST), other.clamp(1, MOST));
            }
        }
        let Score(score) = self.knowledge.evaluate(position, &mut self.scratch);
        let worse = 1 - stand_at(score, self.parameters.estimate_advantage) as i32;
        let all = siblings as i32 * (1 + self.parameters.estimate_win * (1 - worse));
        let one = 1 + self.parameters.estimate_loss * (1 + worse);
        Numbers::new(position.side(), one as u32, all.max(1) as u32)
    }

    fn stand(&mut self, position: &P) -> Stand {
        if self.parameters.sum != 2 {
            return Stand::Usual;
        }
        let Score(score) = self.knowledge.evaluate(position, &mut self.scratch);
        stand_at(score, self.parameters.weak_advantage)
    }

    /// Whether a threat of the other side leaves any turns, and which.
    fn answer_threat(&mut self, position: &P, expansion: &mut Expansion<P::Step>) {
        let Explorer { knowledge, scratch, .. } = self;
        if !knowledge.is_threatened(position) {
            return;
        }
        let mover = position.side();
        let is_hard = |numbers: Numbers| numbers.to_win(!mover) > HARD;
        if self.lists && self.tables.numbers(position.key()).is_some_and(is_hard) {
            let find = || knowledge.few_defences(position, scratch);
            expansion.turns = self.defences.list(position.key(), find);
            expansion.is_lost = expansion.turns.as_ref().is_some_and(|turns| turns.is_empty());
        } else {
            let find = || knowledge.has_defence(position, scratch);
            expansion.is_lost = !self.defences.verdict(position.key(), find);
        }
    }
}

/// How a side stands with an estimate like this.
fn stand_at(score: i32, advantage: i32) -> Stand {
    match score {
        _ if score >= advantage => Stand::Well,
        _ if score <= -advantage => Stand::Badly,
        _ => Stand::Usual,
    }
}
