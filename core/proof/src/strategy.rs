//! What a proof consists of: a strategy for the winner.

use game::{History, Key, Turns};
use thiserror::Error;

/// Which node of a [`Strategy`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

/// What the winner plays against every turn of the loser.
///
/// Nodes stand in an arena and may be shared: an equal position is told once. Turns are whole, a pass
/// that ends one included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy<S> {
    /// The nodes.
    pub nodes: Vec<StrategyNode<S>>,
    /// Where it begins; nothing, if the game is won already.
    pub root: Option<NodeId>,
}

/// What is said about a position at the start of a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StrategyNode<S> {
    /// The winner is to move.
    Attack {
        /// What it plays.
        turn: Vec<S>,
        /// The loser's node that follows; nothing, if the turn wins at once.
        next: Option<NodeId>,
    },
    /// The loser is to move.
    Defence {
        /// Turns of the winner: after any turn of the loser that is not listed, one of them is
        /// legal and wins at once, unless the winner has won already.
        finishers: Vec<Vec<S>>,
        /// The turns of the loser that are listed.
        answers: Vec<AnsweredTurn<S>>,
    },
}

/// A turn of the loser, and what the winner does about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnsweredTurn<S> {
    /// What the loser plays.
    pub turn: Vec<S>,
    /// The winner's node that follows.
    pub next: NodeId,
}

impl<S> Default for Strategy<S> {
    fn default() -> Strategy<S> {
        Strategy { nodes: Vec::new(), root: None }
    }
}

impl<S> Strategy<S> {
    /// Adds a node.
    ///
    /// # Panics
    ///
    /// If there are more than four billion.
    pub fn add(&mut self, node: StrategyNode<S>) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("memory ends before numbers do"));
        self.nodes.push(node);
        id
    }

    /// A node, if there is one of that number.
    pub fn node(&self, id: NodeId) -> Option<&StrategyNode<S>> {
        self.nodes.get(id.0 as usize)
    }

    /// How many turns of its own the winner needs at most.
    pub fn length(&self) -> Result<Turns, Cycle> {
        let lengths = self.lengths()?;
        let length = self.root.map_or(0, |root| lengths[root.0 as usize]);
        u16::try_from(length).map(Turns).map_err(|_| Cycle)
    }

    /// The same from each node that the root leads to, bottom-up.
    pub(crate) fn lengths(&self) -> Result<Vec<u32>, Cycle> {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let mut marks = vec![Mark::New; self.nodes.len()];
        let mut lengths = vec![0; self.nodes.len()];
        // No recursion: a strategy from anybody may be as deep as it is long.
        let mut stack: Vec<NodeId> = self.root.into_iter().collect();
        while let Some(&id) = stack.last() {
            let index = id.0 as usize;
            let node = self.nodes.get(index).ok_or(Cycle)?;
            match marks[index] {
                Mark::New => {
                    marks[index] = Mark::Open;
                    for next in node.nexts() {
                        match marks.get(next.0 as usize) {
                            Some(Mark::New) => stack.push(next),
                            Some(Mark::Done) => (),
                            Some(Mark::Open) | None => return Err(Cycle),
                        }
                    }
                }
                Mark::Open => {
                    marks[index] = Mark::Done;
                    let longest = node.nexts().map(|next| lengths[next.0 as usize]).max();
                    lengths[index] = match node {
                        StrategyNode::Attack { .. } => longest.unwrap_or(0) + 1,
                        StrategyNode::Defence { finishers, .. } => {
                            longest.unwrap_or(0).max(u32::from(!finishers.is_empty()))
                        }
                    };
                    stack.pop();
                }
                Mark::Done => drop(stack.pop()),
            }
        }
        Ok(lengths)
    }

    /// The same strategy without nodes that the root does not lead to, in the order in which a text
    /// tells them.
    pub(crate) fn tidied(mut self) -> Strategy<S> {
        let mut places: Vec<Option<NodeId>> = vec![None; self.nodes.len()];
        let mut order = Vec::new();
        let mut stack: Vec<NodeId> = self.root.into_iter().collect();
        while let Some(id) = stack.pop() {
            let place = &mut places[id.0 as usize];
            if place.is_none() {
                *place = Some(NodeId(order.len() as u32));
                order.push(id);
                let before = stack.len();
                stack.extend(self.nodes[id.0 as usize].nexts());
                stack[before..].reverse();
            }
        }
        let place = |id: NodeId| places[id.0 as usize].expect("the root leads to it");
        let nodes = order.iter().map(|id| {
            let empty = StrategyNode::Attack { turn: Vec::new(), next: None };
            let mut node = std::mem::replace(&mut self.nodes[id.0 as usize], empty);
            match &mut node {
                StrategyNode::Attack { next, .. } => *next = next.map(place),
                StrategyNode::Defence { answers, .. } => {
                    answers.iter_mut().for_each(|answer| answer.next = place(answer.next));
                }
            }
            node
        });
        Strategy { nodes: nodes.collect(), root: self.root.map(place) }
    }
}

impl<S> StrategyNode<S> {
    /// The nodes that may follow.
    pub(crate) fn nexts(&self) -> impl Iterator<Item = NodeId> + '_ {
        let (next, answers): (Option<NodeId>, &[AnsweredTurn<S>]) = match self {
            StrategyNode::Attack { next, .. } => (*next, &[]),
            StrategyNode::Defence { answers, .. } => (None, answers),
        };
        next.into_iter().chain(answers.iter().map(|answer| answer.next))
    }
}

/// A strategy that leads back to itself, or to nowhere: it has no length.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the strategy leads back to itself: each of its nodes must be nearer to the end")]
pub struct Cycle;

/// What a proof makes of the rule that a turn may not bring about a position for the third time.
///
/// The winner keeps to it in every proof. They differ in whether it may forbid the loser anything.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Repetition {
    /// The loser may repeat as it likes: there is an answer to every turn, so that the proof holds
    /// whatever was played on the way to a position, and equal positions are looked at once.
    #[default]
    Independent,
    /// Turns of the loser that repeat for the third time need no answer. Then it matters how a
    /// position was reached, and every way is looked at by itself.
    Relied,
}

impl Repetition {
    /// Of a proof that relies on it, or does not.
    pub fn relied_on(is_relied_on: bool) -> Repetition {
        if is_relied_on { Repetition::Relied } else { Repetition::Independent }
    }
}

/// Third time's the rule: a position may come about twice.
pub(crate) const MOST: u32 = 2;

/// The past with the position that play goes on from, which has come about once at least.
pub(crate) fn with_root(past: &History, root: Key) -> History {
    let mut past = past.clone();
    if past.count(root) == 0 {
        past.push(root);
    }
    past
}
