//! Games as other programs read them: arimaa.com's lines, plain records, JSON.
//!
//! [`read`] and [`Stream`] read files of any of these formats, [`Writer`] writes them. A [`Collection`] makes an event of a
//! store out of games, [`Known`] finds those that a store has already, a [`Filter`] chooses among them.

mod archive;
mod collection;
mod ending;
mod filter;
mod json;
mod known;
mod plain;
mod reader;
mod record;
mod source;
mod stream;
mod writer;

pub use collection::Collection;
pub use filter::{Filter, Numbers, Outcome, Summary};
pub use known::Known;
pub use reader::read;
pub use record::{Entry, Record};
pub use source::Cells;
pub use stream::Stream;
pub use writer::{Format, WriteError, Writer, Written};

#[cfg(test)]
mod tests;
