//! What is learned of Tzaar.

use game::{Position as _, Steps};
use rand::{Rng, RngExt};
use tzaar::{Board, Field, Game, Kind, Phase, Position, Side, Stack, Step, Turn};

use crate::learnable::read_side;
use crate::{Learnable, Setups, TurnSteps};

/// The share of games that begin at the official start; the others at boards that chance has filled.
const FIXED_SHARE: f64 = 0.1;

// A stack is a byte: five bits for its height, two for its kind, one for its side.
const KIND: u32 = 5;
const SECOND_BIT: u8 = 1 << 7;

/// Of the last byte: pieces are still being placed.
const PLACING: u8 = 2;

impl Learnable for Game {
    const NAME: &'static str = "tzaar";

    // A byte a field, and one for the side and the phase.
    const POSITION_BYTES: usize = Field::COUNT + 1;

    const ENDINGS: &'static [&'static str] = &["type", "captures"];

    // Scores hardly get there, 99 % are below 600 (2026-11): games of Tzaar end by proof before.
    const RESIGN_SCORE: i16 = 3000;

    fn write_position(position: &Position, bytes: &mut Vec<u8>) {
        bytes.extend(Field::all().map(|field| match position.board().stack_at(field) {
            None => 0,
            Some(Stack { side, kind, height }) => {
                height | (kind as u8) << KIND | if side == Side::Second { SECOND_BIT } else { 0 }
            }
        }));
        let placing = if position.phase() == Phase::Placing { PLACING } else { 0 };
        bytes.push(position.side() as u8 | placing);
    }

    fn read_position(bytes: &[u8]) -> Result<Position, String> {
        let (&last, fields) = bytes.split_last().ok_or("there is no position")?;
        let side = read_side(last & !PLACING)?;
        let mut stacks = Vec::with_capacity(Field::COUNT);
        for (field, &byte) in Field::all().zip(fields).filter(|&(_, &byte)| byte != 0) {
            let kind = Kind::ALL.get(usize::from((byte & !SECOND_BIT) >> KIND)).copied();
            let kind = kind.ok_or_else(|| format!("{byte} is no stack ({field})"))?;
            let owner = if byte & SECOND_BIT == 0 { Side::First } else { Side::Second };
            stacks.push((field, Stack { side: owner, kind, height: byte & ((1 << KIND) - 1) }));
        }
        let board = Board::new(stacks).map_err(|error| error.to_string())?;
        let position = match last & PLACING {
            0 => Position::new(board, side),
            _ => Position::placing(board, side),
        };
        position.map_err(|error| error.to_string())
    }

    fn steps_left(position: &Position) -> Steps {
        Steps(if position.turn_starts() { 2 } else { 1 })
    }

    fn begin_at(position: &Position) -> Game {
        Game::new(*position)
    }

    fn inside(&self, steps: &[Step]) -> Option<Game> {
        let mut position = *self.position();
        for &step in steps {
            position.steps().contains(&step).then(|| game::Position::play(&mut position, step))?;
        }
        (position.side() == self.position().side()).then(|| Game::new(position))
    }

    fn steps(turn: Turn) -> TurnSteps<Game> {
        turn.steps().collect()
    }

    fn play_turn(position: &mut Position, steps: &[Step]) {
        steps.iter().for_each(|&step| game::Position::play(position, step));
    }

    fn random_opening(_: Setups, rng: &mut impl Rng) -> Position {
        match rng.random_bool(FIXED_SHARE) {
            true => Position::fixed_start(),
            false => Position::random_start(rng),
        }
    }
}
