//! The trainer: from samples in memory to a net in whole numbers, on the threads of a machine.
//!
//! [`SampleSet`] holds positions as active features, with what is known of each. A [`Trainer`] goes through
//! it in batches by Adam; checkpoints let it go on where it was. [`Report`] says what came of it.
//! `docs/learning.md` tells how to use it.

mod adam;
mod checkpoint;
mod factors;
mod gradient;
mod report;
mod sample;
mod scale;
mod subject;
mod table;
mod trainer;
mod untrained;

pub use self::checkpoint::CheckpointError;
pub use self::factors::Factors;
pub use self::gradient::sigmoid;
pub use self::report::{Agreement, Correlation, Report};
pub use self::sample::{Label, SampleSet};
pub use self::scale::fit_scale;
pub use self::subject::{ArimaaSubject, Subject, TzaarSubject, read_shards};
pub use self::table::{TableError, read_table};
pub use self::trainer::{
    EpochRow, Losses, Settings, Trainer, net_to_begin_with, resized, trainable_units,
};
pub use self::untrained::untrained;
