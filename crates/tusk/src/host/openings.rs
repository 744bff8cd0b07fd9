//! Openings from a file, in any game.

use crate::input;
use crate::sport::{Army, Course, Sport};

/// So many positions or games that POS stands for, or all if these are fewer.
pub fn read_openings<S: Sport>(pos: &str, count: usize) -> anyhow::Result<Vec<String>> {
    let entries = input::read::<S>(pos, Army::Handicap)?;
    let openings = entries.into_iter().take(count).map(|entry| {
        let refuse = |fault: &str| anyhow::anyhow!("--openings {pos}: {}: {fault}", entry.place);
        let game = &entry.content.as_ref().map_err(|fault| refuse(fault))?.game;
        match game.ending() {
            Some(ended) => Err(refuse(&format!("the game is over: {}", ended.sentence))),
            None if game.turns().is_empty() => Ok(game.position().to_string()),
            None => Ok(game.to_string()),
        }
    });
    openings.collect()
}
