//! A game that a person plays: the turn as far as it is entered, what was asked for, the clocks and the record.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use engine::{Configured, Engine as _, Info, Limits, Stop};
use game::{BySide, Game as _, Position as _, Side, notations};
use workbench::{Army, Cell, GameRecord as _, GameSpec, Interactive, Step};

use crate::shared::output::Output;

/// Who plays against the person, and who gives hints.
pub struct Opponent<S: GameSpec> {
    pub name: String,
    pub engine: Configured<S::Game>,
    /// Hints come from the strongest engine, however weak the opponent is.
    pub hints: Configured<S::Game>,
    pub limits: Limits,
}

/// An action of a game.
pub type Action<S> = <<S as GameSpec>::Game as game::Game>::Action;

impl<S: GameSpec> Opponent<S> {
    /// What the opponent plays; nothing, if it resigns.
    pub fn choose(&mut self, game: &S::Game, stop: &Stop) -> Option<Action<S>> {
        self.engine.analyse(game, &self.limits, stop, &mut |_| ())?.best().copied()
    }

    /// What the person could play.
    pub fn advise(&mut self, game: &S::Game, stop: &Stop) -> Option<Hint<S>> {
        let info = self.hints.analyse(game, &self.limits, stop, &mut |_| ())?;
        Some(Hint { action: *info.best()?, text: advice(game, &info) })
    }
}

/// A turn that could be played, and what to say of it.
pub struct Hint<S: GameSpec> {
    pub action: Action<S>,
    pub text: String,
}

fn advice<G: game::Game>(game: &G, info: &Info<G::Action>) -> String {
    let pv = notations(game, info.pv());
    let turn = pv.first().map_or("", String::as_str);
    match info.verdict() {
        Some(verdict) => format!("Hint: {turn} ({verdict}). `play` plays it."),
        None => format!("Hint: {turn}. `play` plays it."),
    }
}

/// A game that a person plays.
pub struct Session<S: GameSpec> {
    game: S::Game,
    human: Side,
    /// The steps of the turn as far as it is entered.
    steps: Vec<Step<S>>,
    /// The setup as far as it is arranged: a piece and its square in each word.
    setup: Vec<String>,
    hint: Option<Action<S>>,
    clocks: BySide<Duration>,
    since: Instant,
    path: PathBuf,
}

/// What came of a line that was typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Something to be read.
    Say(Vec<String>),
    /// The board has changed, or is to be seen again.
    Board,
    /// A hint is wanted.
    Hint,
    /// The person leaves.
    Quit,
}

/// What can be typed.
pub const HELP: &[&str] = &[
    "Steps as in a record (Ee2n Ee3n, or E4xF3 E5+E6): enters them; several lines may make up a turn",
    "done: ends the turn          undo: takes a step back         back: takes your last turn back",
    "hint: asks what to play      play: plays the hint            threats: what both sides could do",
    "steps [Ee]: the steps that begin so                          board: draws the board again",
    "swap a1 b2: exchanges two pieces of your setup               clocks: the time that was used",
    "resign: gives up             quit: leaves; the record is kept and can be taken up by --resume",
];

impl<S: Interactive> Session<S> {
    pub fn new(game: S::Game, human: Side, path: PathBuf) -> Session<S> {
        Session {
            game,
            human,
            steps: Vec::new(),
            setup: Vec::new(),
            hint: None,
            clocks: BySide::default(),
            since: Instant::now(),
            path,
        }
    }

    pub fn game(&self) -> &S::Game {
        &self.game
    }

    /// The names of the person's side and of the engine's.
    pub fn sides(&self) -> (&'static str, &'static str) {
        (S::SIDES[self.human as usize], S::SIDES[!self.human as usize])
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The steps of the turn so far, as text.
    pub fn entered(&self) -> String {
        if !self.setup.is_empty() {
            return self.setup.join(" ");
        }
        let mut position = *self.game.position();
        let texts = self.steps.iter().map(|&step| {
            let text = S::step_text(&position, step);
            position.play(step);
            text
        });
        texts.collect::<Vec<String>>().join(" ")
    }

    /// The position after the steps that are entered.
    pub fn position(&self) -> S::Position {
        let mut position = *self.game.position();
        self.steps.iter().for_each(|&step| position.play(step));
        position
    }

    /// The board with the steps, or the setup, as far as they are entered.
    pub fn cells(&self) -> Vec<Cell> {
        let mut cells = S::cells(&self.position());
        for cell in &mut cells {
            let Some(name) = &cell.name else { continue };
            if let Some(word) = self.setup.iter().find(|word| word[1..] == **name) {
                cell.text = word[..1].to_string();
                cell.side = self.game.setting_up();
            }
        }
        cells
    }

    /// Whether the engine is to play.
    pub fn is_engines_turn(&self) -> bool {
        self.game.ended().is_none() && self.game.position().side() != self.human
    }

    /// The heading of the board: whose turn it is, and what is left of it.
    pub fn heading(&self) -> String {
        if let Some(ended) = self.game.ended() {
            return format!("The game is over. {}.", ended.sentence);
        }
        let name = S::SIDES[self.game.position().side() as usize];
        let task = match (self.game.setting_up(), self.entered()) {
            (Some(_), _) => "sets up".to_string(),
            (None, entered) if entered.is_empty() => "to move".to_string(),
            (None, entered) => format!("plays {entered} …"),
        };
        format!("{} {name} {task}", self.game.label())
    }

    /// The time that each side has used.
    pub fn clocks(&self) -> String {
        let now = self.game.position().side();
        let running =
            if self.game.ended().is_some() { Duration::ZERO } else { self.since.elapsed() };
        let told = Side::ALL.map(|side| {
            let used = self.clocks[side] + if side == now { running } else { Duration::ZERO };
            let seconds = used.as_secs();
            format!("{} {}:{:02}", S::SIDES[side as usize], seconds / 60, seconds % 60)
        });
        told.join("  ")
    }

    /// Does what a line asks for. An error tells why it was not done.
    pub fn obey(&mut self, line: &str) -> Result<Reply, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "" => Ok(Reply::Board),
            "quit" | "exit" => Ok(Reply::Quit),
            "help" => Ok(Reply::Say(HELP.iter().map(|line| (*line).to_string()).collect())),
            "board" => Ok(Reply::Board),
            "clocks" => Ok(Reply::Say(vec![self.clocks()])),
            "steps" => Ok(Reply::Say(vec![self.completions(rest.trim()).join("  ")])),
            "threats" => Ok(Reply::Say(self.threats())),
            "back" => self.take_back_turn().map(|()| Reply::Board),
            _ if self.game.ended().is_some() => Err("the game is over: back or quit".to_string()),
            "hint" => Ok(Reply::Hint),
            "play" => self.play_hint().map(|()| Reply::Board),
            "resign" | "resigns" => self.finish("resigns").map(|()| Reply::Board),
            "undo" => self.undo_step().map(|()| Reply::Board),
            "swap" => self.swap(rest).map(|()| Reply::Board),
            "done" => self.end_turn().map(|()| Reply::Board),
            _ => self.enter(line).map(|()| Reply::Board),
        }
    }

    fn threats(&self) -> Vec<String> {
        let mut lines = S::tactics(&self.game);
        if lines.is_empty() {
            lines.push("Nothing is threatened.".to_string());
        }
        lines
    }

    /// Enters steps, or a setup; `done` at the end ends the turn.
    fn enter(&mut self, text: &str) -> Result<(), String> {
        let (text, ends) = match text.strip_suffix("done") {
            Some(text) => (text.trim(), true),
            None => (text, false),
        };
        if self.game.setting_up().is_some() {
            // It is looked at as a whole, on a copy.
            self.game.clone().play_text(text, Army::Full).map_err(|fault| unknown(text, &fault))?;
            self.setup = text.split_whitespace().map(str::to_string).collect();
        } else {
            let whole = format!("{} {text}", self.entered());
            let steps = S::parse_steps(self.game.position(), whole.trim());
            self.steps = steps.map_err(|fault| unknown(text, &fault))?;
        }
        if ends { self.end_turn() } else { Ok(()) }
    }

    /// Enters a step that is legal.
    pub fn enter_step(&mut self, step: Step<S>) {
        self.steps.push(step);
    }

    /// The legal steps now; none, where the turn has no step left.
    pub fn legal_steps(&self) -> Vec<Step<S>> {
        let position = self.position();
        let goes_on = self.game.setting_up().is_none()
            && self.game.ended().is_none()
            && position.side() == self.game.position().side();
        if goes_on { S::steps(&position) } else { Vec::new() }
    }

    /// The last step that is entered, with the position before it.
    pub fn last_step(&self) -> Option<(S::Position, Step<S>)> {
        let (&last, before) = self.steps.split_last()?;
        let mut position = *self.game.position();
        before.iter().for_each(|&step| position.play(step));
        Some((position, last))
    }

    /// How a line could go on that ends inside a step: the steps that begin so.
    pub fn completions(&self, line: &str) -> Vec<String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let whole_words = words.len() - usize::from(!words.is_empty() && !line.ends_with(' '));
        for count in (0..=whole_words).rev() {
            let begun = format!("{} {}", self.entered(), words[..count].join(" "));
            let steps = match begun.trim() {
                "" => Ok(Vec::new()),
                begun => S::parse_steps(self.game.position(), begun),
            };
            let Ok(steps) = steps else { continue };
            let mut position = *self.game.position();
            steps.iter().for_each(|&step| position.play(step));
            if position.side() != self.game.position().side() || self.game.setting_up().is_some() {
                continue;
            }
            let prefix = words[count..].join(" ");
            let mut texts: Vec<String> =
                S::steps(&position).into_iter().map(|step| S::step_text(&position, step)).collect();
            texts.retain(|text| text.starts_with(&prefix));
            texts.sort();
            if !texts.is_empty() {
                return texts;
            }
        }
        Vec::new()
    }

    /// Takes back the last step, or what was arranged of the setup.
    pub fn undo_step(&mut self) -> Result<(), String> {
        if self.steps.pop().is_some() {
            return Ok(());
        }
        match self.setup.is_empty() {
            true => Err("no step is entered; `back` takes your last turn back".to_string()),
            false => {
                self.setup.clear();
                Ok(())
            }
        }
    }

    /// Takes back turns until the person is to move again.
    fn take_back_turn(&mut self) -> Result<(), String> {
        let mut before = self.game.clone();
        let mut taken_back = before.take_back();
        while taken_back && before.position().side() != self.human {
            taken_back = before.take_back();
        }
        if !taken_back {
            return Err("there is no turn of yours to take back".to_string());
        }
        self.game = before;
        self.next_turn();
        self.save()
    }

    /// Exchanges two pieces of the setup.
    fn swap(&mut self, squares: &str) -> Result<(), String> {
        let squares: Vec<&str> = squares.split_whitespace().collect();
        let &[one, other] = &squares[..] else {
            return Err("write two squares: swap a1 b2".to_string());
        };
        self.exchange(one, other)
    }

    /// The same for squares that are known.
    pub fn exchange(&mut self, one: &str, other: &str) -> Result<(), String> {
        let find = |name: &str| self.setup.iter().position(|word| word[1..] == *name);
        let (Some(first), Some(second)) = (find(one), find(other)) else {
            return Err(match self.setup.is_empty() {
                true => "there is no setup to change: `hint` and `play` suggest one".to_string(),
                false => format!("expected two squares of your setup, found {one} and {other}"),
            });
        };
        let letters = (self.setup[first][..1].to_string(), self.setup[second][..1].to_string());
        self.setup[first].replace_range(..1, &letters.1);
        self.setup[second].replace_range(..1, &letters.0);
        Ok(())
    }

    /// A hint that was found.
    pub fn take_hint(&mut self, hint: &Hint<S>) {
        self.hint = Some(hint.action);
    }

    /// Plays the hint: a turn at once, a setup for the person to change.
    fn play_hint(&mut self) -> Result<(), String> {
        let action = self.hint.ok_or("there is no hint: ask for one by `hint`")?;
        if self.game.setting_up().is_some() {
            let text = self.game.notation(action);
            self.setup = text.split_whitespace().map(str::to_string).collect();
            return Ok(());
        }
        self.play(action)
    }

    /// Ends the turn that is entered.
    pub fn end_turn(&mut self) -> Result<(), String> {
        if self.game.setting_up().is_some() {
            if self.setup.is_empty() {
                return Err("no setup is entered: `hint` and `play` suggest one".to_string());
            }
            let setup = self.setup.join(" ");
            return self.finish(&setup);
        }
        if self.steps.is_empty() {
            return Err("no step is entered; `help` says how".to_string());
        }
        let mut steps = self.steps.clone();
        let position = self.position();
        let goes_on = position.side() == self.game.position().side() && position.winner().is_none();
        if goes_on && S::steps(&position).contains(&S::PASS) {
            steps.push(S::PASS);
        }
        let action = <S::Game as game::Game>::turn(&steps);
        self.play(action.ok_or("these steps are no turn")?)
    }

    /// Plays an action, of either side.
    pub fn play(&mut self, action: Action<S>) -> Result<(), String> {
        let mover = self.game.position().side();
        self.game.play(action)?;
        self.played_by(mover)
    }

    /// Plays what a record would say: a setup or a resignation.
    pub fn finish(&mut self, text: &str) -> Result<(), String> {
        let mover = self.game.position().side();
        self.game.play_text(text, Army::Full)?;
        self.played_by(mover)
    }

    fn played_by(&mut self, mover: Side) -> Result<(), String> {
        self.clocks[mover] += self.since.elapsed();
        self.next_turn();
        self.save()
    }

    fn next_turn(&mut self) {
        self.steps.clear();
        self.setup.clear();
        self.hint = None;
        self.since = Instant::now();
    }

    /// Keeps the record.
    fn save(&self) -> Result<(), String> {
        let write = || {
            let mut file = Output::open(Some(&self.path))?;
            write!(file, "{}", self.game)?;
            file.finish()
        };
        write().map_err(|error: anyhow::Error| format!("the record is not kept: {error:#}"))
    }
}

/// Why a line was not understood.
fn unknown(line: &str, fault: &str) -> String {
    format!("{line}: {fault} (`help` lists what can be typed)")
}
