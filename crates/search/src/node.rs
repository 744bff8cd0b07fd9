use game::Position;

use crate::value::Value;

/// The values that matter: one that is not above `alpha` is not good enough for the side to move, one
/// that is not below `beta` is too good to be allowed by the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
}

impl Window {
    pub(crate) const ALL: Window = Window { alpha: Value::MIN, beta: Value::MAX };

    /// Whether it asks no more than if a value is above alpha.
    pub(crate) fn is_null(self) -> bool {
        self.alpha.successor() == self.beta
    }

    /// The question whether a value is above alpha.
    pub(crate) fn above_alpha(self) -> Window {
        Window { beta: self.alpha.successor(), ..self }
    }

    /// In the eyes of the other side.
    pub(crate) fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// As asked of something that is worth less by so much.
    pub(crate) fn raised(self, by: i32) -> Window {
        Window { alpha: self.alpha.plus(by), beta: self.beta.plus(by) }
    }
}

/// Where in the tree a position is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Steps from the root.
    pub(crate) ply: usize,
    /// Turns that have ended since the root.
    pub(crate) turns: u16,
    /// What the steps of the turn have cost so far.
    pub(crate) used: i32,
    /// The steps to be searched from here.
    pub(crate) depth: i32,
    /// Turns that were played where the depth was used up.
    pub(crate) beyond: u8,
    /// A turn was given up on the way here, not to be done twice.
    pub(crate) after_null: bool,
}

impl Place {
    pub(crate) fn root(depth: i32) -> Place {
        Place { ply: 0, turns: 0, used: 0, depth, beyond: 0, after_null: false }
    }

    /// After a step of that cost, inside the turn.
    pub(crate) fn after(self, cost: i32) -> Place {
        let (ply, used, depth) = (self.ply + 1, self.used + cost, self.depth - cost);
        Place { ply, used, depth, ..self }
    }

    /// The same at the start of the next turn.
    pub(crate) fn next_turn(self) -> Place {
        Place { turns: self.turns + 1, used: 0, ..self }
    }
}

/// A position in the tree, and what is asked of it.
pub(crate) struct Node<'a, P: Position> {
    pub(crate) position: &'a P,
    pub(crate) place: Place,
    pub(crate) window: Window,
    /// How its turn began, inside one.
    pub(crate) begun: Option<Begun<'a, P>>,
    /// The estimate of the position, once somebody has asked for it.
    pub(crate) estimate: Option<Value>,
    /// At the start of a turn: what the enemy was estimated at before its last one, if anybody asked.
    pub(crate) enemy_before: Option<Value>,
}

/// A turn of which steps have been played.
pub(crate) struct Begun<'a, P: Position> {
    /// The position at its start.
    pub(crate) start: &'a P,
    /// The estimate of it, if somebody has asked.
    pub(crate) estimate: Option<Value>,
    /// The position before its last step.
    pub(crate) before: &'a P,
    /// Its last step.
    pub(crate) last: P::Step,
}

impl<'a, P: Position> Node<'a, P> {
    pub(crate) fn new(position: &'a P, place: Place, window: Window) -> Node<'a, P> {
        Node { position, place, window, begun: None, estimate: None, enemy_before: None }
    }

    /// The estimate at the start of the turn, if somebody has asked for it.
    pub(crate) fn estimate_at_start(&self) -> Option<Value> {
        self.begun.as_ref().map_or(self.estimate, |begun| begun.estimate)
    }

    /// What is known of the turn once another step is played here.
    pub(crate) fn begun_by(&'a self, step: P::Step) -> Begun<'a, P> {
        let start = self.begun.as_ref().map_or(self.position, |begun| begun.start);
        Begun { start, estimate: self.estimate_at_start(), before: self.position, last: step }
    }
}
