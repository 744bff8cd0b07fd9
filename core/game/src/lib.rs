//! What a search must know of a two-player game whose turn takes several steps, and no more.
//!
//! The rules of a game live in a crate of their own and implement [`Position`]; the searches are
//! generic over it. Nothing here knows any game.

mod game;
mod history;
mod key;
mod length;
mod notation;
mod packed;
mod position;
mod proof;
mod score;
mod side;

pub use game::{Ended, Game, notations};
pub use history::History;
pub use key::{Key, KeyGenerator};
pub use length::{Steps, Turns};
pub use notation::{Notation, Past};
pub use packed::PackedStep;
pub use position::Position;
pub use proof::Proof;
pub use score::Score;
pub use side::{BySide, Side};
