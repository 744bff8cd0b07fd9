//! Tzaar, as the verbs see it.

mod engines;
mod exam;
mod facts;
mod method;
mod openings;
mod players;
mod text;

use std::sync::LazyLock;

use ::engine::ParameterError;
use arena::Exercise;
use game::{History, Score, Side};
use proof::Past;
use rand_chacha::ChaCha8Rng;
use search::{Parameters, turn_of};
use tzaar::{
    BestMove, Game, Outcome, Picture, Position, RecordError, Step, TextError, Turn, distinct_turns,
};
use tzaar_ai::{Estimate, Evaluation, Manner, Term};

pub use self::text::is_tzaar;

use self::openings::TzaarOpenings;
use self::players::{TzaarManner, TzaarPlayer};
use super::{Army, Course, Ended, Facts, GameName, Lister, Openings, Sport};
use crate::engine::{Declared, Engine};
use crate::host::Interface;
use crate::input::Content;
use crate::sheet::Sheet;
use crate::solve;

/// The game of Tzaar.
#[derive(Clone, Copy, Debug)]
pub struct Tzaar;

impl Sport for Tzaar {
    const NAME: GameName = GameName::Tzaar;
    const EXAMPLE: &'static str = "1 0 -1 0 … (163 numbers)";
    const LETTERS: [char; 2] = ['w', 'b'];
    const SIDES: [&'static str; 2] = ["White", "Black"];
    const SEEN_ENDINGS: &'static [&'static str] = &["type", "captures"];
    const ENGINES: &'static [Engine<Tzaar>] = engines::ENGINES;
    const PARAMETERS: Declared = &[Manner::DECLARED, Parameters::DECLARED];
    const INTERFACES: &'static [Interface] = &[Interface::Waltz];
    const NO_TEST: &'static str = "this is no test: expected a table whose header has a column \
                                   position, and best, avoid or win";
    const OPENINGS: &'static str = "random";
    const SETUPS: usize = 0;
    const TELLS_ORIGIN: bool = true;

    type Position = Position;
    type Game = Game;
    type Action = Turn;
    type Estimate = Estimate;
    type Manner = TzaarManner;
    type Player = TzaarPlayer;
    type Lister = DistinctTurns;
    type Tools = ();

    fn set_manner(manner: &mut TzaarManner, name: &str, value: &str) -> Result<(), ParameterError> {
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

    /// WALTZ does not tell its parts; great values of it were brought nearer for the search, and are taken back.
    fn evaluation(estimate: &Estimate, position: &Position) -> Sheet {
        let score = match estimate {
            Estimate::Tusk(own) => own.evaluate(position),
            Estimate::Waltz(waltz) => Score(waltz.value(position)),
        };
        let term = |term: Term| Some((term.name(), own_of(estimate)?.term(position, term)));
        let (preset, unit) = match estimate {
            Estimate::Tusk(_) => ("tusk", "200ths of the logarithm of the odds"),
            Estimate::Waltz(_) => ("waltz", "points of WALTZ"),
        };
        let balance = if position.side() == Side::First { score.0 } else { -score.0 };
        let rows = Term::ALL.into_iter().filter_map(term).collect();
        Sheet { preset, unit, rows, goals: None, balance, score }
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

/// Tusk's own evaluation, which tells what it consists of.
fn own_of(estimate: &Estimate) -> Option<&Evaluation> {
    match estimate {
        Estimate::Tusk(evaluation) => Some(evaluation),
        Estimate::Waltz(_) => None,
    }
}

/// Each turn begins with a capture: no position comes about twice.
static NO_PAST: LazyLock<History> = LazyLock::new(History::new);

impl Course for Game {
    type Position = Position;
    type Action = Turn;

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
