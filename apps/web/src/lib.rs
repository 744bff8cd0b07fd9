//! The workbench's page and its server.
//!
//! [`Server`] serves three things: the page, which is part of the program (`assets`); quick questions about
//! positions and games, each a JSON object that is posted (`api`, `board`); and a WebSocket for long ones
//! (`socket`), whose searches run on threads of their own (`searches`). docs/api.md describes them for those who
//! write clients.
//!
//! Nobody but this machine is served unless it is asked for, and pages of other sites are refused (`guard`). There is
//! no request that runs a command, or that reads or writes a file outside the data folder.

mod analysis;
mod api;
mod arriving;
mod assets;
mod board;
mod connections;
mod drafts;
mod events;
mod games;
mod guard;
mod insight;
mod kept;
mod puzzles;
mod reports;
mod results;
mod review;
mod search_tree;
mod searches;
mod server;
mod session;
mod socket;
mod solver;
mod transfer;
mod walk;

pub use crate::arriving::Patience;
pub use crate::server::{BindError, Options, Server};
