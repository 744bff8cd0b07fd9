//! Reads what POS stands for on a command line.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use arimaa::{Army, Game, Picture, Position};

/// What every verb over positions takes.
#[derive(clap::Args)]
pub struct Input {
    /// A file, a folder, - or the position itself
    #[arg(required = true)]
    pos: Option<String>,

    /// Print one JSON object a line
    #[arg(long)]
    pub json: bool,

    /// Accept setups with fewer than sixteen pieces in game records
    #[arg(long)]
    handicap: bool,
}

impl Input {
    /// The positions that were asked for.
    pub fn read(&self) -> anyhow::Result<Vec<Entry>> {
        read(
            self.pos.as_deref().unwrap_or("-"),
            if self.handicap { Army::Handicap } else { Army::Full },
        )
    }
}

/// One position of the input, or why it is none.
pub struct Entry<T = Content> {
    pub place: Place,
    pub content: Result<T, String>,
}

/// Where an entry stands.
#[derive(Clone)]
pub struct Place {
    /// The file, where there is one.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}, line {}", self.line),
            None => write!(f, "line {}", self.line),
        }
    }
}

/// A game, of which a mere position is the beginning, and what else a table says of it.
pub struct Content {
    pub game: Game,
    /// The heading of a picture.
    pub label: Option<String>,
    /// How many distinct turns there are, if a column `unique_turns` says so.
    pub unique_turns: Option<u64>,
}

impl Content {
    fn new(game: Game) -> Content {
        Content { game, label: None, unique_turns: None }
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        self.game.position()
    }
}

/// Everything that POS stands for, in the order of the input. What cannot be read at all is an entry
/// too, so that one bad file of a folder does not hide the others.
pub fn read(pos: &str, army: Army) -> anyhow::Result<Vec<Entry>> {
    if let Some(sources) = sources(pos)? {
        Ok(sources.iter().flat_map(|source| source.entries(army)).collect())
    } else if pos.contains(['[', '|', '\n']) {
        Ok(read_text(pos, None, army))
    } else {
        bail!(
            "{pos}: there is no such file, and it is no position: expected a file, a folder, \
             - for standard input, or a position such as \"g [64 characters]\""
        )
    }
}

/// A text and where it comes from.
pub struct Source {
    /// The file.
    pub file: String,
    /// The text, or in which line it is none, and why.
    pub text: Result<String, (usize, String)>,
}

impl Source {
    fn entries(&self, army: Army) -> Vec<Entry> {
        match &self.text {
            Ok(text) => read_text(text, Some(&self.file), army),
            Err((line, fault)) => nothing_but(fault.clone(), *line, Some(&self.file)),
        }
    }
}

/// The texts of a file, of every file in a folder, or of standard input (`-`); nothing, if there is
/// no such file.
pub fn sources(path: &str) -> anyhow::Result<Option<Vec<Source>>> {
    sources_of(path, "a board picture, positions, a game record or a table")
}

/// The same of files with something else in them: `expected` says what.
pub fn sources_of(path: &str, expected: &str) -> anyhow::Result<Option<Vec<Source>>> {
    if path == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).context("standard input")?;
        return Ok(Some(vec![Source {
            file: "standard input".to_string(),
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

/// The one entry of an input that is nothing but a fault.
fn nothing_but(fault: String, line: usize, file: Option<&str>) -> Vec<Entry> {
    vec![Entry { place: Place { file: file.map(str::to_string), line }, content: Err(fault) }]
}

fn read_file(path: &Path, expected: &str) -> Source {
    let bytes = std::fs::read(path).map_err(|error| (1, error.to_string()));
    Source {
        file: path.display().to_string(),
        text: bytes.and_then(|bytes| text_of(&bytes, expected)),
    }
}

/// The text of a file, gzipped or not, or why it is none; `expected` says what it should be.
pub fn text_of(bytes: &[u8], expected: &str) -> Result<String, (usize, String)> {
    let mut unpacked = Vec::new();
    let mut bytes = bytes;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut packed = flate2::read::MultiGzDecoder::new(bytes);
        let damaged = |error| (1, format!("the gzipped data is damaged: {error}"));
        packed.read_to_end(&mut unpacked).map_err(damaged)?;
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

/// Recognises what the text is by its first line.
fn read_text(text: &str, file: Option<&str>, army: Army) -> Vec<Entry> {
    let place = |line| Place { file: file.map(str::to_string), line };
    let lines = || {
        let kept = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
        text.lines().enumerate().filter(move |(_, line)| kept(line))
    };
    let Some((first_index, first)) = lines().next() else {
        let fault = "there is nothing here: expected a board picture, positions such as \
                     \"g [64 characters]\", a game record or a table";
        return nothing_but(fault.to_string(), 1, file);
    };
    if let Some(table) = Table::of_header(first) {
        let rows: Vec<Entry> = lines()
            .skip(1)
            .map(|(index, row)| Entry { place: place(index + 1), content: table.read(row, army) })
            .collect();
        if rows.is_empty() {
            let fault = "the table has a header and no rows: is it cut off?";
            return nothing_but(fault.to_string(), first_index + 1, file);
        }
        return rows;
    }
    let uncommented = |line: &str| line.split('#').next().unwrap_or(line).to_string();
    let whole = if lines().any(|(_, line)| uncommented(line).contains('|')) {
        read_picture(text)
    } else if is_record_line(&uncommented(first)) {
        read_record(text, army)
    } else {
        return lines()
            .map(|(index, line)| Entry { place: place(index + 1), content: read_line(line) })
            .collect();
    };
    match whole {
        Ok(content) => vec![Entry { place: place(first_index + 1), content: Ok(content) }],
        Err((line, fault)) => nothing_but(fault, line, file),
    }
}

/// A turn of a record begins with its number and side.
pub fn is_record_line(line: &str) -> bool {
    let label = line.split_whitespace().next().unwrap_or("");
    let number = label.trim_end_matches(['g', 's', 'w', 'b']);
    label.len() == number.len() + 1
        && !number.is_empty()
        && number.bytes().all(|digit| digit.is_ascii_digit())
        && !line.contains('[')
}

fn read_record(text: &str, army: Army) -> Result<Content, (usize, String)> {
    let game = Game::parse(text, army).map_err(|error| (error.line, error.fault.to_string()))?;
    match game.setting_up() {
        None => Ok(Content::new(game)),
        Some(side) => {
            let name = arimaa::side::name(side);
            let fault =
                format!("the record ends before {name} has set up: add the line of 1g or 1s");
            Err((text.lines().count().max(1), fault))
        }
    }
}

fn read_picture(text: &str) -> Result<Content, (usize, String)> {
    let picture: Picture = text
        .parse()
        .map_err(|e: arimaa::TextError| (e.line, format!("column {}: {}", e.column, e.fault)))?;
    let label = picture.side.map(|side| {
        let number = picture.number.map_or(String::new(), |number| number.to_string());
        format!("{number}{}", arimaa::side::letter(side))
    });
    Ok(Content { label, ..Content::new(Game::from_position(picture.position())) })
}

fn read_line(line: &str) -> Result<Content, String> {
    if !line.contains('[') {
        return Err("column 1: this is no position: expected a line such as g [64 characters], \
                    a board picture, a game record, or a table with a column `position`"
            .to_string());
    }
    let position: Position =
        line.parse().map_err(|e: arimaa::TextError| format!("column {}: {}", e.column, e.fault))?;
    Ok(Content::new(Game::from_position(position)))
}

/// The columns of a tab-separated table that are of use.
struct Table {
    position: Option<usize>,
    movelist: Option<usize>,
    unique_turns: Option<usize>,
}

impl Table {
    fn of_header(line: &str) -> Option<Table> {
        let column = |name| line.split('\t').position(|column| column.trim() == name);
        let table = Table {
            position: column("position"),
            movelist: column("movelist"),
            unique_turns: column("unique_turns"),
        };
        (table.position.is_some() || table.movelist.is_some()).then_some(table)
    }

    fn read(&self, row: &str, army: Army) -> Result<Content, String> {
        // An empty cell and a dash say nothing.
        let cell = |column: Option<usize>| {
            row.split('\t').nth(column?).filter(|cell| !matches!(cell.trim(), "" | "-"))
        };
        let unique_turns =
            match cell(self.unique_turns) {
                None => None,
                Some(count) => Some(count.trim().parse().map_err(|_| {
                    format!("column unique_turns: expected a number, found {count:?}")
                })?),
            };
        let content = match (cell(self.position), cell(self.movelist)) {
            (Some(position), _) => read_line(position)?,
            (None, Some(moves)) => read_movelist(moves, army)?,
            (None, None) => return Err("the row has no position in its column".to_string()),
        };
        Ok(Content { unique_turns, ..content })
    }
}

/// A game in one cell.
fn read_movelist(moves: &str, army: Army) -> Result<Content, String> {
    read_record(&record_of(moves), army).map_err(|(_, fault)| fault)
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
