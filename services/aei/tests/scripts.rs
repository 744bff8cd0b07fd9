//! Random sessions, misordered and malformed, against a slow and obvious twin of the session.

mod common;

use aei::{Ending, SessionError};
use arimaa::{Action, Army, GOLD, Game, SILVER, Setup, Turn};
use common::{Controller, GOLD_SETUP, Patient, SILVER_SETUP};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[test]
fn each_message_of_random_scripts_gets_its_answer_or_its_error() {
    for seed in 0..200 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut twin = Twin::new();
        let mut controller = Controller::new(Patient::engine());
        let mut script = Vec::new();
        let mut expected = Vec::new();
        for _ in 0..rng.random_range(10..60) {
            // Nearly all scripts open the session sooner or later.
            let line = if !twin.is_open && rng.random_range(0..3) == 0 {
                "aei".to_string()
            } else {
                random_line(&mut rng, &twin.game)
            };
            script.push(line.clone());
            controller.send(&line);
            expected.extend(twin.hear(&line));
            if twin.end.is_some() {
                break;
            }
        }
        expected.extend(twin.hang_up());
        let (ending, lines) = controller.finish();
        let found: Vec<&String> = lines.iter().filter(|line| !line.starts_with("info ")).collect();
        let told = || format!("seed {seed}\n{}\n{lines:#?}", script.join("\n"));
        assert_eq!(found.len(), expected.len(), "{expected:#?}\n{}", told());
        for (found, expected) in found.iter().zip(&expected) {
            assert!(found.starts_with(expected.as_str()), "{expected}, not {found}\n{}", told());
        }
        let end = match ending {
            Ok(Ending::Quit) => End::Quit,
            Ok(Ending::EndOfInput) => End::Input,
            Err(SessionError::Unknown(_)) => End::Unknown,
            Err(error) => panic!("{error}\n{}", told()),
        };
        assert_eq!(Some(end), twin.end, "{}", told());
    }
}

/// Anything at all, and searches that end by themselves: nothing hangs, and what comes are answers.
#[test]
fn noise_is_survived() {
    for seed in 0..200 {
        let mut rng = ChaCha8Rng::seed_from_u64(1000 + seed);
        let mut controller = Controller::new(Patient::engine());
        controller.send("aei");
        controller.send("setoption name tcmove value 0.001");
        for _ in 0..rng.random_range(5..40) {
            // Much time would be taken indeed.
            let line = random_line(&mut rng, &Game::new()).replace("1000", "0.002");
            let line = match rng.random_range(0..8) {
                0 => "gonothread".to_string(),
                1 => "setoption name depth value 4".to_string(),
                2 => "eval\ntreedump\ntrapcheck".to_string(),
                3 if !line.contains("tcmove") => garbled(&line, &mut rng),
                _ => line,
            };
            controller.send(&line);
        }
        let (ending, lines) = controller.finish();
        let fair = matches!(ending, Ok(_) | Err(SessionError::Unknown(_)));
        assert!(fair, "seed {seed}: {ending:?}");
        let words = ["protocol-version", "id", "aeiok", "readyok", "bestmove", "info", "log"];
        for line in lines {
            let word = line.split(' ').next().unwrap_or("");
            assert!(words.contains(&word), "seed {seed}: {line:?}");
        }
    }
}

const OPENING: &str = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";

/// Some line, often one that makes sense in the game.
fn random_line(rng: &mut ChaCha8Rng, game: &Game) -> String {
    let fixed = [
        "aei",
        "isready",
        "newgame",
        "stop",
        "stop",
        "go",
        "go",
        "go ponder",
        "go infinite",
        "go fast",
        "makemove",
        "makemove Ee2n",
        "makemove resign",
        "makemove Ra1 Rb1",
        "makemove pass",
        "makemove Ee9n",
        "makemoverec",
        "setposition",
        "setposition g [x]",
        "setoption",
        "setoption name tcmove value 1000",
        "setoption name tcmove value x",
        "setoption name greserve",
        "setoption name style value wild",
        "setoption name hash value 16",
        "boarddump",
        "goalcheck",
        "isready now",
        "",
        "   ",
        "setpositionfile nowhere",
        "treedump",
    ];
    match rng.random_range(0..20) {
        0 if rng.random_range(0..4) == 0 => "quit".to_string(),
        0 if rng.random_range(0..4) == 0 => "hello engine".to_string(),
        1 => format!("setposition {OPENING}"),
        2 => format!("makemove {GOLD_SETUP}"),
        3 => format!("makemove {SILVER_SETUP}"),
        4..8 => format!("makemove {}", legal(rng, game)),
        _ => fixed[rng.random_range(0..fixed.len())].to_string(),
    }
}

fn legal(rng: &mut ChaCha8Rng, game: &Game) -> String {
    match game.setting_up() {
        Some(side) => Setup::random(side, rng).to_string(),
        None => game
            .random_turn(rng)
            .map_or("resign".to_string(), |turn| turn.notation(game.position().board())),
    }
}

/// With a byte changed, lost or put in.
fn garbled(line: &str, rng: &mut ChaCha8Rng) -> String {
    let mut letters: Vec<char> = line.chars().collect();
    let at = rng.random_range(0..=letters.len());
    let letter = char::from_u32(rng.random_range(1..0x250)).unwrap_or('?');
    match rng.random_range(0..3) {
        0 if at < letters.len() => letters[at] = letter,
        1 if at < letters.len() => drop(letters.remove(at)),
        _ => letters.insert(at, letter),
    }
    letters.into_iter().collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Quit,
    Input,
    Unknown,
}

/// What a session must answer, told with as little machinery as can be.
struct Twin {
    is_open: bool,
    game: Game,
    /// The search in progress: `go`, `ponder` or `infinite`.
    search: Option<String>,
    /// Whether a search has found something in this position.
    has_best: bool,
    /// Warnings that the engine will give when it is back.
    warnings: usize,
    end: Option<End>,
}

impl Twin {
    fn new() -> Twin {
        let game = Game::new();
        Twin { is_open: false, game, search: None, has_best: false, warnings: 0, end: None }
    }

    fn error() -> Vec<String> {
        vec!["log Error: ".to_string()]
    }

    /// The engine comes back, and says what it has to say of options.
    fn back(&mut self) -> Vec<String> {
        self.search = None;
        vec!["log Warning: ".to_string(); std::mem::take(&mut self.warnings)]
    }

    fn bestmove(&mut self) -> Vec<String> {
        let mut lines = self.back();
        let action = Patient::choose(&self.game);
        lines.push(format!("bestmove {}", game::Game::notation(&self.game, action)));
        self.has_best = true;
        lines
    }

    fn hang_up(&mut self) -> Vec<String> {
        if self.end.is_some() {
            return Vec::new();
        }
        self.end = Some(End::Input);
        match self.search.as_deref() {
            Some("go" | "infinite") => self.bestmove(),
            _ => Vec::new(),
        }
    }

    fn hear(&mut self, line: &str) -> Vec<String> {
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let is_awaited = matches!(self.search.as_deref(), Some("go" | "infinite"));
        match (word, rest) {
            ("", _) => Vec::new(),
            ("hello", _) => {
                self.end = Some(End::Unknown);
                Twin::error()
            }
            ("quit", _) => {
                self.end = Some(End::Quit);
                Vec::new()
            }
            ("aei", _) if !self.is_open => {
                self.is_open = true;
                ["protocol-version 1", "id name ", "id author ", "id version ", "aeiok"]
                    .map(str::to_string)
                    .to_vec()
            }
            _ if !self.is_open => Twin::error(),
            ("isready", "") => vec!["readyok".to_string()],
            ("boarddump", "") => vec!["log ".to_string(); 12],
            ("goalcheck", "") => Vec::new(),
            ("setoption", _) => self.set_option(rest),
            ("stop", "") if self.search.is_some() => self.bestmove(),
            ("makemove", _) => self.make_move(rest),
            ("newgame", "") if !is_awaited => {
                self.game = Game::new();
                self.has_best = false;
                self.back()
            }
            ("setposition", OPENING) if !is_awaited => {
                self.game = Game::from_position(OPENING.parse().unwrap());
                self.has_best = false;
                self.back()
            }
            ("go", "" | "ponder" | "infinite") if !is_awaited && self.game.outcome().is_none() => {
                let lines = self.back();
                self.search = Some(if rest.is_empty() { "go" } else { rest }.to_string());
                lines
            }
            ("makemoverec", "") if !is_awaited => self.make_best(),
            ("treedump", "") if self.search.is_none() => Vec::new(),
            _ => Twin::error(),
        }
    }

    fn set_option(&mut self, rest: &str) -> Vec<String> {
        match rest {
            "name tcmove value 1000" | "name hash value 16" => Vec::new(),
            "name style value wild" if self.search.is_some() => {
                self.warnings += 1;
                Vec::new()
            }
            "name style value wild" => vec!["log Warning: ".to_string()],
            _ => Twin::error(),
        }
    }

    fn make_move(&mut self, text: &str) -> Vec<String> {
        let side = self.game.position().side();
        let played = match self.game.setting_up() {
            _ if self.game.outcome().is_some() => false,
            _ if text == "resign" => self.game.resign(side).is_ok(),
            Some(side) => Setup::parse(text, side, Army::Full)
                .is_ok_and(|setup| self.game.set_up(setup).is_ok()),
            None => Turn::parse(text, self.game.position())
                .is_ok_and(|turn| self.game.try_play(turn).is_ok()),
        };
        if !played {
            return Twin::error();
        }
        self.has_best = false;
        self.back()
    }

    /// Pondering ends even if there is nothing to be played.
    fn make_best(&mut self) -> Vec<String> {
        let mut lines = self.back();
        if !self.has_best {
            lines.extend(Twin::error());
            return lines;
        }
        match Patient::choose(&self.game) {
            Action::Setup(setup) => self.game.set_up(setup).unwrap(),
            Action::Turn(turn) => self.game.try_play(turn).unwrap(),
        }
        self.has_best = false;
        lines
    }
}

#[test]
fn the_setups_of_the_scripts_are_legal() {
    for (text, side) in [(GOLD_SETUP, GOLD), (SILVER_SETUP, SILVER)] {
        assert!(Setup::parse(text, side, Army::Full).is_ok());
    }
}
