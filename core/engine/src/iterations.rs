use game::{Game, Position, notations};

use crate::{Info, Sink, variation};

/// What each iteration of the last search has found: the tree of an engine that keeps none.
///
/// The lines for people are made when somebody asks for them; a search of a few thousand nodes has no time for that.
#[derive(Debug)]
pub struct Iterations<G: Game> {
    infos: Vec<Info<G::Action>>,
    /// The game that was searched; none before the first search.
    game: Option<G>,
}

impl<G: Game> Default for Iterations<G> {
    fn default() -> Iterations<G> {
        Iterations { infos: Vec::new(), game: None }
    }
}

impl<G: Game> Iterations<G> {
    /// Those of a search that begins now.
    pub fn of(game: &G) -> Iterations<G> {
        Iterations { infos: Vec::new(), game: Some(game.clone()) }
    }

    /// Passes on what an iteration has found, told in turns, and keeps it.
    pub fn tell(
        &mut self,
        position: &G::Position,
        info: &Info<<G::Position as Position>::Step>,
        sink: &mut Sink<G>,
    ) {
        let info = info.with_variations(|steps| variation::<G>(position, steps));
        sink(&info);
        self.infos.push(info);
    }

    /// A line for each iteration, if there was a search.
    pub fn lines(&self) -> Option<Vec<String>> {
        let game = self.game.as_ref().filter(|_| !self.infos.is_empty())?;
        let line = |info: &Info<G::Action>| {
            let verdict = info.verdict().map_or_else(String::new, |verdict| verdict.to_string());
            let pv = notations(game, info.pv()).join(" / ");
            let (depth, nodes) = (info.depth.0, info.nodes);
            format!("depth {depth:>2}  {verdict:>9}  {nodes:>10} nodes  {pv}")
        };
        Some(self.infos.iter().map(line).collect())
    }
}
