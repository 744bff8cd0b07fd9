use std::fmt;

/// Where a text is not what it should be, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub fault: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.fault)
    }
}

impl std::error::Error for TextError {}

/// A word of a text and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'a> {
    pub(crate) text: &'a str,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Word<'_> {
    pub(crate) fn error(&self, fault: impl Into<String>) -> TextError {
        TextError { line: self.line, column: self.column, fault: fault.into() }
    }
}

/// The words of a text, with white space of any kind between them.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    numbered(text, |line| line)
}

/// The same without what follows that character in each line.
pub(crate) fn words_before(text: &str, comment: char) -> impl Iterator<Item = Word<'_>> {
    numbered(text, move |line| line.split(comment).next().unwrap_or(line))
}

fn numbered<'a>(
    text: &'a str,
    trim: impl Fn(&'a str) -> &'a str,
) -> impl Iterator<Item = Word<'a>> {
    text.lines().enumerate().flat_map(move |(index, line)| {
        trim(line).split_whitespace().map(move |word| {
            let offset = word.as_ptr() as usize - line.as_ptr() as usize;
            let column = line[..offset].chars().count() + 1;
            Word { text: word, line: index + 1, column }
        })
    })
}
