//! The studies that regenerate the theses' tables, and some of our own.
//!
//! A [`Study`] says what it regenerates and what can be set of it, and does its work in a [`Lab`], which keeps what was
//! found in a [`Journal`]. What comes of it is a [`Report`]. A study asks the [`Program`] that runs it to play games and to
//! show how far the work has come; it prints nothing.
//!
//! [`alphabeta`], [`ordering`], [`pruning`] and [`symmetry`] are measurements of our own, without a report.

pub mod alphabeta;
mod alphabeta_arimaa;
mod alphabeta_tzaar;
mod branching;
mod dfpn_tzaar;
mod journal;
mod lab;
mod ladder;
mod learning;
mod levels;
mod mcts;
mod mobility;
pub mod ordering;
mod peers;
mod pns_arimaa;
mod provenance;
pub mod pruning;
mod report;
mod searching;
mod sets;
mod study;
pub mod symmetry;
mod table;

pub use journal::Journal;
pub use lab::{Lab, Program, Progress};
pub use provenance::{Provenance, program_sum};
pub use report::Report;
pub use study::{Setting, Study};
pub use table::{Cell, Table};

pub use alphabeta_arimaa::STUDY as ALPHABETA_ARIMAA;
pub use alphabeta_tzaar::STUDY as ALPHABETA_TZAAR;
pub use branching::STUDY as BRANCHING;
pub use dfpn_tzaar::STUDY as DFPN_TZAAR;
pub use ladder::STUDY as LADDER;
pub use learning::STUDY as LEARNING;
pub use levels::STUDY as LEVELS;
pub use mcts::STUDY as MCTS;
pub use mobility::STUDY as MOBILITY;
pub use peers::STUDY as PEERS;
pub use pns_arimaa::STUDY as PNS_ARIMAA;

/// The studies of the theses.
pub const STUDIES: &[&Study] = &[
    &BRANCHING,
    &MOBILITY,
    &ALPHABETA_ARIMAA,
    &ALPHABETA_TZAAR,
    &DFPN_TZAAR,
    &PNS_ARIMAA,
    &MCTS,
    &LEARNING,
    &LEVELS,
    &PEERS,
    &LADDER,
];

#[cfg(test)]
mod tests;
