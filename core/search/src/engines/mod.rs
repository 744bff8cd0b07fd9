//! Engines for any game, made of a search and of what the game adds to it ([`GameSupport`]): [`AlphaBetaEngine`] and
//! [`TreeEngine`].

mod alpha_beta_engine;
mod tree_engine;

use engine::{Info, Limits, StepOf};
use game::{Game, Steps};
use rand_chacha::ChaCha8Rng;

pub use self::alpha_beta_engine::AlphaBetaEngine;
pub use self::tree_engine::TreeEngine;
use crate::Task;

/// What a game adds to a search and its heuristics `H` to make an engine of them: what comes before the search, and how
/// the line that was found becomes an action.
pub trait GameSupport<G: Game, H>: Send {
    /// How a forced win is looked for before the search.
    type WinSearch: Copy;

    /// What is played without a search: a setup, or a piece that is placed. None, where there is a turn to search for.
    fn opening(
        &mut self,
        _game: &G,
        _heuristics: &H,
        _rng: &mut ChaCha8Rng,
    ) -> Option<Info<G::Action>> {
        None
    }

    /// Prepares the heuristics for a search in this game.
    fn prepare(&mut self, _game: &G, _heuristics: &mut H) {}

    /// Looks for a forced win before the search: by threats, or by proof numbers.
    fn find_win(
        &mut self,
        _how: Self::WinSearch,
        _task: &Task<G::Position, H>,
    ) -> WinFound<StepOf<G>> {
        WinFound { win: None, nodes: 0 }
    }

    /// The whole turn that a line begins with. None, if it may not be played: the line may have been cut off inside.
    fn action(game: &G, line: &[StepOf<G>]) -> Option<G::Action>;

    /// A legal action by chance, for a search that was stopped before it had found one.
    fn random_action(game: &G, rng: &mut ChaCha8Rng) -> Option<G::Action>;

    /// Steps of a turn as people write them.
    fn notation(position: &G::Position, steps: &[StepOf<G>]) -> String;

    /// Forgets the game before. What takes long to get ready is made now, not while a clock runs.
    fn new_game(&mut self, _how: Self::WinSearch, _heuristics: &mut H) {}
}

/// What a look for a forced win has found.
pub struct WinFound<Step> {
    /// The win, with its first turn.
    pub win: Option<Info<Step>>,
    /// How many positions were entered.
    pub nodes: u64,
}

/// How an engine uses alpha-beta. A game declares the parameters, with their ranges and units.
pub trait AlphaBetaOptions {
    /// How a forced win is looked for before the search: [`GameSupport::WinSearch`].
    type WinSearch;

    /// A turn is chosen at random among those that are worse than the best by no more than this.
    fn random_margin(&self) -> i32;

    /// The most steps that it looks ahead; 0: no limit.
    fn max_depth(&self) -> i32;

    /// How much of its time it uses, in percent.
    fn time_percent(&self) -> u32;

    /// The limits of a search that has been given these.
    fn limits(&self, given: Limits) -> Limits {
        let max_depth = (self.max_depth() > 0).then_some(Steps(self.max_depth() as u8));
        let limits = given.share(self.time_percent());
        Limits { depth: max_depth.into_iter().chain(given.depth).min(), ..limits }
    }

    /// How a forced win is looked for before the search.
    fn win_search(&self) -> Self::WinSearch;
}

/// How an engine uses Monte-Carlo tree search. A game declares the parameters.
pub trait TreeOptions {
    /// How a forced win is looked for before the search: [`GameSupport::WinSearch`].
    type WinSearch;

    /// How much of its time it uses, in percent.
    fn time_percent(&self) -> u32;

    /// Below which chance to win it resigns, in percent; 0: never.
    fn resign(&self) -> i32;

    /// How a forced win is looked for before the search.
    fn win_search(&self) -> Self::WinSearch;
}

/// The trace of an evaluation is asked for while the game goes on.
fn goes_on<G: Game>(game: &G) -> bool {
    game.setting_up().is_none() && game.ended().is_none()
}
