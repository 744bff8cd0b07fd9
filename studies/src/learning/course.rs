//! What is learned from games, by each method of the thesis.

use std::sync::OnceLock;
use std::time::Instant;

use arimaa::{Game, Position};
use guard::in_parallel;
use hrebejk_2013::FunctionModel;
use hrebejk_2013::advanced::{
    AdvancedLearner, AdvancedLinear, AdvancedLoss, AdvancedQuadratic, AdvancedState, Generation,
    PlayedTurn,
};
use hrebejk_2013::judge::{OTHERS, RANKED, Ranks, judge};
use hrebejk_2013::programs::{
    ExpertTurn, LinearProgram, ProgramError, QuadraticProgram, QuadraticSums, Solver,
};
use hrebejk_2013::terms::{GameTerms, TermsForm, game_key};
use serde::{Deserialize, Serialize};
use workbench::Arimaa;

use crate::lab::Lab;
use crate::sets;

/// How weights are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Program {
    Linear,
    Quadratic,
    AdvancedLinear,
    AdvancedQuadratic,
}

/// A method, on all games or on half of them.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    pub name: &'static str,
    pub program: Program,
    pub is_half: bool,
}

const fn lesson(name: &'static str, program: Program, is_half: bool) -> Lesson {
    Lesson { name, program, is_half }
}

/// In the order in which they take part in the tournament.
pub const LESSONS: [Lesson; 8] = [
    lesson("advanced QP", Program::AdvancedQuadratic, false),
    lesson("LP", Program::Linear, false),
    lesson("QP", Program::Quadratic, false),
    lesson("advanced LP", Program::AdvancedLinear, false),
    lesson("advanced QP, half", Program::AdvancedQuadratic, true),
    lesson("LP, half", Program::Linear, true),
    lesson("QP, half", Program::Quadratic, true),
    lesson("advanced LP, half", Program::AdvancedLinear, true),
];

/// What came of a lesson.
#[derive(Clone, Serialize, Deserialize)]
pub struct Learned {
    pub turns: usize,
    pub seconds: f64,
    /// The weights, and how they rank turns of other games; nothing, if the program could not be solved.
    pub found: Option<(Vec<f32>, Ranks)>,
}

/// Games of self-play: those that are learned from, and those that validate.
pub struct Course {
    games: Vec<Game>,
    validating: Vec<Game>,
    form: TermsForm,
}

/// One game in so many validates.
const VALIDATION: usize = 20;

/// The polynomials of the thesis.
const DEGREE: usize = 3;

/// How many turns by chance the average turn is made of.
const SAMPLES: usize = 50;

impl Course {
    pub fn new(lab: &Lab) -> anyhow::Result<Course> {
        let recorded = sets::games::<Arimaa>(lab, lab.count("learn_games"), lab.number("nodes"))?;
        let last = |game: &sets::Recorded| anyhow::Ok(game.stages::<Game>()?.pop());
        let mut games = Vec::new();
        for game in &recorded {
            games.extend(last(game)?);
        }
        let validating = games.split_off(games.len() - games.len().div_ceil(VALIDATION));
        let model = FunctionModel::polynomials(DEGREE, || 0.0);
        Ok(Course {
            games,
            validating,
            form: TermsForm { model, samples: SAMPLES, seed: lab.seed },
        })
    }

    /// How many games are learned from and how many validate.
    pub fn sizes(&self) -> [usize; 2] {
        [self.games.len(), self.validating.len()]
    }

    /// The model with weights of its own.
    pub fn model(&self, weights: &[f32]) -> FunctionModel {
        self.form.model.with_weights(weights)
    }

    /// Positions from the first halves of the games, one of each.
    pub fn openings(&self, count: usize, seed: u64) -> Vec<String> {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut chosen = Vec::new();
        for game in self.validating.iter().chain(&self.games).cycle().take(count) {
            let positions: Vec<&Position> =
                game.played_turns().map(|(position, _)| position).collect();
            let turn = random.usize(..(positions.len() / 2).max(1));
            chosen.extend(positions.get(turn).map(|position| position.to_string()));
        }
        chosen
    }

    /// Learns what was not learned before.
    pub fn learn(&self, lab: &Lab, lessons: &[Lesson]) -> anyhow::Result<Vec<Learned>> {
        let terms: OnceLock<Vec<GameTerms>> = OnceLock::new();
        lab.each(
            "learning",
            lessons,
            |lesson| lesson.name.to_string(),
            |lesson| {
                let terms = terms.get_or_init(|| self.terms(lab));
                let count =
                    if lesson.is_half { self.games.len().div_ceil(2) } else { self.games.len() };
                let begin = Instant::now();
                let games = self.games[..count].iter().zip(terms);
                let played: Vec<PlayedTurn> =
                    games.flat_map(|(game, terms)| PlayedTurn::of_game(game, terms)).collect();
                let turns = played.len();
                let weights = self.weights(lab, lesson.program, played);
                let seconds = begin.elapsed().as_secs_f64();
                let ranked = |weights: Vec<f32>| {
                    let model = self.model(&weights);
                    (weights, judge(&model, &self.validating, RANKED, OTHERS, lab.seed))
                };
                // A program that rounding keeps from being solved is told as that, and the others go on.
                Ok(Learned { turns, seconds, found: weights.ok().map(ranked) })
            },
        )
    }

    /// What the weights are multiplied with, for each game.
    fn terms(&self, lab: &Lab) -> Vec<GameTerms> {
        let of = |_: &mut (), number: usize| {
            let game = &self.games[number];
            let winner = game.outcome().map(|outcome| outcome.winner);
            self.form.terms(game, winner, game_key(game, winner))
        };
        in_parallel(self.games.len(), lab.threads, || (), of)
    }

    fn weights(
        &self,
        lab: &Lab,
        program: Program,
        played: Vec<PlayedTurn>,
    ) -> Result<Vec<f32>, ProgramError> {
        let turns: Vec<ExpertTurn> = played.iter().map(|played| played.turn).collect();
        let loss = match program {
            Program::Linear => {
                let optimum = LinearProgram::default().solve(&turns, Solver::Interior)?;
                return Ok(optimum.solution.weights);
            }
            Program::Quadratic => {
                let optimum =
                    QuadraticProgram::default().solve(&self.sums(&turns), Solver::Interior)?;
                return Ok(optimum.solution.weights);
            }
            Program::AdvancedLinear => AdvancedLoss::Linear(AdvancedLinear::default()),
            Program::AdvancedQuadratic => AdvancedLoss::Quadratic(AdvancedQuadratic::default()),
        };
        // A quadratic program is the fastest way to reasonable weights.
        let first = QuadraticProgram::default().solve(&self.sums(&turns), Solver::Interior)?;
        let generation = Generation {
            rounds: lab.number("rounds") as u32,
            candidates: lab.count("candidates"),
            seed: lab.seed,
            ..Generation::default()
        };
        let model = self.form.model.clone();
        let mut state = AdvancedState::new(first.solution.weights);
        let mut learner = AdvancedLearner::new(loss, generation, model, played, &state)?;
        for _ in 0..generation.rounds {
            learner.go_on(&mut state, || ())?;
        }
        Ok(state.weights)
    }

    fn sums(&self, turns: &[ExpertTurn]) -> QuadraticSums {
        let mut sums = QuadraticSums::new(self.form.count());
        turns.iter().for_each(|turn| sums.add(turn));
        sums
    }
}
