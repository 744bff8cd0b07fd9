//! Positions with scores and results, for logistic regression: of shards, of tables, and of games.

use std::path::Path;

use ::learn::{Inside, Samples, is_validation};
use anyhow::{Context, bail};
use arimaa::Position;
use engine::Verdict;
use game::{Position as _, Proof};
use linear::fnv1a;
use workbench::reading::sources_of;

/// A position that is learned from.
pub struct Label {
    pub position: Position,
    /// The score for the mover, in hundredths of a rabbit, or who wins.
    pub verdict: Option<Verdict>,
    /// What the mover got: 1, -1, or 0 if nobody knows.
    pub result: i8,
    pub validates: bool,
    /// A number of the position before, if the table says that it is the successor of one.
    pub parent: Option<u64>,
}

/// Whether this is a shard or a folder of shards.
pub fn has_shards(path: &str) -> bool {
    let path = Path::new(path);
    match path.is_dir() {
        true => ::learn::shard_files(path).is_ok_and(|files| !files.is_empty()),
        false => path.extension().is_some_and(|extension| extension == "shard"),
    }
}

/// The positions of shards at which a turn begins.
pub fn of_shards(path: &str, labels: &mut Vec<Label>) -> anyhow::Result<()> {
    for sample in Samples::<arimaa::Game>::open(Path::new(path), Inside::LeftOut)? {
        let sample = sample?;
        if sample.position.turn_starts() && sample.position.winner().is_none() {
            labels.push(Label {
                position: sample.position,
                verdict: sample.score.map(|score| score.verdict()),
                result: sample.result,
                validates: is_validation(sample.game),
                parent: None,
            });
        }
    }
    Ok(())
}

/// The positions of a table with the columns `position`, and `score` or `won` or both; `unit` is a rabbit in its scores.
pub fn of_table(path: &str, unit: f64, labels: &mut Vec<Label>) -> anyhow::Result<()> {
    let Some(sources) = sources_of(path, "a table of positions")? else {
        bail!("{path}: there is no such file or folder");
    };
    for source in sources {
        let text = source.text.as_ref().map_err(|(line, fault)| {
            anyhow::Error::msg(fault.clone()).context(source.place(*line).to_string())
        })?;
        let mut lines = (1..).zip(text.lines());
        let header = lines.next().map_or("", |(_, header)| header);
        let column = |name: &str| header.split('\t').position(|column| column.trim() == name);
        let Some(at) = column("position") else {
            bail!("{path}: the table has no column `position`, and this is no shard");
        };
        let (score, won, game) = (column("score"), column("won"), column("game"));
        let (parent, start) = (column("parent"), column("start"));
        for (line, row) in lines.filter(|(_, row)| !row.trim().is_empty()) {
            let place = || source.place(line).to_string();
            let cells: Vec<&str> = row.split('\t').collect();
            let number = |column: Option<usize>| cells.get(column?)?.trim().parse::<f64>().ok();
            let position = cells.get(at).copied().unwrap_or_default();
            let parsed: Result<Position, _> = position.parse();
            let score = number(score).map(|score| (score * 100.0 / unit).round() as i32);
            let result = match number(won) {
                Some(won) if won > 0.0 => 1,
                Some(_) => -1,
                None => 0,
            };
            let game = cells.get(game.unwrap_or(at)).copied().unwrap_or_default();
            let cell = |column: Option<usize>| cells.get(column?).copied();
            let parent = cell(parent).map(|parent| [parent, cell(start).unwrap_or("")].join("\t"));
            labels.push(Label {
                position: parsed.map_err(|error| anyhow::anyhow!("{error}")).with_context(place)?,
                verdict: score.map(|score| Verdict::Score(game::Score(score))),
                result,
                validates: fnv1a(game.as_bytes()).is_multiple_of(20),
                parent: parent.map(|parent| fnv1a(parent.as_bytes())),
            });
        }
    }
    Ok(())
}

impl Label {
    /// Whether both are successors of the same position.
    pub fn is_sibling(&self, other: &Label) -> bool {
        self.parent.is_some() && self.parent == other.parent
    }

    /// The score for the side that has moved to the position; a proof is worth so much.
    pub fn score_of_chooser(&self, most: f32) -> Option<f32> {
        let score = self.verdict?.as_score().0 as f32;
        Some((-score).clamp(-most, most))
    }

    /// The chance that Gold wins: by the score at that scale, and by the result, so much of it.
    pub fn target(&self, scale: f64, lambda: f64) -> Option<f64> {
        let by_score = self.verdict.map(|verdict| match verdict {
            Verdict::Score(score) => 1.0 / (1.0 + (-f64::from(score.0) / scale).exp()),
            Verdict::Proof(Proof::Win(_)) => 1.0,
            Verdict::Proof(Proof::Loss(_)) => 0.0,
        });
        let by_result = (self.result != 0).then(|| f64::from(self.result + 1) / 2.0);
        let chance = match (by_score, by_result) {
            (Some(score), Some(result)) => lambda * score + (1.0 - lambda) * result,
            (Some(score), None) => score,
            (None, Some(result)) => result,
            (None, None) => return None,
        };
        // Nothing is certain: an evaluation need not go to infinity.
        let chance = chance.clamp(0.01, 0.99);
        Some(if self.position.side() == arimaa::GOLD { chance } else { 1.0 - chance })
    }
}
