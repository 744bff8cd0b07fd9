//! Puzzles from games: positions with exactly one turn that wins.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::path::Path;

use arimaa::{Action, Army, Game, Position, Side};
use arimaa_ai::{Puzzle, PuzzleFinder, PuzzleResult};
use engine::Limits;
use game::{BySide, Key, Turns};
use workbench::Arimaa;
use workbench::reading::{self, Location};

use crate::Exit;
use crate::shared::output::{Output, say};
use crate::shared::progress;
use crate::shared::refusal::refuse;

/// How puzzles are looked for.
pub struct Mine<'a> {
    /// The games.
    pub games: &'a str,
    /// Where the table goes, if not to standard output.
    pub output: Option<&'a Path>,
    /// The most turns of a win.
    pub most: Turns,
    /// What each position gets.
    pub limits: Limits,
    /// How much is remembered, in MiB.
    pub memory: usize,
}

/// What a position gets that is not known to be near a win: a look at wins in so many turns.
const GLANCE: Turns = Turns(2);

impl Mine<'_> {
    /// Writes a table of the puzzles of games, each position once.
    pub fn run(&self) -> anyhow::Result<Exit> {
        let entries = reading::read::<Arimaa>(self.games, Army::Handicap)?;
        let mut output = Output::open(self.output)?;
        let mut table = Table::new(&mut output)?;
        let mut miner = Miner::new(self);
        let mut refused = 0;
        let progress = progress::bar(entries.len(), "games");
        for entry in &entries {
            match &entry.content {
                Ok(content) => {
                    for (label, puzzle) in miner.puzzles(&content.game) {
                        table.add(&entry.place, &label, &puzzle)?;
                    }
                    progress.set_message(format!("{} puzzles", table.seen.len()));
                }
                Err(error) => {
                    refused += 1;
                    progress.suspend(|| refuse(entry, error, false, &mut io::sink()))?;
                }
            }
            progress.inc(1);
        }
        progress.finish_and_clear();
        let found = table.seen.len();
        output.finish()?;
        say!("{found} puzzle{}", if found == 1 { "" } else { "s" });
        Ok(if refused == 0 { Exit::Done } else { Exit::Refused })
    }
}

/// Looks through games.
struct Miner<'a> {
    mine: &'a Mine<'a>,
    finder: PuzzleFinder,
    /// What was found out about positions: engines play the same game again and again.
    known: HashMap<(Key, Turns), PuzzleResult>,
}

impl Miner<'_> {
    fn new<'a>(mine: &'a Mine<'a>) -> Miner<'a> {
        Miner { mine, finder: PuzzleFinder::new(mine.memory), known: HashMap::new() }
    }

    /// The puzzles of a game, each with the label of its turn.
    ///
    /// A win seldom comes from nothing: from the end to the beginning, a side that wins with its next turn
    /// but one gets all the turns and the time that were asked for, and others get a glance.
    fn puzzles(&mut self, game: &Game) -> Vec<(String, Puzzle)> {
        let winner = game.outcome().map(|outcome| outcome.winner);
        let wins = |side| winner.is_none_or(|winner| winner == side);
        let mut near = BySide { first: wins(Side::First), second: wins(Side::Second) };
        let mut puzzles = Vec::new();
        for (label, position) in positions(game).into_iter().rev() {
            let is_near = &mut near[position.side()];
            let most = if *is_near { self.mine.most } else { self.mine.most.min(GLANCE) };
            let result = self.look(&position, most);
            *is_near = result != PuzzleResult::NoWin;
            if let PuzzleResult::Puzzle(puzzle) = result {
                puzzles.push((label, puzzle));
            }
        }
        puzzles.reverse();
        puzzles
    }

    fn look(&mut self, position: &Position, most: Turns) -> PuzzleResult {
        let look = || self.finder.find(position, most, &self.mine.limits);
        *self.known.entry((position.repetition_key(), most)).or_insert_with(look)
    }
}

/// The positions of a game in which a turn was played or is to be played, each with the label of the turn.
fn positions(game: &Game) -> Vec<(String, Position)> {
    let last = game.outcome().is_none().then(|| (game.label(), *game.position()));
    let played = game.actions().enumerate().filter_map(|(index, (position, action))| {
        let label = format!("{}{}", index / 2 + 1, arimaa::side::letter(position.side()));
        matches!(action, Action::Turn(_)).then_some((label, *position))
    });
    played.chain(last).collect()
}

struct Table<'a> {
    output: &'a mut Output,
    /// The positions that are in it.
    seen: HashSet<String>,
}

impl Table<'_> {
    fn new(output: &mut Output) -> io::Result<Table<'_>> {
        writeln!(output, "position\tturns\tbest\ttries\tsacrifices\tpieces\tgrade\tgame\tturn")?;
        Ok(Table { output, seen: HashSet::new() })
    }

    fn add(&mut self, place: &Location, label: &str, puzzle: &Puzzle) -> io::Result<()> {
        let Puzzle { position, solution, turns, tries, sacrifices } = puzzle;
        let compact = position.to_string();
        if self.seen.contains(&compact) {
            return Ok(());
        }
        let solution = solution.notation(position.board());
        let (pieces, grade) = (puzzle.pieces(), puzzle.grade());
        writeln!(
            self.output,
            "{compact}\t{turns}\t{solution}\t{tries}\t{sacrifices}\t{pieces}\t{grade}\t{place}\t{label}"
        )?;
        self.seen.insert(compact);
        Ok(())
    }
}
