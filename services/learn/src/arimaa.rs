//! What is learned of Arimaa.

use arimaa::{Action, Board, GOLD, Game, Kind, Piece, Position, SILVER, Setup, Square, Step, Turn};
use arimaa_ai::choose_setup;
use game::Steps;
use rand::{Rng, RngExt};

use crate::learnable::read_side;
use crate::{Learnable, Setups, TurnSteps};

/// The share of setups that come from the library: what is played most should be known best.
const LIBRARY_SHARE: f64 = 0.7;

/// The bit of a nibble that says whose piece it is; the others are its kind.
const SILVER_BIT: u8 = 8;

impl Learnable for Game {
    const NAME: &'static str = "arimaa";

    // A nibble a square, and the side.
    const POSITION_BYTES: usize = 33;

    const ENDINGS: &'static [&'static str] =
        &["goal", "elimination", "immobilisation", "repetition"];

    // One score in twenty is beyond that (2026-11): most games in which it stays there are won.
    const RESIGN_SCORE: i16 = 1500;

    fn write_position(position: &Position, bytes: &mut Vec<u8>) {
        let nibble = |index: usize| {
            let piece = Square::new(index).and_then(|square| position.board().piece_at(square));
            piece.map_or(0, |Piece { side, kind }| {
                kind as u8 | if side == SILVER { SILVER_BIT } else { 0 }
            })
        };
        bytes.extend((0..32).map(|pair| nibble(2 * pair) | nibble(2 * pair + 1) << 4));
        bytes.push(position.side() as u8);
    }

    fn read_position(bytes: &[u8]) -> Result<Position, String> {
        let (&side, squares) = bytes.split_last().ok_or("there is no position")?;
        let side = read_side(side)?;
        let nibbles = squares.iter().flat_map(|byte| [byte & 15, byte >> 4]);
        let mut board = Board::EMPTY;
        for (square, nibble) in Square::all().zip(nibbles).filter(|&(_, nibble)| nibble != 0) {
            let kind = Kind::ALL.into_iter().find(|&kind| kind as u8 == nibble & !SILVER_BIT);
            let kind = kind.ok_or_else(|| format!("{nibble} is no piece ({square})"))?;
            let side = if nibble & SILVER_BIT == 0 { GOLD } else { SILVER };
            board.put(Piece { side, kind }, square);
        }
        Ok(Position::new(board, side))
    }

    fn steps_left(position: &Position) -> Steps {
        position.steps_left()
    }

    fn begin_at(position: &Position) -> Game {
        Game::from_position(*position)
    }

    fn inside(&self, steps: &[Step]) -> Option<Game> {
        self.inside(steps).ok()
    }

    fn steps(action: Action) -> TurnSteps<Game> {
        match action {
            Action::Setup(_) => TurnSteps::<Game>::new(),
            Action::Turn(turn) => turn.steps().collect(),
        }
    }

    fn play_turn(position: &mut Position, steps: &[Step]) {
        let turn = steps.iter().fold(Turn::EMPTY, |turn, &step| turn.then(step));
        position.play_turn_unchecked(turn);
    }

    /// Each side sets up by itself: so library meets library most often, and sometimes chance.
    fn random_opening(setups: Setups, rng: &mut impl Rng) -> Position {
        let mut game = Game::new();
        for side in [GOLD, SILVER] {
            let from_library = setups == Setups::Library && rng.random_bool(LIBRARY_SHARE);
            let setup = match from_library {
                true => choose_setup(side, game.position().board(), rng),
                false => Setup::random(side, rng),
            };
            game.set_up(setup).expect("the setup of that side is awaited");
        }
        *game.position()
    }
}
