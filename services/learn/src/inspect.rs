//! What shards hold.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use engine::Verdict;
use game::{BySide, Position};
use rustc_hash::FxHashSet;

use crate::{
    Learnable, Participant, Shard, ShardError, ShardFault, ShardGame, ShardTurn, StepOf,
    shard_files,
};

/// What the shards of a folder hold, or a single one.
#[derive(Clone, Debug, Default)]
pub struct Inspection {
    /// How many files.
    pub shards: usize,
    /// Their bytes.
    pub bytes: u64,
    /// The generations.
    pub generations: BTreeSet<u16>,
    /// The engines, with all that changes their games.
    pub engines: BTreeSet<String>,
    /// The games, each counted once.
    pub games: usize,
    /// Games that were there before, which count for nothing.
    pub games_again: usize,
    /// Those with an opponent.
    pub games_against: usize,
    /// Games won by the first side, by the second side, by nobody.
    pub results: [usize; 3],
    /// How often games ended by what.
    pub reasons: BTreeMap<&'static str, usize>,
    /// The turns of the shortest game.
    pub shortest: usize,
    /// The turns of the longest game.
    pub longest: usize,
    /// All turns.
    pub turns: usize,
    /// Positions that were searched.
    pub searched: usize,
    /// Of these, those inside a turn.
    pub inside: usize,
    /// Of these, those after steps by chance that were taken back.
    pub branches: usize,
    /// Turns that were random as a whole.
    pub random: usize,
    /// Other turns without a score, such as those of the opponent.
    pub unscored: usize,
    /// Positions that were searched in an equal one before.
    pub duplicates: usize,
    /// The depth of all searches together.
    pub depth: u64,
    /// Searches that proved a win or a loss.
    pub proofs: usize,
    /// The scores that are no proofs, in order.
    pub scores: Vec<i16>,
}

impl Inspection {
    /// The score below which so many hundredths of all scores are.
    pub fn percentile(&self, percent: usize) -> Option<i16> {
        let last = self.scores.len().checked_sub(1)?;
        self.scores.get(last * percent / 100).copied()
    }

    /// Of how many bytes a turn is, all told.
    pub fn bytes_per_turn(&self) -> f64 {
        self.bytes as f64 / self.turns.max(1) as f64
    }

    /// How deep searches went on average, in steps.
    pub fn mean_depth(&self) -> f64 {
        self.depth as f64 / self.searched.max(1) as f64
    }

    /// Counts a game, whose turns are played again by the rules.
    fn add<G: Learnable>(
        &mut self,
        game: &ShardGame<G::Position>,
        keys: &mut FxHashSet<u64>,
    ) -> Result<(), String> {
        let BySide { first, second } = game.players;
        self.games_against += usize::from([first, second].contains(&Participant::Opponent));
        self.results[game.ending.winner.map_or(2, |side| side as usize)] += 1;
        *self.reasons.entry(game.ending.reason.word::<G>()).or_default() += 1;
        let length = game.turns.iter().filter(|turn| !turn.is_branch).count();
        self.branches += game.turns.len() - length;
        self.shortest = if self.games == 0 { length } else { self.shortest.min(length) };
        self.longest = self.longest.max(length);
        self.games += 1;
        self.turns += length;
        let mut count = |before: &G, turn: &ShardTurn<StepOf<G>>| match turn.searched {
            Some(searched) => {
                let mut position = before.position().clone();
                let by_chance = &turn.steps[..usize::from(turn.by_chance)];
                by_chance.iter().for_each(|&step| position.play(step));
                self.searched += 1;
                self.inside += usize::from(turn.by_chance > 0 && !turn.is_branch);
                self.duplicates += usize::from(!keys.insert(position.key().0));
                self.depth += u64::from(searched.depth);
                match searched.score.verdict() {
                    Verdict::Score(_) => self.scores.push(searched.score.0),
                    Verdict::Proof(_) => self.proofs += 1,
                }
            }
            None if turn.by_chance > 0 => self.random += 1,
            None => self.unscored += 1,
        };
        game.replay::<G>(&mut count).map_err(|fault| format!("game {:016x}: {fault}", game.id.0))
    }
}

/// Reads all that a shard or the shards of a folder hold.
pub fn inspect<G: Learnable>(path: &Path) -> Result<Inspection, ShardError> {
    let mut found = Inspection::default();
    let (mut ids, mut keys) = (FxHashSet::default(), FxHashSet::default());
    for path in shard_files(path)? {
        let mut shard = Shard::open(&path)?;
        let size = std::fs::metadata(&path).map_err(|error| ShardFault::from(error).at(&path, 0));
        found.shards += 1;
        found.bytes += size?.len();
        found.generations.insert(shard.header.generation);
        found.engines.insert(shard.header.engine.clone());
        let mut offset = shard.offset();
        while let Some(games) = shard.next_block::<G>()? {
            for game in games {
                if !ids.insert(game.id) {
                    found.games_again += 1;
                    continue;
                }
                let added = found.add::<G>(&game, &mut keys);
                added.map_err(|fault| ShardFault::Damaged(fault).at(&path, offset))?;
            }
            offset = shard.offset();
        }
    }
    found.scores.sort_unstable();
    Ok(found)
}
