use std::sync::{Arc, LazyLock};

use linear::{ModelError, Weights};

use super::material::{Placements, placements};

linear::features! {
    /// All features of [`super::Evaluation`]. Rows are counted from a side's own home row, columns
    /// from the edge. Kinds go from rabbit, cat and dog to horse, camel and elephant. A role is the
    /// side to move (0) or the side that waits (1); steps left are those of the side to move, less one.
    pub static FEATURES = "arimaa-evaluation", version 1;

    FORMULA, "formula", "material", [1], Hundredth, "the material formula";
    KIND, "kind", "material", [6], Point, "a piece, by kind";
    RABBITS_LEFT, "rabbits_left", "material", [9], Point, "how many rabbits are left";
    PLACEMENT, "placement", "placement", [6, 8, 4], Point, "a piece, by kind, row and column";
    RANK, "rank", "placement", [5, 8, 4], Point, "a piece above the rabbits, by the stronger enemies (none, one, two, three or four, more), row and column";
    SUPPORT, "support", "support", [6, 3], Point, "a piece, by kind and friends beside it (none, one, more)";
    FROZEN, "frozen", "frozen", [6, 8], Point, "a frozen piece, by kind and row";
    DOMINATED, "dominated", "dominated", [2, 6, 8], Point, "a dominated piece, by role, kind and row";
    NEARNESS, "nearness", "nearness", [4, 7, 5], Point, "a cat, dog, horse or camel, by kind, distance of the nearest stronger enemy (1 to 6, more) and part of the board (rows 1 and 2, 3, 4, 5 and 6, 7 and 8)";
    CONTACT, "contact", "contact", [2, 6, 6, 3], Point, "a piece beside a weaker enemy, by role, both kinds and where the enemy stands (near a home trap of the stronger, near another trap, elsewhere)";
    MOBILITY, "mobility", "mobility", [3, 16], Point, "an elephant, camel or horse that is not frozen, by how many squares it reaches with three steps (15 or more are alike)";
    TRAPS, "traps", "traps", [4, 4, 3, 4], Point, "a home trap, by own pieces and enemies beside it (three or more are alike), whose strongest is stronger (own, neither, the enemy's) and elephants beside it (none, the enemy's, own, both)";
    HOSTAGES, "hostages", "hostages", [6, 6], Point, "a hostage, by its kind and that of its holder";
    FRAMED, "framed", "frames", [6], Point, "a framed piece, by kind";
    PINNED, "pinned", "frames", [6], Point, "the friend that keeps a framed piece alive, by kind";
    BLOCKADE, "blockade", "blockade", [6], Point, "the elephant, by the level of its blockade";
    SHUT_IN, "shut_in", "blockade", [2], Point, "a horse or a camel without room";
    RABBIT, "rabbit", "rabbits", [8, 6, 2], Point, "a rabbit away from home, by row, enemies in its way (five or more are alike) and whether it is frozen";
    OPEN_COLUMNS, "open_columns", "rabbits", [9], Point, "how many columns have no rabbit at home";
    GOAL_NOW, "goal_now", "prospects", [1], Point, "the side to move can reach the goal with the steps left";
    GOAL_NEXT, "goal_next", "prospects", [4], Point, "the side that waits could reach the goal in a turn, by the steps left";
    GOAL_DISTANCE, "goal_distance", "prospects", [2, 9], Point, "the steps of the nearest rabbit to the goal, by role";
    GAIN, "gain", "captures", [4, 3], Hundredth, "the best capture of the side to move, by the steps left and the steps that it takes (2 to 4); the value is what it gains";
    THREAT, "threat", "captures", [4, 3], Hundredth, "the best capture of the side that waits, by the steps left and the steps that it takes (2 to 4); the value is what it gains";
    SECOND_CAPTURE, "second_capture", "captures", [2], Hundredth, "a second capture, by role; the value is what it gains";
    TEMPO, "tempo", "tempo", [4], Point, "to be to move, by the steps left";
}

/// How many features there are.
pub(super) const COUNT: usize = FEATURES.count();

/// The weights of [`super::Evaluation`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    pub(super) weights: [i32; COUNT],
    pub(super) placements: Placements,
}

impl Model {
    /// The model that is part of the program.
    pub fn embedded() -> Arc<Model> {
        static MODEL: LazyLock<Arc<Model>> = LazyLock::new(|| {
            let file = include_bytes!("../../../../models/arimaa-evaluation.model");
            Arc::new(Model::parse(file).expect("models/arimaa-evaluation.model"))
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
        Model { weights, placements: placements(&weights) }
    }
}
