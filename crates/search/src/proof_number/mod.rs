//! Proof-number search: who wins, whatever the other side plays.
//!
//! Each position has two numbers, of how much is to be done before the one or the other side is proved to
//! win; the search goes where the least is to be done. Vertices are positions inside a turn as well: a
//! step is a move down. Majerech 2012 (chapters 3 and 4) and Veselý 2013 (2.2) tell how it is done.

mod crowd;
mod decided;
mod dfpn;
mod diver;
mod diving;
mod explorer;
mod findings;
mod garbage;
mod killers;
mod numbers;
mod parameters;
mod path;
mod pns;
mod prover;
mod record;
mod summary;
mod table;
mod tables;
mod tree;
mod watch;

pub use dfpn::DfPn;
pub use findings::Findings;
pub use parameters::ProofParameters;
pub use pns::Pns;
pub use prover::Prover;
