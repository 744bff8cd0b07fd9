use std::collections::VecDeque;
use std::fmt;
use std::fmt::Write as _;

use thiserror::Error;

use crate::features::{FeatureList, fnv1a};

/// The weights of an evaluation, one for each feature of its list; read from a model file, and
/// written to one by [`fmt::Display`].
///
/// A model file is text. Blank lines, and what follows a `#`, are left out:
///
/// ```text
/// tusk-model 1
/// model arimaa-evaluation
/// features 1 0123456789abcdef
/// checksum fedcba9876543210
///
/// count 6
/// 47 21 24 34 42 -18
/// ```
///
/// The head tells the version of the format, the model's name, the version and the
/// [fingerprint](FeatureList::fingerprint) of the feature list that it was made for, and a checksum
/// (FNV-1a of 64 bits) of all lines below it, each without blanks at its ends and followed by a line
/// feed. Then each group of the list follows in order: its name and shape, then its weights with as
/// many on a line as the last index has places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    list: &'static FeatureList,
    numbers: Vec<i32>,
}

/// What model files begin with.
const MAGIC: &str = "tusk-model";

/// The version of the format.
const FORMAT: u32 = 1;

/// Why a file is not a model that can be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {fault}")]
pub struct ModelError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: ModelFault,
}

/// What is wrong with a model file, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ModelFault {
    /// It is something else.
    #[error("this is no model file: it begins with `{found}`, expected `{MAGIC} {FORMAT}`")]
    Magic {
        /// What it begins with.
        found: String,
    },
    /// It is not text.
    #[error("this is not UTF-8 text, as a model file is")]
    NoText,
    /// It is of another format.
    #[error("the format is of version {found}, this program reads version {FORMAT}")]
    Format {
        /// Its version.
        found: String,
    },
    /// Another line was expected.
    #[error("found `{found}`, expected `{expected}`")]
    Line {
        /// What is there.
        found: String,
        /// What should be.
        expected: String,
    },
    /// It has weights for other features.
    #[error(
        "the model was made for the feature list `{found}`, this program has `{expected}`: use a \
         model that was made for this version of the program"
    )]
    Features {
        /// Version and fingerprint of its list.
        found: String,
        /// Those of the program.
        expected: String,
    },
    /// The weights are not those that the checksum was made of.
    #[error(
        "the checksum is {found}, but the lines below give {expected}: the file was damaged, or \
         edited; if that was meant, write `checksum {expected}` here"
    )]
    Checksum {
        /// What the file says.
        found: String,
        /// What its content gives.
        expected: String,
    },
    /// A group has other indices.
    #[error("the group has the shape `{found}`, expected `{expected}`")]
    Shape {
        /// Its name and shape in the file.
        found: String,
        /// Those of the feature list.
        expected: String,
    },
    /// A row is too short or too long.
    #[error("a row of {name} has {expected} weights, found {found}")]
    Row {
        /// The group.
        name: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A word is no valid weight.
    #[error(
        "`{found}` in {name} is not a whole number from {} to {}", -Weights::MOST, Weights::MOST
    )]
    Number {
        /// The group.
        name: &'static str,
        /// What is there.
        found: String,
    },
    /// The file ends too early.
    #[error("the file ends here, expected {expected}: it is truncated")]
    Truncated {
        /// What should follow.
        expected: String,
    },
    /// More follows than the list has.
    #[error("found `{found}` after the last group of the feature list, expected nothing more")]
    Trailing {
        /// What follows.
        found: String,
    },
}

impl Weights {
    /// No weight is greater, and none is less than the negative of it.
    pub const MOST: i32 = 10_000;

    /// Weights for all features of a list.
    ///
    /// # Panics
    ///
    /// If they are not as many as the features, or one is out of range.
    pub fn new(list: &'static FeatureList, numbers: Vec<i32>) -> Weights {
        assert_eq!(numbers.len(), list.count(), "a weight for each feature");
        let range = -Weights::MOST..=Weights::MOST;
        assert!(numbers.iter().all(|number| range.contains(number)), "weights within {range:?}");
        Weights { list, numbers }
    }

    /// The features that they are for.
    pub fn list(&self) -> &'static FeatureList {
        self.list
    }

    /// The weight of each feature by its number.
    pub fn numbers(&self) -> &[i32] {
        &self.numbers
    }

    /// Reads a model file for a list of features.
    pub fn parse(list: &'static FeatureList, bytes: &[u8]) -> Result<Weights, ModelError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let before = &bytes[..error.valid_up_to()];
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
            ModelError { line, fault: ModelFault::NoText }
        })?;
        let mut lines = Lines::of(text);
        lines.head(list)?;
        let (checksum_line, checksum) = lines.checksum()?;
        let below = content(&lines.rest);
        let mut numbers = Vec::with_capacity(list.count());
        for group in list.groups {
            lines.group(group.name, group.shape)?;
            let width = group.shape.last().copied().unwrap_or(1);
            for _ in 0..group.count() / width {
                lines.row(group.name, width, &mut numbers)?;
            }
        }
        if let Some(&(line, found)) = lines.rest.front() {
            return Err(ModelError { line, fault: ModelFault::Trailing { found: found.into() } });
        }
        // Last: where a number is wrong or missing, that tells more.
        let expected = format!("{:016x}", fnv1a(below.as_bytes()));
        if checksum != expected {
            let fault = ModelFault::Checksum { found: checksum.into(), expected };
            return Err(ModelError { line: checksum_line, fault });
        }
        Ok(Weights { list, numbers })
    }
}

/// The lines of a model file that are not blank, without comments, with their numbers.
struct Lines<'a> {
    rest: VecDeque<(usize, &'a str)>,
    /// The number of the last line.
    last: usize,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Lines<'a> {
        let bare = |line: &'a str| line.split('#').next().unwrap_or_default().trim();
        let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, bare(line)));
        let rest = numbered.filter(|(_, line)| !line.is_empty()).collect();
        Lines { rest, last: text.lines().count().max(1) }
    }

    fn next(&mut self, expected: impl FnOnce() -> String) -> Result<(usize, &'a str), ModelError> {
        self.rest.pop_front().ok_or_else(|| {
            let fault = ModelFault::Truncated { expected: expected() };
            ModelError { line: self.last, fault }
        })
    }

    /// Reads the lines above the checksum.
    fn head(&mut self, list: &FeatureList) -> Result<(), ModelError> {
        let (line, found) = self.next(|| format!("`{MAGIC} {FORMAT}`"))?;
        match found.split_once(char::is_whitespace) {
            Some((MAGIC, version)) if version.trim() == FORMAT.to_string() => (),
            Some((MAGIC, version)) => {
                let fault = ModelFault::Format { found: version.trim().into() };
                return Err(ModelError { line, fault });
            }
            _ => {
                let found = found.chars().take(40).collect();
                return Err(ModelError { line, fault: ModelFault::Magic { found } });
            }
        }
        let expected = format!("model {}", list.model);
        let (line, found) = self.next(|| format!("`{expected}`"))?;
        if found != expected {
            return Err(ModelError {
                line,
                fault: ModelFault::Line { found: found.into(), expected },
            });
        }
        let expected = features_of(list);
        let (line, found) = self.next(|| format!("`{expected}`"))?;
        if found != expected {
            let fault = ModelFault::Features { found: found.into(), expected };
            return Err(ModelError { line, fault });
        }
        Ok(())
    }

    fn checksum(&mut self) -> Result<(usize, &'a str), ModelError> {
        let expected = "checksum and 16 hexadecimal digits";
        let (line, found) = self.next(|| expected.into())?;
        match found.strip_prefix("checksum ") {
            Some(checksum) => Ok((line, checksum.trim())),
            None => {
                let (found, expected) = (found.into(), expected.into());
                Err(ModelError { line, fault: ModelFault::Line { found, expected } })
            }
        }
    }

    /// Reads the line that begins a group.
    fn group(&mut self, name: &'static str, shape: &'static [usize]) -> Result<(), ModelError> {
        let (line, found) = self.next(|| format!("the group {name}"))?;
        let words: Vec<&str> = found.split_whitespace().collect();
        let expected = heading(name, shape);
        if words.join(" ") == expected {
            return Ok(());
        }
        let found = found.into();
        let fault = match words.first() {
            Some(&first) if first == name => ModelFault::Shape { found, expected },
            _ => ModelFault::Line { found, expected },
        };
        Err(ModelError { line, fault })
    }

    fn row(
        &mut self,
        name: &'static str,
        width: usize,
        numbers: &mut Vec<i32>,
    ) -> Result<(), ModelError> {
        let (line, row) = self.next(|| format!("{width} weights of {name}"))?;
        let mut found = 0;
        for word in row.split_whitespace() {
            let number = word.parse().ok();
            let range = -Weights::MOST..=Weights::MOST;
            let Some(number) = number.filter(|number| range.contains(number)) else {
                let fault = ModelFault::Number { name, found: word.into() };
                return Err(ModelError { line, fault });
            };
            numbers.push(number);
            found += 1;
        }
        if found != width {
            let fault = ModelFault::Row { name, found, expected: width };
            return Err(ModelError { line, fault });
        }
        Ok(())
    }
}

/// The line that tells which feature list a model is for.
fn features_of(list: &FeatureList) -> String {
    format!("features {} {:016x}", list.version, list.fingerprint())
}

/// The line that begins a group.
fn heading(name: &str, shape: &[usize]) -> String {
    let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
    format!("{name} {}", sizes.join(" "))
}

/// What the checksum is made of.
fn content(lines: &VecDeque<(usize, &str)>) -> String {
    lines.iter().flat_map(|(_, line)| [line, "\n"]).collect()
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut body = String::new();
        let mut rest = &self.numbers[..];
        for group in self.list.groups {
            let (numbers, after) = rest.split_at(group.count());
            rest = after;
            writeln!(body, "\n# {} ({})", group.about, group.unit)?;
            writeln!(body, "{}", heading(group.name, group.shape))?;
            for row in numbers.chunks(group.shape.last().copied().unwrap_or(1)) {
                let row: Vec<String> = row.iter().map(i32::to_string).collect();
                writeln!(body, "{}", row.join(" "))?;
            }
        }
        let checksum = fnv1a(content(&Lines::of(&body).rest).as_bytes());
        writeln!(f, "{MAGIC} {FORMAT}")?;
        writeln!(f, "model {}", self.list.model)?;
        writeln!(f, "{}", features_of(self.list))?;
        writeln!(f, "checksum {checksum:016x}")?;
        f.write_str(&body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::features! {
        static TOY = "toy", version 3;
        PAIRS, "pairs", "one", [2, 3], Point, "two rows of three";
        SHARE, "share", "two", [1], Hundredth, "a single one";
    }

    fn toy() -> Weights {
        assert_eq!((PAIRS.feature([1, 2]), SHARE.feature([0])), (5, 6));
        Weights::new(&TOY, vec![1, -2, 3, 4, 5, -6, 70])
    }

    fn fault_of(text: &str) -> String {
        Weights::parse(&TOY, text.as_bytes()).expect_err("a fault").to_string()
    }

    #[test]
    fn what_is_written_is_read_back() {
        let text = toy().to_string();
        assert_eq!(Weights::parse(&TOY, text.as_bytes()), Ok(toy()));
        // Comments, blank lines and other line ends do not matter.
        let other = text.replace('\n', " # nothing\r\n\r\n");
        assert_eq!(Weights::parse(&TOY, other.as_bytes()), Ok(toy()));
    }

    #[test]
    fn a_fault_names_its_line_and_what_would_be_right() {
        let text = toy().to_string();
        assert_eq!(
            fault_of("PK\u{3}\u{4}"),
            "line 1: this is no model file: it begins with `PK\u{3}\u{4}`, expected `tusk-model 1`"
        );
        assert_eq!(
            fault_of(""),
            "line 1: the file ends here, expected `tusk-model 1`: it is truncated"
        );
        assert_eq!(
            fault_of(&text.replace("tusk-model 1", "tusk-model 2")),
            "line 1: the format is of version 2, this program reads version 1"
        );
        assert_eq!(
            fault_of(&text.replace("model toy", "model other")),
            "line 2: found `model other`, expected `model toy`"
        );
        let fault = fault_of(&text.replace("features 3", "features 2"));
        assert!(
            fault.starts_with("line 3: the model was made for the feature list `features 2 "),
            "{fault}"
        );
        let fault = fault_of(&text.replace("1 -2 3", "1 2 3"));
        assert!(fault.starts_with("line 4: the checksum is "), "{fault}");
        assert_eq!(
            fault_of(&text.replace("pairs 2 3", "pairs 3 2")),
            "line 7: the group has the shape `pairs 3 2`, expected `pairs 2 3`"
        );
        assert_eq!(
            fault_of(&text.replace("4 5 -6", "4 5")),
            "line 9: a row of pairs has 3 weights, found 2"
        );
        assert_eq!(
            fault_of(&text.replace("4 5 -6", "4 5 10001")),
            "line 9: `10001` in pairs is not a whole number from -10000 to 10000"
        );
        assert_eq!(
            fault_of(&text.replace("4 5 -6", "4 5.5 -6")),
            "line 9: `5.5` in pairs is not a whole number from -10000 to 10000"
        );
        let end = text.rfind("share").expect("the group");
        assert_eq!(
            fault_of(&text[..end]),
            "line 11: the file ends here, expected the group share: it is truncated"
        );
        assert_eq!(
            fault_of(&(text + "5\n")),
            "line 14: found `5` after the last group of the feature list, expected nothing more"
        );
        assert_eq!(
            Weights::parse(&TOY, b"tusk-model 1\n\xff").expect_err("a fault").to_string(),
            "line 2: this is not UTF-8 text, as a model file is"
        );
    }

    #[test]
    fn what_follows_the_checksum_can_be_put_right_by_hand() {
        let text = toy().to_string().replace("1 -2 3", "1 2 3");
        let error = Weights::parse(&TOY, text.as_bytes()).expect_err("another checksum");
        let ModelFault::Checksum { found, expected } = error.fault else { panic!("{error}") };
        let weights = Weights::parse(&TOY, text.replace(&found, &expected).as_bytes());
        assert_eq!(weights.map(|weights| weights.numbers()[1]), Ok(2));
    }
}
