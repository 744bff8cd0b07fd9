use game::{Game, Position, notations};

use crate::{Info, Sink, variation};

/// What each iteration of a search has found, as lines for people: the tree of an engine that keeps none.
#[derive(Debug, Default)]
pub struct Iterations(Vec<String>);

impl Iterations {
    /// Takes the list for a new search, empty and in the memory of the last one.
    pub fn begin(&mut self) -> Iterations {
        let mut lines = std::mem::take(&mut self.0);
        lines.clear();
        Iterations(lines)
    }

    /// Passes on what an iteration has found, told in turns, and keeps a line of it.
    pub fn tell<G: Game>(
        &mut self,
        game: &G,
        info: &Info<<G::Position as Position>::Step>,
        sink: &mut Sink<G>,
    ) {
        let info = info.with_variations(|steps| variation::<G>(game.position(), steps));
        let verdict = info.verdict().map_or_else(String::new, |verdict| verdict.to_string());
        let pv = notations(game, info.pv()).join(" / ");
        let (depth, nodes) = (info.depth.0, info.nodes);
        self.0.push(format!("depth {depth:>2}  {verdict:>9}  {nodes:>10} nodes  {pv}"));
        sink(&info);
    }

    /// The lines, if there was a search.
    pub fn lines(&self) -> Option<Vec<String>> {
        (!self.0.is_empty()).then(|| self.0.clone())
    }
}
