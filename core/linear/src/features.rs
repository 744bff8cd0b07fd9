use std::fmt;

/// What the weights of a group count in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Points of the evaluation.
    Point,
    /// Hundredths of a point. The products of a term are added up for each side, and divided by 100
    /// towards zero then.
    Hundredth,
}

/// A group of features with a weight each, as an evaluation declares it with [`crate::features!`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeatureGroup {
    /// Its name in a model file.
    pub name: &'static str,
    /// The term that it belongs to: a row of the printed evaluation.
    pub term: &'static str,
    /// How many places each index has.
    pub shape: &'static [usize],
    /// What its weights count in.
    pub unit: Unit,
    /// What its features mean, and what the indices are.
    pub about: &'static str,
}

impl FeatureGroup {
    /// How many features it has.
    pub const fn count(&self) -> usize {
        let (mut count, mut dimension) = (1, 0);
        while dimension < self.shape.len() {
            count *= self.shape[dimension];
            dimension += 1;
        }
        count
    }
}

/// All features of an evaluation. Their numbers go group by group; within a group the last index
/// varies fastest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeatureList {
    /// The name of the models that have a weight for each of them.
    pub model: &'static str,
    /// Goes up when a feature comes to mean something else under the same name.
    pub version: u32,
    /// The groups. Those of one term follow one another.
    pub groups: &'static [FeatureGroup],
}

impl FeatureList {
    /// How many features there are.
    pub const fn count(&self) -> usize {
        self.first(self.groups.len())
    }

    /// The number of the first feature of a group.
    pub const fn first(&self, group: usize) -> usize {
        let (mut first, mut before) = (0, 0);
        while before < group {
            first += self.groups[before].count();
            before += 1;
        }
        first
    }

    /// A hash of names, terms, shapes and units: two lists with the same one have the same features.
    pub fn fingerprint(&self) -> u64 {
        let mut text = format!("{} {}\n", self.model, self.version);
        for FeatureGroup { name, term, shape, unit, .. } in self.groups {
            text += &format!("{name} {term} {shape:?} {unit:?}\n");
        }
        fnv1a(text.as_bytes())
    }

    /// The terms, in the order in which they are printed.
    pub fn terms(&self) -> impl Iterator<Item = &'static str> {
        self.groups.chunk_by(|one, next| one.term == next.term).map(|groups| groups[0].term)
    }

    /// The group of a feature, and its number within the group.
    ///
    /// # Panics
    ///
    /// If there is no such feature.
    pub fn group_of(&self, feature: usize) -> (&'static FeatureGroup, usize) {
        let mut rest = feature;
        for group in self.groups {
            if rest < group.count() {
                return (group, rest);
            }
            rest -= group.count();
        }
        panic!("{} has {} features, and none of number {feature}", self.model, self.count());
    }

    /// A feature for people: `contact[1, 5, 0, 2]`.
    pub fn name_of(&self, feature: usize) -> String {
        let (group, mut rest) = self.group_of(feature);
        let mut at = vec![0; group.shape.len()];
        for (place, size) in at.iter_mut().zip(group.shape).rev() {
            (*place, rest) = (rest % size, rest / size);
        }
        format!("{}{at:?}", group.name)
    }
}

/// FNV-1a of 64 bits: enough to notice what was changed by accident.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// A group of features with `D` indices, by which a term emits them: see [`crate::features!`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group<const D: usize> {
    first: usize,
    shape: [usize; D],
    unit: Unit,
}

impl<const D: usize> Group<D> {
    /// The group of that number in a list.
    ///
    /// # Panics
    ///
    /// If it has another number of indices.
    pub const fn declared(list: &FeatureList, number: usize) -> Group<D> {
        let declared = &list.groups[number];
        assert!(declared.shape.len() == D, "the number of indices");
        let mut shape = [0; D];
        let mut dimension = 0;
        while dimension < D {
            shape[dimension] = declared.shape[dimension];
            dimension += 1;
        }
        Group { first: list.first(number), shape, unit: declared.unit }
    }

    /// The number of a feature in the list.
    #[inline(always)]
    pub const fn feature(self, at: [usize; D]) -> usize {
        let (mut index, mut dimension) = (0, 0);
        while dimension < D {
            debug_assert!(at[dimension] < self.shape[dimension], "an index beyond its shape");
            index = index * self.shape[dimension] + at[dimension];
            dimension += 1;
        }
        self.first + index
    }
}

/// Takes the features that the terms of an evaluation emit for a side.
pub trait FeatureSink {
    /// A feature has that value; several values of one feature add up.
    fn add<const D: usize>(&mut self, group: Group<D>, at: [usize; D], value: i32);

    /// All features of a term were emitted.
    fn end_term(&mut self);
}

/// The sink of the search: the sum of all weights times values, and nothing is kept of the features.
#[derive(Clone, Copy, Debug)]
pub struct Sum<'a, const N: usize> {
    weights: &'a [i32; N],
    points: i32,
    /// Of the present term.
    hundredths: i32,
}

impl<'a, const N: usize> Sum<'a, N> {
    /// Nothing yet.
    #[inline(always)]
    pub fn new(weights: &'a [i32; N]) -> Sum<'a, N> {
        Sum { weights, points: 0, hundredths: 0 }
    }

    /// Adds what several features come to together, for those who look that up in a table.
    #[inline(always)]
    pub fn add_points(&mut self, points: i32) {
        self.points += points;
    }

    /// The sum of the terms that have ended.
    #[inline(always)]
    pub fn points(&self) -> i32 {
        self.points
    }
}

impl<const N: usize> FeatureSink for Sum<'_, N> {
    #[inline(always)]
    fn add<const D: usize>(&mut self, group: Group<D>, at: [usize; D], value: i32) {
        let product = self.weights[group.feature(at)] * value;
        match group.unit {
            Unit::Point => self.points += product,
            Unit::Hundredth => self.hundredths += product,
        }
    }

    #[inline(always)]
    fn end_term(&mut self) {
        self.points += self.hundredths / 100;
        self.hundredths = 0;
    }
}

/// The sink of traces and trainers: the features of a side that are not zero.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FeatureVector {
    features: Vec<Feature>,
}

/// A feature and its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Feature {
    /// Its number in the [`FeatureList`].
    pub number: usize,
    /// What its weight is multiplied by.
    pub value: i32,
}

impl FeatureSink for FeatureVector {
    fn add<const D: usize>(&mut self, group: Group<D>, at: [usize; D], value: i32) {
        let number = group.feature(at);
        match self.features.iter_mut().find(|feature| feature.number == number) {
            Some(feature) => feature.value += value,
            None => self.features.push(Feature { number, value }),
        }
    }

    fn end_term(&mut self) {}
}

impl FeatureVector {
    /// The features that are not zero, in the order in which they were emitted first.
    pub fn iter(&self) -> impl Iterator<Item = Feature> {
        self.features.iter().copied().filter(|feature| feature.value != 0)
    }

    /// The sum of weights times values, whatever they count in.
    pub fn dot(&self, weights: &[i32]) -> i32 {
        self.features.iter().map(|feature| weights[feature.number] * feature.value).sum()
    }

    /// What each term comes to with these weights, one for each feature of the list: the sum of
    /// weights times values, where what is counted in hundredths is divided by 100 towards zero once
    /// it has been added up.
    pub fn by_term(&self, list: &FeatureList, weights: &[i32]) -> Vec<(&'static str, i32)> {
        let mut terms: Vec<_> = list.terms().map(|term| (term, 0, 0)).collect();
        for Feature { number, value } in self.iter() {
            let (group, _) = list.group_of(number);
            let term = terms.iter_mut().find(|(term, ..)| *term == group.term);
            let (_, points, hundredths) = term.expect("each group has a term");
            match group.unit {
                Unit::Point => *points += weights[number] * value,
                Unit::Hundredth => *hundredths += weights[number] * value,
            }
        }
        let rounded = |(term, points, hundredths): (_, i32, i32)| (term, points + hundredths / 100);
        terms.into_iter().map(rounded).collect()
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Unit::Point => "points",
            Unit::Hundredth => "hundredths",
        })
    }
}

/// Declares the features of an evaluation: a list for files and people, and a [`Group`] for each name
/// by which the terms emit them.
///
/// ```
/// use linear::{FeatureSink, FeatureVector, Sum};
///
/// linear::features! {
///     /// What a greengrocer's stall is worth.
///     pub static STALL = "stall", version 1;
///     FRUIT, "fruit", "goods", [2, 3], Point, "apples and pears, by how ripe they are";
///     RENT, "rent", "costs", [1], Hundredth, "what a metre costs";
/// }
/// assert_eq!(STALL.count(), 7);
///
/// fn emit(sink: &mut impl FeatureSink) {
///     sink.add(FRUIT, [1, 2], 5);
///     sink.end_term();
///     sink.add(RENT, [0], 3);
///     sink.end_term();
/// }
/// let weights = [0, 0, 0, 0, 0, 10, -150, 0];
/// let mut sum = Sum::new(&weights);
/// emit(&mut sum);
/// assert_eq!(sum.points(), 5 * 10 - 4);
///
/// let mut vector = FeatureVector::default();
/// emit(&mut vector);
/// assert_eq!(vector.by_term(&STALL, &weights), [("goods", 50), ("costs", -4)]);
/// let names: Vec<String> = vector.iter().map(|feature| STALL.name_of(feature.number)).collect();
/// assert_eq!(names, ["fruit[1, 2]", "rent[0]"]);
/// ```
#[macro_export]
macro_rules! features {
    (
        $(#[$attribute:meta])*
        $visibility:vis static $list:ident = $model:literal, version $version:literal;
        $($group:ident, $name:literal, $term:literal, [$($size:expr),+], $unit:ident, $about:literal;)*
    ) => {
        $(#[$attribute])*
        $visibility static $list: $crate::FeatureList = DECLARED_FEATURES;

        const DECLARED_FEATURES: $crate::FeatureList = $crate::FeatureList {
            model: $model,
            version: $version,
            groups: &[$($crate::FeatureGroup {
                name: $name,
                term: $term,
                shape: &[$($size),+],
                unit: $crate::Unit::$unit,
                about: $about,
            }),*],
        };

        #[allow(clippy::upper_case_acronyms, non_camel_case_types)]
        enum DeclaredOrder { $($group),* }

        $(
            #[doc = $about]
            $visibility const $group: $crate::Group<{ [$($size),+].len() }> =
                $crate::Group::declared(&DECLARED_FEATURES, DeclaredOrder::$group as usize);
        )*
    };
}
