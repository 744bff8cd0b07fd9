//! The likelihood of steps, learned from games: the weights of [`StepPolicy`], and how well it predicts.
//!
//! Each step of a turn is an example: of all legal steps, this one was played. The weights maximise the likelihood of
//! that (a conditional logit), by AdaGrad. [`rank_turn`] asks more: where a whole turn comes among all distinct turns.

use arimaa::{Army, Game, Position, Setup, Side, Step, Turn};
use arimaa_ai::{STEP_FEATURES, StepContext, StepPolicy};
use linear::{FeatureVector, Weights};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;
use thiserror::Error;

/// A step that was played, and the one before it.
#[derive(Clone, Copy, Debug)]
pub struct PlayedStep {
    position: Position,
    previous: Option<Step>,
    step: Step,
}

/// A turn that was played.
#[derive(Clone, Copy, Debug)]
pub struct PlayedTurn {
    /// The position before it.
    pub position: Position,
    /// The last step of the turn before, if it is known.
    pub previous: Option<Step>,
    /// The turn.
    pub turn: Turn,
}

/// What one row of a table tells.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The game's number: that of the column `game`, or of the row. Rows of one game are never split.
    pub game: usize,
    /// The turns that are known of it.
    pub turns: Vec<PlayedTurn>,
}

/// Why a table cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TableError {
    /// There are no such columns.
    #[error("expected a column movelist, or position and turn or best")]
    Columns,
    /// A row is wrong.
    #[error("line {line}: {fault}")]
    Row {
        /// Its line, from 1.
        line: usize,
        /// What is wrong.
        fault: String,
    },
}

/// Which games are not learned from: one in so many.
const HELD_OUT: usize = 10;

impl PlayedGame {
    /// Whether it is not learned from, but tells how well the others are learned.
    pub fn is_held_out(&self) -> bool {
        self.game.is_multiple_of(HELD_OUT)
    }
}

/// Reads a tab-separated table. It has a column `movelist` with whole games, turns separated by `|`, or `position` and
/// `turn` or `best`, with `game` where turns are of one game.
pub fn read_table(text: &str) -> Result<Vec<PlayedGame>, TableError> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| header.iter().position(|&column| column == name);
    let (movelist, position, game) = (column("movelist"), column("position"), column("game"));
    let turn = column("turn").or(column("best"));
    let mut rows = Vec::new();
    for (number, line) in lines.enumerate() {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |column: usize| cells.get(column).copied().unwrap_or_default();
        let turns = match (movelist, position, turn) {
            (Some(movelist), _, _) => game_turns(cell(movelist)),
            (_, Some(position), Some(turn)) => single_turn(cell(position), cell(turn)),
            _ => return Err(TableError::Columns),
        };
        let turns = turns.map_err(|fault| TableError::Row { line: number + 2, fault })?;
        let game = game.and_then(|game| cell(game).parse().ok()).unwrap_or(number);
        rows.push(PlayedGame { game, turns });
    }
    Ok(rows)
}

fn single_turn(position: &str, turn: &str) -> Result<Vec<PlayedTurn>, String> {
    let position: Position = position.parse().map_err(|error| format!("{error}"))?;
    let turn = Turn::parse(turn, &position).map_err(|error| error.to_string())?;
    Ok(vec![PlayedTurn { position, previous: None, turn }])
}

/// The turns of a whole game; what follows a turn that cannot be read is left out, such as a resignation.
fn game_turns(movelist: &str) -> Result<Vec<PlayedTurn>, String> {
    let mut texts = movelist.split('|');
    let mut game = Game::new();
    for side in Side::ALL {
        let text = texts.next().ok_or("a game without setups")?;
        let setup = Setup::parse(text, side, Army::Full).map_err(|error| error.to_string())?;
        game.set_up(setup).map_err(|error| error.to_string())?;
    }
    let (mut turns, mut previous) = (Vec::new(), None);
    for text in texts {
        let position = *game.position();
        let Ok(turn) = Turn::parse(text, &position) else { break };
        turns.push(PlayedTurn { position, previous, turn });
        previous = turn.steps().last();
        game.try_play(turn).map_err(|error| error.to_string())?;
    }
    Ok(turns)
}

impl PlayedTurn {
    /// Its steps, and the pass that ends it if there is one.
    fn steps(&self) -> impl Iterator<Item = PlayedStep> {
        let (mut position, mut previous) = (self.position, self.previous);
        let steps = self.turn.steps().chain([Step::PASS]);
        steps.map_while(move |step| {
            let played = PlayedStep { position, previous, step };
            if position.side() != self.position.side() {
                return None;
            }
            position.play_unchecked(step);
            previous = Some(step);
            Some(played)
        })
    }
}

/// How well the steps of some turns are predicted.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Prediction {
    /// How many steps were asked about.
    pub steps: usize,
    likelihood: f64,
    by_chance: f64,
    first: usize,
}

impl Prediction {
    /// The mean logarithm of the probability of the step that was played.
    pub fn log_likelihood(&self) -> f64 {
        self.likelihood / self.steps.max(1) as f64
    }

    /// The same, if all steps were as likely.
    pub fn by_chance(&self) -> f64 {
        self.by_chance / self.steps.max(1) as f64
    }

    /// In which share of the cases the step that was played is the likeliest.
    pub fn first(&self) -> f64 {
        self.first as f64 / self.steps.max(1) as f64
    }
}

/// Learns the weights of a [`StepPolicy`].
pub struct StepLearner {
    learned: Vec<PlayedStep>,
    held_out: Vec<PlayedStep>,
    weights: Vec<f32>,
    /// Of each weight, the sum of the squares of its slopes.
    squares: Vec<f32>,
    rng: ChaCha8Rng,
}

/// How fast AdaGrad learns.
const RATE: f32 = 0.15;

impl StepLearner {
    /// A learner that has seen nothing yet of these games.
    pub fn new(games: &[PlayedGame], seed: u64) -> StepLearner {
        let (mut learned, mut held_out) = (Vec::new(), Vec::new());
        for game in games {
            let steps = if game.is_held_out() { &mut held_out } else { &mut learned };
            steps.extend(game.turns.iter().flat_map(PlayedTurn::steps));
        }
        StepLearner {
            learned,
            held_out,
            weights: vec![0.0; STEP_FEATURES.count()],
            squares: vec![1e-6; STEP_FEATURES.count()],
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// How many steps are learned from, and how many are held out.
    pub fn steps(&self) -> [usize; 2] {
        [self.learned.len(), self.held_out.len()]
    }

    /// Learns from each step once, and says how well those that are held out are predicted then.
    pub fn run_epoch(&mut self) -> Prediction {
        self.learned.shuffle(&mut self.rng);
        for played in &self.learned {
            for (feature, slope) in gradient(played, &self.weights, &mut Prediction::default()) {
                self.squares[feature] += slope * slope;
                self.weights[feature] += RATE * slope / self.squares[feature].sqrt();
            }
        }
        let mut prediction = Prediction::default();
        for played in &self.held_out {
            gradient(played, &self.weights, &mut prediction);
        }
        prediction
    }

    /// The weights, in hundredths.
    pub fn weights(&self) -> Weights {
        let limit = Weights::MOST as f32;
        let hundredths = |weight: &f32| (100.0 * weight).round().clamp(-limit, limit) as i32;
        Weights::new(&STEP_FEATURES, self.weights.iter().map(hundredths).collect())
    }
}

/// How the likelihood of the step changes with each weight.
fn gradient(
    played: &PlayedStep,
    weights: &[f32],
    prediction: &mut Prediction,
) -> Vec<(usize, f32)> {
    let context = StepContext::new(&played.position, played.previous);
    let steps = played.position.steps();
    let Some(chosen) = steps.iter().position(|&step| step == played.step) else {
        return Vec::new();
    };
    let features = |&step: &Step| {
        let mut vector = FeatureVector::default();
        context.emit(step, &mut vector);
        vector.iter().map(|feature| (feature.number, feature.value as f32)).collect()
    };
    let features: Vec<Vec<(usize, f32)>> = steps.iter().map(features).collect();
    let score = |features: &Vec<(usize, f32)>| -> f32 {
        features.iter().map(|&(feature, value)| weights[feature] * value).sum()
    };
    let scores: Vec<f32> = features.iter().map(score).collect();
    let highest = scores.iter().copied().fold(f32::MIN, f32::max);
    let odds: Vec<f32> = scores.iter().map(|score| (score - highest).exp()).collect();
    let sum: f32 = odds.iter().sum();
    prediction.steps += 1;
    prediction.likelihood += f64::from((odds[chosen] / sum).ln());
    prediction.first += usize::from(scores[chosen] == highest);
    prediction.by_chance -= (steps.len() as f64).ln();
    let mut gradient = Vec::new();
    for (index, features) in features.iter().enumerate() {
        let slope = f32::from(u8::from(index == chosen)) - odds[index] / sum;
        gradient.extend(features.iter().map(|&(feature, value)| (feature, slope * value)));
    }
    gradient.sort_by_key(|&(feature, _)| feature);
    gradient.dedup_by(|next, one| {
        let same = next.0 == one.0;
        if same {
            one.1 += next.1;
        }
        same
    });
    gradient
}

/// Where a turn comes among all distinct turns of its position, the likeliest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rank {
    /// How many turns are likelier.
    pub before: usize,
    /// How many distinct turns there are, the turn among them.
    pub turns: usize,
}

impl Rank {
    /// Whether it is among the first turns, by a share of all of them; at least one turn is.
    pub fn is_among(&self, share: f64) -> bool {
        self.before < (share * self.turns as f64).ceil() as usize
    }
}

/// A position inside a turn, and how likely the likeliest way there is.
struct Reached {
    position: Position,
    last: Option<Step>,
    likelihood: f32,
}

/// Ranks a turn. A turn is as likely as the likeliest order of its steps: the sum of the logarithms of their
/// probabilities. Nothing, if the turn leads nowhere.
pub fn rank_turn(policy: &StepPolicy, played: &PlayedTurn) -> Option<Rank> {
    let start = &played.position;
    let mut after = *start;
    after.try_play_turn(played.turn).ok()?;
    let mut ends: FxHashMap<u64, f32> = FxHashMap::default();
    // By how many steps are left, less one.
    let mut layers: [FxHashMap<u64, Reached>; 4] = Default::default();
    let root = Reached { position: *start, last: played.previous, likelihood: 0.0 };
    layers[usize::from(start.steps_left().0) - 1].insert(start.key().0, root);
    for left in (0..layers.len()).rev() {
        for reached in std::mem::take(&mut layers[left]).into_values() {
            for (step, likelihood) in likelihoods(policy, &reached) {
                let mut position = reached.position;
                position.play_unchecked(step);
                let likelihood = reached.likelihood + likelihood;
                let key = position.key().0;
                if position.side() == start.side() {
                    let layer = &mut layers[usize::from(position.steps_left().0) - 1];
                    let last = Some(step);
                    let new = Reached { position, last, likelihood };
                    match layer.get_mut(&key) {
                        Some(known) if known.likelihood >= likelihood => {}
                        Some(known) => *known = new,
                        None => drop(layer.insert(key, new)),
                    }
                } else if position.board() != start.board() {
                    let end = ends.entry(key).or_insert(likelihood);
                    *end = end.max(likelihood);
                }
            }
        }
    }
    let own = *ends.get(&after.key().0)?;
    let before = ends.values().filter(|&&likelihood| likelihood > own).count();
    Some(Rank { before, turns: ends.len() })
}

/// The logarithm of the probability of each step.
fn likelihoods(policy: &StepPolicy, reached: &Reached) -> Vec<(Step, f32)> {
    let context = StepContext::new(&reached.position, reached.last);
    let score = |step: Step| (step, policy.score(&context, step) as f32 / 100.0);
    let mut steps: Vec<(Step, f32)> = reached.position.steps().into_iter().map(score).collect();
    let highest = steps.iter().fold(f32::MIN, |highest, &(_, score)| highest.max(score));
    let sum: f32 = steps.iter().map(|&(_, score)| (score - highest).exp()).sum();
    steps.iter_mut().for_each(|(_, score)| *score -= highest + sum.ln());
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: &str = "game\tposition\tturn\n\
        0\tg [rrrccrrrrhdemdhr                                RHCEMCHRRRRDDRRR]\tEd2n Ed3n Ed4n Ed5n\n\
        1\ts [rrrccrrrrhdemdhr   E                            RHC MCHRRRRDDRRR]\thb7s hg7s\n";

    #[test]
    fn a_table_of_turns_is_split_by_the_games_that_it_names() {
        let games = read_table(GAMES).unwrap();
        assert_eq!(games.iter().map(|game| game.is_held_out()).collect::<Vec<_>>(), [true, false]);
        // Four steps, and two with a pass.
        assert_eq!(StepLearner::new(&games, 0).steps(), [3, 4]);
    }

    #[test]
    fn what_is_wrong_with_a_table_is_named_by_its_line() {
        assert_eq!(read_table("a\tb\n1\t2\n").unwrap_err(), TableError::Columns);
        let wrong = GAMES.replace("hb7s hg7s", "hb7s hb7s");
        let error = read_table(&wrong).unwrap_err().to_string();
        assert!(error.starts_with("line 3: "), "{error}");
    }

    #[test]
    fn a_step_that_is_learned_from_becomes_likelier() {
        let games = read_table(GAMES).unwrap();
        let both: Vec<PlayedGame> =
            [1, 10].map(|game| PlayedGame { game, turns: games[1].turns.clone() }).into();
        let mut learner = StepLearner::new(&both, 1);
        let first = learner.run_epoch().log_likelihood();
        let last = (0..5).map(|_| learner.run_epoch()).last().unwrap();
        assert!(last.log_likelihood() > first && first > last.by_chance());
    }

    #[test]
    fn all_distinct_turns_are_ranked() {
        let games = read_table(GAMES).unwrap();
        for game in &games {
            let turn = &game.turns[0];
            let rank = rank_turn(StepPolicy::embedded(), turn).expect("a legal turn");
            let (board, side) = (turn.position.board(), turn.position.side());
            assert_eq!(rank.turns, arimaa::TurnGenerator::new().distinct(board, side).len());
            assert!(rank.is_among(1.0));
        }
    }
}
