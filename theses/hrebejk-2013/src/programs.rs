//! Weights of bot_drake's evaluation from the games of experts, by linear and quadratic programs (5.4.4 and 5.5 of Hřebejk's
//! thesis): a good evaluation changes little when an expert plays, and finds the expert's turn better than the average one.

#[cfg(any(test, feature = "clarabel"))]
mod by_clarabel;
mod dense;
mod interior;

use arimaa::Side;
use thiserror::Error;

pub use self::dense::{DenseProgram, Losses};

/// Why there are no weights.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ProgramError {
    /// Nothing to learn from.
    #[error("there is no turn to learn from: give games with turns after the setups")]
    Empty,
    /// No game has a winner.
    #[error("no game has a winner, and the scale is that of results: give games that were won")]
    NoWinner,
    /// The checkpoint does not belong to what is learned from.
    #[error("the checkpoint is of other turns: give the same games and options as before")]
    OtherTurns,
    /// The solver gave up.
    #[error("the solver did not come to an optimum: {0}; try another regularization")]
    Unsolved(String),
}

/// A turn that an expert played: what each weight is multiplied with, for Gold.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ExpertTurn<'a> {
    /// Who played it.
    pub side: Side,
    /// Who won the game.
    pub winner: Option<Side>,
    /// Whether it is the first one after the setups.
    pub is_first: bool,
    /// Whether it is the last one of the game.
    pub is_last: bool,
    /// Before it.
    pub before: &'a [f32],
    /// After it.
    pub played: &'a [f32],
    /// On average after some turns by chance.
    pub average: &'a [f32],
}

impl ExpertTurn<'_> {
    /// 1 if Gold played it, else -1.
    pub fn sign(&self) -> f32 {
        if self.side == arimaa::GOLD { 1.0 } else { -1.0 }
    }

    /// 1 if Gold won the game, -1 if Silver did, else 0.
    pub fn result(&self) -> f32 {
        match self.winner {
            Some(winner) if winner == arimaa::GOLD => 1.0,
            Some(_) => -1.0,
            None => 0.0,
        }
    }

    /// How much better the turn is than the average one, for who played it.
    pub fn gain(&self, weights: &[f32]) -> f32 {
        let terms = self.played.iter().zip(self.average).zip(weights);
        let gain: f32 = terms.map(|((played, average), weight)| (played - average) * weight).sum();
        self.sign() * gain
    }
}

/// Weights, and how they came about.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// One for each term of the model.
    pub weights: Vec<f32>,
    /// What the program makes least.
    pub objective: f64,
    /// How often the solver went on.
    pub iterations: u32,
}

/// An optimum, and what its solver knows besides.
#[derive(Clone, PartialEq, Debug)]
pub struct Optimum {
    /// The weights.
    pub solution: Solution,
    /// How much each row counts: 0 if it could be left out.
    pub duals: Vec<f64>,
    /// The objective before each iteration, and how far the optimum may be below.
    pub curve: Vec<(f64, f64)>,
}

/// Who solves a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Solver {
    /// Our interior-point method, which condenses all rows into a dense matrix.
    #[default]
    Interior,
    /// Clarabel, which factors a sparse matrix.
    #[cfg(any(test, feature = "clarabel"))]
    Clarabel,
}

/// The linear program (Table 5.3): the loss is linear in what it counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LinearProgram {
    /// How much a change of the evaluation by the expert's turn costs: α.
    pub consistency: f64,
    /// How much it costs if the position is not so much better than an average turn's: δ.
    pub difference: f64,
    /// How much a weight costs: ρ.
    pub regularization: f64,
    /// How much better it should be: S.
    pub scale: f64,
    /// No weight is below that: L.
    pub least_weight: f64,
}

impl Default for LinearProgram {
    fn default() -> LinearProgram {
        LinearProgram {
            consistency: 0.7,
            difference: 1.0,
            regularization: 1.0,
            scale: 100.0,
            least_weight: -2000.0,
        }
    }
}

/// The quadratic program (Table 5.5): a change of the evaluation costs its square, and the scale is that of results.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct QuadraticProgram {
    /// How much a weight costs: ρ.
    pub regularization: f64,
    /// How far the evaluations of won and lost positions are from 0 on average: S.
    pub scale: f64,
    /// How much is won by a turn that is better than the average: δ.
    pub difference: f64,
}

impl Default for QuadraticProgram {
    fn default() -> QuadraticProgram {
        QuadraticProgram { regularization: 30_000.0, scale: 1000.0, difference: 40.0 }
    }
}

impl LinearProgram {
    /// What the program makes least, for these weights.
    pub fn loss(&self, turns: &[ExpertTurn], weights: &[f32]) -> f64 {
        let dot = |terms: &[f32]| -> f64 {
            terms
                .iter()
                .zip(weights)
                .map(|(term, weight)| f64::from(*term) * f64::from(*weight))
                .sum()
        };
        let turn = |turn: &ExpertTurn| {
            let change = (dot(turn.before) - dot(turn.played)).abs();
            let gain = f64::from(turn.sign()) * (dot(turn.before) - dot(turn.average));
            self.consistency * change + self.difference * (self.scale - gain).max(0.0)
        };
        let weight: f64 = weights.iter().map(|weight| f64::from(weight.abs())).sum();
        turns.iter().map(turn).sum::<f64>() + self.regularization * weight
    }

    /// The program: among weights with which the evaluation is 0 on average.
    pub fn program(&self, turns: &[ExpertTurn]) -> Result<DenseProgram, ProgramError> {
        let count = turns.first().ok_or(ProgramError::Empty)?.before.len();
        let mut program = DenseProgram {
            linear: vec![0.0; count],
            quadratic: None,
            regularization: self.regularization,
            least_weight: Some(self.least_weight),
            equalities: vec![(vec![0.0; count], 0.0)],
            losses: Losses::default(),
        };
        for turn in turns {
            let change =
                turn.before.iter().zip(turn.played).map(|(before, played)| before - played);
            // The absolute value of t is -t and twice what of t is above 0.
            let linear = program.linear.iter_mut().zip(change.clone());
            linear.for_each(|(sum, value)| *sum -= self.consistency * f64::from(value));
            program.losses.row(change, 0.0);
            program.losses.end(2.0 * self.consistency);
            let sign = turn.sign();
            let worse = turn.average.iter().zip(turn.before);
            program
                .losses
                .row(worse.map(|(average, before)| sign * (average - before)), self.scale);
            program.losses.end(self.difference);
            let mean = program.equalities[0].0.iter_mut().zip(turn.before);
            mean.for_each(|(sum, before)| *sum += f64::from(*before) / turns.len() as f64);
        }
        Ok(program)
    }

    /// The weights with the least loss.
    pub fn solve(&self, turns: &[ExpertTurn], solver: Solver) -> Result<Optimum, ProgramError> {
        self.program(turns)?.solve(solver)
    }
}

/// What the quadratic program needs to know of turns: sums, however many turns there are.
#[derive(Clone, PartialEq, Debug)]
pub struct QuadraticSums {
    count: usize,
    turns: usize,
    /// The upper triangle of the sum of squares of changes, column by column.
    squares: Vec<f64>,
    gain: Vec<f64>,
    start: Vec<f64>,
    result: Vec<f64>,
}

impl QuadraticSums {
    /// Nothing yet, of so many weights.
    pub fn new(count: usize) -> QuadraticSums {
        let none = vec![0.0; count];
        QuadraticSums {
            count,
            turns: 0,
            squares: vec![0.0; count * (count + 1) / 2],
            gain: none.clone(),
            start: none.clone(),
            result: none,
        }
    }

    /// Adds a turn.
    pub fn add(&mut self, turn: &ExpertTurn) {
        self.turns += 1;
        let change: Vec<f64> = turn
            .before
            .iter()
            .zip(turn.played)
            .map(|(one, other)| f64::from(one - other))
            .collect();
        let mut first = 0;
        for (column, value) in change.iter().enumerate() {
            let squares = &mut self.squares[first..=first + column];
            if *value != 0.0 {
                squares.iter_mut().zip(&change).for_each(|(sum, other)| *sum += value * other);
            }
            first += column + 1;
        }
        for weight in 0..self.count {
            let before = f64::from(turn.before[weight]);
            let gain = f64::from(turn.played[weight] - turn.average[weight]);
            self.gain[weight] += f64::from(turn.sign()) * gain;
            self.start[weight] += if turn.is_first { before } else { 0.0 };
            self.result[weight] += f64::from(turn.result()) * before;
        }
    }
}

impl QuadraticSums {
    /// The whole matrix whose half is the quadratic form of the squares, row by row.
    pub(crate) fn twice_squares(&self) -> Vec<f64> {
        let count = self.count;
        let mut matrix = vec![0.0; count * count];
        let mut first = 0;
        for column in 0..count {
            for row in 0..=column {
                let twice = 2.0 * self.squares[first + row];
                matrix[row * count + column] = twice;
                matrix[column * count + row] = twice;
            }
            first += column + 1;
        }
        matrix
    }
}

impl QuadraticProgram {
    /// What the program makes least, for these weights.
    pub fn loss(&self, sums: &QuadraticSums, weights: &[f32]) -> f64 {
        let weight = |index: usize| f64::from(weights[index]);
        let (mut loss, mut first) = (0.0, 0);
        for column in 0..sums.count {
            for row in 0..=column {
                let twice = if row == column { 1.0 } else { 2.0 };
                loss += twice * sums.squares[first + row] * weight(row) * weight(column);
            }
            first += column + 1;
            loss += self.regularization * weight(column).abs();
            loss -= self.difference * sums.gain[column] * weight(column) / sums.turns as f64;
        }
        loss
    }

    /// The program: among weights with which the first positions are 0 on average and results have the scale.
    pub fn program(&self, sums: &QuadraticSums) -> Result<DenseProgram, ProgramError> {
        if sums.turns == 0 {
            return Err(ProgramError::Empty);
        }
        if sums.result.iter().all(|value| *value == 0.0) {
            return Err(ProgramError::NoWinner);
        }
        let turns = sums.turns as f64;
        let result = sums.result.iter().map(|value| value / turns).collect();
        let gain = sums.gain.iter();
        Ok(DenseProgram {
            linear: gain.map(|gain| -self.difference * gain / turns).collect(),
            quadratic: Some(sums.twice_squares()),
            regularization: self.regularization,
            least_weight: None,
            equalities: vec![(sums.start.clone(), 0.0), (result, self.scale)],
            losses: Losses::default(),
        })
    }

    /// The weights with the least loss.
    pub fn solve(&self, sums: &QuadraticSums, solver: Solver) -> Result<Optimum, ProgramError> {
        self.program(sums)?.solve(solver)
    }
}

#[cfg(test)]
mod tests {
    use arimaa::{GOLD, SILVER};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use learn::matrix::product;

    /// Random terms for so many turns, of few weights.
    fn vectors(count: usize, weights: usize) -> Vec<Vec<f32>> {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut vector = || (0..weights).map(|_| rng.random_range(-1.0..1.0)).collect();
        (0..3 * count).map(|_| vector()).collect()
    }

    fn turns(vectors: &[Vec<f32>]) -> Vec<ExpertTurn<'_>> {
        let own = vectors.chunks(3).enumerate();
        own.map(|(index, own)| ExpertTurn {
            side: if index.is_multiple_of(2) { GOLD } else { SILVER },
            winner: Some(if index.is_multiple_of(3) { GOLD } else { SILVER }),
            is_first: index == 0,
            is_last: false,
            before: &own[0],
            played: &own[1],
            average: &own[2],
        })
        .collect()
    }

    /// Directions in which constraints of the form `row · weights = something` stay as they are.
    fn directions(rows: &[Vec<f64>], weights: usize) -> Vec<Vec<f64>> {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        // Rows at right angles to each other, so that they can be taken away one by one.
        let mut upright: Vec<Vec<f64>> = Vec::new();
        let without = |vector: &mut Vec<f64>, upright: &[Vec<f64>]| {
            for row in upright {
                let share = dot(vector, row) / dot(row, row);
                vector.iter_mut().zip(row).for_each(|(value, row)| *value -= share * row);
            }
        };
        for row in rows {
            let mut row = row.clone();
            without(&mut row, &upright);
            upright.push(row);
        }
        let direction = |_| {
            let mut vector: Vec<f64> = (0..weights).map(|_| rng.random_range(-1.0..1.0)).collect();
            without(&mut vector, &upright);
            vector
        };
        (0..300).map(direction).collect()
    }

    fn moved(weights: &[f32], direction: &[f64], by: f64) -> Vec<f32> {
        weights.iter().zip(direction).map(|(weight, way)| weight + (by * way) as f32).collect()
    }

    #[test]
    fn no_weights_nearby_have_less_loss_than_those_of_the_linear_program() {
        let vectors = vectors(60, 5);
        let turns = turns(&vectors);
        let program = LinearProgram { regularization: 0.5, ..LinearProgram::default() };
        let optimum = program.solve(&turns, Solver::Interior).unwrap();
        let Solution { weights, objective, .. } = optimum.solution;
        let least = program.loss(&turns, &weights);
        assert!((least - objective).abs() < 1e-4 * objective, "{least} {objective}");
        let mean: Vec<f64> = (0..5)
            .map(|weight| turns.iter().map(|turn| f64::from(turn.before[weight])).sum())
            .collect();
        // The loss is convex: what is least nearby is least of all.
        for direction in directions(&[mean], 5) {
            for by in [0.5, 5.0] {
                let other = moved(&weights, &direction, by);
                assert!(program.loss(&turns, &other) > least - 1e-3);
            }
        }
    }

    #[test]
    fn no_weights_nearby_have_less_loss_than_those_of_the_quadratic_program() {
        let vectors = vectors(60, 5);
        let turns = turns(&vectors);
        let mut sums = QuadraticSums::new(5);
        turns.iter().for_each(|turn| sums.add(turn));
        let program = QuadraticProgram { regularization: 3.0, scale: 10.0, difference: 4.0 };
        let optimum = program.solve(&sums, Solver::Interior).unwrap();
        let Solution { weights, objective, .. } = optimum.solution;
        let least = program.loss(&sums, &weights);
        assert!((least - objective).abs() < 1e-4 * objective.abs(), "{least} {objective}");
        let result: f64 =
            sums.result.iter().zip(&weights).map(|(sum, weight)| sum * f64::from(*weight)).sum();
        assert!((result / 60.0 - 10.0).abs() < 1e-3);
        for direction in directions(&[sums.start.clone(), sums.result.clone()], 5) {
            for by in [0.05, 1.0] {
                let other = moved(&weights, &direction, by);
                assert!(program.loss(&sums, &other) > least - 1e-3 * least.abs());
            }
        }
    }

    fn assert_solvers_agree(program: &DenseProgram) {
        let [own, other] = [Solver::Interior, Solver::Clarabel]
            .map(|solver| program.solve(solver).unwrap().solution);
        let (one, two) = (own.objective, other.objective);
        assert!((one - two).abs() < 1e-6 * (1.0 + one.abs()), "{one} and {two}");
    }

    #[test]
    fn both_solvers_find_the_same_optimum_of_both_programs() {
        let vectors = vectors(400, 12);
        let turns = turns(&vectors);
        assert_solvers_agree(&LinearProgram::default().program(&turns).unwrap());
        let mut sums = QuadraticSums::new(12);
        turns.iter().for_each(|turn| sums.add(turn));
        let program = QuadraticProgram { regularization: 3.0, scale: 10.0, difference: 4.0 };
        assert_solvers_agree(&program.program(&sums).unwrap());
    }

    #[test]
    fn both_solvers_find_the_same_optimum_of_few_turns_with_many_weights_that_say_the_same() {
        let mut vectors = vectors(15, 40);
        for vector in &mut vectors {
            vector.iter_mut().for_each(|term| *term = (4.0 * *term).round() / 4.0);
            // Powers of the first ones, and copies.
            for index in 10..40 {
                let power = vector[index % 10].abs().powi(1 + (index / 10) as i32);
                vector[index] = if index < 30 { power } else { vector[index - 30] };
            }
        }
        assert_solvers_agree(&LinearProgram::default().program(&turns(&vectors)).unwrap());
    }

    #[test]
    fn both_solvers_find_the_same_optimum_of_losses_with_many_rows() {
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        let count = 10;
        for number in 0..8 {
            let mut losses = Losses::default();
            for index in 0..150 {
                for _ in 0..rng.random_range(0..4) {
                    let row: Vec<f32> = (0..count).map(|_| rng.random_range(-1.0..1.0)).collect();
                    losses.row(row, rng.random_range(-1.0..5.0));
                }
                match (number + index) % 4 < number % 4 {
                    true => losses.end_smooth(0.3, rng.random_range(0.5..3.0)),
                    false => losses.end(rng.random_range(0.5..2.0)),
                }
            }
            let mut next = || (0..count).map(|_| rng.random_range(-1.0..1.0)).collect::<Vec<f64>>();
            let vectors: Vec<Vec<f64>> = (0..count).map(|_| next()).collect();
            let square = |at: usize| product(&vectors[at / count], &vectors[at % count]);
            assert_solvers_agree(&DenseProgram {
                linear: next(),
                quadratic: (number % 2 == 1).then(|| (0..count * count).map(square).collect()),
                regularization: 0.7,
                least_weight: (number % 3 > 0).then_some(-2.0),
                equalities: (0..number % 3).map(|_| (next(), 1.0)).collect(),
                losses,
            });
        }
    }

    #[test]
    fn nothing_to_learn_from_is_refused() {
        assert_eq!(LinearProgram::default().solve(&[], Solver::Interior), Err(ProgramError::Empty));
        let mut sums = QuadraticSums::new(5);
        assert_eq!(
            QuadraticProgram::default().solve(&sums, Solver::Interior),
            Err(ProgramError::Empty)
        );
        sums.add(&ExpertTurn { winner: None, ..turns(&vectors(1, 5))[0] });
        assert_eq!(
            QuadraticProgram::default().solve(&sums, Solver::Interior),
            Err(ProgramError::NoWinner)
        );
    }
}
