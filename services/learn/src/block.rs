//! A block of games as bytes: column by column, so that what is alike stands together and is
//! compressed well.

use arrayvec::ArrayVec;
use game::{BySide, PackedStep, Side};

use crate::{
    Ending, GameId, Learnable, MOST_STEPS, PackedScore, Participant, Reason, Searched, ShardGame,
    ShardTurn, StepOf,
};

// The flags of a turn.
const SEARCHED: u8 = 1;
const BY_CHANCE: u32 = 1;
const STEPS: u32 = 4;
const STEPS_MASK: u8 = 7;
const BRANCH: u8 = 1 << 7;

const _: () = assert!(MOST_STEPS <= STEPS_MASK as usize);

/// What the side that moved last thinks, after a turn.
fn last_score(before: i16, is_branch: bool, searched: Option<Searched>) -> i16 {
    match searched {
        _ if is_branch => before,
        Some(Searched { score: PackedScore(score), .. }) => score,
        None => before.wrapping_neg(),
    }
}

/// The games as bytes, not yet compressed.
pub fn write<G: Learnable>(games: &[ShardGame<G::Position>]) -> Vec<u8> {
    let mut columns = Columns::default();
    let mut starts = Vec::with_capacity(games.len() * G::POSITION_BYTES);
    for game in games {
        columns.ids.extend(game.id.0.to_le_bytes());
        G::write_position(&game.start, &mut starts);
        let BySide { first, second } = game.players;
        columns.players.push(first as u8 | (second as u8) << 1);
        columns.winners.push(game.ending.winner.map_or(2, |side| side as u8));
        columns.reasons.push(game.ending.reason.to_byte());
        columns.lengths.extend((game.turns.len() as u16).to_le_bytes());
        let mut last = 0_i16;
        for turn in &game.turns {
            let searched = if turn.searched.is_some() { SEARCHED } else { 0 };
            let steps = (turn.steps.len() as u8) << STEPS;
            let branch = if turn.is_branch { BRANCH } else { 0 };
            columns.flags.push(searched | turn.by_chance << BY_CHANCE | steps | branch);
            let expected = last.wrapping_neg();
            if let Some(Searched { score: PackedScore(score), depth }) = turn.searched {
                // What the mover thinks is near the opposite of what the other side thought.
                let [low, high] = zigzag(score.wrapping_sub(expected)).to_le_bytes();
                columns.scores_low.push(low);
                columns.scores_high.push(high);
                columns.depths.push(depth);
            }
            last = last_score(last, turn.is_branch, turn.searched);
            for step in &turn.steps {
                let [low, high] = step.pack().to_le_bytes();
                columns.steps_low.push(low);
                columns.steps_high.push(high);
            }
        }
    }
    let mut bytes = (games.len() as u32).to_le_bytes().to_vec();
    let Columns { ids, players, winners, reasons, lengths, .. } = &columns;
    let Columns { flags, scores_low, scores_high, depths, steps_low, steps_high, .. } = &columns;
    for column in [ids, &starts, players, winners, reasons, lengths, flags] {
        bytes.extend(column);
    }
    for column in [scores_low, scores_high, depths, steps_low, steps_high] {
        bytes.extend(column);
    }
    bytes
}

/// All but the starts, of the games and of their turns.
#[derive(Default)]
struct Columns {
    ids: Vec<u8>,
    players: Vec<u8>,
    winners: Vec<u8>,
    reasons: Vec<u8>,
    lengths: Vec<u8>,
    flags: Vec<u8>,
    scores_low: Vec<u8>,
    scores_high: Vec<u8>,
    depths: Vec<u8>,
    steps_low: Vec<u8>,
    steps_high: Vec<u8>,
}

/// Small numbers of either sign as small numbers.
fn zigzag(number: i16) -> u16 {
    ((number << 1) ^ (number >> 15)) as u16
}

fn unzigzag(number: u16) -> i16 {
    (number >> 1) as i16 ^ -((number & 1) as i16)
}

/// What is left to be read of a block.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let split = self.0.split_at_checked(count);
        let (taken, rest) = split.ok_or("the block is shorter than its own counts say")?;
        self.0 = rest;
        Ok(taken)
    }
}

/// Reads what [`write`] has written. An error tells what is wrong.
pub fn read<G: Learnable>(bytes: &[u8]) -> Result<Vec<ShardGame<G::Position>>, String> {
    let mut rest = Rest(bytes);
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte));
    let count = number(rest.take(4)?) as usize;
    // No product of a false count may overflow.
    if count > bytes.len() {
        return Err(format!("{count} games cannot be in a block of {} bytes", bytes.len()));
    }
    let ids = rest.take(8 * count)?;
    let starts = rest.take(G::POSITION_BYTES * count)?;
    let (players, winners) = (rest.take(count)?, rest.take(count)?);
    let (reasons, lengths) = (rest.take(count)?, rest.take(2 * count)?);
    let lengths: Vec<usize> = lengths.chunks_exact(2).map(|two| number(two) as usize).collect();
    let flags = rest.take(lengths.iter().sum())?;
    let searched = flags.iter().filter(|&&flags| flags & SEARCHED != 0).count();
    let (scores_low, scores_high) = (rest.take(searched)?, rest.take(searched)?);
    let depths = rest.take(searched)?;
    let steps = flags.iter().map(|&flags| usize::from(flags >> STEPS & STEPS_MASK)).sum();
    let (steps_low, steps_high) = (rest.take(steps)?, rest.take(steps)?);
    if !rest.0.is_empty() {
        return Err(format!("{} bytes are left over after the last column", rest.0.len()));
    }

    let mut flags = flags.iter();
    let mut scores = scores_low.iter().zip(scores_high).zip(depths);
    let mut steps = steps_low.iter().zip(steps_high);
    let mut games = Vec::with_capacity(count);
    for index in 0..count {
        let mut last = 0;
        let mut turns = Vec::with_capacity(lengths[index]);
        for &flags in flags.by_ref().take(lengths[index]) {
            let is_branch = flags & BRANCH != 0;
            let searched = (flags & SEARCHED != 0).then(|| scores.next()).flatten();
            let searched = searched.map(|((&low, &high), &depth)| {
                let score = unzigzag(u16::from_le_bytes([low, high])).wrapping_sub(last);
                Searched { score: PackedScore(score), depth }
            });
            last = last_score(last, is_branch, searched);
            let length = usize::from(flags >> STEPS & STEPS_MASK);
            let by_chance = flags >> BY_CHANCE & 7;
            if length > MOST_STEPS || usize::from(by_chance) > length {
                return Err(format!("{length} steps, {by_chance} of them by chance, are no turn"));
            }
            let turn = steps.by_ref().take(length).map(|(&low, &high)| {
                let bits = u16::from_le_bytes([low, high]);
                StepOf::<G>::unpack(bits).ok_or_else(|| format!("{bits:#06x} is no step"))
            });
            let steps = turn.collect::<Result<ArrayVec<_, MOST_STEPS>, String>>()?;
            turns.push(ShardTurn { steps, by_chance, searched, is_branch });
        }
        let bytes = G::POSITION_BYTES;
        let participant = |bit: u8| match players[index] >> bit & 1 {
            0 => Participant::Learner,
            _ => Participant::Opponent,
        };
        let reason = Reason::from_byte::<G>(reasons[index]);
        games.push(ShardGame {
            id: GameId(number(&ids[8 * index..][..8])),
            start: G::read_position(&starts[bytes * index..][..bytes])?,
            players: BySide { first: participant(0), second: participant(1) },
            ending: Ending {
                winner: Side::ALL.get(usize::from(winners[index])).copied(),
                reason: reason
                    .ok_or_else(|| format!("{} is no reason for an end", reasons[index]))?,
            },
            turns,
        });
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::selfplay::random_turn;

    /// Two games of a random player.
    fn block() -> Vec<u8> {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let game = |id| {
            let start = tzaar::Position::random_start(&mut rng);
            let mut game = tzaar::Game::new(start);
            let turns = (0..20).map_while(|ply| {
                let steps = random_turn(&mut game, &mut rng)?.0;
                let searched = Searched { score: PackedScore(ply * 100 - 700), depth: ply as u8 };
                let searched = (ply % 3 != 0).then_some(searched);
                let (by_chance, is_branch) = ((ply % 2) as u8, ply % 5 == 0);
                Some(ShardTurn { steps, by_chance, searched, is_branch })
            });
            let turns = turns.collect();
            let ending = Ending { winner: Some(Side::Second), reason: Reason::Proof };
            ShardGame { id: GameId(id), start, players: BySide::default(), ending, turns }
        };
        let games: Vec<_> = [7, 8].map(game).into();
        let bytes = write::<tzaar::Game>(&games);
        assert_eq!(read::<tzaar::Game>(&bytes).unwrap(), games);
        bytes
    }

    #[test]
    fn the_lowest_score_that_there_is_comes_back() {
        let mut games = read::<tzaar::Game>(&block()).unwrap();
        for turn in &mut games[0].turns {
            let searched = |searched| Searched { score: PackedScore(i16::MIN), ..searched };
            turn.searched = turn.searched.map(searched);
        }
        assert_eq!(read::<tzaar::Game>(&write::<tzaar::Game>(&games)).unwrap(), games);
    }

    #[test]
    fn games_are_read_as_they_were_written_and_nothing_panics_on_what_was_not() {
        let bytes = block();
        for place in 0..bytes.len() {
            for change in [1, 0x10, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[place] ^= change;
                let _ = read::<tzaar::Game>(&changed);
            }
            assert!(read::<tzaar::Game>(&bytes[..place]).is_err(), "{place} bytes");
        }
    }

    #[test]
    fn small_numbers_stay_small() {
        assert_eq!([0, -1, 1, -2, 2].map(zigzag), [0, 1, 2, 3, 4]);
        for number in [0, 1, -1, 1234, -1234, i16::MAX, i16::MIN] {
            assert_eq!(unzigzag(zigzag(number)), number);
        }
    }
}
