//! TD(λ) and TDLeaf(λ): the weights of Tusk's own evaluation of Arimaa, learned by playing against itself (Zhong 2005,
//! 3.9; Baxter, Tridgell and Weaver 1998).
//!
//! A game is a row of positions, each with a value: how likely Gold wins, by the evaluation of the position itself
//! (TD) or of the leaf of its principal variation (TDLeaf). Each value is moved towards the next ones, and the last towards
//! the result. A turn that was left to chance says nothing about the value before it: there the row is cut.
//!
//! The games of a batch are played with the same weights, each with its own chance: so the result does not depend on the
//! number of threads.

use std::sync::Arc;

use arimaa::{Action, GOLD, Game, Position, SILVER, Side, Step};
use arimaa_ai::engines::ENGINES;
use arimaa_ai::evaluation::{FEATURES, Model};
use arimaa_ai::{AlphaBetaEngine, Evaluation, alpha_beta_engine};
use engine::{Engine, Info, Limits, Stop, Verdict};
use game::Proof;
use linear::{Unit, Weights};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use search::Parameters;
use serde::{Deserialize, Serialize};

use crate::Openings;
use crate::selfplay::random_turn;
use crate::train::sigmoid;
use guard::in_parallel;

/// How weights are learned.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct TdSettings {
    /// How many games are played.
    pub games: usize,
    /// How many of them are played with the same weights.
    pub batch: usize,
    /// How much of an error is passed on to the position before: 0 for none, 1 for all.
    pub lambda: f32,
    /// The first change of a weight, in points of the evaluation. Later ones are smaller (AdaGrad).
    pub rate: f32,
    /// The chance that a turn is random.
    pub explore: f64,
    /// The nodes of a search.
    pub nodes: u64,
    /// Whether the leaf of the principal variation is learned from, not the position itself.
    pub leaf: bool,
    /// Whether all games begin at the same opening.
    pub one_opening: bool,
    /// The seed of all choices by chance.
    pub seed: u64,
}

/// At which score the odds to win are e to 1: about what results of Tusk's games say.
const SCALE: f32 = 400.0;

/// After so many turns, a game counts as a draw.
const MOST_TURNS: usize = 200;

/// What is known of a position of a game.
struct Moment {
    /// How likely Gold wins.
    value: f32,
    /// The features of Gold less those of Silver, each with what a point of its weight adds to the score.
    features: Vec<(usize, f32)>,
    /// The next turn was random.
    is_cut: bool,
}

/// A game that was played.
struct PlayedGame {
    moments: Vec<Moment>,
    /// 1, if Gold has won, 0, if Silver has.
    result: f32,
}

/// A match of the weights against those at the start.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct CurvePoint {
    /// After how many games of learning.
    pub games: usize,
    /// The share of the points that the learned weights have won.
    pub score: f64,
    /// Its standard error, over pairs of games with the same opening.
    pub error: f64,
}

/// A run of learning. It can be written and read again, and goes on where it was.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TdLearner {
    /// How it learns.
    pub settings: TdSettings,
    /// How many games it has learned from.
    pub games: usize,
    /// The matches so far.
    pub curve: Vec<CurvePoint>,
    start: Vec<i32>,
    weights: Vec<f32>,
    /// Of each weight, the sum of the squares of its slopes.
    squares: Vec<f32>,
}

impl TdLearner {
    /// A learner that begins with these weights.
    pub fn new(settings: TdSettings, start: &Weights) -> TdLearner {
        assert_eq!(*start.list(), FEATURES, "weights of Tusk's own evaluation");
        TdLearner {
            settings,
            games: 0,
            curve: Vec::new(),
            start: start.numbers().to_vec(),
            weights: start.numbers().iter().map(|&weight| weight as f32).collect(),
            squares: vec![0.0; FEATURES.count()],
        }
    }

    /// Weights that know nothing but material.
    pub fn material() -> Weights {
        let mut numbers = vec![0; FEATURES.count()];
        let formula = FEATURES.groups.iter().position(|group| group.name == "formula");
        numbers[FEATURES.first(formula.expect("a group of the list"))] = 100;
        Weights::new(&FEATURES, numbers)
    }

    /// Whether what was read is a run of this evaluation.
    pub fn is_sound(&self) -> bool {
        let lengths = [self.start.len(), self.weights.len(), self.squares.len()];
        lengths == [FEATURES.count(); 3] && self.weights.iter().all(|weight| weight.is_finite())
    }

    /// The weights as they are.
    pub fn weights(&self) -> Weights {
        let limit = Weights::MOST as f32;
        let rounded = |weight: &f32| weight.round().clamp(-limit, limit) as i32;
        Weights::new(&FEATURES, self.weights.iter().map(rounded).collect())
    }

    /// Plays a batch of games and learns from them; returns the mean square of the errors, from one value to the next.
    pub fn run_batch(&mut self, threads: usize) -> f64 {
        let settings = self.settings;
        let count = settings.batch.min(settings.games - self.games);
        let model = Arc::new(Model::from(&self.weights()));
        let (first, weights) = (self.games, &self.weights);
        let games = in_parallel(
            count,
            threads,
            || player(&model),
            |player, number| {
                let opening = if settings.one_opening { 0 } else { first + number };
                let start = opening_of(settings.seed, LEARNING, opening);
                let mut rng = chance(settings.seed, TURNS, first + number);
                player.play_itself(&settings, weights, start, &mut rng)
            },
        );
        self.games += count;
        self.learn(&games)
    }

    /// Changes the weights by what the games say.
    fn learn(&mut self, games: &[PlayedGame]) -> f64 {
        let mut slopes = vec![0.0f32; self.weights.len()];
        let (mut squares, mut moments) = (0.0f64, 0usize);
        for game in games {
            let errors = game.errors(self.settings.lambda);
            for (moment, (difference, error)) in game.moments.iter().zip(errors) {
                squares += f64::from(difference * difference);
                moments += 1;
                let steepness = moment.value * (1.0 - moment.value) / SCALE;
                for &(feature, value) in &moment.features {
                    slopes[feature] += error * steepness * value;
                }
            }
        }
        for (feature, slope) in slopes.into_iter().enumerate().filter(|(_, slope)| *slope != 0.0) {
            self.squares[feature] += slope * slope;
            self.weights[feature] += self.settings.rate * slope / self.squares[feature].sqrt();
        }
        squares / moments.max(1) as f64
    }

    /// Lets the weights play those at the start, and adds what came of it to the curve. Each opening is played
    /// twice, with changed sides.
    pub fn measure(&mut self, pairs: usize, threads: usize) -> CurvePoint {
        let settings = TdSettings { explore: 0.0, ..self.settings };
        let learned = Arc::new(Model::from(&self.weights()));
        let start = Arc::new(Model::from(&Weights::new(&FEATURES, self.start.clone())));
        let players = || [player(&learned), player(&start)];
        let scores = in_parallel(pairs, threads, players, |[learned, start], number| {
            let opening = opening_of(settings.seed, MATCHES, number);
            let as_gold = play([&mut *learned, &mut *start], &settings, opening);
            let as_silver = 1.0 - play([start, learned], &settings, opening);
            f64::from(as_gold + as_silver) / 2.0
        });
        let (score, error) = mean_and_error(&scores);
        let point = CurvePoint { games: self.games, score, error };
        self.curve.push(point);
        point
    }
}

/// The mean of some scores and its standard error.
pub(crate) fn mean_and_error(scores: &[f64]) -> (f64, f64) {
    let count = scores.len().max(1) as f64;
    let mean = scores.iter().sum::<f64>() / count;
    let squares = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>();
    (mean, (squares / (count - 1.0).max(1.0) / count).sqrt())
}

impl PlayedGame {
    /// For each moment, the error from its value to the next one, and what is passed on to it of all errors from there.
    fn errors(&self, lambda: f32) -> Vec<(f32, f32)> {
        let (mut next, mut passed_on) = (self.result, 0.0);
        let mut errors: Vec<(f32, f32)> = Vec::with_capacity(self.moments.len());
        for moment in self.moments.iter().rev() {
            let difference = if moment.is_cut { 0.0 } else { next - moment.value };
            passed_on = if moment.is_cut { 0.0 } else { difference + lambda * passed_on };
            errors.push((difference, passed_on));
            next = moment.value;
        }
        errors.reverse();
        errors
    }
}

/// Whose chance it is: games that are learned from, their turns, and matches.
const LEARNING: u64 = 0;
const TURNS: u64 = 1;
const MATCHES: u64 = 2;

/// The chance of a game by itself, whichever others there are.
fn chance(seed: u64, whose: u64, number: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number as u64 * 3 + whose);
    rng
}

/// The opening of that number.
fn opening_of(seed: u64, whose: u64, number: usize) -> Position {
    Openings::default().choose::<Game>(&mut chance(seed, whose, number)).start
}

/// A player by alpha-beta with such an evaluation. It searches as `tusk` does, but for what takes long before and
/// after a search.
struct Player {
    engine: AlphaBetaEngine<Evaluation>,
}

fn player(model: &Arc<Model>) -> Player {
    let usual = ENGINES[0].configure();
    let usual = Parameters::from_values(|name| usual.number(name));
    let parameters = Parameters { verification: 0, ..usual };
    let evaluation = Evaluation::with_model(Arc::clone(model));
    let mut engine = alpha_beta_engine(evaluation, parameters, 1, 1);
    engine.options.threat_search = 0;
    Player { engine }
}

impl Player {
    fn think(&mut self, game: &Game, nodes: u64) -> Option<Info<Action>> {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        self.engine.analyse(game, &limits, &Stop::new(), &mut |_| ())
    }

    /// Plays a game against itself, and keeps what is learned from.
    fn play_itself(
        &mut self,
        settings: &TdSettings,
        weights: &[f32],
        start: Position,
        rng: &mut ChaCha8Rng,
    ) -> PlayedGame {
        self.engine.new_game();
        let mut game = Game::from_position(start);
        let mut moments = Vec::new();
        for _ in 0..MOST_TURNS {
            if let Some(outcome) = game.outcome() {
                return PlayedGame { moments, result: result_of(outcome.winner) };
            }
            let Some(info) = self.think(&game, settings.nodes) else { break };
            if let Some(winner) = proved_winner(&info, game.position().side()) {
                return PlayedGame { moments, result: result_of(winner) };
            }
            let is_cut = rng.random_bool(settings.explore);
            let learned =
                if settings.leaf { leaf(game.position(), info.pv()) } else { *game.position() };
            moments.push(Moment { is_cut, ..Moment::of(&learned, weights) });
            let is_played = !is_cut
                && info.best().is_some_and(|&best| game::Game::play(&mut game, best).is_ok());
            if !is_played {
                random_turn(&mut game, rng);
            }
        }
        PlayedGame { moments, result: 0.5 }
    }
}

impl Moment {
    /// A position, with its value by these weights.
    fn of(position: &Position, weights: &[f32]) -> Moment {
        let sides = Evaluation::features(position);
        let mut features = Vec::new();
        for (side, sign) in [(GOLD, 1.0), (SILVER, -1.0)] {
            for feature in sides[side].iter() {
                let unit = match FEATURES.group_of(feature.number).0.unit {
                    Unit::Point => 1.0,
                    Unit::Hundredth => 0.01,
                };
                features.push((feature.number, sign * unit * feature.value as f32));
            }
        }
        let score: f32 = features.iter().map(|&(feature, value)| weights[feature] * value).sum();
        Moment { value: sigmoid(score / SCALE), features, is_cut: false }
    }
}

/// The position at the end of a principal variation; its last turn may be incomplete.
fn leaf(position: &Position, line: &[Action]) -> Position {
    let mut leaf = *position;
    for (index, action) in line.iter().enumerate() {
        let &Action::Turn(turn) = action else { break };
        let side = leaf.side();
        let mut after = leaf;
        if leaf.outcome().is_some() || after.try_play_turn(turn).is_err() {
            break;
        }
        turn.steps().for_each(|step| leaf.play_unchecked(step));
        if leaf.side() == side && index + 1 < line.len() {
            leaf.play_unchecked(Step::PASS);
        }
    }
    leaf
}

/// What a win of that side is worth to Gold.
fn result_of(winner: Side) -> f32 {
    if winner == GOLD { 1.0 } else { 0.0 }
}

/// Who wins by force, if the search says so.
fn proved_winner(info: &Info<Action>, mover: Side) -> Option<Side> {
    match info.verdict()? {
        Verdict::Proof(Proof::Win(_)) => Some(mover),
        Verdict::Proof(Proof::Loss(_)) => Some(!mover),
        _ => None,
    }
}

/// Plays a game between Gold and Silver; returns 1, if Gold has won.
fn play(mut players: [&mut Player; 2], settings: &TdSettings, start: Position) -> f32 {
    players.iter_mut().for_each(|player| player.engine.new_game());
    let mut game = Game::from_position(start);
    for _ in 0..MOST_TURNS {
        if let Some(outcome) = game.outcome() {
            return result_of(outcome.winner);
        }
        let mover = game.position().side();
        let Some(info) = players[mover as usize].think(&game, settings.nodes) else { break };
        if let Some(winner) = proved_winner(&info, mover) {
            return result_of(winner);
        }
        let Some(&best) = info.best() else { break };
        if game::Game::play(&mut game, best).is_err() {
            break;
        }
    }
    0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: TdSettings = TdSettings {
        games: 4,
        batch: 2,
        lambda: 0.7,
        rate: 4.0,
        explore: 0.1,
        nodes: 60,
        leaf: true,
        one_opening: false,
        seed: 1,
    };

    fn moment(value: f32, is_cut: bool) -> Moment {
        Moment { value, features: Vec::new(), is_cut }
    }

    #[test]
    fn errors_are_passed_back_until_a_random_turn() {
        let moments =
            vec![moment(0.5, false), moment(0.25, true), moment(0.5, false), moment(0.75, false)];
        let errors = PlayedGame { moments, result: 1.0 }.errors(0.5);
        assert_eq!(errors, [(-0.25, -0.25), (0.0, 0.0), (0.25, 0.375), (0.25, 0.25)]);
    }

    #[test]
    fn threads_do_not_change_what_is_learned() {
        let learned = |threads| {
            let mut learner = TdLearner::new(SETTINGS, &TdLearner::material());
            while learner.games < SETTINGS.games {
                learner.run_batch(threads);
            }
            learner
        };
        let one = learned(1);
        assert_eq!(one, learned(3));
        assert_ne!(one.weights(), TdLearner::material());
    }

    #[test]
    fn a_run_that_was_written_goes_on_as_if_nothing_had_happened() {
        let mut learner = TdLearner::new(SETTINGS, &TdLearner::material());
        learner.run_batch(1);
        let text = serde_json::to_string(&learner).unwrap();
        let mut read: TdLearner = serde_json::from_str(&text).unwrap();
        assert!(read.is_sound());
        learner.run_batch(1);
        read.run_batch(1);
        assert_eq!(read, learner);
    }

    #[test]
    fn equal_weights_score_half() {
        let mut learner = TdLearner::new(SETTINGS, &TdLearner::material());
        assert_eq!(learner.measure(2, 2), CurvePoint { games: 0, score: 0.5, error: 0.0 });
    }

    #[test]
    fn material_alone_is_what_the_pieces_are_worth() {
        let even: Position =
            "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
        let more: Position =
            "g [rrrrrrrrh cemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
        let weights: Vec<f32> =
            TdLearner::material().numbers().iter().map(|&weight| weight as f32).collect();
        assert_eq!(Moment::of(&even, &weights).value, 0.5);
        assert!(Moment::of(&more, &weights).value > 0.5);
    }
}
