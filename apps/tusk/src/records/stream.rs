//! Games of a file one by one, so that an archive of years needs no more memory than its longest line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use anyhow::Context;
use flate2::bufread::MultiGzDecoder;
use guard::{LONGEST_FILE, LONGEST_LINE, read_bounded_line};
use workbench::Army;
use workbench::reading::{self, Location};

use super::{Entry, archive, json, read_text};

/// The games of a file. Tables and JSON are read line by line; records, whose games go over lines, at once.
pub struct Stream {
    input: Box<dyn BufRead>,
    file: String,
    army: Army,
    line: usize,
    form: Form,
    /// Games that were read and not yet asked for, the last one first.
    waiting: Vec<Entry>,
}

enum Form {
    /// No line has told yet; the comments so far.
    Unknown(String),
    /// A table with this header.
    Table(String),
    Json,
    /// All has been read.
    Over,
}

impl Stream {
    /// The games of a file, gzipped or not; `-` is standard input.
    pub fn open(file: &str, army: Army) -> anyhow::Result<Stream> {
        let (input, name): (Box<dyn Read>, &str) = match file {
            "-" => (Box::new(io::stdin()), "standard input"),
            _ => (Box::new(File::open(file).with_context(|| file.to_string())?), file),
        };
        Stream::of(input, name, army).with_context(|| name.to_string())
    }

    fn of(input: Box<dyn Read>, name: &str, army: Army) -> io::Result<Stream> {
        let mut input = BufReader::new(input);
        let is_packed = input.fill_buf()?.starts_with(&[0x1f, 0x8b]);
        let input: Box<dyn BufRead> = match is_packed {
            true => Box::new(BufReader::new(MultiGzDecoder::new(input))),
            false => Box::new(input),
        };
        let form = Form::Unknown(String::new());
        Ok(Stream { input, file: name.to_string(), army, line: 0, form, waiting: Vec::new() })
    }

    fn entry(&self, line: usize, record: Result<super::Record, String>) -> Entry {
        Entry { place: Location { file: Some(self.file.clone()), line }, record }
    }

    /// Reads on until there is a game or nothing more.
    fn advance(&mut self) {
        let mut bytes = Vec::new();
        self.line += 1;
        let text = match read_bounded_line(&mut self.input, &mut bytes, LONGEST_LINE) {
            Ok(0) => return self.end(),
            Ok(_) => String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_string(),
            Err(error) => {
                let is_long = error.kind() == io::ErrorKind::FileTooLarge;
                if !is_long {
                    self.form = Form::Over;
                }
                self.waiting.push(self.entry(self.line, Err(error.to_string())));
                return;
            }
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let kept = reading::is_kept(text);
        let found = match &mut self.form {
            Form::Over => return,
            Form::Unknown(before) if !kept => {
                before.push_str(text);
                before.push('\n');
                if before.len() as u64 > LONGEST_FILE {
                    let fault = "there is no game in the first 512 MiB, and no more are read";
                    self.form = Form::Over;
                    self.waiting.push(self.entry(self.line, Err(fault.to_string())));
                }
                return;
            }
            _ if !kept => return,
            Form::Unknown(_) if archive::is_header(text) => {
                self.form = Form::Table(text.to_string());
                return;
            }
            Form::Table(header) if header == text => return,
            Form::Table(header) => archive::read(&format!("{header}\n{text}\n"), self.army),
            Form::Json => json::read(text, self.army),
            Form::Unknown(_) if text.trim_start().starts_with('{') => {
                self.form = Form::Json;
                json::read(text, self.army)
            }
            Form::Unknown(before) => {
                let before = format!("{before}{text}\n");
                return self.read_rest(before);
            }
        };
        let record = found.into_iter().next().map(|(_, record)| record);
        self.waiting.extend(record.map(|record| self.entry(self.line, record)));
    }

    fn read_rest(&mut self, mut text: String) {
        self.form = Form::Over;
        let rest = guard::read_all(&mut self.input, LONGEST_FILE);
        let found = match rest {
            Ok(rest) => {
                text.push_str(&String::from_utf8_lossy(&rest));
                read_text(&text, self.army)
            }
            Err(error) => vec![(self.line, Err(error.to_string()))],
        };
        let entries: Vec<Entry> =
            found.into_iter().map(|(line, record)| self.entry(line, record)).collect();
        self.waiting = entries.into_iter().rev().collect();
    }

    fn end(&mut self) {
        if let Form::Unknown(before) = &self.form {
            let found = read_text(before, self.army);
            self.waiting =
                found.into_iter().map(|(line, record)| self.entry(line, record)).collect();
        }
        self.form = Form::Over;
    }
}

impl Iterator for Stream {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        while self.waiting.is_empty() {
            if let Form::Over = self.form {
                return None;
            }
            self.advance();
        }
        self.waiting.pop()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const GAME: &str = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n\
                        1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 md7 ee7 cf7 dg7 hh7\n\
                        2g Ee2n\n";

    fn told(bytes: &[u8]) -> Vec<(usize, bool)> {
        let input = Box::new(io::Cursor::new(bytes.to_vec()));
        let stream = Stream::of(input, "test", Army::Full).unwrap();
        stream.map(|entry| (entry.place.line, entry.record.is_ok())).collect()
    }

    #[test]
    fn what_is_corrupt_in_a_table_is_told_by_its_line_and_the_rest_is_read() {
        let game = GAME.trim_end().replace('\n', "\\n");
        let table = format!("# games\nmovelist\n{game}\nbroken\n\nmovelist\n{game}\n");
        let expected = [(3, true), (4, false), (7, true)];
        assert_eq!(told(table.as_bytes()), expected);
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(table.as_bytes()).unwrap();
        let mut packed = packed.finish().unwrap();
        assert_eq!(told(&packed), expected);
        // A file that was cut off tells so after the games before.
        packed.truncate(packed.len() - 12);
        assert!(told(&packed).last().is_some_and(|(_, is_sound)| !is_sound));
    }

    #[test]
    fn records_are_read_as_well() {
        assert_eq!(told(format!("{GAME}\n{GAME}").as_bytes()), [(1, true), (5, true)]);
        assert_eq!(told(b"nothing of use\n"), [(1, false)]);
        assert_eq!(told(b"# a comment\n"), [(1, false)]);
    }
}
