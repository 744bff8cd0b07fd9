//! A document from its text.

use game::{Notation, Past, Position, Proof, Side, Turns};
use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::check::TextAt;
use crate::{AnsweredTurn, Document, NodeId, Repetition, Strategy, StrategyNode};

/// What every text begins with.
pub(crate) const FIRST_LINE: &str = "tusk proof 1";

/// What every text ends with.
pub(crate) const LAST_LINE: &str = "end";

/// Lines are not indented more than this.
const DEEPEST: usize = 1000;

/// What a text says before its tree. Nothing but its form has been looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// Which game.
    pub game: String,
    /// The position as text.
    pub position: String,
    /// The line of the position.
    pub position_line: usize,
    /// The positions of the past as text, with their counts and lines.
    pub past: Vec<(u32, String, usize)>,
    /// What is proved.
    pub target: String,
    /// For the side to move.
    pub result: Proof,
    /// Whether repetition matters.
    pub repetition: Repetition,
}

/// Why a text is no proof, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {kind}")]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub kind: ReadErrorKind,
}

/// What can be wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReadErrorKind {
    /// Another kind of text, or a version to come.
    #[error("this is no proof: expected the line {FIRST_LINE:?}")]
    NoProof,
    /// A line that means nothing.
    #[error(
        "unknown line: expected game, position, past, target, result, repetition, or a line of the \
         tree, which begins with > ! < = # or a dot"
    )]
    Unknown,
    /// A line of the header that has to be there.
    #[error("there is no line {0:?}: add it before the tree")]
    Missing(&'static str),
    /// The same line again.
    #[error("there is a line {0:?} already: remove one of them")]
    Twice(&'static str),
    /// What the line should say.
    #[error("expected {0}")]
    Expected(&'static str),
    /// The proof is about another game.
    #[error("this is a proof about another game: expected {0}")]
    OtherGame(&'static str),
    /// What the game makes of a position, a target or a turn.
    #[error("{0}")]
    Game(String),
    /// A line too far to the right.
    #[error("this line is indented by {found} spaces, expected {most} at most")]
    Indentation {
        /// How far.
        found: usize,
        /// How far it may be.
        most: usize,
    },
    /// A line that does not belong where it stands.
    #[error("this line cannot stand here: expected {0}")]
    Misplaced(&'static str),
    /// A turn of the loser with nothing below it.
    #[error("this turn has no answer: expected one below it, indented by one space more")]
    NoAnswer,
    /// A label that nothing has.
    #[error("nothing above is labelled {0}")]
    NoLabel(u32),
    /// A label of a part that we are still in.
    #[error("label {0} is led back to from within: a proof must come nearer to its end")]
    Cycle(u32),
    /// A label of the other side's turn.
    #[error("label {0} is about the other side's turn")]
    OtherSide(u32),
    /// A label twice.
    #[error("label {0} is given twice: choose another number")]
    LabelTwice(u32),
    /// The text ends too early.
    #[error("the proof ends without its line {LAST_LINE:?}: is it cut off?")]
    CutOff,
    /// Something follows the end.
    #[error("the proof is over: remove this line, or begin another with {FIRST_LINE:?}")]
    AfterEnd,
}

/// A line with its number, and nothing at its end.
type Line<'a> = (usize, &'a str);

fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim_end()));
    lines.filter(|(_, line)| !line.is_empty())
}

fn error<T>(line: usize, kind: ReadErrorKind) -> Result<T, ReadError> {
    Err(ReadError { line, kind })
}

impl Header {
    /// Reads what stands before the tree.
    pub fn read(text: &str) -> Result<Header, ReadError> {
        let mut lines = lines(text);
        let (first, line) = lines.next().unwrap_or((1, ""));
        if line != FIRST_LINE {
            return error(first, ReadErrorKind::NoProof);
        }
        let mut draft = Draft::default();
        let mut last = first;
        for (number, line) in lines.take_while(|(_, line)| is_header(line)) {
            draft.read(line).map_err(|kind| ReadError { line: number, kind })?;
            if line.starts_with("position ") {
                draft.position_line = number;
            }
            if let Some((_, _, line)) = draft.past.last_mut().filter(|(_, _, line)| *line == 0) {
                *line = number;
            }
            last = number;
        }
        draft.finished().map_err(|kind| ReadError { line: last, kind })
    }
}

fn is_header(line: &str) -> bool {
    line.starts_with(|first: char| first.is_ascii_alphabetic()) && line != LAST_LINE
}

/// A header of which some lines are missing.
#[derive(Default)]
struct Draft {
    game: Option<String>,
    position: Option<String>,
    position_line: usize,
    past: Vec<(u32, String, usize)>,
    target: Option<String>,
    result: Option<Proof>,
    repetition: Option<Repetition>,
}

impl Draft {
    fn read(&mut self, line: &str) -> Result<(), ReadErrorKind> {
        let (word, value) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "game" => set(&mut self.game, "game", value.to_string()),
            "position" => set(&mut self.position, "position", value.to_string()),
            "target" => set(&mut self.target, "target", value.to_string()),
            "result" => set(&mut self.result, "result", read_result(value)?),
            "repetition" => {
                let known = [Repetition::Independent, Repetition::Relied];
                let repetition = known.into_iter().find(|known| known.name() == value);
                let expected =
                    ReadErrorKind::Expected("repetition independent, or repetition relied on");
                set(&mut self.repetition, "repetition", repetition.ok_or(expected)?)
            }
            "past" => {
                let (count, position) = value.split_once(' ').unwrap_or((value, ""));
                let Some(count) = count.parse().ok().filter(|&count| count > 0) else {
                    return Err(ReadErrorKind::Expected(
                        "past, how often a position has come about, and the position",
                    ));
                };
                self.past.push((count, position.to_string(), 0));
                Ok(())
            }
            _ => Err(ReadErrorKind::Unknown),
        }
    }

    fn finished(self) -> Result<Header, ReadErrorKind> {
        Ok(Header {
            game: self.game.ok_or(ReadErrorKind::Missing("game"))?,
            position: self.position.ok_or(ReadErrorKind::Missing("position"))?,
            position_line: self.position_line,
            past: self.past,
            target: self.target.ok_or(ReadErrorKind::Missing("target"))?,
            result: self.result.ok_or(ReadErrorKind::Missing("result"))?,
            repetition: self.repetition.ok_or(ReadErrorKind::Missing("repetition"))?,
        })
    }
}

fn set<T>(slot: &mut Option<T>, name: &'static str, value: T) -> Result<(), ReadErrorKind> {
    if slot.is_some() {
        return Err(ReadErrorKind::Twice(name));
    }
    *slot = Some(value);
    Ok(())
}

fn read_result(text: &str) -> Result<Proof, ReadErrorKind> {
    let (word, turns) = text.split_once(" in ").unwrap_or((text, ""));
    match (word, turns.parse().map(Turns)) {
        ("win", Ok(turns)) => Ok(Proof::Win(turns)),
        ("loss", Ok(turns)) => Ok(Proof::Loss(turns)),
        _ => Err(ReadErrorKind::Expected(
            "result win in N, or result loss in N, for the side to move",
        )),
    }
}

pub(crate) fn read<P: Notation>(text: &str) -> Result<Document<P>, ReadError> {
    Ok(read_told(text)?.0)
}

/// The texts of the turns, node by node.
#[derive(Default)]
pub(crate) struct ToldTurns(Vec<ToldNode>);

/// The texts of the turns of a node.
#[derive(Clone, Default)]
struct ToldNode {
    /// Those of an attack or of answered turns.
    turns: Vec<String>,
    /// Those of each finisher: it may be told once for each piece that plays it.
    finishers: Vec<Vec<String>>,
}

impl ToldTurns {
    /// The texts of a turn.
    pub(crate) fn texts(&self, at: TextAt) -> &[String] {
        let found = match at {
            TextAt::Turn(node, index) => {
                self.node(node).and_then(|node| node.turns.get(index)).map(std::slice::from_ref)
            }
            TextAt::Finisher(node, index) => {
                self.node(node).and_then(|node| node.finishers.get(index)).map(Vec::as_slice)
            }
        };
        found.unwrap_or_default()
    }

    fn node(&self, id: NodeId) -> Option<&ToldNode> {
        self.0.get(id.0 as usize)
    }

    fn node_mut(&mut self, id: NodeId) -> &mut ToldNode {
        let index = id.0 as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, ToldNode::default());
        }
        &mut self.0[index]
    }
}

/// The document, and how its turns are told.
pub(crate) fn read_told<P: Notation>(text: &str) -> Result<(Document<P>, ToldTurns), ReadError> {
    let header = Header::read(text)?;
    let of_game = |line| move |kind| ReadError { line, kind: ReadErrorKind::Game(kind) };
    if header.game != P::GAME {
        return error(header.position_line, ReadErrorKind::OtherGame(P::GAME));
    }
    let position =
        P::read(&header.position, &header.target).map_err(of_game(header.position_line))?;
    let past = header.past.into_iter().map(|(count, position, line)| {
        let key = P::past_key(&position).map_err(of_game(line))?;
        Ok(Past { count, position, key })
    });
    let past = past.collect::<Result<Vec<Past>, ReadError>>()?;
    let attacks = matches!(header.result, Proof::Win(_));
    let (strategy, told) = read_tree::<P>(text, position.side(), attacks)?;
    let (result, repetition) = (header.result, header.repetition);
    Ok((Document { position, past, result, repetition, strategy }, told))
}

fn read_tree<P: Notation>(
    text: &str,
    side: Side,
    attacks: bool,
) -> Result<(Strategy<P::Step>, ToldTurns), ReadError> {
    let mut reader = Reader::<P> {
        strategy: Strategy::default(),
        told: ToldTurns::default(),
        side,
        attacks,
        levels: vec![Level::default()],
        labels: FxHashMap::default(),
    };
    let mut last = 1;
    let mut ended = false;
    for (number, line) in lines(text).skip(1).skip_while(|(_, line)| is_header(line)) {
        last = number;
        if ended {
            return error(number, ReadErrorKind::AfterEnd);
        } else if line == LAST_LINE {
            ended = true;
            reader.close(0)?;
        } else {
            reader.read(number, line)?;
        }
    }
    if ended { Ok((reader.strategy, reader.told)) } else { error(last, ReadErrorKind::CutOff) }
}

struct Reader<P: Position> {
    strategy: Strategy<P::Step>,
    told: ToldTurns,
    /// Who moves at the root.
    side: Side,
    /// Whether that is the winner.
    attacks: bool,
    /// The parts that are still open, the outermost first; each line opens one for what follows it.
    levels: Vec<Level>,
    labels: FxHashMap<u32, Labelled>,
}

/// A node that more lines may belong to.
#[derive(Clone, Default)]
struct Level {
    /// The line that leads here.
    line: usize,
    node: Option<NodeId>,
    /// Whether all is said: a reference, a dot, a turn of the winner.
    complete: bool,
    label: Option<u32>,
}

struct Labelled {
    node: NodeId,
    /// At an even depth or an odd one: whose turn it is.
    parity: usize,
    closed: bool,
}

impl<P: Notation> Reader<P> {
    fn read(&mut self, number: usize, line: &str) -> Result<(), ReadError> {
        let content = line.trim_start_matches(' ');
        let depth = line.len() - content.len();
        let most = (self.levels.len() - 1).min(DEEPEST);
        if depth > most {
            return error(number, ReadErrorKind::Indentation { found: depth, most });
        }
        self.close(depth + 1)?;
        let (mark, rest) = content.split_at(content.chars().next().map_or(0, char::len_utf8));
        let kind = match (mark, self.is_attack(depth)) {
            ("#", _) => self.label(number, depth, rest),
            ("=", _) => self.refer(depth, rest),
            (">", true) => self.attack(number, depth, rest),
            ("!", false) => self.finisher(depth, rest),
            ("<", false) => self.answer(number, depth, rest),
            (".", false) if rest.is_empty() => self.nothing(depth),
            (">" | "!" | "<" | ".", attack) => Err(ReadErrorKind::Misplaced(expected(attack))),
            _ => Err(ReadErrorKind::Unknown),
        };
        kind.map_err(|kind| ReadError { line: number, kind })
    }

    fn is_attack(&self, depth: usize) -> bool {
        self.attacks == depth.is_multiple_of(2)
    }

    fn side(&self, depth: usize) -> Side {
        if depth.is_multiple_of(2) { self.side } else { !self.side }
    }

    /// Closes the levels from that depth on.
    fn close(&mut self, depth: usize) -> Result<(), ReadError> {
        while self.levels.len() > depth {
            let Some(level) = self.levels.pop() else { break };
            let here = self.levels.len();
            if let Some(labelled) = level.label.and_then(|label| self.labels.get_mut(&label)) {
                labelled.closed = true;
            }
            // After a turn of the winner nothing may follow: it wins at once.
            let is_answer = here > 0 && self.is_attack(here);
            if level.node.is_none() && is_answer {
                return error(level.line, ReadErrorKind::NoAnswer);
            }
            if level.node.is_some() && !level.complete && self.is_attack(here) {
                return error(
                    level.line,
                    ReadErrorKind::Misplaced("a turn of the winner below it"),
                );
            }
        }
        Ok(())
    }

    /// The node of a level, made and linked to what leads there, if it is new.
    fn node(&mut self, depth: usize) -> Result<NodeId, ReadErrorKind> {
        if self.levels[depth].complete {
            return Err(ReadErrorKind::Misplaced("no more lines at this place"));
        }
        if let Some(node) = self.levels[depth].node {
            return Ok(node);
        }
        let node = self.strategy.add(match self.is_attack(depth) {
            true => StrategyNode::Attack { turn: Vec::new(), next: None },
            false => StrategyNode::Defence { finishers: Vec::new(), answers: Vec::new() },
        });
        self.link(depth, node);
        Ok(node)
    }

    fn link(&mut self, depth: usize, node: NodeId) {
        self.levels[depth].node = Some(node);
        let Some(above) = depth.checked_sub(1).and_then(|above| self.levels[above].node) else {
            self.strategy.root = Some(node);
            return;
        };
        match &mut self.strategy.nodes[above.0 as usize] {
            StrategyNode::Attack { next, .. } => *next = Some(node),
            StrategyNode::Defence { answers, .. } => {
                if let Some(answer) = answers.last_mut() {
                    answer.next = node;
                }
            }
        }
    }

    fn open(&mut self, line: usize) {
        self.levels.push(Level { line, ..Level::default() });
    }

    fn label(&mut self, line: usize, depth: usize, number: &str) -> Result<(), ReadErrorKind> {
        let number = read_label(number)?;
        if self.levels[depth].node.is_some() {
            return Err(ReadErrorKind::Misplaced("a label before what it is about"));
        }
        if self.labels.contains_key(&number) {
            return Err(ReadErrorKind::LabelTwice(number));
        }
        let node = self.node(depth)?;
        self.levels[depth].label = Some(number);
        self.levels[depth].line = line;
        self.labels.insert(number, Labelled { node, parity: depth % 2, closed: false });
        Ok(())
    }

    fn refer(&mut self, depth: usize, number: &str) -> Result<(), ReadErrorKind> {
        let number = read_label(number)?;
        let labelled = self.labels.get(&number).ok_or(ReadErrorKind::NoLabel(number))?;
        if self.levels[depth].node.is_some() {
            return Err(ReadErrorKind::Misplaced("a reference alone"));
        } else if labelled.parity != depth % 2 {
            return Err(ReadErrorKind::OtherSide(number));
        } else if !labelled.closed {
            return Err(ReadErrorKind::Cycle(number));
        }
        let node = labelled.node;
        self.link(depth, node);
        self.levels[depth].complete = true;
        Ok(())
    }

    fn attack(&mut self, line: usize, depth: usize, text: &str) -> Result<(), ReadErrorKind> {
        let played = self.turn(text, self.side(depth))?;
        let node = self.node(depth)?;
        if let StrategyNode::Attack { turn, .. } = &mut self.strategy.nodes[node.0 as usize] {
            *turn = played;
        }
        self.told.node_mut(node).turns.push(text.trim().to_string());
        self.levels[depth].complete = true;
        self.open(line);
        Ok(())
    }

    fn finisher(&mut self, depth: usize, text: &str) -> Result<(), ReadErrorKind> {
        let turn = self.turn(text, !self.side(depth))?;
        let node = self.node(depth)?;
        if let StrategyNode::Defence { finishers, .. } = &mut self.strategy.nodes[node.0 as usize] {
            // The same turn again is the same steps of another piece.
            let told = &mut self.told.node_mut(node).finishers;
            match finishers.iter().position(|known| *known == turn) {
                Some(index) => told[index].push(text.trim().to_string()),
                None => {
                    finishers.push(turn);
                    told.push(vec![text.trim().to_string()]);
                }
            }
        }
        Ok(())
    }

    fn answer(&mut self, line: usize, depth: usize, text: &str) -> Result<(), ReadErrorKind> {
        let turn = self.turn(text, self.side(depth))?;
        let node = self.node(depth)?;
        if let StrategyNode::Defence { answers, .. } = &mut self.strategy.nodes[node.0 as usize] {
            // The next line says what follows.
            answers.push(AnsweredTurn { turn, next: NodeId(u32::MAX) });
        }
        self.told.node_mut(node).turns.push(text.trim().to_string());
        self.open(line);
        Ok(())
    }

    fn nothing(&mut self, depth: usize) -> Result<(), ReadErrorKind> {
        let node = self.node(depth)?;
        let is_empty = matches!(&self.strategy.nodes[node.0 as usize],
            StrategyNode::Defence { finishers, answers } if finishers.is_empty() && answers.is_empty());
        if !is_empty {
            return Err(ReadErrorKind::Misplaced("a dot alone"));
        }
        self.levels[depth].complete = true;
        Ok(())
    }

    fn turn(&self, text: &str, side: Side) -> Result<Vec<P::Step>, ReadErrorKind> {
        P::read_turn(text.trim(), side).map_err(ReadErrorKind::Game)
    }
}

/// What may stand there.
fn expected(attack: bool) -> &'static str {
    match attack {
        true => "a turn of the winner (>) or a reference (=)",
        false => "finishers (!), turns of the loser (<), a dot or a reference (=)",
    }
}

fn read_label(text: &str) -> Result<u32, ReadErrorKind> {
    let expected = ReadErrorKind::Expected("the number of a label right after its mark");
    text.parse().map_err(|_| expected)
}
