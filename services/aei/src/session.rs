use std::collections::VecDeque;
use std::io::{self, BufRead, ErrorKind, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Instant;

use arimaa::{Action, Army, Game, Picture, Position, side};
use engine::{Configured, Engine as _, Limits, ParameterError};
use game::Side;
use guard::{
    LONGEST_LINE, NoThread, harmless, read_bounded_line, read_text_within, thread_warning,
};
use thiserror::Error;

use crate::engine_thread::{Choice, EngineState, Event, RunningSearch};
use crate::{
    Answer, Audience, InfoLine, Log, Message, MessageError, Mode, Options, Refusal, checks,
};

/// The engine's end of a session.
///
/// One thread reads the input, one thinks, and the one that runs the session hears of both by one
/// channel and alone writes the output. What may come when:
///
/// - Before `aei`, only `aei` and `quit`.
/// - While the controller awaits a `bestmove`: `isready`, `setoption`, `stop`, `makemove`, `quit`,
///   and the messages that only look at the board. The rest is refused.
/// - `makemove` stops a search **without** a `bestmove`. The controller has the turn already; it
///   would take a late `bestmove` for the answer to its next `go`. A turn that is refused stops
///   nothing.
/// - `eval` and `treedump` ask the engine, and are refused while it searches.
/// - While pondering, everything else: what changes the game or begins a search ends the pondering. `stop`
///   ends it with a `bestmove`, as it ends every search.
/// - What `stop` and `makemove` ask for is done before the next message is looked at, so that messages sent
///   ahead mean the same as messages sent one by one.
/// - The end of the input stops a search that was to be answered, and answers it.
pub struct Session<W> {
    identity: Identity,
    army: Army,
    output: W,
    sender: Sender<Event>,
    events: Receiver<Event>,
    /// Input that came while the session waited for the engine.
    waiting: VecDeque<Event>,
    engine: EngineState,
    search: Option<RunningSearch>,
    /// Options for the engine that came while it was searching.
    untold: Vec<(String, String, Audience)>,
    is_open: bool,
    options: Options,
    game: Game,
    game_began: Instant,
    /// What the last search found in this position.
    best: Option<Choice>,
    /// Whether the controller knows of threads that the system has refused.
    has_warned: bool,
}

/// Whom the engine introduces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    /// The engine's name.
    pub name: String,
    /// Who wrote it.
    pub author: String,
    /// Which version it is.
    pub version: String,
}

/// How a session ended well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The controller sent `quit`.
    Quit,
    /// The controller has closed the channel.
    EndOfInput,
}

/// How a session ended badly.
#[derive(Debug, Error)]
pub enum SessionError {
    /// A message that the protocol does not have; the protocol wants the engine to exit.
    #[error("{0}: the protocol wants the session to end")]
    Unknown(MessageError),
    /// The engine found something that the rules forbid.
    #[error("the engine wanted to play {text}: {fault}")]
    IllegalChoice {
        /// What it found.
        text: String,
        /// Why that is not legal.
        fault: String,
    },
    /// The engine panicked.
    #[error("the engine crashed while thinking")]
    Crashed,
    /// There is no thread to read or to think on.
    #[error(transparent)]
    Thread(#[from] NoThread),
    /// The output is gone.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Why a message was not done.
enum Fault {
    /// It is logged, and the session goes on.
    Refused(Refusal),
    /// The session ends.
    Fatal(SessionError),
}

impl<R: Into<Refusal>> From<R> for Fault {
    fn from(refusal: R) -> Fault {
        Fault::Refused(refusal.into())
    }
}

impl From<SessionError> for Fault {
    fn from(error: SessionError) -> Fault {
        Fault::Fatal(error)
    }
}

impl<W: Write> Session<W> {
    /// A session that has not begun.
    pub fn new(engine: Configured<Game>, identity: Identity, army: Army, output: W) -> Session<W> {
        let (sender, events) = mpsc::channel();
        Session {
            identity,
            army,
            output,
            sender,
            events,
            waiting: VecDeque::new(),
            engine: EngineState::Idle(Box::new(engine)),
            search: None,
            untold: Vec::new(),
            is_open: false,
            options: Options::default(),
            game: Game::new(),
            game_began: Instant::now(),
            best: None,
            has_warned: false,
        }
    }

    /// Does what the lines of the input ask for, until they end or one ends the session.
    pub fn run(mut self, input: impl BufRead + Send + 'static) -> Result<Ending, SessionError> {
        let sender = self.sender.clone();
        let reader = thread::Builder::new().name("input".to_string());
        reader.spawn(move || read_lines(input, &sender)).map_err(|_| NoThread)?;
        let ending = self.serve();
        if let Some(search) = &self.search {
            search.stop.request();
        }
        ending
    }

    fn serve(&mut self) -> Result<Ending, SessionError> {
        loop {
            let event = match self.waiting.pop_front() {
                Some(event) => event,
                None => self.receive(),
            };
            match event {
                Event::Line(line) => {
                    if let Some(ending) = self.hear(&line)? {
                        return Ok(ending);
                    }
                }
                Event::End => {
                    if self.is_answer_awaited() {
                        self.stop()?;
                    }
                    return Ok(Ending::EndOfInput);
                }
                Event::LongLine(fault) => self.log(Log::Error, &fault)?,
                Event::Info(info) => self.tell(&info)?,
                Event::Done(engine, choice) => {
                    self.welcome(engine)?;
                    self.decide(choice)?;
                }
                Event::Crashed => return self.crashed(),
            }
        }
    }

    /// The next event; stops the search at its deadline meanwhile.
    fn receive(&mut self) -> Event {
        loop {
            let deadline = self.search.as_ref().and_then(|search| search.deadline);
            let wait = deadline.map(|at| at.saturating_duration_since(Instant::now()));
            let received = match wait {
                Some(wait) => self.events.recv_timeout(wait),
                None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match (received, &mut self.search) {
                (Ok(event), _) => return event,
                (Err(RecvTimeoutError::Timeout), Some(search)) => {
                    search.stop.request();
                    search.deadline = None;
                }
                // The session itself holds a sender: there always is one.
                (Err(_), _) => return Event::End,
            }
        }
    }

    /// Waits until the search has ended, with its infos sent or not; input has to wait.
    fn await_engine(&mut self, telling: Telling) -> Result<Choice, SessionError> {
        loop {
            match self.receive() {
                Event::Info(info) => {
                    if telling == Telling::Infos {
                        self.tell(&info)?;
                    }
                }
                Event::Done(engine, choice) => {
                    self.welcome(engine)?;
                    return Ok(choice);
                }
                Event::Crashed => return self.crashed(),
                input @ (Event::Line(_) | Event::LongLine(_) | Event::End) => {
                    self.waiting.push_back(input)
                }
            }
        }
    }

    fn crashed<T>(&mut self) -> Result<T, SessionError> {
        self.log(Log::Error, &SessionError::Crashed)?;
        Err(SessionError::Crashed)
    }

    /// The engine is back, and hears the options that came meanwhile.
    fn welcome(&mut self, engine: Box<Configured<Game>>) -> Result<(), SessionError> {
        self.engine = EngineState::Idle(engine);
        for (name, value, audience) in std::mem::take(&mut self.untold) {
            match self.tell_option(&name, &value, audience) {
                Err(Fault::Refused(refusal)) => self.log(Log::Error, &refusal)?,
                Err(Fault::Fatal(error)) => return Err(error),
                Ok(()) => (),
            }
        }
        Ok(())
    }

    /// A search has ended by itself: its answer is sent, or kept until `stop`.
    fn decide(&mut self, choice: Choice) -> Result<(), SessionError> {
        match &mut self.search {
            Some(search) if search.mode != Mode::Answer => search.found = Some(choice),
            _ => self.answer(choice)?,
        }
        Ok(())
    }

    fn hear(&mut self, line: &str) -> Result<Option<Ending>, SessionError> {
        if line.trim().is_empty() {
            return Ok(None);
        }
        let done = match line.parse::<Message>() {
            Ok(message) => self.obey(message),
            Err(error) if error.is_unknown() => {
                self.log(Log::Error, &error)?;
                return Err(SessionError::Unknown(error));
            }
            Err(error) => Err(error.into()),
        };
        match done {
            Ok(ending) => Ok(ending),
            Err(Fault::Refused(refusal)) => {
                self.log(Log::Error, &refusal)?;
                Ok(None)
            }
            Err(Fault::Fatal(error)) => Err(error),
        }
    }

    fn obey(&mut self, message: Message) -> Result<Option<Ending>, Fault> {
        let word = message.word();
        match message {
            Message::Quit => return Ok(Some(Ending::Quit)),
            Message::Aei => self.open()?,
            _ if !self.is_open => return Err(Refusal::NotOpen(word.to_string()).into()),
            Message::IsReady => self.send([Answer::ReadyOk])?,
            Message::NewGame => {
                self.stop_pondering(word)?;
                if let EngineState::Idle(engine) = &mut self.engine {
                    engine.new_game();
                }
                self.begin(Game::new());
            }
            Message::SetPosition(position) => {
                self.stop_pondering(word)?;
                self.begin(Game::at(&position));
            }
            Message::SetPositionFile(name) => {
                let position = position_of_file(&name)?;
                self.stop_pondering(word)?;
                self.begin(Game::at(&position));
            }
            Message::SetOption { name, value } => self.set_option(name, value)?,
            Message::MakeMove(text) => self.make_move(&text)?,
            Message::MakeMoveRec => {
                self.stop_pondering(word)?;
                let best = self.best.ok_or(Refusal::NothingFound)?;
                let text = notation(&self.game, best);
                self.make_move(&text)?;
            }
            Message::Go(mode) => self.go(mode, word)?,
            Message::GoNoThread => {
                self.go(Mode::Answer, word)?;
                let choice = self.await_engine(Telling::Infos)?;
                self.answer(choice)?;
            }
            Message::Stop if self.search.is_none() => return Err(Refusal::NotThinking.into()),
            Message::Stop => self.stop()?,
            Message::BoardDump => self.draw()?,
            Message::Eval => {
                let game = self.game.clone();
                let trace = self.idle_engine(word)?.trace(&game);
                let sides = Side::ALL.map(side::name);
                self.show("eval", trace.map(|trace| trace.lines(sides)))?;
            }
            Message::TreeDump => {
                let lines = self.idle_engine(word)?.tree();
                self.show("treedump", lines)?;
            }
            Message::GoalCheck => self.inform(checks::goals(self.game.position().board()))?,
            Message::TrapCheck => self.inform(checks::traps(self.game.position().board()))?,
        }
        Ok(None)
    }

    fn open(&mut self) -> Result<(), Fault> {
        if self.is_open {
            return Err(Refusal::AlreadyOpen.into());
        }
        self.is_open = true;
        let Identity { name, author, version } = self.identity.clone();
        let answers = [
            Answer::ProtocolVersion,
            Answer::Id("name", name),
            Answer::Id("author", author),
            Answer::Id("version", version),
            Answer::AeiOk,
        ];
        Ok(self.send(answers)?)
    }

    fn begin(&mut self, game: Game) {
        self.options.new_game();
        self.game = game;
        self.game_began = Instant::now();
        self.best = None;
    }

    fn set_option(&mut self, name: String, value: Option<String>) -> Result<(), Fault> {
        let audience = self
            .options
            .set(&name, value.as_deref())
            .map_err(|error| Refusal::Option { name: name.clone(), error })?;
        match audience {
            Audience::Session if name == "moveused" => self.hurry(),
            Audience::Session => (),
            Audience::Engine | Audience::Unknown => {
                let value = value.unwrap_or_default();
                match self.engine {
                    EngineState::Idle(_) => self.tell_option(&name, &value, audience)?,
                    EngineState::Searching => self.untold.push((name, value, audience)),
                }
            }
        }
        Ok(())
    }

    /// Tells the engine an option, if it is idle.
    fn tell_option(&mut self, name: &str, value: &str, audience: Audience) -> Result<(), Fault> {
        let EngineState::Idle(engine) = &mut self.engine else { return Ok(()) };
        match engine.set_option(name, value) {
            Ok(()) => Ok(()),
            Err(ParameterError::Unknown) if audience == Audience::Unknown => {
                Ok(self.log(Log::Warning, &format!("unknown option {name:?}"))?)
            }
            Err(ParameterError::Unknown) => Ok(()),
            Err(fault) => Err(Refusal::EngineOption { name: name.to_string(), fault }.into()),
        }
    }

    /// The controller says in the midst of a turn how much of it has gone, as pyrimaa's `gameroom`
    /// does: the deadline may be nearer than it seemed.
    fn hurry(&mut self) {
        let hard = self.limits().hard;
        if let Some(search) = self.search.as_mut().filter(|search| search.mode == Mode::Answer)
            && let (Some(deadline), Some(hard)) = (search.deadline, hard)
        {
            search.deadline = Some(deadline.min(Instant::now() + hard));
        }
    }

    fn turn_number(&self) -> u32 {
        self.game.actions().count() as u32 / 2 + 1
    }

    /// What the clock allows the side to move.
    fn limits(&self) -> Limits {
        let side = self.game.position().side();
        self.options.limits(side, self.turn_number(), self.game_began.elapsed())
    }

    fn make_move(&mut self, text: &str) -> Result<(), Fault> {
        let mut after = self.game.clone();
        after.play_text(text, self.army).map_err(Refusal::from)?;
        self.give_up_search()?;
        self.game = after;
        self.options.next_turn();
        self.best = None;
        Ok(())
    }

    fn go(&mut self, mode: Mode, word: &str) -> Result<(), Fault> {
        if let Some(outcome) = self.game.outcome() {
            return Err(Refusal::Over { message: word.to_string(), outcome }.into());
        }
        self.stop_pondering(word)?;
        let limits = if mode == Mode::Answer { self.limits() } else { Limits::default() };
        let search = self.engine.search(self.game.clone(), limits, mode, self.sender.clone());
        match search {
            Ok(search) => {
                self.search = search;
                Ok(())
            }
            Err(error) => {
                self.log(Log::Error, &error)?;
                Err(SessionError::from(error).into())
            }
        }
    }

    /// Whether the controller waits for a `bestmove`, now or after `stop`.
    fn is_answer_awaited(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.mode != Mode::Ponder)
    }

    /// Ends the pondering before something else; refuses where an answer is awaited.
    fn stop_pondering(&mut self, word: &str) -> Result<(), Fault> {
        if self.is_answer_awaited() {
            return Err(Refusal::Thinking(word.to_string()).into());
        }
        Ok(self.give_up_search()?)
    }

    /// Stops the search, if there is one, and forgets what it has found.
    fn give_up_search(&mut self) -> Result<(), SessionError> {
        let Some(search) = &self.search else { return Ok(()) };
        search.stop.request();
        if search.found.is_none() {
            self.await_engine(Telling::Nothing)?;
        }
        self.search = None;
        Ok(())
    }

    /// Stops the search and answers.
    fn stop(&mut self) -> Result<(), SessionError> {
        let Some(search) = &self.search else { return Ok(()) };
        search.stop.request();
        let choice = match search.found {
            Some(choice) => choice,
            None => self.await_engine(Telling::Infos)?,
        };
        self.answer(choice)
    }

    /// Ends the search with its answer.
    fn answer(&mut self, choice: Choice) -> Result<(), SessionError> {
        let text = notation(&self.game, choice);
        if let Err(fault) = play(&mut self.game.clone(), choice) {
            let error = SessionError::IllegalChoice { text, fault: fault.to_string() };
            self.log(Log::Error, &error)?;
            return Err(error);
        }
        if let Some(search) = self.search.take()
            && search.mode == Mode::Answer
        {
            let (side, turn) = (self.game.position().side(), self.turn_number());
            self.options.charge(side, turn, self.options.move_used + search.began.elapsed());
        }
        self.best = Some(choice);
        if let Some(warning) = thread_warning().filter(|_| !self.has_warned) {
            self.has_warned = true;
            self.log(Log::Warning, &warning)?;
        }
        self.send([Answer::BestMove(text)])
    }

    /// The engine, unless it is searching.
    fn idle_engine(&self, word: &str) -> Result<&Configured<Game>, Refusal> {
        match &self.engine {
            EngineState::Idle(engine) => Ok(engine),
            EngineState::Searching => Err(Refusal::Thinking(word.to_string())),
        }
    }

    fn show(&mut self, word: &'static str, lines: Option<Vec<String>>) -> Result<(), Fault> {
        let lines = lines.ok_or(Refusal::NotOffered(word.to_string()))?;
        Ok(self.inform(lines.into_iter().map(|line| InfoLine::Own(word, line)))?)
    }

    fn draw(&mut self) -> Result<(), SessionError> {
        let position = self.game.position();
        let number = Some(self.turn_number());
        let picture = Picture { number, side: Some(position.side()), board: *position.board() };
        let picture = picture.to_string();
        self.send(picture.lines().map(|line| Answer::Log(Log::Plain, line.to_string())))
    }

    fn tell(&mut self, info: &engine::Info<Action>) -> Result<(), SessionError> {
        let lines = InfoLine::of(info, &self.game);
        self.inform(lines)
    }

    fn inform(&mut self, infos: impl IntoIterator<Item = InfoLine>) -> Result<(), SessionError> {
        self.send(infos.into_iter().map(Answer::Info))
    }

    fn log(&mut self, log: Log, text: &dyn ToString) -> Result<(), SessionError> {
        self.send([Answer::Log(log, text.to_string())])
    }

    /// Sends the answers in one go, so that none is read half.
    fn send(&mut self, answers: impl IntoIterator<Item = Answer>) -> Result<(), SessionError> {
        let mut text = String::new();
        for answer in answers {
            // An answer is a line without control characters, whatever was quoted in it.
            text += &harmless(&answer.to_string().replace(['\n', '\r'], " "));
            text.push('\n');
        }
        self.output.write_all(text.as_bytes())?;
        Ok(self.output.flush()?)
    }
}

/// Whether the infos of a search that is waited for are sent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Telling {
    Infos,
    Nothing,
}

/// Sends each line of the input, then its end; an input that fails has ended.
fn read_lines(mut input: impl BufRead, events: &Sender<Event>) {
    let mut bytes = Vec::new();
    loop {
        let event = match read_bounded_line(&mut input, &mut bytes, LONGEST_LINE) {
            Ok(1..) => Event::Line(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) if error.kind() == ErrorKind::FileTooLarge => {
                Event::LongLine(error.to_string())
            }
            Ok(0) | Err(_) => break,
        };
        if events.send(event).is_err() {
            return;
        }
    }
    let _ = events.send(Event::End);
}

/// The longest file of a position, in bytes; a picture has some hundreds.
const LONGEST_POSITION: u64 = 1 << 20;

/// The position that a file holds: a picture, or the compact form.
fn position_of_file(name: &str) -> Result<Position, Refusal> {
    let refuse = |fault: String| Refusal::File { name: name.to_string(), fault };
    let text =
        read_text_within(name, LONGEST_POSITION).map_err(|error| refuse(error.to_string()))?;
    let position = if text.contains('|') {
        text.parse().map(|picture: Picture| picture.position())
    } else {
        text.parse()
    };
    position.map_err(|error: arimaa::TextError| refuse(error.to_string()))
}

/// What an engine plays, as `bestmove` says it, in the full form with captures.
fn notation(game: &Game, choice: Choice) -> String {
    choice.map_or_else(|| "resign".to_string(), |action| game::Game::notation(game, action))
}

/// Plays what an engine has decided on.
fn play(game: &mut Game, choice: Choice) -> Result<(), arimaa::GameError> {
    match choice {
        Some(Action::Setup(setup)) => game.set_up(setup),
        Some(Action::Turn(turn)) => game.try_play(turn),
        None => game.resign(game.position().side()),
    }
}
