//! Tests from games: the goals that could be scored.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;

use arimaa::{Army, Game};
use arimaa_ai::suite::{Chance, chances};
use workbench::Arimaa;
use workbench::reading::{self, Location};

use crate::Exit;
use crate::shared::output::{Output, say};
use crate::shared::progress;
use crate::shared::refusal::refuse;

/// Writes a table of the goals that could be scored in games, each position once.
pub fn run(games: &str, output: Option<&Path>) -> anyhow::Result<Exit> {
    let entries = reading::read::<Arimaa>(games, Army::Handicap)?;
    let mut table = Table::new();
    let mut refused = 0;
    let progress = progress::bar(entries.len(), "games");
    for entry in &entries {
        match &entry.content {
            Ok(content) => table.add(&entry.place, &content.game),
            Err(error) => {
                refused += 1;
                progress.suspend(|| refuse(entry, error, false, &mut io::sink()))?;
            }
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    table.write(output)?;
    say!("{} positions with a goal, scored in {}", table.seen.len(), table.scored);
    Ok(if refused == 0 { Exit::Done } else { Exit::Refused })
}

struct Table {
    text: String,
    /// The positions that are in it.
    seen: HashSet<String>,
    /// How often the goal was scored.
    scored: usize,
}

impl Table {
    fn new() -> Table {
        let text = "position\tgoal\tscored\tplayed\tgame\n".to_string();
        Table { text, seen: HashSet::new(), scored: 0 }
    }

    fn add(&mut self, place: &Location, game: &Game) {
        for Chance { position, label, steps, played, scored } in chances(game) {
            let compact = position.to_string();
            if self.seen.contains(&compact) {
                continue;
            }
            let played = played.notation(position.board());
            let answer = if scored { "yes" } else { "no" };
            self.text += &format!("{compact}\t{steps}\t{answer}\t{played}\t{place}, {label}\n");
            self.scored += usize::from(scored);
            self.seen.insert(compact);
        }
    }

    fn write(&self, output: Option<&Path>) -> anyhow::Result<()> {
        let mut output = Output::open(output)?;
        output.write_all(self.text.as_bytes())?;
        output.finish()
    }
}
