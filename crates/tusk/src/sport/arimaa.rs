//! Arimaa, as the verbs see it.

mod engines;
mod exam;
mod facts;
mod method;
mod openings;
mod text;

use ::engine::ParameterError;
use arena::Exercise;
use arimaa::{
    Action, Army, GOLD, Game, Outcome, Picture, Position, Side, Step, TextError, Turn,
    TurnGenerator,
};
use arimaa_ai::{Estimate, Manner, Named, Player, Terms, choose_setup, first_turn};
use game::{BySide, History};
use proof::Past;
use rand_chacha::ChaCha8Rng;
use search::{Limits, Parameters, Report, Stop};

use self::openings::ArimaaOpenings;
use super::{Course, Ended, Facts, GameName, Lister, Openings, Sport};
use crate::engine::{Declared, Engine, Settings};
use crate::host::Interface;
use crate::input::Content;
use crate::sheet::Sheet;
use crate::{solve, sport};

/// The game of Arimaa.
#[derive(Clone, Copy, Debug)]
pub struct Arimaa;

impl Sport for Arimaa {
    const NAME: GameName = GameName::Arimaa;
    const EXAMPLE: &'static str = "g [64 characters]";
    const LETTERS: [char; 2] = ['g', 's'];
    const SIDES: [&'static str; 2] = ["Gold", "Silver"];
    const SEEN_ENDINGS: &'static [&'static str] = &["goal", "elimination", "immobilisation"];
    const ENGINES: &'static [Engine<Arimaa>] = engines::ENGINES;
    const PARAMETERS: Declared = &[Manner::DECLARED, Parameters::DECLARED];
    const INTERFACES: &'static [Interface] =
        &[Interface::Aei, Interface::AeiMoves, Interface::Getmove, Interface::Process];
    const NO_TEST: &'static str = "this is no test: expected sections [settings] and [criteria], or a \
                                   table whose header has a column position, and best, avoid or goal";
    const OPENINGS: &'static str = "setups";
    const SETUPS: usize = 2;
    const TELLS_ORIGIN: bool = false;

    type Position = Position;
    type Game = Game;
    type Action = Action;
    type Estimate = Estimate;
    type Manner = Manner;
    type Player = Player;
    type Lister = TurnGenerator;
    type Tools = facts::Tools;

    fn set_manner(manner: &mut Manner, name: &str, value: &str) -> Result<(), ParameterError> {
        manner.set(name, value)
    }

    fn read_whole(text: &str, army: Army) -> Option<Result<Content<Arimaa>, (usize, String)>> {
        text::read_whole(text, army)
    }

    fn read_line(line: &str) -> Result<Content<Arimaa>, String> {
        text::read_line(line)
    }

    fn read_movelist(moves: &str, army: Army) -> Result<Content<Arimaa>, String> {
        text::read_movelist(moves, army)
    }

    fn is_origin(_: &str) -> bool {
        false
    }

    fn facts<'a>(
        content: &'a Content<Arimaa>,
        tools: &mut facts::Tools,
        estimate: Option<&Estimate>,
    ) -> Box<dyn Facts + 'a> {
        Box::new(facts::Glance::of(content, tools, estimate))
    }

    fn evaluation(estimate: &Estimate, position: &Position) -> Sheet {
        let (board, side, steps) = (position.board(), position.side(), position.steps_left());
        match estimate {
            Estimate::Tusk(tusk) => sheet("tusk", &tusk.terms(position)),
            Estimate::Zhong(zhong) => sheet("zhong", &zhong.terms(board, side, steps)),
        }
    }

    fn line(position: &Position, steps: &[Step]) -> Vec<String> {
        let mut position = *position;
        let mut turns = Vec::new();
        let mut rest = steps;
        while !rest.is_empty() {
            let turn = first_turn(&position, rest);
            if turn == Turn::EMPTY {
                break;
            }
            turns.push(turn.notation(position.board()));
            let passed = rest.get(turn.len()) == Some(&Step::PASS);
            rest = &rest[turn.len() + usize::from(passed)..];
            position.play_turn_unchecked(turn);
        }
        turns
    }

    fn prepare(game: &Game, rng: &mut ChaCha8Rng) -> Option<Action> {
        let opponent = game.position().board();
        game.setting_up().map(|side| Action::Setup(choose_setup(side, opponent, rng)))
    }

    fn by_chance(game: &Game, rng: &mut ChaCha8Rng) -> Option<Action> {
        match game.setting_up() {
            Some(side) => Some(Action::Setup(arimaa::Setup::random(side, rng))),
            None => game.random_turn(rng).map(Action::Turn),
        }
    }

    fn method(arguments: &solve::Arguments) -> anyhow::Result<Box<dyn solve::Method<Arimaa>>> {
        method::new(arguments)
    }

    fn openings(text: &str) -> Result<Box<dyn Openings>, String> {
        Ok(Box::new(text.parse::<ArimaaOpenings>()?))
    }

    fn is_table_of_tests(header: &str) -> bool {
        exam::is_table(header)
    }

    fn read_test(header: &str, row: &str) -> Result<Option<Box<dyn Exercise>>, String> {
        exam::read_row(header, row)
    }

    fn read_whole_test(text: &str) -> Option<Result<Box<dyn Exercise>, (usize, String)>> {
        exam::read_whole(text)
    }

    fn read_answer(file: &str) -> Result<String, String> {
        Ok(file.trim().to_string())
    }
}

impl Course for Game {
    type Position = Position;
    type Action = Action;

    fn begin(opening: &str) -> Result<(Game, Option<Position>), String> {
        if opening.trim().is_empty() {
            Ok((Game::new(), None))
        } else if opening.contains('[') {
            let position: Position =
                opening.trim().parse().map_err(|error: TextError| error.to_string())?;
            Ok((::arimaa::Game::at(&position), Some(position)))
        } else {
            let game = Game::parse(opening, Army::Handicap).map_err(|error| error.to_string())?;
            Ok((game, None))
        }
    }

    fn parse(record: &str, army: Army) -> Result<Game, (usize, String)> {
        Game::parse(record, army).map_err(|error| (error.line, error.fault.to_string()))
    }

    fn origin(&self) -> Option<Position> {
        None
    }

    fn position(&self) -> &Position {
        self.position()
    }

    fn history(&self) -> &History {
        self.history()
    }

    fn proof_past(&self) -> Vec<Past> {
        self.proof_past()
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
        self.setting_up()
    }

    fn turns(&self) -> Vec<String> {
        self.actions().map(|(before, action)| notation(before, action)).collect()
    }

    fn play(&mut self, turn: &str, army: Army) -> Result<(), String> {
        self.play_text(turn, army).map_err(|fault| fault.to_string())
    }

    fn notation(&self, action: Action) -> String {
        notation(self.position(), action)
    }

    fn picture(&self) -> String {
        let position = self.position();
        let number = (self.actions().count() / 2 + 1) as u32;
        let (side, board) = (Some(position.side()), *position.board());
        Picture { number: Some(number), side, board }.to_string()
    }
}

fn sheet<Term: Named>(preset: &'static str, terms: &Terms<Term>) -> Sheet {
    let mut goals = BySide::default();
    goals[terms.side()] = terms.goal().map(|goal| goal.steps.0);
    Sheet {
        preset,
        unit: "hundredths of a rabbit",
        rows: terms.rows().collect(),
        goals: Some(goals),
        balance: terms.seen_by(GOLD),
        score: terms.score(),
    }
}

/// What was done, as a record has it.
fn notation(before: &Position, action: Action) -> String {
    match action {
        Action::Setup(setup) => setup.to_string(),
        Action::Turn(turn) => turn.notation(before.board()),
    }
}

impl sport::Player<Arimaa> for Player {
    fn new(settings: &Settings<Arimaa>) -> Player {
        let Settings { estimate, parameters, manner, mebibytes, threads, .. } = *settings;
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
    ) -> Option<(Action, Report<Step>)> {
        let choice = self.choose(game, *limits, stop, rng, tell)?;
        Some((Action::Turn(choice.turn), choice.report))
    }
}

impl Lister<Position> for TurnGenerator {
    fn count(&mut self, position: &Position) -> usize {
        self.distinct(position.board(), position.side()).len()
    }

    fn after(&mut self, position: &Position) -> Vec<Position> {
        let turns = self.distinct(position.board(), position.side());
        let after = turns.iter().map(|reached| {
            let mut after = *position;
            after.play_turn_unchecked(reached.turn);
            after
        });
        after.filter(|after| after.outcome().is_none()).collect()
    }
}
