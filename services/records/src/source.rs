//! What the source of a game tells that a store has no place for.

use std::collections::BTreeMap;

use arena::TimeSettings;
use serde::{Deserialize, Serialize};

/// Cells of a line of arimaa.com, by their columns: those that say more than the rest of the record does.
pub type Cells = BTreeMap<String, String>;

/// What is kept beside a game that was imported: as JSON, in a store.
#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
pub struct Source {
    /// The event that the game belonged to, where the event of the store is called otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// How long its players could think, where that differs among the games of the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pace: Option<TimeSettings>,
    #[serde(skip_serializing_if = "Cells::is_empty")]
    pub archive: Cells,
}

impl Source {
    /// As a store has it. What somebody else has written there is left alone.
    pub fn parse(text: &str) -> Source {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// For a store; nothing is an empty text.
    pub fn text(&self) -> String {
        if self.event.is_none() && self.pace.is_none() && self.archive.is_empty() {
            return String::new();
        }
        serde_json::to_string(self).expect("it is made of texts and numbers")
    }
}
