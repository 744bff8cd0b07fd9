//! The game on a terminal: a board for keys and mouse, beside a line to type in.

use std::io::stdout;
use std::ops::ControlFlow;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use engine::Stop;
use game::{Game as _, Side};
use guard::{NoThread, search_thread};
use ratatui::Frame;
use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyCode, KeyEvent, KeyEventKind,
    KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::crossterm::execute;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};
use workbench::{Cell, CellLook, Interactive, Step};

use super::session::{Action, Hint, Opponent, Reply, Session};

/// How often the clocks are drawn again.
const TICK: Duration = Duration::from_millis(100);

/// The width that is left for what stands beside the board.
const PANEL: u16 = 26;

const KEYS: &str =
    "Space: move  Enter: done  Tab: complete  Backspace: undo  F1 help  F2 hint  F6 back";

/// Plays until the person leaves.
pub fn run<S: Interactive>(
    session: &mut Session<S>,
    opponent: Opponent<S>,
    colour: bool,
) -> anyhow::Result<()> {
    let mut terminal = ratatui::try_init()?;
    // Without a mouse, keys do.
    let _ = execute!(stdout(), EnableMouseCapture);
    let done = Screen::new(session, opponent, colour).serve(&mut terminal);
    let _ = execute!(stdout(), DisableMouseCapture);
    ratatui::restore();
    done?;
    println!("{}", session.heading());
    println!("The record is kept in {}.", session.path().display());
    Ok(())
}

/// What an engine was asked on a thread of its own.
struct Thinking<S: Interactive> {
    stop: Stop,
    answer: Receiver<(Opponent<S>, Thought<S>)>,
    /// Whether the system had a thread for it.
    has_thread: bool,
}

enum Thought<S: Interactive> {
    /// What it plays; nothing, if it resigns.
    Turn(Option<Action<S>>),
    Hint(Option<Hint<S>>),
}

/// Where the board was drawn.
#[derive(Clone, Copy, Default)]
struct Placement {
    x: u16,
    y: u16,
    scale: u16,
}

struct Screen<'a, S: Interactive> {
    session: &'a mut Session<S>,
    opponent: Option<Opponent<S>>,
    name: String,
    thinking: Option<Thinking<S>>,
    cursor: String,
    selected: Option<String>,
    /// Steps of which one is to be chosen by its number.
    choices: Vec<Step<S>>,
    input: String,
    messages: Vec<String>,
    placement: Placement,
    colour: bool,
}

impl<'a, S: Interactive> Screen<'a, S> {
    fn new(session: &'a mut Session<S>, opponent: Opponent<S>, colour: bool) -> Screen<'a, S> {
        let cells = session.cells();
        let first = cells.iter().filter(|cell| cell.name.is_some()).max_by_key(|cell| cell.row);
        let cursor = first.and_then(|cell| cell.name.clone()).unwrap_or_default();
        let messages =
            vec![format!("You play {}. `help` lists what can be typed.", session.sides().0)];
        Screen {
            session,
            name: opponent.name.clone(),
            opponent: Some(opponent),
            thinking: None,
            cursor,
            selected: None,
            choices: Vec::new(),
            input: String::new(),
            messages,
            placement: Placement::default(),
            colour,
        }
    }

    fn serve(mut self, terminal: &mut ratatui::DefaultTerminal) -> anyhow::Result<()> {
        loop {
            self.ask_if_due();
            self.hear()?;
            terminal.draw(|frame| self.draw(frame))?;
            if !event::poll(TICK)? {
                continue;
            }
            let answer = match event::read()? {
                Event::Key(key) if key.kind == KeyEventKind::Press => self.key(key),
                Event::Mouse(mouse) => {
                    self.mouse(mouse);
                    ControlFlow::Continue(())
                }
                _ => ControlFlow::Continue(()),
            };
            if answer.is_break() {
                if let Some(thinking) = &self.thinking {
                    thinking.stop.request();
                }
                return Ok(());
            }
        }
    }

    /// Asks the engine where it is to play, and for a setup where the person is to set up.
    fn ask_if_due(&mut self) {
        if self.session.is_engines_turn() {
            self.ask(|opponent, game, stop| Thought::Turn(opponent.choose(game, stop)));
        } else if self.session.game().setting_up().is_some() && self.session.entered().is_empty() {
            let hint = self
                .opponent
                .as_mut()
                .and_then(|opponent| opponent.advise(self.session.game(), &Stop::new()));
            if let Some(hint) = hint {
                self.session.take_hint(&hint);
                let _ = self.obey("play");
                self.say("Select two squares to exchange their pieces; Enter ends the setup.");
            }
        }
    }

    fn ask(
        &mut self,
        question: impl FnOnce(&mut Opponent<S>, &S::Game, &Stop) -> Thought<S> + Send + 'static,
    ) {
        let Some(mut opponent) = self.opponent.take() else { return };
        let (sender, answer) = mpsc::channel();
        let (stop, game) = (Stop::new(), self.session.game().clone());
        let thinking_stop = stop.clone();
        let work = move || {
            let thought = question(&mut opponent, &game, &stop);
            // Where nobody listens any more, the person has left.
            let _ = sender.send((opponent, thought));
        };
        let has_thread = search_thread("engine").spawn(work).is_ok();
        self.thinking = Some(Thinking { stop: thinking_stop, answer, has_thread });
    }

    /// Takes what an engine has answered, if it has.
    fn hear(&mut self) -> anyhow::Result<()> {
        let Some(thinking) = &self.thinking else { return Ok(()) };
        let (opponent, thought) = match thinking.answer.try_recv() {
            Ok(answer) => answer,
            Err(mpsc::TryRecvError::Empty) => return Ok(()),
            Err(mpsc::TryRecvError::Disconnected) if !thinking.has_thread => {
                return Err(NoThread.into());
            }
            Err(mpsc::TryRecvError::Disconnected) => {
                anyhow::bail!("the engine crashed while thinking")
            }
        };
        (self.opponent, self.thinking) = (Some(opponent), None);
        match thought {
            Thought::Turn(Some(action)) => {
                let text = self.session.game().notation(action);
                let label = self.session.game().label();
                self.session.play(action).map_err(anyhow::Error::msg)?;
                self.say(&format!("{label} {text}"));
            }
            Thought::Turn(None) => {
                self.session.finish("resigns").map_err(anyhow::Error::msg)?;
            }
            Thought::Hint(Some(hint)) => {
                self.say(&hint.text);
                self.session.take_hint(&hint);
            }
            Thought::Hint(None) => self.say("There is no hint: give up."),
        }
        Ok(())
    }

    fn say(&mut self, message: &str) {
        self.messages.push(message.to_string());
    }

    fn key(&mut self, key: KeyEvent) -> ControlFlow<()> {
        match key.code {
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                return ControlFlow::Break(());
            }
            KeyCode::Char(digit @ '1'..='9')
                if self.input.is_empty() && !self.choices.is_empty() =>
            {
                self.pick(digit as usize - '1' as usize);
            }
            KeyCode::Char(' ') if self.input.is_empty() => self.choose(self.cursor.clone()),
            KeyCode::Char(letter) => self.input.push(letter),
            KeyCode::Tab => self.complete(),
            KeyCode::Backspace if self.input.is_empty() => return self.obey("undo"),
            KeyCode::Backspace => {
                self.input.pop();
            }
            KeyCode::Enter if self.input.is_empty() => return self.obey("done"),
            KeyCode::Enter => {
                let line = std::mem::take(&mut self.input);
                return self.obey(&line);
            }
            KeyCode::F(1) => return self.obey("help"),
            KeyCode::F(2) => return self.obey("hint"),
            KeyCode::F(3) => return self.obey("threats"),
            KeyCode::F(6) => return self.obey("back"),
            KeyCode::Esc => {
                self.selected = None;
                self.choices.clear();
                self.input.clear();
            }
            KeyCode::Left | KeyCode::Right | KeyCode::Up | KeyCode::Down => self.go(key.code),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Does what a line asks for.
    fn obey(&mut self, line: &str) -> ControlFlow<()> {
        // While the engine thinks, the person looks and leaves, no more.
        let looks = ["quit", "exit", "help", "clocks", "threats", "board"];
        if self.thinking.is_some() && !looks.contains(&line.trim()) {
            self.say("The engine is thinking.");
            return ControlFlow::Continue(());
        }
        (self.selected, self.choices) = (None, Vec::new());
        match self.session.obey(line) {
            Ok(Reply::Quit) => return ControlFlow::Break(()),
            Ok(Reply::Say(lines)) => self.messages.extend(lines),
            Ok(Reply::Board) => {}
            Ok(Reply::Hint) => {
                self.ask(|opponent, game, stop| Thought::Hint(opponent.advise(game, stop)));
            }
            Err(fault) => self.messages.push(fault),
        }
        ControlFlow::Continue(())
    }

    /// Goes on with the line as far as all steps agree that begin like it.
    fn complete(&mut self) {
        let steps = self.session.completions(&self.input);
        let Some(first) = steps.first() else { return };
        let length = |other: &String| {
            first.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count()
        };
        let common = &first[..steps.iter().map(length).min().unwrap_or(0)];
        // What is typed of the step is the longest end of the line that begins it.
        let ends = (0..=self.input.len()).filter(|&at| self.input.is_char_boundary(at));
        let typed = ends.into_iter().find(|&at| common.starts_with(&self.input[at..]));
        if let Some(at) = typed {
            self.input.truncate(at);
            self.input += common;
        }
        if steps.len() > 1 {
            self.messages.push(steps.join("  "));
        } else {
            self.input.push(' ');
        }
    }

    /// Selects a square, or moves what was selected there.
    fn choose(&mut self, name: String) {
        if self.thinking.is_some() || self.session.is_engines_turn() {
            return;
        }
        self.choices.clear();
        self.cursor.clone_from(&name);
        let Some(from) = self.selected.take() else {
            let placed = self.steps_with(&(None, name.clone()));
            match placed.is_empty() {
                true => self.selected = Some(name),
                false => self.offer(placed),
            }
            return;
        };
        if from == name {
            return;
        }
        if self.session.game().setting_up().is_some() {
            if let Err(fault) = self.session.exchange(&from, &name) {
                self.messages.push(fault);
            }
            return;
        }
        self.move_piece((Some(from), name));
    }

    /// The legal steps that move a piece so, alone or with another.
    fn steps_with(&self, moved: &(Option<String>, String)) -> Vec<Step<S>> {
        let mut steps = self.session.legal_steps();
        steps.retain(|&step| S::moves(step).contains(moved));
        steps
    }

    fn move_piece(&mut self, moved: (Option<String>, String)) {
        let steps = self.steps_with(&moved);
        if let Some(&alone) = steps.iter().find(|&&step| S::moves(step).len() == 1) {
            self.session.enter_step(alone);
        } else if let Some(pull) = self.pull(&moved) {
            // The step before becomes the first half of it.
            if self.session.undo_step().is_ok() {
                self.session.enter_step(pull);
            }
        } else {
            self.offer(steps);
        }
    }

    /// The step that does what the last one did and moves this piece as well.
    fn pull(&self, moved: &(Option<String>, String)) -> Option<Step<S>> {
        let (before, last) = self.session.last_step()?;
        let first = S::moves(last);
        S::steps(&before).into_iter().find(|&step| {
            let moves = S::moves(step);
            moves.len() == first.len() + 1
                && moves.contains(moved)
                && first.iter().all(|done| moves.contains(done))
        })
    }

    /// Enters the only step there is, or lets the person choose.
    fn offer(&mut self, steps: Vec<Step<S>>) {
        match steps.as_slice() {
            [] => self.say("No step goes there."),
            [only] => self.session.enter_step(*only),
            _ => self.choices = steps,
        }
    }

    fn pick(&mut self, index: usize) {
        if let Some(&step) = self.choices.get(index) {
            self.session.enter_step(step);
            self.choices.clear();
        }
    }

    /// Moves the cursor to the next square in a direction.
    fn go(&mut self, direction: KeyCode) {
        let cells = self.session.cells();
        let Some(here) = cells.iter().find(|cell| cell.name.as_ref() == Some(&self.cursor)) else {
            return;
        };
        let lies_there = |cell: &&Cell| {
            cell.name.is_some()
                && match direction {
                    KeyCode::Left => cell.column < here.column,
                    KeyCode::Right => cell.column > here.column,
                    KeyCode::Up => cell.row < here.row,
                    _ => cell.row > here.row,
                }
        };
        let distance =
            |cell: &&Cell| (cell.column.abs_diff(here.column), cell.row.abs_diff(here.row));
        if let Some(next) = cells.iter().filter(lies_there).min_by_key(distance) {
            self.cursor = next.name.clone().unwrap_or_default();
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                if let Some(name) = self.name_at(mouse.column, mouse.row) {
                    self.choose(name);
                }
            }
            MouseEventKind::Down(_) => self.selected = None,
            _ => {}
        }
    }

    /// The square at a place of the screen.
    fn name_at(&self, x: u16, y: u16) -> Option<String> {
        let cells = self.session.cells();
        let distance = |cell: &Cell| {
            let (at_x, at_y) = self.place(cell);
            (at_y.abs_diff(y), at_x.abs_diff(x))
        };
        let near = cells.into_iter().filter(|cell| {
            let (rows, columns) = distance(cell);
            cell.name.is_some() && rows < self.placement.scale && columns <= self.placement.scale
        });
        near.min_by_key(distance)?.name
    }

    /// Where a cell is on the screen.
    fn place(&self, cell: &Cell) -> (u16, u16) {
        let Placement { x, y, scale } = self.placement;
        (x + cell.column as u16 * scale, y + cell.row as u16 * scale)
    }

    fn draw(&mut self, frame: &mut Frame) {
        let rows =
            Layout::vertical([Constraint::Min(0), Constraint::Length(1), Constraint::Length(1)]);
        let [main, line, keys] = rows.areas(frame.area());
        let cells = self.session.cells();
        let width = cells.iter().map(|cell| cell.column as u16 + 4).max().unwrap_or(0);
        let height = cells.iter().map(|cell| cell.row as u16 + 1).max().unwrap_or(0);
        let fits_twice = main.height >= 2 * height && main.width >= 2 * width + PANEL;
        let scale = if fits_twice { 2 } else { 1 };
        let [board, panel] =
            Layout::horizontal([Constraint::Length(scale * width + 2), Constraint::Min(0)])
                .areas(main);
        self.placement = Placement { x: board.x + 1, y: board.y, scale };
        for cell in &cells {
            self.draw_cell(frame, board, cell);
        }
        frame.render_widget(self.panel(panel), panel);
        frame.render_widget(Paragraph::new(format!("> {}", self.input)), line);
        frame.set_cursor_position((line.x + 2 + self.input.chars().count() as u16, line.y));
        frame.render_widget(Paragraph::new(KEYS), keys);
    }

    fn draw_cell(&self, frame: &mut Frame, board: Rect, cell: &Cell) {
        let (x, y) = self.place(cell);
        let is_cursor = cell.name.as_ref() == Some(&self.cursor);
        let is_selected = cell.name.is_some() && cell.name == self.selected;
        // Signs beside the piece, so that nobody depends on colours.
        let text = match (is_cursor, is_selected) {
            (_, true) => format!("<{}>", cell.text),
            (true, false) => format!("[{}]", cell.text),
            (false, false) => format!(" {} ", cell.text),
        };
        if y < board.bottom() && x > 0 {
            let room = board.right().saturating_sub(x - 1) as usize;
            frame.buffer_mut().set_stringn(x - 1, y, text, room, self.style(cell));
        }
    }

    fn style(&self, cell: &Cell) -> Style {
        let style = Style::default();
        if !self.colour {
            return style;
        }
        match (cell.side, cell.look) {
            (Some(Side::First), _) => style.fg(Color::Yellow).add_modifier(Modifier::BOLD),
            (Some(Side::Second), _) => style.fg(Color::Cyan).add_modifier(Modifier::BOLD),
            (None, CellLook::Marked) => style.fg(Color::Red),
            (None, CellLook::Edge) => style.add_modifier(Modifier::DIM),
            (None, CellLook::Plain) => style,
        }
    }

    /// What stands beside the board: whose turn it is, the clocks, what was said last.
    fn panel(&self, area: Rect) -> Paragraph<'static> {
        let mut lines = vec![
            format!("Tusk {}, {}", self.name, self.session.sides().1),
            self.session.heading(),
            self.session.clocks(),
            String::new(),
        ];
        if self.thinking.is_some() {
            lines.push("The engine is thinking …".to_string());
        }
        let position = self.session.position();
        for (number, &step) in (1..).zip(&self.choices) {
            lines.push(format!("{number}: {}", S::step_text(&position, step)));
        }
        // Long messages take several rows each; the last ones are kept in sight.
        let room = (area.height as usize).saturating_sub(lines.len() + 2);
        let rows = |message: &String| message.chars().count() / (area.width.max(1) as usize) + 1;
        let mut shown = Vec::new();
        let mut used = 0;
        for message in self.messages.iter().rev() {
            used += rows(message);
            if used > room {
                break;
            }
            shown.push(message.clone());
        }
        lines.extend(shown.into_iter().rev());
        let lines: Vec<Line> = lines.into_iter().map(Line::from).collect();
        Paragraph::new(lines).wrap(Wrap { trim: false })
    }
}
