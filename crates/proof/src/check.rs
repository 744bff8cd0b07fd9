use std::ops::ControlFlow;

use game::{History, Key, Position, Side, Turns};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::repetition::{MOST, with_root};
use crate::turns::{self, Finishing, played};
use crate::{Answer, Fault, FaultKind, Node, NodeId, Repetition, Strategy};

/// Replays a strategy with the rules alone; returns how many turns of its own the winner needs at
/// most.
///
/// Every legal turn of the loser must be answered, as [`Node::Defence`] tells; a turn that wins for
/// the loser refutes the proof. `past` counts the positions that have come about, `root` among them
/// (it counts once if it is not). A proof that is [`Repetition::Independent`] is checked once for
/// each node and position, another one along each of its ways.
pub fn check<P: Position>(
    root: &P,
    winner: Side,
    past: &History,
    repetition: Repetition,
    strategy: &Strategy<P::Step>,
) -> Result<Turns, Fault<P::Step>> {
    let fault = |kind| Fault { path: Vec::new(), node: None, kind };
    let Some(start) = strategy.root else {
        let is_won = root.turn_starts() && root.winner() == Some(winner);
        return if is_won { Ok(Turns(0)) } else { Err(fault(FaultKind::NothingFollows)) };
    };
    let lengths = strategy.lengths().map_err(|_| fault(FaultKind::Circle))?;
    let length = strategy.length().map_err(|_| fault(FaultKind::Circle))?;
    if !root.turn_starts() {
        return Err(fault(FaultKind::OtherSide));
    }
    let mut checker = Checker {
        winner,
        repetition,
        strategy,
        lengths,
        history: with_root(past, root.repetition_key()),
        checked: FxHashSet::default(),
        brought_about: FxHashMap::default(),
        visits: Vec::new(),
        tasks: Vec::new(),
        visited: 0,
        turns: turns::Turns::new(),
        finishing: Finishing::new(),
    };
    checker.tasks.push(Task::Visit(Visit {
        from: None,
        turn: None,
        node: start,
        position: root.clone(),
    }));
    checker.run()?;
    Ok(length)
}

/// More visits than these, and than there are nodes, are not made: where repetition is relied on, or
/// where a node is shared by many positions, a small file can ask for more than there is time for.
const MOST_VISITS: u64 = 1_000_000;

struct Checker<'a, P: Position> {
    winner: Side,
    repetition: Repetition,
    strategy: &'a Strategy<P::Step>,
    lengths: Vec<u32>,
    /// The past, and the way that led to where we are, if repetition is relied on.
    history: History,
    /// What need not be looked at again, if it is not.
    checked: FxHashSet<(NodeId, Key)>,
    /// For each position that a turn of the winner brings about, if repetition is not relied on:
    /// how long the nodes are that follow, each length once.
    brought_about: FxHashMap<Key, Vec<u32>>,
    /// Where we have been, each with where it came from: the path of a fault.
    visits: Vec<(Option<usize>, Option<TurnAt>)>,
    tasks: Vec<Task<P>>,
    visited: u64,
    turns: turns::Turns<P>,
    finishing: Finishing,
}

/// Where a turn stands in the strategy: the turn of an attack, or that of one of the answers.
#[derive(Clone, Copy)]
struct TurnAt {
    node: NodeId,
    answer: usize,
}

/// What is still to be done, the last first.
enum Task<P: Position> {
    Visit(Visit<P>),
    /// The way goes back before this position, at which there were so many visits.
    Leave(Key, usize),
}

struct Visit<P: Position> {
    from: Option<usize>,
    turn: Option<TurnAt>,
    node: NodeId,
    position: P,
}

impl<P: Position> Checker<'_, P> {
    fn run(&mut self) -> Result<(), Fault<P::Step>> {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Leave(key, visits) => {
                    self.history.pop(key);
                    self.visits.truncate(visits);
                }
                Task::Visit(visit) => self.visit(visit)?,
            }
        }
        Ok(())
    }

    fn visit(&mut self, visit: Visit<P>) -> Result<(), Fault<P::Step>> {
        let Visit { from, turn, node, position } = visit;
        if self.repetition == Repetition::Independent
            && !self.checked.insert((node, position.key()))
        {
            return Ok(());
        }
        let here = self.visits.len();
        self.visits.push((from, turn));
        self.visited += 1;
        if self.visited > MOST_VISITS.max(self.strategy.nodes.len() as u64) {
            return self.fault(here, node, FaultKind::TooManyVisits(self.visited));
        }
        if self.repetition == Repetition::Relied {
            // The position at the start is a part of the past.
            if from.is_some() {
                self.history.push(position.repetition_key());
                self.tasks.push(Task::Leave(position.repetition_key(), here));
            }
        }
        if position.winner().is_some() {
            return self.fault(here, node, FaultKind::Over);
        }
        let strategy = self.strategy;
        match strategy.node(node) {
            Some(Node::Attack { turn, next }) if position.side() == self.winner => {
                self.attack(here, node, &position, turn, *next)
            }
            Some(Node::Defence { finishers, answers }) if position.side() != self.winner => {
                self.defence(here, node, &position, finishers, answers)
            }
            _ => self.fault(here, node, FaultKind::OtherSide),
        }
    }

    fn fault<T>(
        &self,
        visit: usize,
        node: NodeId,
        kind: FaultKind<P::Step>,
    ) -> Result<T, Fault<P::Step>> {
        let mut path = Vec::new();
        let mut visit = Some(visit);
        while let Some(&(from, turn)) = visit.and_then(|visit| self.visits.get(visit)) {
            path.extend(turn.map(|at| match &self.strategy.nodes[at.node.0 as usize] {
                Node::Attack { turn, .. } => turn.clone(),
                Node::Defence { answers, .. } => answers[at.answer].turn.clone(),
            }));
            visit = from;
        }
        path.reverse();
        Err(Fault { path, node: Some(node), kind })
    }

    /// The winner's turn: it is legal, and wins at once or leads on.
    fn attack(
        &mut self,
        here: usize,
        node: NodeId,
        position: &P,
        turn: &[P::Step],
        next: Option<NodeId>,
    ) -> Result<(), Fault<P::Step>> {
        let Some(after) = played(position, turn) else {
            return self.fault(here, node, FaultKind::Illegal(turn.to_vec()));
        };
        if self.repeats(&after, next) {
            return self.fault(here, node, FaultKind::ThirdTime(turn.to_vec()));
        }
        match next {
            None if after.winner() == Some(self.winner) => (),
            None => return self.fault(here, node, FaultKind::DoesNotWin(turn.to_vec())),
            Some(next) => {
                let turn = Some(TurnAt { node, answer: 0 });
                let visit = Visit { from: Some(here), turn, node: next, position: after };
                self.tasks.push(Task::Visit(visit));
            }
        }
        Ok(())
    }

    /// Whether the winner brings about a position for the third time, or might on some way.
    ///
    /// If repetition is not relied on, ways are not told apart. But each node is longer than those
    /// that follow it: on one way, the same position is followed by nodes of different lengths. It
    /// comes about no more often than there are lengths.
    fn repeats(&mut self, after: &P, next: Option<NodeId>) -> bool {
        let key = after.repetition_key();
        let mut count = self.history.count(key);
        if self.repetition == Repetition::Independent
            && let Some(next) = next
        {
            let lengths = self.brought_about.entry(key).or_default();
            let length = self.lengths[next.0 as usize];
            if !lengths.contains(&length) {
                lengths.push(length);
            }
            count += lengths.len() as u32 - 1;
        }
        count >= MOST
    }

    /// The loser's turns: each of them is answered.
    fn defence(
        &mut self,
        here: usize,
        node: NodeId,
        position: &P,
        finishers: &[Vec<P::Step>],
        answers: &[Answer<P::Step>],
    ) -> Result<(), Fault<P::Step>> {
        let mut listed = FxHashSet::default();
        for (index, answer) in answers.iter().enumerate() {
            let Some(after) = played(position, &answer.turn) else {
                return self.fault(here, node, FaultKind::Illegal(answer.turn.clone()));
            };
            if self.is_forbidden(&after) {
                continue;
            }
            listed.insert(after.key());
            let turn = Some(TurnAt { node, answer: index });
            let visit = Visit { from: Some(here), turn, node: answer.next, position: after };
            self.tasks.push(Task::Visit(visit));
        }
        match self.unanswered(position, finishers, &listed) {
            None => Ok(()),
            Some(kind) => self.fault(here, node, kind),
        }
    }

    /// What is wrong with the turns of the loser that are not listed, if anything is.
    fn unanswered(
        &mut self,
        position: &P,
        finishers: &[Vec<P::Step>],
        listed: &FxHashSet<Key>,
    ) -> Option<FaultKind<P::Step>> {
        let (winner, repetition, history) = (self.winner, self.repetition, &self.history);
        let finishing = &mut self.finishing;
        let mut count = 0_u64;
        let mut fault = None;
        let _ = self.turns.for_each(position, |turn, after| {
            count += 1;
            if repetition == Repetition::Relied && history.count(after.repetition_key()) >= MOST {
                return ControlFlow::Continue(());
            }
            fault = match after.winner() {
                Some(side) if side == winner => None,
                Some(_) => Some(FaultKind::Refuted(turn.to_vec())),
                None if listed.contains(&after.key()) => None,
                None if finishing.find_any(after, history, finishers).is_some() => None,
                None => Some(FaultKind::Unanswered(turn.to_vec())),
            };
            if fault.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if count == 0 { Some(FaultKind::NoTurn) } else { fault }
    }

    /// Whether the loser may not bring about this position, and the proof says so.
    fn is_forbidden(&self, after: &P) -> bool {
        self.repetition == Repetition::Relied && self.history.count(after.repetition_key()) >= MOST
    }
}
