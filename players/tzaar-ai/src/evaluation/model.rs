use std::sync::{Arc, LazyLock};

use linear::{ModelError, Weights};

use super::{Stacks, stacks};

linear::features! {
    /// All features of [`super::Evaluation`]. A role is the side to move (0) or the other (1); types go
    /// from Tott and Tzarra to Tzaar.
    pub static FEATURES = "tzaar-evaluation", version 1;

    TYPES, "types", "types", [2, 3, 10, 4], Point, "a type, by role, type, how many stacks show it (one to ten or more) and how high the highest is (one to four or more)";
    ZONE, "zone", "zone", [2, 3, 5, 5], Point, "a type, by role, type, how many stacks show it (one to five or more) and how many of them the enemy can capture (none to four or more)";
    STACKS, "stacks", "stacks", [2, 5, 2], Point, "a stack, by role, height (one to five or more) and whether the enemy can capture it";
    PLACES, "places", "places", [3, 8], Point, "a stack, by height (one to three or more) and place (which of the fields that are alike by symmetry)";
    TEMPO, "tempo", "tempo", [2], Point, "to be to move: before the first move of the turn, and before the second";
}

/// How many features there are.
pub(super) const COUNT: usize = FEATURES.count();

/// The weights of [`super::Evaluation`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    pub(super) weights: [i32; COUNT],
    pub(super) stacks: Stacks,
}

impl Model {
    /// The model that is part of the program.
    pub fn embedded() -> Arc<Model> {
        static MODEL: LazyLock<Arc<Model>> = LazyLock::new(|| {
            let file = include_bytes!("../../../../models/tzaar-evaluation.model");
            Arc::new(Model::parse(file).expect("models/tzaar-evaluation.model"))
        });
        Arc::clone(&MODEL)
    }

    /// Reads a model file; its format is that of [`Weights`].
    pub fn parse(bytes: &[u8]) -> Result<Model, ModelError> {
        Weights::parse(&FEATURES, bytes).map(|weights| Model::from(&weights))
    }

    /// The weight of each feature by its number in [`FEATURES`].
    pub fn weights(&self) -> &[i32] {
        &self.weights
    }
}

/// # Panics
///
/// If they are the weights of another list of features.
impl From<&Weights> for Model {
    fn from(weights: &Weights) -> Model {
        assert_eq!(*weights.list(), FEATURES, "weights of this evaluation");
        let weights = weights.numbers().try_into().expect("a weight for each feature");
        Model { weights, stacks: stacks(&weights) }
    }
}
