//! A function for each kind of features and each combination of their qualities, with weights: what a model file holds.

use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use arimaa::{Board, GOLD, Position, Side};
use arimaa_ai::evaluation;
use arimaa_ai::matrix::{self, Matrix};
use engine::EvaluationTrace;
use game::BySide;
use linear::fnv1a;
use thiserror::Error;

use crate::Features;
use crate::features::{FEATURES, FeatureInstance, FeatureKind, only_instances};
use crate::functions::{
    Basis, Floats, Grid, LANES, Lanes, MOST_VALUES, NestedPolynomial, Polynomial, Radial,
};

/// The first line of a model file, with the version of what it holds. The second one is the checksum of all lines below:
/// `checksum` and FNV-1a of 64 bits.
const HEADER: &str = "tusk drake model 1";

/// What is wrong with a model file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {fault}")]
pub struct FunctionModelError {
    /// Where, counted from 1.
    pub line: usize,
    /// What is wrong, and what is to be done.
    pub fault: String,
}

/// The third layer of the evaluation.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionModel {
    functions: Vec<Function>,
}

#[derive(Clone, PartialEq, Debug)]
struct Function {
    basis: Basis,
    weights: Vec<f32>,
    /// The same as it is computed fast, if it is a polynomial.
    nested: Option<NestedPolynomial>,
}

impl Function {
    fn new(basis: Basis, weights: Vec<f32>) -> Function {
        let nested = match &basis {
            Basis::Polynomial(polynomial) => Some(NestedPolynomial::new(polynomial, &weights)),
            _ => None,
        };
        Function { basis, weights, nested }
    }

    /// The sum over some features of a kind, each times its sign.
    #[inline(always)]
    fn sum<F: Floats>(&self, batch: &Batch, layout: &Layout) -> f32 {
        let mut values = [[0.0; LANES]; MOST_VALUES];
        let scaled = values.iter_mut().zip(&batch.values).zip(&layout.most);
        for ((values, lanes), most) in scaled.take(layout.quantities) {
            for lane in 0..LANES {
                values[lane] = f32::from(lanes[lane]) / most;
            }
        }
        let values = match &self.nested {
            Some(nested) => nested.evaluate::<F>(&values),
            None => self.one_by_one(&values, batch.count),
        };
        let mut signed = [0.0; LANES];
        for lane in 0..LANES {
            signed[lane] = values[lane] * batch.signs[lane];
        }
        signed.iter().sum()
    }

    fn one_by_one(&self, lanes: &[Lanes; MOST_VALUES], count: usize) -> Lanes {
        let mut values = [0.0; LANES];
        for (lane, value) in values.iter_mut().enumerate().take(count) {
            let parameters = lanes.each_ref().map(|lanes| lanes[lane]);
            *value = self.basis.evaluate(&parameters, &self.weights);
        }
        values
    }
}

/// Features that have the same function: their quantities, and 1 for those of Gold, -1 for those of Silver.
#[derive(Clone, Copy)]
struct Batch {
    kind: usize,
    values: [[u16; LANES]; MOST_VALUES],
    signs: Lanes,
    count: usize,
}

impl Batch {
    const EMPTY: Batch =
        Batch { kind: 0, values: [[0; LANES]; MOST_VALUES], signs: [0.0; LANES], count: 0 };

    /// Adds a feature. Tells whether there is no more room.
    #[inline(always)]
    fn push(&mut self, feature: &FeatureInstance) -> bool {
        let lane = self.count % LANES;
        self.kind = feature.kind;
        let quantities = feature.values[LAYOUTS[feature.kind].qualities..].iter();
        for (lanes, value) in self.values.iter_mut().zip(quantities) {
            lanes[lane] = *value;
        }
        self.signs[lane] = if feature.side == GOLD { 1.0 } else { -1.0 };
        self.count = lane + 1;
        self.count == LANES
    }
}

/// How many functions a kind of features has: one for each combination of its qualities.
pub fn combinations(kind: &FeatureKind) -> usize {
    let qualities = kind.parameters.iter().filter(|parameter| !parameter.is_quantitative);
    qualities.map(|parameter| usize::from(parameter.most) + 1).product()
}

/// How many parameters the functions of a kind of features take.
pub fn quantities(kind: &FeatureKind) -> usize {
    kind.parameters.iter().filter(|parameter| parameter.is_quantitative).count()
}

/// How the values of a kind of features are read: its qualities come first.
struct Layout {
    /// The number of its first function.
    first: usize,
    qualities: usize,
    quantities: usize,
    /// What each quantity is divided by.
    most: [f32; MOST_VALUES],
}

static LAYOUTS: [Layout; FEATURES.len()] = {
    const NONE: Layout = Layout { first: 0, qualities: 0, quantities: 0, most: [1.0; MOST_VALUES] };
    let mut layouts = [NONE; FEATURES.len()];
    let (mut kind, mut first) = (0, 0);
    while kind < FEATURES.len() {
        let parameters = FEATURES[kind].parameters;
        layouts[kind].first = first;
        let (mut index, mut combinations) = (0, 1);
        while index < parameters.len() {
            let qualities = layouts[kind].qualities;
            if parameters[index].is_quantitative {
                layouts[kind].most[index - qualities] = parameters[index].most as f32;
                layouts[kind].quantities += 1;
            } else {
                assert!(index == qualities, "qualities come before quantities");
                layouts[kind].qualities += 1;
                combinations *= parameters[index].most as usize + 1;
            }
            index += 1;
        }
        first += combinations;
        kind += 1;
    }
    layouts
};

/// How many functions there are.
const FUNCTIONS: usize = {
    let last = FEATURES.len() - 1;
    let (mut index, mut combinations) = (0, 1);
    while index < LAYOUTS[last].qualities {
        combinations *= FEATURES[last].parameters[index].most as usize + 1;
        index += 1;
    }
    LAYOUTS[last].first + combinations
};

/// The number of a feature's function among all.
#[inline(always)]
fn number(feature: &FeatureInstance) -> usize {
    let Layout { first, qualities, .. } = &LAYOUTS[feature.kind];
    let mut combination = 0;
    for index in 0..*qualities {
        let values = usize::from(FEATURES[feature.kind].parameters[index].most) + 1;
        combination = combination * values + usize::from(feature.values[index]);
    }
    first + combination
}

/// The number of a feature's function among all, and its quantities scaled to 0 … 1.
pub fn scaled(feature: &FeatureInstance) -> (usize, [f32; MOST_VALUES]) {
    let Layout { qualities, most, .. } = &LAYOUTS[feature.kind];
    let mut values = [0.0; MOST_VALUES];
    let quantities = feature.values[*qualities..].iter();
    for ((value, quantity), most) in values.iter_mut().zip(quantities).zip(most) {
        *value = f32::from(*quantity) / most;
    }
    (number(feature), values)
}

/// A model that is part of the program.
macro_rules! embedded {
    ($file:literal) => {{
        static MODEL: LazyLock<Arc<FunctionModel>> = LazyLock::new(|| {
            let text = include_str!(concat!("../../../models/", $file));
            Arc::new(FunctionModel::parse(text).expect($file))
        });
        Arc::clone(&MODEL)
    }};
}

impl FunctionModel {
    /// The learned model that is part of the program.
    pub fn embedded() -> Arc<FunctionModel> {
        embedded!("arimaa-drake.model")
    }

    /// The model whose weights were set by hand, to compare learned ones with.
    pub fn tuned_by_hand() -> Arc<FunctionModel> {
        embedded!("arimaa-drake-simple.model")
    }

    /// The model with a basis for each kind of features and all weights on end: function by function.
    ///
    /// # Panics
    ///
    /// If a basis is missing or takes another number of parameters than its features have, or if there are not as many
    /// weights as they need.
    pub fn new(bases: &[Basis], weights: &[f32]) -> FunctionModel {
        assert_eq!(bases.len(), FEATURES.len(), "a basis for each kind of features");
        let (mut functions, mut rest) = (Vec::new(), weights);
        for (kind, basis) in FEATURES.iter().zip(bases) {
            assert_eq!(basis.parameters(), quantities(kind), "{}", kind.name);
            for _ in 0..combinations(kind) {
                let (own, after) = rest.split_at(basis.count());
                functions.push(Function::new(basis.clone(), own.to_vec()));
                rest = after;
            }
        }
        assert!(rest.is_empty(), "{} weights too many", rest.len());
        FunctionModel { functions }
    }

    /// A model of polynomials of a degree from 1 to 4, with the next weight of `next` for each term.
    ///
    /// # Panics
    ///
    /// If the degree is another.
    pub fn polynomials(degree: usize, mut next: impl FnMut() -> f32) -> FunctionModel {
        let polynomial = |kind: &FeatureKind| {
            let polynomial = Polynomial::new(quantities(kind), degree);
            Basis::Polynomial(polynomial.expect("a degree from 1 to 4, and at most 8 quantities"))
        };
        let bases = FEATURES.each_ref().map(polynomial);
        let counts = FEATURES.iter().zip(&bases);
        let count: usize = counts.map(|(kind, basis)| combinations(kind) * basis.count()).sum();
        let weights: Vec<f32> = (0..count).map(|_| next()).collect();
        FunctionModel::new(&bases, &weights)
    }

    /// The same functions with other weights, all on end.
    ///
    /// # Panics
    ///
    /// If there are not as many.
    pub fn with_weights(&self, weights: &[f32]) -> FunctionModel {
        let mut rest = weights;
        let function = |function: &Function| {
            let (own, after) = rest.split_at(function.weights.len());
            rest = after;
            Function::new(function.basis.clone(), own.to_vec())
        };
        let functions = self.functions.iter().map(function).collect();
        assert!(rest.is_empty(), "{} weights too many", rest.len());
        FunctionModel { functions }
    }

    /// All weights on end.
    pub fn weights(&self) -> impl Iterator<Item = f32> {
        self.functions.iter().flat_map(|function| function.weights.iter().copied())
    }

    /// What features come to for Gold.
    pub fn for_gold(&self, features: &Features) -> f32 {
        self.sum::<[f32; LANES]>(features.iter())
    }

    #[inline(always)]
    fn sum<'a, F: Floats>(&self, features: impl Iterator<Item = &'a FeatureInstance>) -> f32 {
        let mut batches = [Batch::EMPTY; FUNCTIONS];
        let mut sum = 0.0;
        for feature in features {
            let number = number(feature);
            let batch = &mut batches[number];
            if batch.push(feature) {
                sum += self.functions[number].sum::<F>(batch, &LAYOUTS[batch.kind]);
                *batch = Batch::EMPTY;
            }
        }
        for (function, batch) in self.functions.iter().zip(&batches) {
            if batch.count > 0 {
                sum += function.sum::<F>(batch, &LAYOUTS[batch.kind]);
            }
        }
        sum
    }

    /// What features come to, kind by kind, for people to read.
    pub fn trace(&self, position: &Position) -> EvaluationTrace {
        let features = Features::new(position.board(), position.side());
        let mut sums = [BySide::<f32>::default(); FEATURES.len()];
        for feature in features.iter() {
            let (number, values) = scaled(feature);
            let Function { basis, weights, .. } = &self.functions[number];
            sums[feature.kind][feature.side] += basis.evaluate(&values, weights);
        }
        let rounded = |sums: &BySide<f32>| BySide {
            first: sums.first.round() as i32,
            second: sums.second.round() as i32,
        };
        let terms = FEATURES.iter().zip(&sums).map(|(kind, sums)| (kind.name, rounded(sums)));
        let to_move = (position.board(), position.side(), position.steps_left());
        let trace = evaluation::trace("drake", terms.collect(), to_move);
        EvaluationTrace { unit: "points of its model", ..trace }
    }

    /// What a position comes to for the side to move.
    pub fn evaluate(&self, position: &Position) -> f32 {
        let value = self.of_board(position.board(), position.side());
        if position.side() == GOLD { value } else { -value }
    }

    /// What a board comes to for Gold.
    fn of_board(&self, board: &Board, to_move: Side) -> f32 {
        #[cfg(target_arch = "x86_64")]
        if matrix::wide::is_available() {
            // SAFETY: the processor has the instructions.
            return unsafe { with_avx512(self, board, to_move) };
        }
        let features = only_instances::<Matrix>(board, to_move);
        self.sum::<[f32; LANES]>(features.iter())
    }

    /// The terms of features by which their value is linear in the weights: the number of the weight and what it is multiplied
    /// with, for Gold. A weight may come more than once.
    pub fn for_each_term(&self, features: &Features, mut visit: impl FnMut(usize, f32)) {
        let mut first = Vec::with_capacity(self.functions.len());
        let mut count = 0;
        for function in &self.functions {
            first.push(count);
            count += function.weights.len();
        }
        for feature in features.iter() {
            let (number, values) = scaled(feature);
            let sign = if feature.side == GOLD { 1.0 } else { -1.0 };
            self.functions[number].basis.for_each_term(&values, |term, value| {
                visit(first[number] + term, sign * value);
            });
        }
    }

    /// The model as the text of a file.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut functions = self.functions.iter();
        for kind in &FEATURES {
            for (combination, function) in (0..combinations(kind)).zip(&mut functions) {
                let name = kind.name.replace(' ', "_");
                let _ =
                    writeln!(text, "function {name} {combination} {}", basis_text(&function.basis));
                if let Basis::Radial(radial) = &function.basis {
                    for centre in radial.centres() {
                        let _ = writeln!(text, "centre {}", numbers_text(centre));
                    }
                }
                for weights in function.weights.chunks(8) {
                    let _ = writeln!(text, "weights {}", numbers_text(weights));
                }
            }
        }
        format!("{HEADER}\n{}\n{text}", checksum_line(text.lines()))
    }

    /// Reads the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<FunctionModel, FunctionModelError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => FunctionModel::parse(text),
            Err(_) => Err(fault(0, format!("a model is a text that begins with \"{HEADER}\""))),
        }
    }

    /// Reads what [`FunctionModel::to_text`] writes.
    pub fn parse(text: &str) -> Result<FunctionModel, FunctionModelError> {
        let mut lines = text.lines().enumerate().peekable();
        match lines.next() {
            Some((_, HEADER)) => {}
            _ => return Err(fault(0, format!("a model begins with \"{HEADER}\""))),
        }
        check(text)?;
        lines.next();
        let mut functions = Vec::new();
        for kind in &FEATURES {
            for combination in 0..combinations(kind) {
                functions.push(function(&mut lines, kind, combination)?);
            }
        }
        match lines.find(|(_, line)| !line.trim().is_empty()) {
            None => Ok(FunctionModel { functions }),
            Some((index, _)) => Err(fault(index, "there is more than a function for each feature")),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
fn with_avx512(model: &FunctionModel, board: &Board, to_move: Side) -> f32 {
    let features = only_instances::<matrix::wide::Wide>(board, to_move);
    model.sum::<crate::functions::wide::Wide>(features.iter())
}

/// The line with the checksum of some lines.
fn checksum_line<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let content: String = lines.map(|line| format!("{line}\n")).collect();
    format!("checksum {:016x}", fnv1a(content.as_bytes()))
}

/// Refuses a file whose second line is not the checksum of those below.
fn check(text: &str) -> Result<(), FunctionModelError> {
    let found = text.lines().nth(1).unwrap_or("");
    let has_checksum = found.starts_with("checksum ");
    let expected = checksum_line(text.lines().skip(if has_checksum { 2 } else { 1 }));
    let message = match has_checksum {
        true if found == expected => return Ok(()),
        true => format!(
            "found `{found}`, but the lines below give `{expected}`: the file was damaged, or edited; \
             if that was meant, write `{expected}` here"
        ),
        false => format!(
            "the file has no checksum: it was damaged, or an older version wrote it; if it is sound, \
             insert the line `{expected}` here"
        ),
    };
    Err(fault(1, message))
}

type Lines<'a> = std::iter::Peekable<std::iter::Enumerate<std::str::Lines<'a>>>;

fn fault(index: usize, fault: impl Into<String>) -> FunctionModelError {
    FunctionModelError { line: index + 1, fault: fault.into() }
}

fn numbers_text(numbers: &[f32]) -> String {
    numbers.iter().map(f32::to_string).collect::<Vec<String>>().join(" ")
}

fn basis_text(basis: &Basis) -> String {
    match basis {
        Basis::Polynomial(polynomial) => format!("polynomial {}", polynomial.degree()),
        Basis::Grid(grid) => format!("grid {}", grid.points()),
        Basis::Radial(radial) => format!("radial {}", radial.steepness()),
    }
}

/// Reads a function: its line, the centres of bells, and the weights.
fn function(
    lines: &mut Lines,
    kind: &FeatureKind,
    combination: usize,
) -> Result<Function, FunctionModelError> {
    let name = kind.name.replace(' ', "_");
    let begin = format!("function {name} {combination} ");
    let missing = || format!("here comes \"{begin}\", and what it is: polynomial, grid or radial");
    let (index, line) = lines.next().ok_or_else(|| fault(0, missing()))?;
    let described = line.strip_prefix(&begin).ok_or_else(|| fault(index, missing()))?;
    let centres = numbers(lines, "centre")?;
    let (form, number) = described.split_once(' ').unwrap_or((described, ""));
    let parameters = quantities(kind);
    let whole = number.parse::<usize>();
    let basis = match (form, whole, number.parse::<f32>()) {
        ("polynomial", Ok(degree), _) => Polynomial::new(parameters, degree).map(Basis::Polynomial),
        ("grid", Ok(points), _) => Grid::new(parameters, points).map(Basis::Grid),
        ("radial", _, Ok(steepness)) => {
            Radial::new(parameters, steepness, centres).map(Basis::Radial)
        }
        _ => return Err(fault(index, missing())),
    };
    let basis = basis.map_err(|error| fault(index, error.to_string()))?;
    let weights = numbers(lines, "weights")?;
    if weights.len() != basis.count() {
        let (found, expected) = (weights.len(), basis.count());
        return Err(fault(index, format!("the function has {found} weights, expected {expected}")));
    }
    Ok(Function::new(basis, weights))
}

/// Reads the numbers of all lines that begin with a word.
fn numbers(lines: &mut Lines, word: &str) -> Result<Vec<f32>, FunctionModelError> {
    let mut numbers = Vec::new();
    while let Some((index, line)) = lines.next_if(|(_, line)| line.split(' ').next() == Some(word))
    {
        for text in line.split_whitespace().skip(1) {
            let number = text.parse::<f32>().ok().filter(|number| number.is_finite());
            numbers.push(number.ok_or_else(|| fault(index, format!("\"{text}\" is no number")))?);
        }
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// A model with random weights, a basis of each form among them.
    fn random() -> FunctionModel {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let basis = |(index, kind): (usize, &FeatureKind)| {
            let count = quantities(kind);
            match index {
                0 | 1 => Basis::Polynomial(Polynomial::new(count, 3).unwrap()),
                2 => Basis::Grid(Grid::new(count, 3).unwrap()),
                3 => Basis::Radial(Radial::new(count, 2.5, vec![0.25; 2 * count]).unwrap()),
                _ => Basis::Polynomial(Polynomial::new(count, 1).unwrap()),
            }
        };
        let bases: Vec<Basis> = FEATURES.iter().enumerate().map(basis).collect();
        let count =
            FEATURES.iter().zip(&bases).map(|(kind, basis)| combinations(kind) * basis.count());
        let weights: Vec<f32> = (0..count.sum()).map(|_| rng.random_range(-100.0..100.0)).collect();
        FunctionModel::new(&bases, &weights)
    }

    fn position() -> Position {
        "s [he rmrrrcd r   h   rd   r  c     R          R DRR C MH   C EDRRR]".parse().unwrap()
    }

    #[test]
    fn a_model_is_read_as_it_was_written() {
        let model = random();
        assert_eq!(FunctionModel::parse(&model.to_text()).unwrap(), model);
    }

    #[test]
    fn the_value_is_linear_in_the_weights() {
        let (model, position) = (random(), position());
        let features = Features::new(position.board(), position.side());
        let weights: Vec<f32> = model.weights().collect();
        let mut sum = 0.0;
        model.for_each_term(&features, |number, value| sum += f64::from(weights[number] * value));
        assert!((sum - f64::from(model.for_gold(&features))).abs() < 0.05);
        assert_eq!(model.evaluate(&position), -model.for_gold(&features));
    }

    #[test]
    fn the_mirrored_position_is_worth_the_same_to_its_mover() {
        let model = random();
        let position: Position =
            "g [                R                  E    r                      e]".parse().unwrap();
        let mirrored = Position::new(position.board().mirrored(), !position.side());
        assert!((model.evaluate(&position) - model.evaluate(&mirrored)).abs() < 0.05);
    }

    #[test]
    fn what_is_wrong_with_a_model_is_told_with_its_line() {
        let text = random().to_text();
        let error = |text: &str| {
            let body: Vec<&str> = text.lines().skip(2).collect();
            let text = match text.is_empty() {
                true => String::new(),
                false => format!(
                    "{HEADER}\n{}\n{}\n",
                    checksum_line(body.iter().copied()),
                    body.join("\n")
                ),
            };
            FunctionModel::parse(&text).unwrap_err().to_string()
        };
        assert!(error("").starts_with("line 1: a model begins with"));
        assert!(
            error(&text.replacen("polynomial 3", "polynomial 9", 1))
                .starts_with("line 3: a polynomial")
        );
        assert!(error(&text.replacen("weights ", "weights x ", 1)).starts_with("line 4: \"x\""));
        assert!(
            error(&text.replacen("weights ", "weights 1 ", 1))
                .contains("has 166 weights, expected 165")
        );
        assert!(error(&format!("{text}more\n")).ends_with("a function for each feature"));
        assert!(
            error(&text.replacen("NaN", "", 1).replacen("weights ", "weights inf ", 1))
                .contains("inf")
        );
        for end in (0..text.len()).step_by(501) {
            assert!(FunctionModel::parse(&text[..end]).is_err());
        }
    }

    #[test]
    fn a_model_with_a_flipped_bit_is_refused() {
        let text = random().to_text();
        for bit in (0..8 * text.len()).step_by(37) {
            let mut bytes = text.clone().into_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(FunctionModel::from_bytes(&bytes).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn a_model_without_its_checksum_is_refused_with_the_line_that_is_missing() {
        let text = random().to_text();
        let line = text.lines().nth(1).unwrap();
        let without = text.replacen(&format!("{line}\n"), "", 1);
        let error = FunctionModel::parse(&without).unwrap_err().to_string();
        assert!(error.starts_with("line 2: the file has no checksum"), "{error}");
        assert!(error.ends_with(&format!("insert the line `{line}` here")), "{error}");
        let other = text.replacen(line, "checksum 0123456789abcdef", 1);
        let error = FunctionModel::parse(&other).unwrap_err().to_string();
        assert!(error.ends_with(&format!("write `{line}` here")), "{error}");
    }

    #[test]
    fn the_shipped_models_are_as_they_would_be_written() {
        for (model, file) in [
            (FunctionModel::embedded(), include_str!("../../../models/arimaa-drake.model")),
            (
                FunctionModel::tuned_by_hand(),
                include_str!("../../../models/arimaa-drake-simple.model"),
            ),
        ] {
            assert_eq!(model.to_text(), file);
        }
    }
}
