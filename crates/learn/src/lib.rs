//! Learning from played games: nets that evaluate positions are trained here.
//!
//! [`train`] knows no game: a [`train::Subject`] supplies the inputs of its net and the evaluation that the
//! net corrects.

pub mod train;
