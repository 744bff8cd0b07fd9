//! Reading: what POS stands for on a command line, in any game.

use std::borrow::Cow;
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use guard::{LONGEST_FILE, read_all};

use crate::tzaar::is_tzaar;
use crate::{Army, GameName, GameRecord as _, GameSpec, TurnNumber, in_game};

/// How positions and games of a game are read.
pub trait Reading: GameSpec {
    /// Reads a text that is one position or one game as a whole, such as a picture or a record, if its
    /// first line says that it is; an error comes with its line.
    fn read_whole(text: &str, army: Army) -> Option<Result<Content<Self>, (usize, String)>>;

    /// Reads a position in one line.
    fn read_line(line: &str) -> Result<Content<Self>, String>;

    /// Reads a game in one cell of a table.
    fn read_movelist(moves: &str, army: Army) -> Result<Content<Self>, String>;

    /// Whether a line of a record says where it begins.
    fn is_origin(line: &str) -> bool;
}

/// One position of the input, or why it is none.
pub struct InputEntry<T> {
    /// Where it stands.
    pub place: Location,
    /// What it is, or why it is nothing.
    pub content: Result<T, String>,
}

/// The positions of an input.
pub type Entries<S> = Vec<InputEntry<Content<S>>>;

/// Where an entry stands.
#[derive(Clone)]
pub struct Location {
    /// The file, where there is one.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: usize,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}, line {}", self.line),
            None => write!(f, "line {}", self.line),
        }
    }
}

/// A game, of which a mere position is the beginning, and what else a table says of it.
pub struct Content<S: GameSpec> {
    /// The game.
    pub game: S::Game,
    /// The heading of a picture.
    pub label: Option<String>,
    /// How many distinct turns there are, if a column `unique_turns` says so.
    pub unique_turns: Option<u64>,
}

impl<S: GameSpec> Content<S> {
    /// A game, and nothing besides.
    pub fn new(game: S::Game) -> Content<S> {
        Content { game, label: None, unique_turns: None }
    }

    /// The same before a turn of the game.
    fn before_turn(self, turn: TurnNumber) -> Result<Content<S>, String> {
        self.game.before_turn(turn).map(Content::new)
    }
}

/// What POS stands for, before it is read.
pub struct Texts {
    /// The game that it is of.
    pub game: GameName,
    /// How many pieces setups must have.
    pub army: Army,
    /// Of games, the position before this turn is meant, if not the last.
    pub turn: Option<TurnNumber>,
    sources: Vec<Source>,
}

impl Texts {
    /// The texts that POS stands for. Which game they are of, the first position says, unless that is
    /// settled.
    pub fn read(pos: &str, game: Option<GameName>) -> anyhow::Result<Texts> {
        let sources = match sources(pos)? {
            Some(sources) => sources,
            None if pos.contains(['[', '|', '\n']) || is_tzaar(pos) || is_one_line_record(pos) => {
                vec![Source { file: None, text: Ok(pos.to_string()) }]
            }
            None => bail!(
                "{pos}: there is no such file, and it is no position: expected a file, a folder, \
                 - for standard input, or a position such as \"{}\"",
                in_game!(game.unwrap_or_default(), S => S::EXAMPLE)
            ),
        };
        let game = game.unwrap_or_else(|| game_of(&sources));
        Ok(Texts { game, army: Army::Full, turn: None, sources })
    }

    /// The positions, in the order of the input. What cannot be read at all is an entry too, so that one
    /// bad file of a folder does not hide the others.
    pub fn entries<S: Reading>(&self) -> Entries<S> {
        let mut entries: Entries<S> =
            self.sources.iter().flat_map(|source| source.entries(self.army)).collect();
        if let Some(turn) = self.turn {
            for entry in &mut entries {
                let content = std::mem::replace(&mut entry.content, Err(String::new()));
                entry.content = content.and_then(|content| content.before_turn(turn));
            }
        }
        entries
    }
}

/// The game of these texts, by the first that says something.
pub fn game_of(sources: &[Source]) -> GameName {
    let mut texts = sources.iter().filter_map(|source| source.text.as_ref().ok());
    let told = texts.find(|text| text.lines().any(is_kept));
    told.map_or(GameName::default(), |text| GameName::of_text(text))
}

/// The positions of this game that POS stands for.
pub fn read<S: Reading>(pos: &str, army: Army) -> anyhow::Result<Entries<S>> {
    let texts = Texts::read(pos, None)?;
    let (found, expected) = (texts.game, S::NAME);
    // What cannot be told is taken for Arimaa.
    if found != expected && found != GameName::default() {
        bail!("{pos}: these are positions of {found}, and {expected} is asked for");
    }
    Ok(Texts { army, ..texts }.entries())
}

/// A text and where it comes from.
pub struct Source {
    /// The file, where there is one.
    pub file: Option<String>,
    /// The text, or in which line it is none, and why.
    pub text: Result<String, (usize, String)>,
}

impl Source {
    /// The positions and games of the text, in its order.
    pub fn entries<S: Reading>(&self, army: Army) -> Entries<S> {
        match &self.text {
            Ok(text) => self.read(text, army),
            Err((line, fault)) => vec![self.fault(*line, fault.clone())],
        }
    }

    /// The place of a line.
    pub fn place(&self, line: usize) -> Location {
        Location { file: self.file.clone(), line }
    }

    /// An entry that is nothing but a fault.
    pub fn fault<T>(&self, line: usize, fault: String) -> InputEntry<T> {
        InputEntry { place: self.place(line), content: Err(fault) }
    }

    /// Recognises what the text is by its first line.
    fn read<S: Reading>(&self, text: &str, army: Army) -> Entries<S> {
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| is_kept(line));
        let Some((first_line, first)) = lines.next() else {
            let fault = format!(
                "there is nothing here: expected a board picture, positions such as \"{}\", a \
                 game record or a table",
                S::EXAMPLE
            );
            return vec![self.fault(1, fault)];
        };
        if let Some(table) = TableColumns::of_header(first) {
            let rows = lines.map(|(line, row)| (line, table.read(row, army)));
            let rows: Entries<S> = rows
                .map(|(line, content)| InputEntry { place: self.place(line), content })
                .collect();
            if rows.is_empty() {
                return vec![self.fault(first_line, CUT_OFF.to_string())];
            }
            return rows;
        }
        match S::read_whole(&headers_as_comments(text), army) {
            Some(Ok(content)) => {
                vec![InputEntry { place: self.place(first_line), content: Ok(content) }]
            }
            Some(Err((line, fault))) => vec![self.fault(line, fault)],
            None => {
                let lines = [(first_line, first)].into_iter().chain(lines);
                let read = |(line, text)| InputEntry {
                    place: self.place(line),
                    content: S::read_line(text),
                };
                lines.map(read).collect()
            }
        }
    }
}

/// Of a table that has nothing but its header.
pub const CUT_OFF: &str = "the table has a header and no rows: is it cut off?";

/// Whether a line says something.
pub fn is_kept(line: &str) -> bool {
    !line.trim().is_empty() && !line.trim_start().starts_with('#')
}

/// A line without its comment.
pub fn uncommented(line: &str) -> &str {
    line.split('#').next().unwrap_or(line)
}

/// The texts of a file, of every file in a folder, or of standard input (`-`); nothing, if there is
/// no such file.
pub fn sources(path: &str) -> anyhow::Result<Option<Vec<Source>>> {
    sources_of(path, "a board picture, positions, a game record or a table")
}

/// The same of files with something else in them: `expected` says what.
pub fn sources_of(path: &str, expected: &str) -> anyhow::Result<Option<Vec<Source>>> {
    if path == "-" {
        let bytes = read_all(std::io::stdin(), LONGEST_FILE).context("standard input")?;
        return Ok(Some(vec![Source {
            file: Some("standard input".to_string()),
            text: text_of(&bytes, expected),
        }]));
    }
    let path = Path::new(path);
    if path.is_dir() {
        let sources: Vec<Source> =
            files_in(path)?.iter().map(|file| read_file(file, expected)).collect();
        if sources.is_empty() {
            bail!("{}: the folder has no file in it", path.display());
        }
        Ok(Some(sources))
    } else {
        Ok(path.exists().then(|| vec![read_file(path, expected)]))
    }
}

fn files_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let name = || folder.display().to_string();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(name)? {
        let path = entry.with_context(name)?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn read_file(path: &Path, expected: &str) -> Source {
    let bytes = guard::read_file(path).map_err(|error| (1, error.to_string()));
    Source {
        file: Some(path.display().to_string()),
        text: bytes.and_then(|bytes| text_of(&bytes, expected)),
    }
}

/// The text of a file, gzipped or not, or why it is none; `expected` says what it should be.
pub fn text_of(bytes: &[u8], expected: &str) -> Result<String, (usize, String)> {
    let unpacked;
    let mut bytes = bytes;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        unpacked = unpacked_within(bytes, LONGEST_FILE)?;
        bytes = &unpacked;
    }
    let is_binary = |byte: u8| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c);
    if let Some(at) = bytes.iter().position(|&byte| is_binary(byte)) {
        let line = 1 + bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
        let byte = bytes[at];
        let fault =
            format!("this is no text (byte {byte:#04x} at offset {at}): expected {expected}");
        return Err((line, fault));
    }
    // Old archives hold names in other encodings; the parts that matter are plain ASCII.
    let text = String::from_utf8_lossy(bytes);
    // Some editors put a byte order mark in front.
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_string())
}

/// What gzipped data hold, if that is not too much: a few bytes can stand for any number of them.
fn unpacked_within(packed: &[u8], longest: u64) -> Result<Vec<u8>, (usize, String)> {
    let unpacked = read_all(flate2::read::MultiGzDecoder::new(packed), longest);
    unpacked.map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => (1, format!("unpacked, {error}")),
        _ => (1, format!("the gzipped data is damaged: {error}")),
    })
}

/// A turn of a record begins with its number and side.
pub fn is_record_line(line: &str) -> bool {
    let label = line.split_whitespace().next().unwrap_or("");
    let number = label.trim_end_matches(['g', 's', 'w', 'b', 'G', 'S', 'W', 'B']);
    label.len() == number.len() + 1
        && !number.is_empty()
        && number.bytes().all(|digit| digit.is_ascii_digit())
        && !line.contains('[')
}

/// Whether this is a record in one line, not the name of a file that is missing.
fn is_one_line_record(text: &str) -> bool {
    is_record_line(text) && text.trim().contains(char::is_whitespace)
}

/// A record whose headers are comments. A header is `[White "Ann"]`, as other games' records have it, or `White: Ann`,
/// and stands before the first turn. Any other text is left as it is.
pub fn headers_as_comments(text: &str) -> Cow<'_, str> {
    let mut told = text.lines().filter(|line| is_kept(line)).peekable();
    let has_headers = told.peek().is_some_and(|line| header(line).is_some());
    if !has_headers || !told.find(|line| header(line).is_none()).is_some_and(is_record_line) {
        return Cow::Borrowed(text);
    }
    let line = |line: &str| match header(line).filter(|_| is_kept(line)) {
        Some((key, value)) => format!("# {}: {value}\n", key.to_lowercase()),
        None => format!("{line}\n"),
    };
    Cow::Owned(text.lines().map(line).collect())
}

/// The key and the value of a header.
fn header(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let (key, value) = match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
        Some(tag) => tag.split_once(char::is_whitespace)?,
        None => line.split_once(':')?,
    };
    let is_word = |letter: char| letter.is_ascii_alphabetic() || matches!(letter, ' ' | '_' | '-');
    let is_key = !key.is_empty() && key.chars().all(is_word);
    is_key.then(|| (key.trim(), value.trim().trim_matches('"')))
}

/// The columns of a tab-separated table that are of use.
pub struct TableColumns {
    position: Option<usize>,
    movelist: Option<usize>,
    unique_turns: Option<usize>,
}

impl TableColumns {
    /// The columns of a header that has a position or a game.
    pub fn of_header(line: &str) -> Option<TableColumns> {
        let column = |name| line.split('\t').position(|column| column.trim() == name);
        let table = TableColumns {
            position: column("position"),
            movelist: column("movelist"),
            unique_turns: column("unique_turns"),
        };
        (table.position.is_some() || table.movelist.is_some()).then_some(table)
    }

    /// What a row has to say first: its position, else its game.
    pub fn cell<'a>(&self, row: &'a str) -> Option<&'a str> {
        cell(row, self.position).or_else(|| cell(row, self.movelist))
    }

    fn read<S: Reading>(&self, row: &str, army: Army) -> Result<Content<S>, String> {
        let cell = |column| cell(row, column);
        let unique_turns =
            match cell(self.unique_turns) {
                None => None,
                Some(count) => Some(count.trim().parse().map_err(|_| {
                    format!("column unique_turns: expected a number, found {count:?}")
                })?),
            };
        let content = match (cell(self.position), cell(self.movelist)) {
            (Some(position), _) => S::read_line(position)?,
            (None, Some(moves)) => S::read_movelist(moves, army)?,
            (None, None) => return Err("the row has no position in its column".to_string()),
        };
        Ok(Content { unique_turns, ..content })
    }
}

/// What a row has in a column. An empty cell and a dash say nothing.
fn cell(row: &str, column: Option<usize>) -> Option<&str> {
    row.split('\t').nth(column?).filter(|cell| !matches!(cell.trim(), "" | "-"))
}

/// The record that a cell holds: its lines with `\n` between them, or bare turns with `|`.
pub fn record_of(moves: &str) -> String {
    if !moves.contains('|') {
        return moves.replace("\\n", "\n");
    }
    let label = |index: usize| format!("{}{}", index / 2 + 1, ['g', 's'][index % 2]);
    let turns = moves.split('|').enumerate();
    turns.map(|(index, turn)| format!("{} {turn}\n", label(index))).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn gzipped_data_that_stand_for_too_much_are_refused() {
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&[b' '; 5000]).unwrap();
        let packed = packed.finish().unwrap();
        assert!(packed.len() < 100);
        assert_eq!(unpacked_within(&packed, 5000).unwrap(), [b' '; 5000]);
        let (_, fault) = unpacked_within(&packed, 4999).unwrap_err();
        assert_eq!(fault, "unpacked, it has more than 4999 bytes, and no more are read");
    }
}
