//! Who plays Arimaa, and from where the games of a match begin.

use std::str::FromStr;

use arena::Interface;
use arimaa::{Board, GOLD, Game, SILVER};
use arimaa_ai::{choose_setup, engines};
use engine::{Catalogue, Engine, Limits, Stop, Verdict};
use game::Steps;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::Arimaa;
use crate::playing::{Catalogues, Openings, Playing, read_openings};

impl Playing for Arimaa {
    const OPENINGS: &'static str = "setups";
    const INTERFACES: &'static [Interface] =
        &[Interface::Aei, Interface::AeiMoves, Interface::Getmove];

    fn engines(catalogues: &Catalogues) -> &Catalogue<Game> {
        &catalogues.arimaa
    }

    fn openings(text: &str) -> Result<Box<dyn Openings>, String> {
        Ok(Box::new(text.parse::<ArimaaOpenings>()?))
    }
}

/// From where the games of a match begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArimaaOpenings {
    /// The empty board: the engines set up for themselves.
    Empty,
    /// Setups of the library for both sides.
    Setups,
    /// After so many random turns from such setups, such that neither side stands better.
    Random(u8),
    /// Positions or games of a file.
    Read(String),
}

/// How deep a search looks at a random opening: two turns.
const DEPTH: Steps = Steps(8);

/// How much better a side may stand: half of what is seen as a rabbit.
const BALANCE: i32 = 100;

/// After so many tries the most even one has to do.
const TRIES: u32 = 40;

impl FromStr for ArimaaOpenings {
    type Err = String;

    fn from_str(text: &str) -> Result<ArimaaOpenings, String> {
        let number = |turns: &str| match turns.parse() {
            Ok(turns @ 1..=40) => Ok(ArimaaOpenings::Random(turns)),
            _ => Err(format!("{turns:?}: expected a number of turns from 1 to 40")),
        };
        match text {
            "empty" => Ok(ArimaaOpenings::Empty),
            "setups" => Ok(ArimaaOpenings::Setups),
            "random" => Ok(ArimaaOpenings::Random(4)),
            _ => match text.strip_prefix("random:") {
                Some(turns) => number(turns),
                None => Ok(ArimaaOpenings::Read(text.to_string())),
            },
        }
    }
}

impl Openings for ArimaaOpenings {
    fn make(&self, count: usize, seed: u64, told: &dyn Fn()) -> anyhow::Result<Vec<String>> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let each = |make: &mut dyn FnMut() -> Game| -> Vec<String> {
            let record = |_| {
                told();
                make().to_string()
            };
            (0..count).map(record).collect()
        };
        match self {
            ArimaaOpenings::Empty => Ok(vec![String::new()]),
            ArimaaOpenings::Setups => Ok(each(&mut || set_up(&mut rng))),
            ArimaaOpenings::Random(turns) => {
                let mut judge = judge()?;
                Ok(each(&mut || balanced(*turns, &mut judge, &mut rng)))
            }
            ArimaaOpenings::Read(pos) => read_openings::<Arimaa>(pos, count),
        }
    }
}

/// Both setups of the library.
fn set_up(rng: &mut ChaCha8Rng) -> Game {
    let mut game = Game::new();
    for side in [GOLD, SILVER] {
        let opponent: Board = *game.position().board();
        let setup = choose_setup(side, &opponent, rng);
        game.set_up(setup).expect("the setup of that side is awaited");
    }
    game
}

/// Who says how a side stands: Tusk's own search.
fn judge() -> anyhow::Result<impl Engine<Game>> {
    Ok(engines::ENGINES[0].configure().build()?)
}

/// A game after random turns in which neither side stands much better.
fn balanced(turns: u8, judge: &mut impl Engine<Game>, rng: &mut ChaCha8Rng) -> Game {
    let mut best: Option<(i32, Game)> = None;
    for _ in 0..TRIES {
        let mut game = set_up(rng);
        for _ in 0..turns {
            if let Some(turn) = game.random_turn(rng) {
                game.try_play(turn).expect("a random turn is legal");
            }
        }
        let Some(lead) = lead(&game, judge) else { continue };
        if lead <= BALANCE {
            return game;
        }
        if best.as_ref().is_none_or(|(least, _)| lead < *least) {
            best = Some((lead, game));
        }
    }
    best.map_or_else(|| set_up(rng), |(_, game)| game)
}

/// By how much one of the sides stands better, unless it is won.
fn lead(game: &Game, judge: &mut impl Engine<Game>) -> Option<i32> {
    if game.outcome().is_some() {
        return None;
    }
    judge.new_game();
    let found = judge.analyse(game, &Limits::depth(DEPTH), &Stop::new(), &mut |_| ());
    match found?.verdict()? {
        Verdict::Score(score) => Some(score.0.abs()),
        Verdict::Proof(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use arimaa::Army;

    use super::*;

    #[test]
    fn random_openings_are_even_and_the_same_for_the_same_seed() {
        let make = || ArimaaOpenings::Random(2).make(3, 5, &|| ()).unwrap();
        let openings = make();
        assert_eq!(openings, make());
        assert_ne!(openings[0], openings[1]);
        for opening in &openings {
            let game = Game::parse(opening, Army::Full).unwrap();
            assert_eq!(game.actions().count(), 4);
            assert!(lead(&game, &mut judge().unwrap()).is_some_and(|lead| lead <= BALANCE));
        }
    }
}
