use std::path::Path;

use engine::Verdict;
use game::{KeyGenerator, Position, Proof, Score};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;

use crate::train::sigmoid;
use crate::{GameId, Games, Learnable, PackedScore, ShardError, ShardGame, games};

/// A position to learn from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample<P> {
    /// The position, at the start of a turn or inside one.
    pub position: P,
    /// How the side to move stands by a search; none where there was no search.
    pub score: Option<PackedScore>,
    /// What the game came to for the side to move: 1 won, -1 lost, 0 neither.
    pub result: i8,
    /// How many turns of the game came before.
    pub ply: u16,
    /// The game.
    pub game: GameId,
    /// The generation of the game.
    pub generation: u16,
}

/// Whether the positions inside the turns are samples that were played and not searched themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Inside {
    /// They are left out.
    #[default]
    LeftOut,
    /// Those on the way of a turn that was searched have the score of its search.
    Included,
}

/// Which positions of shards are samples, and what their scores are.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Selection {
    /// Whether positions inside the turns are.
    pub inside: Inside,
    /// The most positions of a game, chosen at random; without it, all. Positions of a game are alike and have one
    /// result: many games with few positions each teach more than few games with many.
    pub most_per_game: Option<usize>,
    /// Whether scores that are no proofs are left out: those of an untrained net say nothing.
    pub proofs_only: bool,
    /// Where later searches of the game count too, in place of the search of the position alone.
    pub returns: Option<Returns>,
}

/// The returns of TD(λ) as scores: the search of a turn counts `1 - decay` and what came after it `decay`, to the result of
/// the game. A search a few turns later knows more than one now, and less of chance than the result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Returns {
    /// From 0, where the search of the turn alone counts, to 1, where only the result does.
    pub decay: f32,
    /// The score at which the odds to win are `e` to 1.
    pub scale: f32,
}

impl Returns {
    /// Returns are not closer to certainty than this: only proofs are certain.
    const LEAST: f32 = 0.001;

    /// The chance to win of a score.
    fn chance(&self, score: PackedScore) -> f32 {
        match score.verdict() {
            Verdict::Proof(Proof::Win(_)) => 1.0,
            Verdict::Proof(Proof::Loss(_)) => 0.0,
            Verdict::Score(_) => sigmoid(f32::from(score.0) / self.scale),
        }
    }

    /// The score of a chance to win.
    fn score(&self, chance: f32) -> PackedScore {
        let chance = chance.clamp(Self::LEAST, 1.0 - Self::LEAST);
        let score = self.scale * (chance / (1.0 - chance)).ln();
        PackedScore::new(Verdict::Score(Score(score.round() as i32)))
    }
}

impl From<Inside> for Selection {
    fn from(inside: Inside) -> Selection {
        Selection { inside, ..Selection::default() }
    }
}

/// Of each hundred games, so many are for validation.
const VALIDATION_PERCENT: u64 = 5;

/// Whether a game is for validation: all positions of a game are on the same side of the split.
pub fn is_validation(game: GameId) -> bool {
    KeyGenerator::new(game.0).next_key().0 % 100 < VALIDATION_PERCENT
}

impl<P: Position> ShardGame<P> {
    /// A game with returns in place of the scores of its turns. Proofs stay, and so do the scores of branches:
    /// nothing came after those.
    fn with_returns(mut self, returns: Returns) -> ShardGame<P> {
        let plies = self.turns.iter().filter(|turn| !turn.is_branch).count();
        // The chance to win of the side that moves after the last turn.
        let mover_after = if plies % 2 == 0 { self.start.side() } else { !self.start.side() };
        let mut after = self.ending.winner.map(|side| if side == mover_after { 1.0 } else { 0.0 });
        for turn in self.turns.iter_mut().rev().filter(|turn| !turn.is_branch) {
            let later = after.map(|chance| 1.0 - chance);
            after = later;
            let Some(searched) = &mut turn.searched else { continue };
            let own = returns.chance(searched.score);
            if matches!(searched.score.verdict(), Verdict::Proof(_)) {
                after = Some(own);
                continue;
            }
            let chance = later.map_or(own, |later| own + returns.decay * (later - own));
            searched.score = returns.score(chance);
            after = Some(chance);
        }
        self
    }

    /// The positions of the game. A turn that was searched has the position of its search, which may be inside
    /// the turn; another one has its start, without a score.
    pub fn samples<G: Learnable<Position = P>>(
        &self,
        generation: u16,
        inside: Inside,
    ) -> Vec<Sample<P>> {
        let mut samples = Vec::with_capacity(self.turns.len());
        let mut start = self.start.clone();
        let mut ply = 0;
        for turn in &self.turns {
            let score = turn.searched.map(|searched| searched.score);
            let (before, after) = match score {
                Some(_) => turn.steps.split_at(usize::from(turn.by_chance)),
                None => (&[][..], &[][..]),
            };
            let mut position = start.clone();
            before.iter().for_each(|&step| position.play(step));
            let sample = |position: &P| Sample {
                position: position.clone(),
                score,
                result: match self.ending.winner {
                    // What chance would have led to is not known.
                    _ if turn.is_branch => 0,
                    None => 0,
                    Some(winner) if winner == position.side() => 1,
                    Some(_) => -1,
                },
                ply,
                game: self.id,
                generation,
            };
            samples.push(sample(&position));
            if turn.is_branch {
                continue;
            }
            if inside == Inside::Included {
                for &step in after {
                    position.play(step);
                    if position.turn_starts() || position.side() != start.side() {
                        break;
                    }
                    if !position.is_idle() {
                        samples.push(sample(&position));
                    }
                }
            }
            G::play_turn(&mut start, &turn.steps);
            ply += 1;
        }
        samples
    }
}

impl<P> Sample<P> {
    fn keep_only_proofs(&mut self) {
        self.score = self.score.filter(|score| score.verdict().proof().is_some());
    }
}

/// The samples of some shards. Each game counts once, and so does each position: the first of several
/// equal ones.
pub struct Samples<G: Learnable> {
    games: Games<G>,
    selection: Selection,
    /// The games and the positions that were there.
    game_ids: FxHashSet<GameId>,
    keys: FxHashSet<u64>,
    waiting: std::vec::IntoIter<Sample<G::Position>>,
}

impl<G: Learnable> Samples<G> {
    /// Those of a shard, or of all shards of a folder.
    pub fn open(path: &Path, selection: impl Into<Selection>) -> Result<Samples<G>, ShardError> {
        Ok(Samples {
            games: games(path)?,
            selection: selection.into(),
            game_ids: FxHashSet::default(),
            keys: FxHashSet::default(),
            waiting: Vec::new().into_iter(),
        })
    }
}

impl<G: Learnable> Iterator for Samples<G> {
    type Item = Result<Sample<G::Position>, ShardError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let keys = &mut self.keys;
            if let Some(sample) = self.waiting.find(|sample| keys.insert(sample.position.key().0)) {
                return Some(Ok(sample));
            }
            match self.games.next()? {
                Err(error) => return Some(Err(error)),
                Ok((generation, game)) => {
                    if self.game_ids.insert(game.id) {
                        let Selection { inside, most_per_game, proofs_only, returns } =
                            self.selection;
                        let game = match returns.filter(|_| !proofs_only) {
                            Some(returns) => game.with_returns(returns),
                            None => game,
                        };
                        let mut samples = game.samples::<G>(generation, inside);
                        if proofs_only {
                            samples.iter_mut().for_each(Sample::keep_only_proofs);
                        }
                        if let Some(most) = most_per_game {
                            let mut rng = ChaCha8Rng::seed_from_u64(game.id.0);
                            samples = samples.partial_shuffle(&mut rng, most).0.to_vec();
                        }
                        self.waiting = samples.into_iter();
                    }
                }
            }
        }
    }
}
