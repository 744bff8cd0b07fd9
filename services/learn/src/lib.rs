//! Games for data, and what is learned from them.
//!
//! [`SelfPlay`] plays games whose openings and turns have much variety; a [`ShardWriter`] keeps them in
//! shards: compressed files that survive a process that is killed. [`games`] reads shards again, and
//! each [`ShardGame`] has its positions as [`Sample`]s.
//!
//! All of it is generic over the games that implement [`Learnable`].
//!
//! [`train`] makes nets of samples. It knows no game either: a [`train::Subject`] supplies the inputs of its net
//! and the evaluation that the net corrects. [`steps`] learns how likely each step is, [`td`] weights of an evaluation by
//! playing, and [`logistic`] weights by logistic regression. [`tune`] moves parameters by the results of games.

mod arimaa;
mod block;
pub mod generation;
mod inspect;
pub mod json_lines;
mod learnable;
mod leases;
pub mod logistic;
pub mod matrix;
mod openings;
mod sample;
mod selfplay;
mod shard;
mod shard_game;
pub mod steps;
pub mod td;
pub mod train;
pub mod tune;
mod tzaar;
mod workers;
mod writer;

pub use crate::block::read as read_block;
pub use crate::inspect::{Inspection, inspect};
pub use crate::learnable::{Learnable, MOST_STEPS, Setups, StepOf, TurnSteps};
pub use crate::leases::{LeasedBlocks, event_of};
pub use crate::openings::{Openings, earlier_positions};
pub use crate::sample::{Inside, Returns, Sample, Samples, Selection, is_validation};
pub use crate::selfplay::{MakeEngine, SelfPlay, SelfPlayError, StartOpponent, Terms};
pub use crate::shard::{
    Games, Header, Shard, ShardError, ShardFault, checksum, games, shard_files,
};
pub use crate::shard_game::{
    Ending, GameId, PackedScore, Participant, Reason, Searched, ShardGame, ShardTurn,
};
pub use crate::workers::{AllGames, Block, Blocks, GameSink, RunError, Workers};
pub use crate::writer::{GAMES_OF_A_BLOCK, ShardWriter, Sharing};
