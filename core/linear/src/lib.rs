//! Evaluations that are linear in their weights.
//!
//! The terms of an evaluation emit features into a [`FeatureSink`]: the sum of the search, the vector of the trainer and
//! the trace for people see the same emission. [`features!`] declares them. [`Weights`] are read from a model file.
//!
//! Nothing here knows any game.

mod features;
mod model;

pub use crate::features::{
    Feature, FeatureGroup, FeatureList, FeatureSink, FeatureVector, Group, Sum, Unit, fnv1a,
};
pub use crate::model::{ModelError, ModelFault, Weights};
