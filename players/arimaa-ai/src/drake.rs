//! The evaluation of bot_drake, from Hřebejk's thesis "Arimaa challenge – static evaluation function" (2013).
//!
//! It has three layers. The first, [`mobility`], says exactly what each piece can do and suffer within a
//! turn. The second makes features of it: [`Distances`] to all squares, and from them the parameters of
//! [`features`]. The third, [`FunctionModel`], says what they are worth, by [`functions`] with weights.
//! [`is_lost_in_two`] recognises goals that no turn prevents, [`frames_in_one_turn`] frames that a turn can
//! make. How all of it works is told in `docs/drake.md`.

mod assignment;
mod distance;
mod enumeration;
pub mod features;
mod frame;
pub mod functions;
mod influence;
mod last_steps;
mod loss;
mod matrix;
pub mod mobility;
pub mod model;
mod protection;
mod words;

pub use assignment::{Assignment, assign};
pub use distance::{Distances, FARTHEST, PieceDistances};
pub use features::{FEATURES, FeatureInstance, Features};
pub use frame::{frames_in_one_turn, is_framed};
pub use influence::{DISTANCE_MAPS, DistanceMap, Influence};
pub use loss::{Inference, is_lost_in_two};
pub use matrix::Matrix;
pub use mobility::TurnMobility;
pub use model::{FunctionModel, FunctionModelError};
pub use protection::Protection;
