use std::ops::ControlFlow;

use game::{History, Key, Notation, Position, Side};
use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use crate::document::followed;
use crate::strategy::{MOST, with_root};
use crate::turns::{FinisherSearch, TurnWalk, ended, wins};
use crate::{AnsweredTurn, NodeId, Repetition, Strategy, StrategyNode};

/// Gives winning turns: a solver, for instance.
pub trait TurnSource<P: Position> {
    /// A turn with which the side to move, known to win, wins by force: whole, with the pass that ends
    /// it, if one does, unless it has won before that. Nothing, if it is not known to win after all.
    ///
    /// `path` counts what has come about: the past, and, in a proof that relies on repetition, the
    /// way that led here.
    fn winning_turn(&mut self, position: &P, path: &History) -> Option<Vec<P::Step>>;
}

impl<P: Position, F: FnMut(&P, &History) -> Option<Vec<P::Step>>> TurnSource<P> for F {
    fn winning_turn(&mut self, position: &P, path: &History) -> Option<Vec<P::Step>> {
        self(position, path)
    }
}

/// Why no strategy could be made, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap<S> {
    /// The turns that lead there.
    pub path: Vec<Vec<S>>,
    /// What is wrong.
    pub kind: GapKind,
}

/// What can be wrong with the turns of a [`TurnSource`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum GapKind {
    /// The source knows no turn.
    #[error("no winning turn is known")]
    NoAnswer,
    /// The turn of the source is not legal.
    #[error("the turn found is not legal")]
    Illegal,
    /// The winner would repeat for the third time.
    #[error("the turn found brings about the same position for the third time")]
    ThirdTime,
    /// The game is over, and lost.
    #[error("the other side has won")]
    Lost,
    /// The loser has no turn, and has not lost by the rules.
    #[error("there is no turn to be played, and the rules do not say who wins")]
    NoTurn,
    /// The turns of the source lead back to a position.
    #[error("the turns found lead back to the same position")]
    Cycle,
    /// The turns of the source find no end.
    #[error("the turns found do not come to an end within {} turns", DEEPEST)]
    TooLong,
}

impl<S: Copy> Gap<S> {
    /// A sentence that names the turns.
    pub fn text<P: Position<Step = S> + Notation>(&self, root: &P) -> String {
        let (_, place) = followed(root, &self.path);
        format!("{place}{}", self.kind)
    }
}

/// No win takes more turns of the winner than these; the recursion goes no deeper.
const DEEPEST: usize = 400;

/// So many turns that have won at once elsewhere are tried before the source is asked.
const POOL: usize = 32;

/// Writes out a strategy for the winner.
///
/// The source is asked at the root, if the winner is to move, and after every turn of the loser after
/// which no turn that has won at once before does so again. `past` counts the positions that have
/// come about, `root` among them (it counts once if it is not).
///
/// In a proof that is [`Repetition::Independent`], equal positions are asked about once.
///
/// The source is asked for each node at least once. One that must stop returns nothing, which ends the work with
/// [`GapKind::NoAnswer`].
pub fn prove<P: Position>(
    root: &P,
    winner: Side,
    past: &History,
    repetition: Repetition,
    source: &mut impl TurnSource<P>,
) -> Result<Strategy<P::Step>, Gap<P::Step>> {
    let mut builder = StrategyBuilder {
        winner,
        repetition,
        source,
        strategy: Strategy::default(),
        history: with_root(past, root.repetition_key()),
        path: Vec::new(),
        attacks: FxHashMap::default(),
        defences: FxHashMap::default(),
        under_way: FxHashSet::default(),
        pool: Vec::new(),
        turns: TurnWalk::new(),
        finishing: FinisherSearch::new(),
    };
    let start = match root.winner() {
        Some(side) if side == winner => None,
        Some(_) => return builder.gap(GapKind::Lost),
        None if root.side() == winner => Some(builder.attack(root)?),
        None => Some(builder.defence(root)?),
    };
    builder.strategy.root = start;
    Ok(builder.strategy.tidied())
}

struct StrategyBuilder<'a, P: Position, W> {
    winner: Side,
    repetition: Repetition,
    source: &'a mut W,
    strategy: Strategy<P::Step>,
    /// The past, and the way that led to where we are, if repetition is relied on.
    history: History,
    /// The turns that led to where we are.
    path: Vec<Vec<P::Step>>,
    /// The nodes for positions, if repetition is not relied on.
    attacks: FxHashMap<Key, NodeId>,
    defences: FxHashMap<Key, NodeId>,
    /// The loser's positions on the way to where we are.
    under_way: FxHashSet<Key>,
    /// TurnWalk that have won at once, the latest first.
    pool: Vec<Vec<P::Step>>,
    turns: TurnWalk<P>,
    finishing: FinisherSearch,
}

/// The turns that won at once at one of the loser's nodes.
struct Finishers<P: Position> {
    turns: Vec<Vec<P::Step>>,
    /// For each, the positions in which it was found to win.
    won: Vec<Vec<P>>,
}

/// A turn of the loser that is to be listed.
struct OpenTurn<P: Position> {
    turn: Vec<P::Step>,
    after: P,
    /// The node, if the position is known.
    node: Option<NodeId>,
    /// The winner's turn, and what it leads to, if it is not.
    answer: Vec<P::Step>,
}

impl<P: Position, W: TurnSource<P>> StrategyBuilder<'_, P, W> {
    fn gap<T>(&self, kind: GapKind) -> Result<T, Gap<P::Step>> {
        Err(Gap { path: self.path.clone(), kind })
    }

    /// The turn of the source, to its end.
    fn ask(&mut self, position: &P) -> Option<Vec<P::Step>> {
        let turn = self.source.winning_turn(position, &self.history)?;
        Some(ended(position, turn, self.winner))
    }

    /// The node of a position in which the winner is to move.
    fn attack(&mut self, position: &P) -> Result<NodeId, Gap<P::Step>> {
        match self.ask(position) {
            Some(turn) => self.attack_with(position, turn),
            None => self.gap(GapKind::NoAnswer),
        }
    }

    /// The same, given what the winner plays there.
    fn attack_with(&mut self, position: &P, turn: Vec<P::Step>) -> Result<NodeId, Gap<P::Step>> {
        let Some(after) = position.after_turn(&turn) else { return self.gap(GapKind::Illegal) };
        self.path.push(turn.clone());
        if self.history.count(after.repetition_key()) >= MOST {
            return self.gap(GapKind::ThirdTime);
        }
        let next = match after.winner() {
            Some(side) if side == self.winner => None,
            Some(_) => return self.gap(GapKind::Lost),
            None => Some(self.entered(&after, |builder| builder.defence(&after))?),
        };
        self.path.pop();
        let node = self.strategy.add(StrategyNode::Attack { turn, next });
        if self.repetition == Repetition::Independent {
            self.attacks.insert(position.key(), node);
        }
        Ok(node)
    }

    /// Goes on at a position that was brought about.
    fn entered<T>(&mut self, position: &P, go_on: impl FnOnce(&mut Self) -> T) -> T {
        let key = position.repetition_key();
        if self.repetition == Repetition::Independent {
            return go_on(self);
        }
        self.history.push(key);
        let found = go_on(self);
        self.history.pop(key);
        found
    }

    /// The node of a position in which the loser is to move.
    fn defence(&mut self, position: &P) -> Result<NodeId, Gap<P::Step>> {
        let key = position.key();
        let independent = self.repetition == Repetition::Independent;
        if independent {
            if let Some(&node) = self.defences.get(&key) {
                return Ok(node);
            }
            if !self.under_way.insert(key) {
                return self.gap(GapKind::Cycle);
            }
        }
        if self.path.len() > 2 * DEEPEST {
            return self.gap(GapKind::TooLong);
        }
        let (finishers, open) = self.answered(position)?;
        let mut answers = Vec::with_capacity(open.len());
        for OpenTurn { turn, after, node, answer } in open {
            self.path.push(turn.clone());
            let known = node.or_else(|| self.attacks.get(&after.key()).copied());
            let next = match known {
                Some(node) => node,
                None => self.entered(&after, |builder| builder.attack_with(&after, answer))?,
            };
            self.path.pop();
            answers.push(AnsweredTurn { turn, next });
        }
        let node = self.strategy.add(StrategyNode::Defence { finishers, answers });
        if independent {
            self.under_way.remove(&key);
            self.defences.insert(key, node);
        }
        Ok(node)
    }

    /// The finishers of a position in which the loser is to move, and the turns that are to be listed.
    #[expect(clippy::type_complexity, reason = "it is taken apart at once")]
    fn answered(
        &mut self,
        position: &P,
    ) -> Result<(Vec<Vec<P::Step>>, Vec<OpenTurn<P>>), Gap<P::Step>> {
        let ends = self.ends(position)?;
        let mut finishers = Finishers { turns: Vec::new(), won: Vec::new() };
        let mut open = Vec::new();
        for (turn, after) in ends {
            if let Some(index) = self.finish(&after, &mut finishers) {
                finishers.won[index].push(after);
                continue;
            }
            let node = self.attacks.get(&after.key()).copied();
            let mut answer = Vec::new();
            if node.is_none() {
                self.path.push(turn.clone());
                let asked = |builder: &mut Self| builder.ask(&after);
                answer = match self.entered(&after, asked) {
                    Some(answer) => answer,
                    None => return self.gap(GapKind::NoAnswer),
                };
                self.path.pop();
                if wins(&after, &self.history, &answer) {
                    self.remember(&answer);
                    let index = finishers.add(answer);
                    finishers.won[index].push(after);
                    continue;
                }
            }
            open.push(OpenTurn { turn, after, node, answer });
        }
        // What came late may do for what came early.
        open.retain(|OpenTurn { after, .. }| {
            let found = self.finishing.find_any(after, &self.history, &finishers.turns);
            found.inspect(|&index| finishers.won[index].push(after.clone())).is_none()
        });
        Ok((self.pruned(finishers), open))
    }

    /// The turns of the loser that the rules allow and that do not lose at once.
    #[expect(clippy::type_complexity, reason = "a list of pairs")]
    fn ends(&mut self, position: &P) -> Result<Vec<(Vec<P::Step>, P)>, Gap<P::Step>> {
        let mut ends = Vec::new();
        let mut lost = None;
        let mut count = 0_u64;
        let (winner, repetition, history) = (self.winner, self.repetition, &self.history);
        let _ = self.turns.for_each(position, |turn, after| {
            count += 1;
            if repetition == Repetition::Relied && history.count(after.repetition_key()) >= MOST {
                return ControlFlow::Continue(());
            }
            match after.winner() {
                None => ends.push((turn.to_vec(), after.clone())),
                Some(side) if side == winner => (),
                Some(_) => {
                    lost = Some(turn.to_vec());
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        match lost {
            None if count == 0 => self.gap(GapKind::NoTurn),
            None => Ok(ends),
            Some(turn) => {
                self.path.push(turn);
                self.gap(GapKind::Lost)
            }
        }
    }

    /// A turn that has won at once before and wins here too, as the finisher of that number.
    fn finish(&mut self, after: &P, finishers: &mut Finishers<P>) -> Option<usize> {
        if let Some(index) = self.finishing.find_any(after, &self.history, &finishers.turns) {
            return Some(index);
        }
        let index = self.finishing.find_first(after, &self.history, &self.pool)?;
        let turn = self.pool.remove(index);
        self.pool.insert(0, turn.clone());
        Some(finishers.add(turn))
    }

    fn remember(&mut self, turn: &[P::Step]) {
        self.pool.insert(0, turn.to_vec());
        self.pool.truncate(POOL);
    }

    /// The finishers without those that the others do for, the most useful ones first.
    fn pruned(&mut self, finishers: Finishers<P>) -> Vec<Vec<P::Step>> {
        let mut pairs: Vec<_> = finishers.turns.into_iter().zip(finishers.won).collect();
        pairs.sort_by_key(|(_, won)| std::cmp::Reverse(won.len()));
        let (mut turns, mut won): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        for index in (0..turns.len()).rev() {
            let turn = turns.remove(index);
            let positions: Vec<P> = won.remove(index);
            let others = positions
                .iter()
                .map(|after| self.finishing.find_any(after, &self.history, &turns))
                .collect::<Option<Vec<usize>>>();
            match others {
                Some(others) => {
                    let moved = others.into_iter().zip(positions);
                    moved.for_each(|(other, after)| won[other].push(after));
                }
                None => {
                    turns.insert(index, turn);
                    won.insert(index, positions);
                }
            }
        }
        turns
    }
}

impl<P: Position> Finishers<P> {
    fn add(&mut self, turn: Vec<P::Step>) -> usize {
        self.turns.push(turn);
        self.won.push(Vec::new());
        self.turns.len() - 1
    }
}
