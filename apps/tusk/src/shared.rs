//! What several verbs share: how they are asked, how they answer, and how they play.

pub mod allowed;
pub mod checkpoint;
pub mod choice;
pub mod contest;
pub mod features;
pub mod input;
pub mod numbers;
pub mod output;
pub mod progress;
pub mod refusal;
pub mod settings;
pub mod signals;
pub mod standings;
pub mod terms;
pub mod thinking;
