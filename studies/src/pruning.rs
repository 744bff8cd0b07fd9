//! Whether what a search leaves out costs anything.

use std::time::{Duration, Instant};

use engine::{Configured, Engine, Info, Limits, Stop, Verdict};
use game::{Game, Position, Proof, Steps};
use workbench::{Catalogues, Playing};

/// What leaves steps out.
const PRUNING: [&str; 3] = ["lmr", "futility", "null_move"];

/// What players look for before they search.
const BEFOREHAND: [&str; 2] = ["threat_search", "proof_stacks"];

/// A proof, in points.
const PROVED: i32 = 2000;

/// Searches with and without what prunes, and a deeper search that judges the turns which both choose.
pub struct Comparison<S: Playing> {
    depth: Steps,
    engines: [Configured<S::Game>; 2],
    judge: Judge<S::Game>,
    /// What the pruned search took.
    pub pruned: Total,
    /// What the other one took.
    pub full: Total,
    /// By how much the pruned search's turn is better, for each position.
    pub differences: Vec<f64>,
}

impl<S: Playing> Comparison<S> {
    /// Searches to one depth, and judges by searches to another.
    pub fn new(catalogues: &Catalogues, depth: Steps, judge: Steps) -> anyhow::Result<Self> {
        let engines = [searcher::<S>(catalogues, &[])?, searcher::<S>(catalogues, &PRUNING)?];
        let judge = Judge { engine: searcher::<S>(catalogues, &[])?, depth: judge };
        let (pruned, full) = (Total::default(), Total::default());
        Ok(Comparison { depth, engines, judge, pruned, full, differences: Vec::new() })
    }

    /// Searches a position; none if a search finds no turn.
    pub fn add(&mut self, game: &S::Game) -> anyhow::Result<Option<Pair>> {
        let limits = Limits::depth(self.depth);
        let [pruned, full] = &mut self.engines;
        let one = self.pruned.search(pruned, game, limits);
        let other = self.full.search(full, game, limits);
        let (Some(one), Some(other)) = (one, other) else { return Ok(None) };
        let scores = [self.judge.score(game, one)?, self.judge.score(game, other)?];
        let pair = Pair { turns: [one, other].map(|turn| game.notation(turn)), scores };
        self.differences.push(f64::from(pair.difference()));
        Ok(Some(pair))
    }

    /// By how much the pruned search's turns are better on average, and 1.96 times the standard error.
    pub fn mean_and_error(&self) -> (f64, f64) {
        mean_and_error(&self.differences)
    }
}

/// The turns that both searches choose in a position, the pruned one's first, and what the judge makes of them.
pub struct Pair {
    /// The turns.
    pub turns: [String; 2],
    /// Their scores, in points.
    pub scores: [i32; 2],
}

impl Pair {
    /// By how much the pruned search's turn is better.
    pub fn difference(&self) -> i32 {
        self.scores[0] - self.scores[1]
    }
}

/// The usual engine, with these parameters switched off.
fn searcher<S: Playing>(
    catalogues: &Catalogues,
    off: &[&str],
) -> anyhow::Result<Configured<S::Game>> {
    let mut configuration = catalogues.get::<S>().default_engine().configure();
    for name in off.iter().chain(&BEFOREHAND) {
        // What another game has is not there to be switched off.
        let _ = configuration.set(name, "0");
    }
    Ok(configuration.build()?)
}

/// How much was searched.
#[derive(Clone, Copy, Default)]
pub struct Total {
    /// Positions that were entered.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

impl Total {
    /// The turn that a search chooses.
    fn search<G: Game>(
        &mut self,
        engine: &mut impl Engine<G>,
        game: &G,
        limits: Limits,
    ) -> Option<G::Action> {
        let begin = Instant::now();
        engine.new_game();
        let info = engine.analyse(game, &limits, &Stop::new(), &mut |_| ());
        self.time += begin.elapsed();
        self.nodes += info.as_ref().map_or(0, |info| info.nodes);
        info?.best().copied()
    }
}

/// Who says what turns are worth.
struct Judge<G: Game> {
    engine: Configured<G>,
    depth: Steps,
}

impl<G: Game> Judge<G> {
    /// What a turn is worth to the side that plays it.
    fn score(&mut self, game: &G, turn: G::Action) -> anyhow::Result<i32> {
        let begin = G::begin(&game.position().to_string());
        let (mut after, _) = begin.map_err(anyhow::Error::msg)?;
        let side = game.position().side();
        after.play(turn).map_err(anyhow::Error::msg)?;
        if let Some(ended) = after.ended() {
            return Ok(if ended.winner == side { PROVED } else { -PROVED });
        }
        self.engine.new_game();
        let limits = Limits::depth(self.depth);
        let info = self.engine.analyse(&after, &limits, &Stop::new(), &mut |_| ());
        let score = match info.as_ref().and_then(Info::verdict) {
            Some(Verdict::Score(score)) => score.0,
            Some(Verdict::Proof(Proof::Win(_))) => PROVED,
            Some(Verdict::Proof(Proof::Loss(_))) => -PROVED,
            None => 0,
        };
        Ok(-score)
    }
}

/// The mean, and 1.96 times its standard error.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    (mean, 1.96 * (variance / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_mean_shrinks_with_the_root_of_the_number() {
        assert_eq!(mean_and_error(&[]), (0.0, 0.0));
        assert_eq!(mean_and_error(&[5.0, 5.0]), (5.0, 0.0));
        let (mean, error) = mean_and_error(&[1.0, -1.0, 1.0, -1.0]);
        assert!(mean == 0.0 && (error - 0.98).abs() < 1e-9, "{error}");
    }
}
