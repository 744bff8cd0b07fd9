use std::path::Path;

use game::Position;
use rand::seq::IndexedRandom as _;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::selfplay::random_turn;
use crate::{Learnable, Setups, Shard, ShardError, ShardFault, ShardGame, shard_files};

/// Where the games of self-play begin.
#[derive(Clone, Debug)]
pub struct Openings<P> {
    /// Positions that were asked for; if there are any, all games begin at one of them.
    pub given: Vec<P>,
    /// Positions of games of earlier generations.
    pub earlier: Vec<P>,
    /// The setups of the other games.
    pub setups: Setups,
}

/// The share of games that begin at a position of an earlier game, where there are some: enough to see
/// what the engine itself leads to, and not so much that its old mistakes are all it sees.
const EARLIER_SHARE: f64 = 0.2;

/// The share of openings that random turns follow. The others begin with a turn whose first steps are
/// random.
const RANDOM_TURNS_SHARE: f64 = 0.75;

/// After each random turn comes another one with this chance: half of these openings have none, and one is
/// the average.
const ANOTHER_TURN: f64 = 0.5;

/// More random turns leave positions as no game has them.
const MOST_RANDOM_TURNS: usize = 6;

/// Games are seldom over before they begin.
const TRIES: usize = 100;

impl<P> Default for Openings<P> {
    fn default() -> Openings<P> {
        Openings { given: Vec::new(), earlier: Vec::new(), setups: Setups::default() }
    }
}

/// From where a game begins.
pub(crate) struct Opening<P> {
    pub start: P,
    /// Whether the first turn begins with random steps.
    pub random_steps: bool,
}

impl<P: Position> Openings<P> {
    /// From where a game begins, by chance.
    pub(crate) fn choose<G: Learnable<Position = P>>(&self, rng: &mut impl Rng) -> Opening<P> {
        let random_steps = !rng.random_bool(RANDOM_TURNS_SHARE);
        for _ in 0..TRIES {
            let mut game = G::begin_at(&self.position::<G>(rng));
            let mut turns = 0;
            while !random_steps && turns < MOST_RANDOM_TURNS && rng.random_bool(ANOTHER_TURN) {
                random_turn(&mut game, rng);
                turns += 1;
            }
            if game.ended().is_none() {
                return Opening { start: game.position().clone(), random_steps };
            }
        }
        Opening { start: G::random_opening(self.setups, rng), random_steps }
    }

    fn position<G: Learnable<Position = P>>(&self, rng: &mut impl Rng) -> P {
        let from_earlier = self.given.is_empty() && rng.random_bool(EARLIER_SHARE);
        let positions = if from_earlier { &self.earlier } else { &self.given };
        positions.choose(rng).cloned().unwrap_or_else(|| G::random_opening(self.setups, rng))
    }
}

/// Positions of games of the generations before this one, at most `count`, each game as likely: the same
/// ones for the same seed, while the shards of earlier generations do not change.
pub fn earlier_positions<G: Learnable>(
    folder: &Path,
    generation: u16,
    count: usize,
    seed: u64,
) -> Result<Vec<G::Position>, ShardError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut reservoir: Vec<ShardGame<G::Position>> = Vec::new();
    let mut seen = 0;
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    for path in shard_files(folder)? {
        let mut shard = match Shard::open(&path) {
            Err(ShardError { fault: ShardFault::CutOff, .. }) => continue,
            shard => shard?,
        };
        if shard.header.generation >= generation || shard.header.game != G::NAME {
            continue;
        }
        loop {
            let games = match shard.next_block::<G>() {
                // Its writer was killed: what is there will do.
                Ok(None) | Err(ShardError { fault: ShardFault::CutOff, .. }) => break,
                games => games?.unwrap_or_default(),
            };
            for game in games.into_iter().filter(|game| !game.turns.is_empty()) {
                seen += 1;
                match rng.random_range(0..seen) {
                    _ if reservoir.len() < count => reservoir.push(game),
                    place if place < count => reservoir[place] = game,
                    _ => (),
                }
            }
        }
    }
    let position = |game: &ShardGame<G::Position>| {
        let mut position = game.start.clone();
        // Branches were taken back: only the others lead to the positions of the game.
        let played = || game.turns.iter().filter(|turn| !turn.is_branch);
        let turns = rng.random_range(0..played().count().max(1));
        played().take(turns).for_each(|turn| G::play_turn(&mut position, &turn.steps));
        position
    };
    let positions = reservoir.iter().map(position);
    Ok(positions.filter(|position| position.winner().is_none()).collect())
}
