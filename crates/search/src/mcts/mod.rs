//! Monte-Carlo tree search.

mod history;
mod playouts;

pub use self::history::{Mean, StepHistory};
pub use self::playouts::{PlayoutRequest, Playouts, StepKnowledge};
