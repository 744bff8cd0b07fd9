//! What Monte-Carlo tree search asks of a game: random play from a leaf, and what is known of a step.

use std::ops::ControlFlow;

use game::Position;

use crate::StepHistory;

/// Random play from a leaf of the tree to a position that is evaluated.
pub trait Playouts<P: Position>: Sync {
    /// The buffers of one thread, and what it learns in a search: the turns of a move advisor.
    type Scratch: Default;

    /// How much the evaluation of a leaf counts beside its playout, from 0 to 1; at 1 there are no playouts.
    fn evaluation_share(&self) -> f32 {
        0.0
    }

    /// Plays on by chance from a position in which the game goes on. Says how the side to move there stands in the
    /// end, from -1 (lost) to 1 (won). `played` hears of each step, with the position before it; RAVE needs that.
    fn playout(
        &self,
        request: PlayoutRequest<P>,
        random: &mut fastrand::Rng,
        scratch: &mut Self::Scratch,
        played: impl FnMut(&P, P::Step),
    ) -> f32;

    /// Hears of a position that was expanded in the tree. A move advisor looks for tactical turns there.
    fn expanded(&self, _position: &P, _scratch: &mut Self::Scratch) {}
}

/// Where a playout begins, and what the tree knows.
pub struct PlayoutRequest<'a, P: Position> {
    /// The position of the leaf.
    pub position: &'a P,
    /// The step that led to it, if there was one.
    pub previous: Option<P::Step>,
    /// How steps have done in the tree.
    pub history: &'a StepHistory,
}

impl<P: Position> Clone for PlayoutRequest<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Position> Copy for PlayoutRequest<'_, P> {}

/// What is known of a step before it is tried.
pub trait StepKnowledge<P: Position>: Sync {
    /// How good a step looks: 0 for a usual one, 1 for a good one, 5 for a capture. `previous` is the step that was
    /// played last, by whichever side.
    fn step_knowledge(&self, position: &P, step: P::Step, previous: Option<P::Step>) -> f32;
}

/// A policy of steps for a tree whose leaves are valued by the evaluation alone: no playouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PolicyAlone<K>(pub K);

impl<P: Position, K: StepKnowledge<P>> StepKnowledge<P> for PolicyAlone<K> {
    #[inline]
    fn step_knowledge(&self, position: &P, step: P::Step, previous: Option<P::Step>) -> f32 {
        self.0.step_knowledge(position, step, previous)
    }
}

impl<P: Position, K: Sync> Playouts<P> for PolicyAlone<K> {
    type Scratch = ();

    fn evaluation_share(&self) -> f32 {
        1.0
    }

    fn playout(
        &self,
        _: PlayoutRequest<P>,
        _: &mut fastrand::Rng,
        (): &mut (),
        _: impl FnMut(&P, P::Step),
    ) -> f32 {
        0.0
    }
}

/// How a playout of single steps goes: see [`play_steps`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepPlayout {
    /// The fewest turns that are played, that of the leaf counted.
    pub least_turns: u32,
    /// The most.
    pub most_turns: u32,
    /// Of how many random steps the best known one is played.
    pub best_of: usize,
}

/// A playout for any game: all steps are listed, and the best known of a few random ones is played (step-oriented
/// generation; Kozelek 2009, 4.4.2). `evaluate` says how the side to move stands in the end.
pub fn play_steps<P: Position>(
    playout: StepPlayout,
    request: PlayoutRequest<P>,
    random: &mut fastrand::Rng,
    steps: &mut Vec<P::Step>,
    knowledge: &impl StepKnowledge<P>,
    mut played: impl FnMut(&P, P::Step),
    evaluate: impl FnOnce(&P) -> f32,
) -> f32 {
    let side = request.position.side();
    let for_leaf = |position: &P, value: f32| if position.side() == side { value } else { -value };
    let (mut position, mut previous) = (request.position.clone(), request.previous);
    let mut turns = random.u32(playout.least_turns..=playout.most_turns);
    while turns > 0 {
        if position.turn_starts()
            && let Some(winner) = position.winner()
        {
            return if winner == side { 1.0 } else { -1.0 };
        }
        steps.clear();
        let _ = position.for_each_step(|step| {
            steps.push(step);
            ControlFlow::Continue(())
        });
        // Who cannot move, or only undo what was done, gives up.
        let Some(step) = best_of(playout.best_of, steps, random, |step| {
            knowledge.step_knowledge(&position, step, previous)
        }) else {
            return for_leaf(&position, -1.0);
        };
        played(&position, step);
        position.play(step);
        previous = Some(step);
        turns -= u32::from(position.turn_starts());
    }
    match position.winner() {
        Some(winner) => {
            if winner == side {
                1.0
            } else {
                -1.0
            }
        }
        None => for_leaf(&position, evaluate(&position)),
    }
}

/// The best of some random steps, if there are any.
pub(super) fn best_of<Step: Copy>(
    count: usize,
    steps: &[Step],
    random: &mut fastrand::Rng,
    known: impl Fn(Step) -> f32,
) -> Option<Step> {
    let choices = if steps.is_empty() { 0 } else { count.max(1) };
    let few = (0..choices).map(|_| steps[random.usize(0..steps.len())]);
    few.map(|step| (known(step), step)).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, step)| step)
}
