//! The third layer: what the parameters of a feature are worth (5.2). A function is a sum of weights times fixed functions
//! of the parameters, its basis, so that weights can be learned by any linear method.

use thiserror::Error;

/// Why there is no such basis.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BasisError {
    /// A polynomial of another degree.
    #[error("a polynomial has a degree from 1 to 4, not {0}")]
    Degree(usize),
    /// Too many parameters.
    #[error("a function has 1 to 8 parameters, not {0}")]
    Parameters(usize),
    /// A grid with other points.
    #[error(
        "a grid has 2 to 16 points for each parameter and at most 4096 in all, not {points} for {parameters} parameters"
    )]
    Grid {
        /// For each parameter.
        points: usize,
        /// How many parameters.
        parameters: usize,
    },
    /// A centre with another number of parameters, no centre, or a width that is none.
    #[error("radial functions need centres with {0} numbers each and a positive width")]
    Radial(usize),
}

/// The functions that a weight each is learned for, of parameters that are scaled to 0 … 1.
#[derive(Clone, PartialEq, Debug)]
pub enum Basis {
    /// The terms of a polynomial.
    Polynomial(Polynomial),
    /// The points of a regular grid, between which is interpolated.
    Grid(Grid),
    /// Bells around centres.
    Radial(Radial),
}

impl Basis {
    /// How many parameters it takes.
    pub fn parameters(&self) -> usize {
        match self {
            Basis::Polynomial(polynomial) => polynomial.parameters,
            Basis::Grid(grid) => grid.parameters,
            Basis::Radial(radial) => radial.parameters,
        }
    }

    /// How many functions it has, and so weights.
    pub fn count(&self) -> usize {
        match self {
            Basis::Polynomial(polynomial) => polynomial.count,
            Basis::Grid(grid) => grid.points.pow(grid.parameters as u32),
            Basis::Radial(radial) => radial.centres.len() / radial.parameters,
        }
    }

    /// Calls `visit` with the number and the value of each function that may not be zero.
    pub fn for_each_term(&self, values: &[f32], mut visit: impl FnMut(usize, f32)) {
        match self {
            Basis::Polynomial(polynomial) => polynomial.for_each_term(values, &mut visit),
            Basis::Grid(grid) => grid.for_each_term(values, &mut visit),
            Basis::Radial(radial) => radial.for_each_term(values, &mut visit),
        }
    }

    /// The sum of weights times functions.
    pub fn evaluate(&self, values: &[f32], weights: &[f32]) -> f32 {
        let mut sum = 0.0;
        self.for_each_term(values, |number, value| sum += weights[number] * value);
        sum
    }
}

/// The most parameters of a function.
pub const MOST_VALUES: usize = 8;

type Vector = [f32; MOST_VALUES];

/// All terms of some variables up to a degree.
///
/// The variables are arranged in a circle, 4 or 8 of them. A term is a first variable and how many places to go on from there
/// to each next one. So all terms with the same places are found at once, by multiplying rotations of the vector of
/// variables.
#[derive(Clone, PartialEq, Debug)]
pub struct Polynomial {
    parameters: usize,
    degree: usize,
    circle: usize,
    /// What is multiplied, in this order.
    products: Vec<Product>,
    /// The variables of each term of degree 2 and above, in the order of their weights.
    terms: Vec<Vec<usize>>,
    count: usize,
}

/// A product of rotations, by which all terms of some places are found.
#[derive(Clone, PartialEq, Debug)]
struct Product {
    /// The product with the last variable less, counted from 1; 0 for the variables themselves.
    before: usize,
    /// How far the last variable is from the first.
    places: usize,
    /// The number of the term that each variable begins, where it begins one that no other does.
    terms: [Option<usize>; MOST_VALUES],
}

impl Polynomial {
    /// The polynomial of so many variables.
    pub fn new(parameters: usize, degree: usize) -> Result<Polynomial, BasisError> {
        if !(1..=4).contains(&degree) {
            return Err(BasisError::Degree(degree));
        }
        if !(1..=MOST_VALUES).contains(&parameters) {
            return Err(BasisError::Parameters(parameters));
        }
        let circle = if parameters <= 4 { 4 } else { 8 };
        // The first weight is that of the constant, the next ones those of the variables.
        let mut polynomial = Polynomial {
            parameters,
            degree,
            circle,
            products: Vec::new(),
            terms: Vec::new(),
            count: 1 + parameters,
        };
        // The places of each product, the last one at the end; that of the variables themselves are none.
        let mut known: Vec<Vec<usize>> = vec![Vec::new()];
        let mut first_of_degree = 0;
        for _ in 2..=degree {
            let last_of_degree = known.len();
            for before in first_of_degree..last_of_degree {
                let least = known[before].last().copied().unwrap_or(0);
                for places in least..circle {
                    let mut all = known[before].clone();
                    all.push(places);
                    let terms = std::array::from_fn(|first| polynomial.term(first, &all));
                    polynomial.products.push(Product { before, places, terms });
                    known.push(all);
                }
            }
            first_of_degree = last_of_degree;
        }
        Ok(polynomial)
    }

    /// The number of the term that begins with a variable, if it is a new one of the variables that there are.
    fn term(&mut self, first: usize, places: &[usize]) -> Option<usize> {
        let others = places.iter().map(|places| (first + places) % self.circle);
        let mut variables: Vec<usize> = std::iter::once(first).chain(others).collect();
        variables.sort_unstable();
        let is_there = first < self.circle && variables.iter().all(|&one| one < self.parameters);
        if !is_there || self.terms.contains(&variables) {
            return None;
        }
        self.terms.push(variables);
        self.count += 1;
        Some(self.count - 1)
    }

    /// The number of the weight of the term with these variables, which are sorted.
    fn weight(&self, variables: &[usize]) -> Option<usize> {
        match variables {
            [] => Some(0),
            [one] => Some(1 + one),
            _ => {
                let place = self.terms.iter().position(|term| term == variables)?;
                Some(1 + self.parameters + place)
            }
        }
    }

    /// The greatest degree of a term.
    pub fn degree(&self) -> usize {
        self.degree
    }

    fn rotated(&self, vector: &Vector, places: usize) -> Vector {
        let mut twice = [0.0; 2 * MOST_VALUES];
        twice[..self.circle].copy_from_slice(&vector[..self.circle]);
        twice[self.circle..2 * self.circle].copy_from_slice(&vector[..self.circle]);
        std::array::from_fn(|index| twice[(index + places) % (2 * MOST_VALUES)])
    }

    /// The products, one after the other, given the variables.
    fn products(&self, values: &[f32]) -> impl Iterator<Item = (Vector, &Product)> {
        let mut variables: Vector = [0.0; MOST_VALUES];
        variables[..self.parameters].copy_from_slice(&values[..self.parameters]);
        let rotations: [Vector; MOST_VALUES] =
            std::array::from_fn(|places| self.rotated(&variables, places));
        let mut known = vec![variables];
        self.products.iter().map(move |product| {
            let (one, other) = (&known[product.before], &rotations[product.places]);
            let vector: Vector = std::array::from_fn(|index| one[index] * other[index]);
            known.push(vector);
            (vector, product)
        })
    }

    fn for_each_term(&self, values: &[f32], visit: &mut impl FnMut(usize, f32)) {
        visit(0, 1.0);
        for (index, value) in values[..self.parameters].iter().enumerate() {
            visit(1 + index, *value);
        }
        for (vector, product) in self.products(values) {
            for (value, term) in vector.into_iter().zip(product.terms) {
                if let Some(term) = term {
                    visit(term, value);
                }
            }
        }
    }
}

/// A polynomial with its weights, to be computed for some features at once.
///
/// It is nested: the weight of a term, plus each variable that may follow times the same for the term with that variable more. So
/// each weight costs one multiplication and one addition.
#[derive(Clone, PartialEq, Debug)]
pub struct NestedPolynomial {
    parameters: usize,
    degree: usize,
    /// In the order in which they are needed: that of each term before those of the terms that begin with it.
    weights: Vec<f32>,
}

/// How many features are computed at once.
pub const LANES: usize = 8;

/// A parameter of each of some features.
pub type Lanes = [f32; LANES];

impl NestedPolynomial {
    /// The polynomial with these weights.
    pub fn new(polynomial: &Polynomial, weights: &[f32]) -> NestedPolynomial {
        let mut nested = NestedPolynomial {
            parameters: polynomial.parameters,
            degree: polynomial.degree,
            weights: Vec::with_capacity(polynomial.count),
        };
        nested.collect(polynomial, weights, &mut Vec::new());
        nested
    }

    fn collect(&mut self, polynomial: &Polynomial, weights: &[f32], variables: &mut Vec<usize>) {
        self.weights.extend(polynomial.weight(variables).map(|number| weights[number]));
        if variables.len() < self.degree {
            for next in variables.last().copied().unwrap_or(0)..self.parameters {
                variables.push(next);
                self.collect(polynomial, weights, variables);
                variables.pop();
            }
        }
    }

    /// The value for each of some features, given each parameter for all of them.
    #[inline(always)]
    pub(crate) fn evaluate<F: Floats>(&self, values: &[Lanes; MOST_VALUES]) -> Lanes {
        let mut loaded = [F::splat(0.0); MOST_VALUES];
        for (loaded, values) in loaded.iter_mut().zip(values) {
            *loaded = F::load(values);
        }
        let values = &loaded[..self.parameters.min(MOST_VALUES)];
        let mut weights = self.weights.iter();
        let sums = match self.degree {
            1 => linear(values, &mut weights),
            2 => quadratic(values, &mut weights),
            3 => cubic(values, &mut weights),
            _ => {
                let mut sums: F = next(&mut weights);
                for first in 0..values.len() {
                    let factor = cubic(&values[first..], &mut weights);
                    sums = sums.plus(values[first].times(factor));
                }
                sums
            }
        };
        sums.store()
    }
}

/// A number for each of some features.
pub(crate) trait Floats: Copy {
    /// The same for all.
    fn splat(value: f32) -> Self;

    fn load(lanes: &Lanes) -> Self;

    fn store(self) -> Lanes;

    fn plus(self, other: Self) -> Self;

    fn times(self, other: Self) -> Self;
}

impl Floats for Lanes {
    #[inline]
    fn splat(value: f32) -> Lanes {
        [value; LANES]
    }

    #[inline]
    fn load(lanes: &Lanes) -> Lanes {
        *lanes
    }

    #[inline]
    fn store(self) -> Lanes {
        self
    }

    #[inline]
    fn plus(self, other: Lanes) -> Lanes {
        std::array::from_fn(|lane| self[lane] + other[lane])
    }

    #[inline]
    fn times(self, other: Lanes) -> Lanes {
        std::array::from_fn(|lane| self[lane] * other[lane])
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod wide {
    use std::arch::x86_64::*;

    use super::{Floats, LANES, Lanes};

    /// The numbers in one register. Only for code that runs if the processor has AVX: every `unsafe` below is sound because of
    /// that.
    #[derive(Clone, Copy)]
    pub(crate) struct Wide(__m256);

    impl Floats for Wide {
        #[inline(always)]
        fn splat(value: f32) -> Wide {
            // SAFETY: the processor has AVX.
            Wide(unsafe { _mm256_set1_ps(value) })
        }

        #[inline(always)]
        fn load(lanes: &Lanes) -> Wide {
            // SAFETY: there are eight numbers to be read, and the processor has AVX.
            Wide(unsafe { _mm256_loadu_ps(lanes.as_ptr()) })
        }

        #[inline(always)]
        fn store(self) -> Lanes {
            let mut lanes = [0.0; LANES];
            // SAFETY: there is room for eight numbers, and the processor has AVX.
            unsafe { _mm256_storeu_ps(lanes.as_mut_ptr(), self.0) };
            lanes
        }

        #[inline(always)]
        fn plus(self, other: Wide) -> Wide {
            // SAFETY: the processor has AVX.
            Wide(unsafe { _mm256_add_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn times(self, other: Wide) -> Wide {
            // SAFETY: the processor has AVX.
            Wide(unsafe { _mm256_mul_ps(self.0, other.0) })
        }
    }
}

type Weights<'a> = std::slice::Iter<'a, f32>;

/// The next weight, for each feature.
#[inline(always)]
fn next<F: Floats>(weights: &mut Weights) -> F {
    F::splat(weights.next().copied().unwrap_or(0.0))
}

/// A weight, and one for each variable.
#[inline(always)]
fn linear<F: Floats>(values: &[F], weights: &mut Weights) -> F {
    let mut sums: F = next(weights);
    for value in values {
        sums = sums.plus(value.times(next(weights)));
    }
    sums
}

/// A weight, and a linear function for each variable, of those from it on.
#[inline(always)]
fn quadratic<F: Floats>(values: &[F], weights: &mut Weights) -> F {
    let mut sums: F = next(weights);
    for first in 0..values.len() {
        sums = sums.plus(values[first].times(linear(&values[first..], weights)));
    }
    sums
}

/// A weight, and a quadratic function for each variable, of those from it on.
#[inline(always)]
fn cubic<F: Floats>(values: &[F], weights: &mut Weights) -> F {
    let mut sums: F = next(weights);
    for first in 0..values.len() {
        sums = sums.plus(values[first].times(quadratic(&values[first..], weights)));
    }
    sums
}

/// A regular grid: each parameter has so many points from 0 to 1.
#[derive(Clone, PartialEq, Debug)]
pub struct Grid {
    parameters: usize,
    points: usize,
}

impl Grid {
    /// A grid with so many points for each parameter.
    pub fn new(parameters: usize, points: usize) -> Result<Grid, BasisError> {
        if !(1..=MOST_VALUES).contains(&parameters) {
            return Err(BasisError::Parameters(parameters));
        }
        let all = points.checked_pow(parameters as u32).unwrap_or(usize::MAX);
        match (2..=16).contains(&points) && all <= 4096 {
            true => Ok(Grid { parameters, points }),
            false => Err(BasisError::Grid { points, parameters }),
        }
    }

    /// The points of each parameter.
    pub fn points(&self) -> usize {
        self.points
    }

    /// The corners of the cell that the values lie in, each with its share.
    fn for_each_term(&self, values: &[f32], visit: &mut impl FnMut(usize, f32)) {
        let cells = values[..self.parameters].iter().map(|value| {
            let place = value.clamp(0.0, 1.0) * (self.points - 1) as f32;
            let cell = (place as usize).min(self.points - 2);
            (cell, place - cell as f32)
        });
        let cells: Vec<(usize, f32)> = cells.collect();
        for corner in 0..1usize << self.parameters {
            let (mut number, mut share) = (0, 1.0);
            for (index, (cell, rest)) in cells.iter().enumerate() {
                let is_upper = corner >> index & 1;
                number = number * self.points + cell + is_upper;
                share *= if is_upper == 1 { *rest } else { 1.0 - rest };
            }
            if share != 0.0 {
                visit(number, share);
            }
        }
    }
}

/// Bells around centres: one at the centre, and less the farther from it.
#[derive(Clone, PartialEq, Debug)]
pub struct Radial {
    parameters: usize,
    /// How steep they are: the function is e to the power of minus this times the square of the distance.
    steepness: f32,
    /// The numbers of all centres on end.
    centres: Vec<f32>,
}

impl Radial {
    /// Bells around these centres, whose numbers are given on end.
    pub fn new(parameters: usize, steepness: f32, centres: Vec<f32>) -> Result<Radial, BasisError> {
        if !(1..=MOST_VALUES).contains(&parameters) {
            return Err(BasisError::Parameters(parameters));
        }
        let whole = !centres.is_empty() && centres.len().is_multiple_of(parameters);
        match whole && steepness.is_finite() && steepness > 0.0 {
            true => Ok(Radial { parameters, steepness, centres }),
            false => Err(BasisError::Radial(parameters)),
        }
    }

    /// How steep they are.
    pub fn steepness(&self) -> f32 {
        self.steepness
    }

    /// The centres, one after the other.
    pub fn centres(&self) -> impl Iterator<Item = &[f32]> {
        self.centres.chunks(self.parameters)
    }

    fn for_each_term(&self, values: &[f32], visit: &mut impl FnMut(usize, f32)) {
        for (number, centre) in self.centres().enumerate() {
            let square = |(value, centre): (&f32, &f32)| (value - centre) * (value - centre);
            let distance: f32 = values.iter().zip(centre).map(square).sum();
            visit(number, (-self.steepness * distance).exp());
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn values(rng: &mut ChaCha8Rng, count: usize) -> Vec<f32> {
        (0..count).map(|_| rng.random_range(0.0..1.0)).collect()
    }

    fn terms(basis: &Basis, values: &[f32]) -> Vec<f32> {
        let mut terms = vec![0.0; basis.count()];
        basis.for_each_term(values, |number, value| terms[number] = value);
        terms
    }

    /// All products of at most `degree` of the values, by trying every way to choose them.
    fn products(values: &[f32], degree: usize) -> Vec<f32> {
        let Some((first, rest)) = values.split_first() else { return vec![1.0] };
        let with = |power: usize| {
            let others = products(rest, degree - power).into_iter();
            others.map(move |product| product * first.powi(power as i32))
        };
        (0..=degree).flat_map(with).collect()
    }

    #[test]
    fn a_polynomial_has_each_term_once() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for parameters in 1..=8 {
            for degree in 1..=4 {
                let basis = Basis::Polynomial(Polynomial::new(parameters, degree).unwrap());
                let values = values(&mut rng, parameters);
                let (mut found, mut expected) = (terms(&basis, &values), products(&values, degree));
                found.sort_by(f32::total_cmp);
                expected.sort_by(f32::total_cmp);
                assert_eq!(found.len(), expected.len(), "{parameters} parameters, degree {degree}");
                let differ = |(one, other): (&f32, &f32)| (one - other).abs() > 1e-5;
                assert!(!found.iter().zip(&expected).any(differ));
            }
        }
        // (8 + 3)! / (8! 3!), as the thesis has it for pieces.
        assert_eq!(Polynomial::new(8, 3).unwrap().count, 165);
    }

    #[test]
    fn the_nested_polynomial_is_the_sum_of_weights_times_terms() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for parameters in 1..=8 {
            for degree in 1..=4 {
                let polynomial = Polynomial::new(parameters, degree).unwrap();
                let weights: Vec<f32> =
                    (0..polynomial.count).map(|_| rng.random_range(-1.0..1.0)).collect();
                let nested = NestedPolynomial::new(&polynomial, &weights);
                assert_eq!(nested.weights.len(), weights.len());
                let basis = Basis::Polynomial(polynomial);
                let features: [Vec<f32>; LANES] =
                    std::array::from_fn(|_| values(&mut rng, parameters));
                let lanes = std::array::from_fn(|parameter| {
                    features
                        .each_ref()
                        .map(|feature| feature.get(parameter).copied().unwrap_or(0.0))
                });
                for (found, values) in nested.evaluate::<Lanes>(&lanes).into_iter().zip(&features) {
                    assert!((found - basis.evaluate(values, &weights)).abs() < 1e-4);
                }
            }
        }
    }

    #[test]
    fn a_grid_has_its_weights_at_its_points_and_is_straight_between_them() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let basis = Basis::Grid(Grid::new(3, 4).unwrap());
        assert_eq!(basis.count(), 64);
        // The plane through a grid's points is that plane everywhere.
        let plane = |x: f32, y: f32, z: f32| 2.0 * x - 3.0 * y + 0.5 * z + 1.0;
        let at = |index: usize| index as f32 / 3.0;
        let weights: Vec<f32> =
            (0..64).map(|index| plane(at(index / 16), at(index / 4 % 4), at(index % 4))).collect();
        for _ in 0..100 {
            let values = values(&mut rng, 3);
            let expected = plane(values[0], values[1], values[2]);
            assert!((basis.evaluate(&values, &weights) - expected).abs() < 1e-4);
        }
        assert_eq!(basis.evaluate(&[1.0, 1.0, 1.0], &weights), weights[63]);
    }

    #[test]
    fn a_bell_is_one_at_its_centre_and_falls() {
        let radial = Radial::new(2, 4.0, vec![0.0, 0.0, 0.5, 1.0]).unwrap();
        let basis = Basis::Radial(radial);
        assert_eq!(basis.count(), 2);
        let values = terms(&basis, &[0.5, 1.0]);
        assert_eq!(values[1], 1.0);
        assert!((values[0] - (-4.0f32 * 1.25).exp()).abs() < 1e-6);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        assert_eq!(Polynomial::new(8, 5), Err(BasisError::Degree(5)));
        assert_eq!(Polynomial::new(9, 2), Err(BasisError::Parameters(9)));
        assert!(Grid::new(8, 4).is_err());
        assert!(Grid::new(2, 1).is_err());
        assert!(Radial::new(2, 1.0, vec![1.0]).is_err());
        assert!(Radial::new(2, -1.0, vec![1.0, 1.0]).is_err());
    }
}
