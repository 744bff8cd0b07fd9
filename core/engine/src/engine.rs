use game::{Game, Position};

use crate::{EvaluationTrace, Info, Limits, Stop, TreeView};

/// Whoever analyses positions and plays: all that its users know of it.
///
/// The Arimaa Engine Interface, the arena and the command line ask an engine by this trait
/// and by no other. What can be set of it is declared in a [`crate::Catalogue`].
pub trait Engine<G: Game>: Send {
    /// Analyses the position of a game that is not over, and finds what to play there: a setup where
    /// one is awaited, else a turn.
    ///
    /// Each [`Info`] on the way goes to `sink`; the last one is returned, and its
    /// [`Info::best`] is what the engine plays. None: it resigns. It returns soon after `stop` is
    /// requested or the hard limit is over, even one of zero.
    fn analyse(
        &mut self,
        game: &G,
        limits: &Limits,
        stop: &Stop,
        sink: &mut Sink<G>,
    ) -> Option<Info<G::Action>>;

    /// Forgets what it knows of the game before.
    fn new_game(&mut self) {}

    /// Begins its random choices anew, if it has any.
    fn set_seed(&mut self, _seed: u64) {}

    /// How many lines an analysis is to find: the best turn, the second best and so on. Lines differ by the board
    /// after their first turn. An engine that does not know how finds one.
    fn set_lines(&mut self, _lines: usize) {}

    /// The evaluation of the position, term by term, if it has one.
    fn trace(&self, _game: &G) -> Option<EvaluationTrace> {
        None
    }

    /// The tree of the last search as lines for people, if it keeps one.
    fn tree(&self) -> Option<Vec<String>> {
        None
    }

    /// The position that these moves lead to in the tree of the last search, with so many of its own moves from a number on,
    /// the best first. None, where no tree is kept or it does not go that far.
    fn look(
        &self,
        _path: &[Vec<StepOf<G>>],
        _from: usize,
        _count: usize,
    ) -> Option<TreeView<StepOf<G>>> {
        None
    }
}

/// A step of a game.
pub type StepOf<G> = <<G as Game>::Position as Position>::Step;

/// Who hears what an engine knows so far.
pub type Sink<'a, G> = dyn FnMut(&Info<<G as Game>::Action>) + 'a;

/// The info of a search of steps, told in turns: the best line begins with this action.
pub fn in_turns<G: Game>(
    position: &G::Position,
    found: &Info<<G::Position as Position>::Step>,
    action: G::Action,
) -> Info<G::Action> {
    let mut info = found.with_variations(|steps| variation::<G>(position, steps));
    if let Some(line) = info.lines.first_mut() {
        match line.pv.first_mut() {
            Some(first) => *first = action,
            None => line.pv.push(action),
        }
    }
    info
}

/// Steps as turns, from the position that they begin at; what belongs to no turn ends them.
pub fn variation<G: Game>(
    position: &G::Position,
    steps: &[<G::Position as Position>::Step],
) -> Vec<G::Action> {
    let mut position = position.clone();
    let mut turns = Vec::new();
    let mut rest = steps;
    while !rest.is_empty() {
        let turn = first_turn(&position, rest);
        let Some(action) = G::turn(turn) else { break };
        turns.push(action);
        turn.iter().for_each(|&step| position.play(step));
        rest = &rest[turn.len()..];
    }
    turns
}

/// The steps that belong to the turn of the position.
pub fn first_turn<'a, P: Position>(position: &P, steps: &'a [P::Step]) -> &'a [P::Step] {
    let mut after = position.clone();
    for (index, &step) in steps.iter().enumerate() {
        after.play(step);
        if after.side() != position.side() || after.turn_starts() {
            return &steps[..=index];
        }
    }
    steps
}
