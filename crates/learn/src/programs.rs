//! Weights of bot_drake's evaluation from the games of experts, by linear and quadratic programs (5.4.4 and 5.5 of Hřebejk's
//! thesis): a good evaluation changes little when an expert plays, and finds the expert's turn better than the average one.

use arimaa::{Action, Game, Position, Side, TurnGenerator};
use arimaa_ai::drake::{Features, FunctionModel};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus,
    SupportedConeT, ZeroConeT,
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

/// Why there are no weights.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ProgramError {
    /// Nothing to learn from.
    #[error("there is no turn to learn from: give games with turns after the setups")]
    Empty,
    /// No game has a winner.
    #[error("no game has a winner, and the scale is that of results: give games that were won")]
    NoWinner,
    /// The solver gave up.
    #[error("the solver did not come to an optimum: {0}; try another regularization")]
    Unsolved(String),
}

/// A turn that an expert played: what each weight is multiplied with, for Gold.
#[derive(Clone, PartialEq, Debug)]
pub struct ExpertTurn {
    /// Who played it.
    pub side: Side,
    /// Who won the game.
    pub winner: Option<Side>,
    /// Whether it is the first one after the setups.
    pub is_first: bool,
    /// Before it.
    pub before: Vec<f32>,
    /// After it.
    pub played: Vec<f32>,
    /// On average after some turns by chance.
    pub average: Vec<f32>,
}

impl ExpertTurn {
    fn sign(&self) -> f64 {
        if self.side == arimaa::GOLD { 1.0 } else { -1.0 }
    }

    /// How much better the turn is than the average one, for who played it.
    pub fn gain(&self, weights: &[f32]) -> f32 {
        let terms = self.played.iter().zip(&self.average).zip(weights);
        let gain: f32 = terms.map(|((played, average), weight)| (played - average) * weight).sum();
        self.sign() as f32 * gain
    }
}

/// What a position's weights are multiplied with.
fn terms(model: &FunctionModel, count: usize, position: &Position) -> Vec<f32> {
    let mut terms = vec![0.0; count];
    let features = Features::new(position.board(), position.side());
    model.for_each_term(&features, |number, value| terms[number] += value);
    terms
}

/// The turns of a game, with the average of so many turns by chance.
pub fn expert_turns(
    game: &Game,
    winner: Option<Side>,
    model: &FunctionModel,
    samples: usize,
    rng: &mut ChaCha8Rng,
) -> Vec<ExpertTurn> {
    let count = model.weights().count();
    let mut generator = TurnGenerator::new();
    let mut turns: Vec<ExpertTurn> = Vec::new();
    for (position, action) in game.actions() {
        let Action::Turn(turn) = action else { continue };
        let side = position.side();
        let mut after = *position;
        after.play_turn_unchecked(turn);
        // A turn begins where the last one ended.
        let last = turns.last().map(|last| last.played.clone());
        let before = last.unwrap_or_else(|| terms(model, count, position));
        let mut average = vec![0.0; count];
        let all = generator.distinct(position.board(), side);
        for _ in 0..samples {
            let mut other = *position;
            other.play_turn_unchecked(all[rng.random_range(0..all.len())].turn);
            for (sum, term) in average.iter_mut().zip(terms(model, count, &other)) {
                *sum += term / samples as f32;
            }
        }
        let is_first = turns.is_empty();
        let played = terms(model, count, &after);
        turns.push(ExpertTurn { side, winner, is_first, before, played, average });
    }
    turns
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

/// The rows of constraints, entry by entry: those that are equalities come first.
#[derive(Default)]
struct Rows {
    rows: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
    right: Vec<f64>,
}

impl Rows {
    fn entry(&mut self, column: usize, value: f64) {
        if value != 0.0 {
            self.rows.push(self.right.len());
            self.columns.push(column);
            self.values.push(value);
        }
    }

    /// Ends a row: its sum is at most that, or is that if it is an equality.
    fn end(&mut self, right: f64) {
        self.right.push(right);
    }
}

/// Solves a program with a quadratic part, given by its upper triangle.
fn solve(
    quadratic: &CscMatrix<f64>,
    linear: &[f64],
    rows: Rows,
    equalities: usize,
) -> Result<(Vec<f64>, f64, u32), ProgramError> {
    let Rows { rows: at, columns, values, right } = rows;
    let matrix = CscMatrix::new_from_triplets(right.len(), linear.len(), at, columns, values);
    let cones: [SupportedConeT<f64>; 2] =
        [ZeroConeT(equalities), NonnegativeConeT(right.len() - equalities)];
    let settings = DefaultSettingsBuilder::default().verbose(false).build();
    let settings = settings.map_err(|error| ProgramError::Unsolved(error.to_string()))?;
    let solver = DefaultSolver::new(quadratic, linear, &matrix, &right, &cones, settings);
    let mut solver = solver.map_err(|error| ProgramError::Unsolved(error.to_string()))?;
    solver.solve();
    let solution = solver.solution;
    match solution.status {
        SolverStatus::Solved => Ok((solution.x, solution.obj_val, solution.iterations)),
        status => Err(ProgramError::Unsolved(status.to_string())),
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
            let change = (dot(&turn.before) - dot(&turn.played)).abs();
            let gain = turn.sign() * (dot(&turn.before) - dot(&turn.average));
            self.consistency * change + self.difference * (self.scale - gain).max(0.0)
        };
        let weight: f64 = weights.iter().map(|weight| f64::from(weight.abs())).sum();
        turns.iter().map(turn).sum::<f64>() + self.regularization * weight
    }

    /// The weights with the least loss, among those with which the evaluation is 0 on average.
    pub fn solve(&self, turns: &[ExpertTurn]) -> Result<Solution, ProgramError> {
        let count = turns.first().ok_or(ProgramError::Empty)?.before.len();
        // The variables: weights, what is above 0 of them, changes up and down, and what is missing of the scale.
        let (positive, up) = (count, 2 * count);
        let (down, missing) = (up + turns.len(), up + 2 * turns.len());
        let mut linear = vec![0.0; missing + turns.len()];
        linear[..count].fill(-self.regularization);
        linear[positive..up].fill(2.0 * self.regularization);
        linear[up..missing].fill(self.consistency);
        linear[missing..].fill(self.difference);
        let mut rows = Rows::default();
        for weight in 0..count {
            rows.entry(weight, turns.iter().map(|turn| f64::from(turn.before[weight])).sum());
        }
        rows.end(0.0);
        for (index, turn) in turns.iter().enumerate() {
            for weight in 0..count {
                rows.entry(weight, f64::from(turn.before[weight] - turn.played[weight]));
            }
            rows.entry(up + index, -1.0);
            rows.entry(down + index, 1.0);
            rows.end(0.0);
        }
        for (index, turn) in turns.iter().enumerate() {
            for weight in 0..count {
                let better = f64::from(turn.before[weight] - turn.average[weight]);
                rows.entry(weight, -turn.sign() * better);
            }
            rows.entry(missing + index, -1.0);
            rows.end(-self.scale);
        }
        for weight in 0..count {
            rows.entry(weight, 1.0);
            rows.entry(positive + weight, -1.0);
            rows.end(0.0);
            rows.entry(weight, -1.0);
            rows.end(-self.least_weight);
        }
        for variable in positive..linear.len() {
            rows.entry(variable, -1.0);
            rows.end(0.0);
        }
        let nothing = CscMatrix::zeros((linear.len(), linear.len()));
        let (x, objective, iterations) = solve(&nothing, &linear, rows, 1 + turns.len())?;
        let weights = x[..count].iter().map(|weight| *weight as f32).collect();
        Ok(Solution { weights, objective, iterations })
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
            .zip(&turn.played)
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
            self.gain[weight] += turn.sign() * gain;
            self.start[weight] += if turn.is_first { before } else { 0.0 };
            self.result[weight] += match turn.winner {
                Some(winner) if winner == arimaa::GOLD => before,
                Some(_) => -before,
                None => 0.0,
            };
        }
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

    /// The weights with the least loss, among those with which the first positions are 0 on average and results have the scale.
    pub fn solve(&self, sums: &QuadraticSums) -> Result<Solution, ProgramError> {
        if sums.turns == 0 {
            return Err(ProgramError::Empty);
        }
        if sums.result.iter().all(|value| *value == 0.0) {
            return Err(ProgramError::NoWinner);
        }
        let (count, turns) = (sums.count, sums.turns as f64);
        // The variables: weights, and what is above 0 of them.
        let mut linear = vec![2.0 * self.regularization; 2 * count];
        for (value, gain) in linear.iter_mut().zip(&sums.gain) {
            *value = -self.regularization - self.difference * gain / turns;
        }
        let (mut at, mut columns, mut values, mut first) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for column in 0..count {
            for row in 0..=column {
                at.push(row);
                columns.push(column);
                values.push(2.0 * sums.squares[first + row]);
            }
            first += column + 1;
        }
        let quadratic = CscMatrix::new_from_triplets(2 * count, 2 * count, at, columns, values);
        let mut rows = Rows::default();
        for (weight, value) in sums.start.iter().enumerate() {
            rows.entry(weight, *value);
        }
        rows.end(0.0);
        for (weight, value) in sums.result.iter().enumerate() {
            rows.entry(weight, value / turns);
        }
        rows.end(self.scale);
        for weight in 0..count {
            rows.entry(weight, 1.0);
            rows.entry(count + weight, -1.0);
            rows.end(0.0);
            rows.entry(count + weight, -1.0);
            rows.end(0.0);
        }
        let (x, objective, iterations) = solve(&quadratic, &linear, rows, 2)?;
        let weights = x[..count].iter().map(|weight| *weight as f32).collect();
        Ok(Solution { weights, objective, iterations })
    }
}

#[cfg(test)]
mod tests {
    use arimaa::{GOLD, SILVER};
    use rand::SeedableRng;

    use super::*;

    /// Turns with random terms, of few weights.
    fn turns(count: usize, weights: usize) -> Vec<ExpertTurn> {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut vector = || (0..weights).map(|_| rng.random_range(-1.0..1.0)).collect::<Vec<f32>>();
        let turn = |index: usize| ExpertTurn {
            side: if index.is_multiple_of(2) { GOLD } else { SILVER },
            winner: Some(if index.is_multiple_of(3) { GOLD } else { SILVER }),
            is_first: index == 0,
            before: vector(),
            played: vector(),
            average: vector(),
        };
        (0..count).map(turn).collect()
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
        let turns = turns(60, 5);
        let program = LinearProgram { regularization: 0.5, ..LinearProgram::default() };
        let Solution { weights, objective, .. } = program.solve(&turns).unwrap();
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
        let turns = turns(60, 5);
        let mut sums = QuadraticSums::new(5);
        turns.iter().for_each(|turn| sums.add(turn));
        let program = QuadraticProgram { regularization: 3.0, scale: 10.0, difference: 4.0 };
        let Solution { weights, objective, .. } = program.solve(&sums).unwrap();
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

    #[test]
    fn the_turns_of_a_game_follow_one_another() {
        let record = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n\
                      1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 md7 ee7 cf7 dg7 hh7\n\
                      2g Ee2n Ee3n Ee4n\n2s ee7s md7s\n";
        let game = Game::parse(record, arimaa::Army::Full).unwrap();
        let model = FunctionModel::polynomials(1, || 0.0);
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let turns = expert_turns(&game, Some(SILVER), &model, 3, &mut rng);
        assert_eq!(turns.iter().map(|turn| turn.side).collect::<Vec<Side>>(), [GOLD, SILVER]);
        assert_eq!((turns[0].is_first, turns[1].is_first), (true, false));
        assert_eq!(turns[1].before, turns[0].played);
    }

    #[test]
    fn nothing_to_learn_from_is_refused() {
        assert_eq!(LinearProgram::default().solve(&[]), Err(ProgramError::Empty));
        let mut sums = QuadraticSums::new(5);
        assert_eq!(QuadraticProgram::default().solve(&sums), Err(ProgramError::Empty));
        sums.add(&ExpertTurn { winner: None, ..turns(1, 5).remove(0) });
        assert_eq!(QuadraticProgram::default().solve(&sums), Err(ProgramError::NoWinner));
    }
}
