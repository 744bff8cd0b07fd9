//! Replays a proof with the rules alone.

use std::ops::ControlFlow;

use game::{History, Key, Notation, Position, Side, Turns};
use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use crate::document::followed;
use crate::strategy::{MOST, with_root};
use crate::turns::{FinisherSearch, TurnWalk};
use crate::{AnsweredTurn, NodeId, Repetition, Strategy, StrategyNode};

/// Replays a strategy with the rules alone; returns how many turns of its own the winner needs at
/// most.
///
/// Every legal turn of the loser must be answered, as [`StrategyNode::Defence`] tells; a turn that wins for
/// the loser refutes the proof. `past` counts the positions that have come about, `root` among them
/// (it counts once if it is not). A proof that is [`Repetition::Independent`] is checked once for
/// each node and position, another one along each of its ways.
pub fn check<P: Position>(
    root: &P,
    winner: Side,
    past: &History,
    repetition: Repetition,
    strategy: &Strategy<P::Step>,
) -> Result<Turns, CheckError<P::Step>> {
    check_told(root, winner, past, repetition, strategy, &|_, _, _| None, &|| false)
}

/// Compares a turn with its text where it is played: the text, if it tells of something else.
pub(crate) type Mistold<'a, P> =
    dyn Fn(&P, &[<P as Position>::Step], TextAt) -> Option<String> + 'a;

/// Which text of a node.
#[derive(Clone, Copy)]
pub(crate) enum TextAt {
    /// That of an attack's turn (0), or of an answered turn.
    Turn(NodeId, usize),
    /// Those of a finisher.
    Finisher(NodeId, usize),
}

/// Checks as [`check`] does, and compares each turn with its text. At each node it asks `must_stop`, and ends with
/// [`CheckErrorKind::Stopped`] if that is true.
pub(crate) fn check_told<P: Position>(
    root: &P,
    winner: Side,
    past: &History,
    repetition: Repetition,
    strategy: &Strategy<P::Step>,
    mistold: &Mistold<P>,
    must_stop: &dyn Fn() -> bool,
) -> Result<Turns, CheckError<P::Step>> {
    let error = |kind| CheckError { path: Vec::new(), node: None, kind };
    let Some(start) = strategy.root else {
        let is_won = root.turn_starts() && root.winner() == Some(winner);
        return if is_won { Ok(Turns(0)) } else { Err(error(CheckErrorKind::NothingFollows)) };
    };
    let lengths = strategy.lengths().map_err(|_| error(CheckErrorKind::Cycle))?;
    let length = strategy.length().map_err(|_| error(CheckErrorKind::Cycle))?;
    if !root.turn_starts() {
        return Err(error(CheckErrorKind::OtherSide));
    }
    let mut checker = Checker {
        mistold,
        must_stop,
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
        turns: TurnWalk::new(),
        finishing: FinisherSearch::new(),
    };
    checker.tasks.push(CheckTask::Visit(Visit {
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
    mistold: &'a Mistold<'a, P>,
    must_stop: &'a dyn Fn() -> bool,
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
    /// Where we have been, each with where it came from: the path of an error.
    visits: Vec<(Option<usize>, Option<TurnAt>)>,
    tasks: Vec<CheckTask<P>>,
    visited: u64,
    turns: TurnWalk<P>,
    finishing: FinisherSearch,
}

/// Where a turn stands in the strategy: the turn of an attack, or that of one of the answers.
#[derive(Clone, Copy)]
struct TurnAt {
    node: NodeId,
    answer: usize,
}

/// What is still to be done, the last first.
enum CheckTask<P: Position> {
    Visit(Visit<P>),
    /// The way goes back before this position, at which there were so many visits.
    Leave(Key, usize),
}

/// What is wrong with a turn of the loser that is not listed.
struct Unanswered<S> {
    /// That turn, if the fault is in the finisher after it.
    before: Option<Vec<S>>,
    kind: CheckErrorKind<S>,
}

impl<S> Unanswered<S> {
    fn at(kind: CheckErrorKind<S>) -> Unanswered<S> {
        Unanswered { before: None, kind }
    }
}

struct Visit<P: Position> {
    from: Option<usize>,
    turn: Option<TurnAt>,
    node: NodeId,
    position: P,
}

impl<P: Position> Checker<'_, P> {
    fn run(&mut self) -> Result<(), CheckError<P::Step>> {
        while let Some(task) = self.tasks.pop() {
            match task {
                CheckTask::Leave(key, visits) => {
                    self.history.pop(key);
                    self.visits.truncate(visits);
                }
                CheckTask::Visit(visit) => self.visit(visit)?,
            }
        }
        Ok(())
    }

    fn visit(&mut self, visit: Visit<P>) -> Result<(), CheckError<P::Step>> {
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
            return self.error(here, node, CheckErrorKind::TooManyVisits(self.visited));
        }
        if (self.must_stop)() {
            return self.error(here, node, CheckErrorKind::Stopped);
        }
        if self.repetition == Repetition::Relied {
            // The position at the start is a part of the past.
            if from.is_some() {
                self.history.push(position.repetition_key());
                self.tasks.push(CheckTask::Leave(position.repetition_key(), here));
            }
        }
        if position.winner().is_some() {
            return self.error(here, node, CheckErrorKind::Over);
        }
        let strategy = self.strategy;
        match strategy.node(node) {
            Some(StrategyNode::Attack { turn, next }) if position.side() == self.winner => {
                self.attack(here, node, &position, turn, *next)
            }
            Some(StrategyNode::Defence { finishers, answers })
                if position.side() != self.winner =>
            {
                self.defence(here, node, &position, finishers, answers)
            }
            _ => self.error(here, node, CheckErrorKind::OtherSide),
        }
    }

    fn error<T>(
        &self,
        visit: usize,
        node: NodeId,
        kind: CheckErrorKind<P::Step>,
    ) -> Result<T, CheckError<P::Step>> {
        let mut path = Vec::new();
        let mut visit = Some(visit);
        while let Some(&(from, turn)) = visit.and_then(|visit| self.visits.get(visit)) {
            path.extend(turn.map(|at| match &self.strategy.nodes[at.node.0 as usize] {
                StrategyNode::Attack { turn, .. } => turn.clone(),
                StrategyNode::Defence { answers, .. } => answers[at.answer].turn.clone(),
            }));
            visit = from;
        }
        path.reverse();
        Err(CheckError { path, node: Some(node), kind })
    }

    /// The winner's turn: it is legal, and wins at once or leads on.
    fn attack(
        &mut self,
        here: usize,
        node: NodeId,
        position: &P,
        turn: &[P::Step],
        next: Option<NodeId>,
    ) -> Result<(), CheckError<P::Step>> {
        let Some(after) = position.after_turn(turn) else {
            return self.error(here, node, CheckErrorKind::Illegal(turn.to_vec()));
        };
        if let Some(text) = (self.mistold)(position, turn, TextAt::Turn(node, 0)) {
            return self.error(here, node, CheckErrorKind::Mistold(turn.to_vec(), text));
        }
        if self.repeats(&after, next) {
            return self.error(here, node, CheckErrorKind::ThirdTime(turn.to_vec()));
        }
        match next {
            None if after.winner() == Some(self.winner) => (),
            None => return self.error(here, node, CheckErrorKind::DoesNotWin(turn.to_vec())),
            Some(next) => {
                let turn = Some(TurnAt { node, answer: 0 });
                let visit = Visit { from: Some(here), turn, node: next, position: after };
                self.tasks.push(CheckTask::Visit(visit));
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
        answers: &[AnsweredTurn<P::Step>],
    ) -> Result<(), CheckError<P::Step>> {
        let mut listed = FxHashSet::default();
        for (index, answer) in answers.iter().enumerate() {
            let Some(after) = position.after_turn(&answer.turn) else {
                return self.error(here, node, CheckErrorKind::Illegal(answer.turn.clone()));
            };
            let text = (self.mistold)(position, &answer.turn, TextAt::Turn(node, index));
            if let Some(text) = text {
                let kind = CheckErrorKind::Mistold(answer.turn.clone(), text);
                return self.error(here, node, kind);
            }
            if self.is_forbidden(&after) {
                continue;
            }
            listed.insert(after.key());
            let turn = Some(TurnAt { node, answer: index });
            let visit = Visit { from: Some(here), turn, node: answer.next, position: after };
            self.tasks.push(CheckTask::Visit(visit));
        }
        match self.unanswered(node, position, finishers, &listed) {
            None => Ok(()),
            Some(Unanswered { before, kind }) => {
                let error: Result<(), _> = self.error(here, node, kind);
                error.map_err(|mut error| {
                    error.path.extend(before);
                    error
                })
            }
        }
    }

    /// What is wrong with the turns of the loser that are not listed, if anything is.
    fn unanswered(
        &mut self,
        node: NodeId,
        position: &P,
        finishers: &[Vec<P::Step>],
        listed: &FxHashSet<Key>,
    ) -> Option<Unanswered<P::Step>> {
        let (winner, repetition, history) = (self.winner, self.repetition, &self.history);
        let mistold = self.mistold;
        let finishing = &mut self.finishing;
        let mut count = 0_u64;
        let mut error = None;
        let _ = self.turns.for_each(position, |turn, after| {
            count += 1;
            if repetition == Repetition::Relied && history.count(after.repetition_key()) >= MOST {
                return ControlFlow::Continue(());
            }
            let text_of =
                |index: usize| mistold(after, &finishers[index], TextAt::Finisher(node, index));
            let fits = |index: usize| text_of(index).is_none();
            error = match after.winner() {
                Some(side) if side == winner => None,
                Some(_) => Some(Unanswered::at(CheckErrorKind::Refuted(turn.to_vec()))),
                None if listed.contains(&after.key()) => None,
                None if finishing.find_fitting(after, history, finishers, &fits).is_some() => None,
                // Perhaps one would win, if it were told as it is.
                None => match finishing.find_any(after, history, finishers) {
                    Some(index) => {
                        let text = text_of(index).unwrap_or_default();
                        let kind = CheckErrorKind::Mistold(finishers[index].clone(), text);
                        Some(Unanswered { before: Some(turn.to_vec()), kind })
                    }
                    None => Some(Unanswered::at(CheckErrorKind::Unanswered(turn.to_vec()))),
                },
            };
            if error.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if count == 0 { Some(Unanswered::at(CheckErrorKind::NoTurn)) } else { error }
    }

    /// Whether the loser may not bring about this position, and the proof says so.
    fn is_forbidden(&self, after: &P) -> bool {
        self.repetition == Repetition::Relied && self.history.count(after.repetition_key()) >= MOST
    }
}

/// Why a proof is none, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckError<S> {
    /// The turns that lead there.
    pub path: Vec<Vec<S>>,
    /// The node that is wrong, where it is one.
    pub node: Option<NodeId>,
    /// What is wrong.
    pub kind: CheckErrorKind<S>,
}

/// What can be wrong with a proof.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CheckErrorKind<S> {
    /// The game is not over, and nothing is said about it.
    #[error("the game is not won yet, and nothing follows")]
    NothingFollows,
    /// Something is said although the game is over.
    #[error("the game is over already")]
    Over,
    /// The other side is to move there, or there is no such node.
    #[error("what follows is not about the side to move")]
    OtherSide,
    /// The strategy has no end.
    #[error("the strategy leads back to itself: each of its nodes must be nearer to the end")]
    Cycle,
    /// A turn that the rules do not allow.
    #[error("this turn is not legal")]
    Illegal(Vec<S>),
    /// A turn whose text tells of other pieces or captures than there are.
    #[error("this turn is written as {1:?}, and other pieces move or are captured here")]
    Mistold(Vec<S>, String),
    /// A turn that should win.
    #[error("this turn should win at once, and does not")]
    DoesNotWin(Vec<S>),
    /// A turn of the winner that repeats too often.
    #[error("this turn would bring about the same position for the third time")]
    ThirdTime(Vec<S>),
    /// A turn of the loser with no answer.
    #[error("there is no answer to this turn")]
    Unanswered(Vec<S>),
    /// A turn that wins for the loser.
    #[error("this turn wins for the other side")]
    Refuted(Vec<S>),
    /// The loser has no turn, and has not lost by the rules.
    #[error("there is no turn to be played, and the rules do not say who wins")]
    NoTurn,
    /// There are too many ways through the proof.
    #[error("given up after {0} positions: there are too many ways through the proof")]
    TooManyVisits(u64),
    /// The caller has stopped the check.
    #[error("stopped before all of the proof was checked")]
    Stopped,
    /// The length is not the one claimed.
    #[error("the strategy takes {found} turns, not {claimed} as it says", found = found.0, claimed = claimed.0)]
    Length {
        /// What is claimed.
        claimed: Turns,
        /// What the strategy comes to.
        found: Turns,
    },
}

impl<S: Copy> CheckError<S> {
    /// A sentence that names the turns.
    pub fn text<P: Position<Step = S> + Notation>(&self, root: &P) -> String {
        let (position, place) = followed(root, &self.path);
        match self.kind.turn() {
            Some(turn) => format!("{place}{}: {}", position.turn_text(turn), self.kind),
            None => format!("{place}{}", self.kind),
        }
    }
}

impl<S> CheckErrorKind<S> {
    /// The turn that is meant by "this turn".
    pub fn turn(&self) -> Option<&[S]> {
        match self {
            CheckErrorKind::Illegal(turn)
            | CheckErrorKind::Mistold(turn, _)
            | CheckErrorKind::DoesNotWin(turn)
            | CheckErrorKind::ThirdTime(turn)
            | CheckErrorKind::Unanswered(turn)
            | CheckErrorKind::Refuted(turn) => Some(turn),
            _ => None,
        }
    }
}
