//! Tzaar, as the verbs see it.

mod engines;
mod exam;
mod facts;
mod method;
mod openings;
mod text;

use std::sync::LazyLock;

use arena::Exercise;
use game::{History, Side};
use proof::Past;
use rand_chacha::ChaCha8Rng;
use search::{Declaration, Limits, ParameterError, Report, Stop, turn_of};
use tzaar::{
    BestMove, Game, Outcome, Picture, Position, RecordError, Step, TextError, Turn, distinct_turns,
};
use tzaar_ai::{Estimate, Manner, Player};

pub use self::text::is_tzaar;

use self::openings::TzaarOpenings;
use super::{Army, Course, Ended, Facts, GameName, Lister, Openings, Sport};
use crate::engine::{Engine, Settings};
use crate::host::Interface;
use crate::input::Content;
use crate::{solve, sport};

/// The game of Tzaar.
#[derive(Clone, Copy, Debug)]
pub struct Tzaar;

impl Sport for Tzaar {
    const NAME: GameName = GameName::Tzaar;
    const EXAMPLE: &'static str = "1 …, WALTZ's 163 numbers";
    const LETTERS: [char; 2] = ['w', 'b'];
    const SIDES: [&'static str; 2] = ["White", "Black"];
    const SEEN_ENDINGS: &'static [&'static str] = &["type", "captures"];
    const ENGINES: &'static [Engine<Tzaar>] = engines::ENGINES;
    const MANNER: &'static [Declaration] = Manner::DECLARATIONS;
    const INTERFACES: &'static [Interface] = &[Interface::Waltz];
    const NO_TEST: &'static str = "this is no test: expected a table whose header has a column \
                                   position, and best or avoid";
    const OPENINGS: &'static str = "random";
    const TELLS_ORIGIN: bool = true;

    type Position = Position;
    type Game = Game;
    type Deed = Turn;
    type Estimate = Estimate;
    type Manner = Manner;
    type Player = Player;
    type Lister = DistinctTurns;
    type Tools = ();

    fn set_manner(manner: &mut Manner, name: &str, value: &str) -> Result<(), ParameterError> {
        manner.set(name, value)
    }

    fn read_whole(text: &str, _: Army) -> Option<Result<Content<Tzaar>, (usize, String)>> {
        text::read_whole(text)
    }

    fn read_line(line: &str) -> Result<Content<Tzaar>, String> {
        text::read_line(line)
    }

    fn read_movelist(moves: &str, _: Army) -> Result<Content<Tzaar>, String> {
        text::read_movelist(moves)
    }

    fn is_origin(line: &str) -> bool {
        text::is_position(line)
    }

    fn facts<'a>(
        content: &'a Content<Tzaar>,
        (): &mut (),
        estimate: Option<&Estimate>,
    ) -> Box<dyn Facts + 'a> {
        Box::new(facts::Glance::of(content, estimate))
    }

    fn evaluation(estimate: &Estimate, position: &Position) -> Vec<String> {
        facts::evaluation(estimate, position)
    }

    fn line(position: &Position, steps: &[Step]) -> Vec<String> {
        let mut position = *position;
        let mut turns = Vec::new();
        let mut rest = steps;
        while !rest.is_empty() {
            let turn = turn_of(&position, rest);
            rest = &rest[turn.len()..];
            let words: Vec<String> = turn.iter().map(Step::to_string).collect();
            turns.push(words.join(" "));
            turn.iter().for_each(|&step| game::Position::play(&mut position, step));
        }
        turns
    }

    /// The player places its pieces itself.
    fn prepare(_: &Game, _: &mut ChaCha8Rng) -> Option<Turn> {
        None
    }

    fn by_chance(game: &Game, rng: &mut ChaCha8Rng) -> Option<Turn> {
        game.random_turn(rng)
    }

    fn method(arguments: &solve::Arguments) -> anyhow::Result<Box<dyn solve::Method<Tzaar>>> {
        method::new(arguments)
    }

    fn openings(text: &str) -> Result<Box<dyn Openings>, String> {
        Ok(Box::new(text.parse::<TzaarOpenings>()?))
    }

    fn is_table_of_tests(header: &str) -> bool {
        exam::is_table(header)
    }

    fn read_test(header: &str, row: &str) -> Result<Option<Box<dyn Exercise>>, String> {
        exam::read_row(header, row)
    }

    fn read_whole_test(_: &str) -> Option<Result<Box<dyn Exercise>, (usize, String)>> {
        None
    }

    fn read_answer(file: &str) -> Result<String, String> {
        let best: BestMove = file.parse().map_err(|error: TextError| error.to_string())?;
        Ok(best.turn.to_string())
    }
}

/// Each turn begins with a capture: no position comes about twice.
static NO_PAST: LazyLock<History> = LazyLock::new(History::new);

impl Course for Game {
    type Position = Position;
    type Deed = Turn;

    fn begin(opening: &str) -> Result<(Game, Option<Position>), String> {
        if opening.trim().is_empty() {
            return Ok((Game::new(Position::tournament_start()), None));
        }
        let game: Game = opening.parse().map_err(|error: RecordError| error.to_string())?;
        let origin = Course::origin(&game);
        Ok((game, origin))
    }

    fn parse(record: &str, _: Army) -> Result<Game, (usize, String)> {
        record.parse().map_err(|error: RecordError| {
            (error.line, format!("column {}: {}", error.column, error.fault))
        })
    }

    fn origin(&self) -> Option<Position> {
        Some(*self.start()).filter(|start| *start != Position::tournament_start())
    }

    fn position(&self) -> &Position {
        self.position()
    }

    fn history(&self) -> &History {
        &NO_PAST
    }

    fn proof_past(&self) -> Vec<Past> {
        Vec::new()
    }

    fn ending(&self) -> Option<Ended> {
        let outcome: Outcome = self.outcome()?;
        let (winner, reason) = (outcome.winner, outcome.reason.name());
        Some(Ended { winner, reason, sentence: outcome.to_string() })
    }

    fn label(&self) -> String {
        self.label()
    }

    fn awaits(&self) -> Option<Side> {
        None
    }

    fn turns(&self) -> Vec<String> {
        self.turns().map(|turn| turn.to_string()).collect()
    }

    fn play(&mut self, turn: &str, _: Army) -> Result<(), String> {
        self.play_text(turn).map_err(|error| error.to_string())
    }

    fn notation(&self, turn: Turn) -> String {
        turn.to_string()
    }

    fn picture(&self) -> String {
        Picture(*self.position()).to_string()
    }
}

impl sport::Player<Tzaar> for Player {
    fn new(settings: &Settings<Tzaar>) -> Player {
        let Settings { estimate, parameters, manner, mebibytes, threads } = *settings;
        let mut player = Player::new(estimate, parameters, mebibytes, threads);
        player.manner = manner;
        player
    }

    fn forget(&mut self) {
        self.forget();
    }

    fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        rng: &mut ChaCha8Rng,
        tell: &mut dyn FnMut(&Report<Step>),
    ) -> Option<(Turn, Report<Step>)> {
        let choice = self.choose(game.position(), *limits, stop, rng, tell)?;
        Some((Turn::from_steps(&choice.turn)?, choice.report))
    }
}

/// Who lists distinct turns.
#[derive(Default)]
pub struct DistinctTurns;

impl Lister<Position> for DistinctTurns {
    fn count(&mut self, position: &Position) -> usize {
        distinct_turns(position).len()
    }

    fn after(&mut self, position: &Position) -> Vec<Position> {
        let after = distinct_turns(position).into_iter().map(|(_, after)| after);
        after.filter(|after| after.outcome().is_none()).collect()
    }
}
