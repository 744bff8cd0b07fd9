//! The system of Tomáš Hřebejk's thesis "Arimaa challenge – static evaluation function" (2013): bot_drake.
//!
//! Its evaluation has three layers. The first says exactly what each piece can do and suffer within a turn:
//! [`TurnMobility`](arimaa_ai::TurnMobility), which Tusk's own players use as well. The second makes features of it:
//! [`Distances`](arimaa_ai::Distances) to all squares, [`Influence`] and [`Protection`], and from them the parameters of
//! [`features`]. The third, [`FunctionModel`], says what they are worth, by [`functions`] with weights. `docs/drake.md` says how
//! all of it works.
//!
//! The player is [`TurnEngine`], which looks ahead by whole turns: the engine `drake` of [`ENGINES`].
//!
//! The learners find the weights: [`programs`] by one linear or quadratic program, [`advanced`] by programs whose constraints a search
//! generates. [`expert_games`] says which games are good enough to learn from, [`terms`] what their positions are
//! multiplied with, [`judge`] how well the result ranks the turns of other games, [`report`] all of it on a page.
//! [`successors`] finds positions that a model overrates. `docs/learning.md` says how to use them.

pub mod advanced;
mod assignment;
mod engines;
pub mod expert_games;
pub mod feature_report;
pub mod features;
pub mod functions;
mod influence;
pub mod judge;
pub mod model;
pub mod programs;
mod protection;
pub mod report;
pub mod successors;
pub mod terms;
mod turn_engine;

pub use crate::assignment::{Assignment, assign};
pub use crate::engines::{ENGINES, PositionValue, TurnOptions};
pub use crate::features::{FEATURES, FeatureInstance, Features};
pub use crate::influence::{DISTANCE_MAPS, DistanceMap, Influence};
pub use crate::model::{FunctionModel, FunctionModelError};
pub use crate::protection::Protection;
pub use crate::turn_engine::{ByEvaluator, TurnEngine, TurnEvaluation};
