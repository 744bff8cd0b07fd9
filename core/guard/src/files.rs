//! Files and lines of others, read no further than anything sensible reaches.

use std::fs::File;
use std::io::{self, BufRead, ErrorKind, Read};
use std::path::Path;

/// The longest file that is read as a whole, in bytes, unpacked: a hundred thousand games of some thousand
/// letters fit well.
pub const LONGEST_FILE: u64 = 512 << 20;

/// The longest line that is read, in bytes: a game with all its turns has some thousands.
pub const LONGEST_LINE: usize = 1 << 20;

/// What a file holds, if that is no more than [`LONGEST_FILE`].
pub fn read_file(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    read_file_within(path, LONGEST_FILE)
}

/// What a file holds, if that is no more than `longest` bytes. A device or a pipe that never ends is
/// refused as well, since no more is read.
pub fn read_file_within(path: impl AsRef<Path>, longest: u64) -> io::Result<Vec<u8>> {
    read_all(File::open(path)?, longest)
}

/// The text of a file of at most `longest` bytes.
pub fn read_text_within(path: impl AsRef<Path>, longest: u64) -> io::Result<String> {
    let text = String::from_utf8(read_file_within(path, longest)?);
    text.map_err(|_| io::Error::new(ErrorKind::InvalidData, "this is no text (UTF-8)"))
}

/// All that an input holds, if that is no more than `longest` bytes.
///
/// ```
/// assert_eq!(guard::read_all(&b"four"[..], 4).unwrap(), b"four");
/// let refused = guard::read_all(&b"fours"[..], 4).unwrap_err();
/// assert_eq!(refused.to_string(), "it has more than 4 bytes, and no more are read");
/// ```
pub fn read_all(input: impl Read, longest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(longest.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > longest {
        return Err(too_long(&format!("it has more than {}", size(longest))));
    }
    Ok(bytes)
}

/// Reads the next line with its end into `line`, in the place of what is there, and returns its length;
/// 0 at the end of the input. Of a line longer than `longest` only so much is kept, and the error
/// comes when all of it has been read, so that the next line can be read after it. A line longer than
/// [`LONGEST_FILE`] is not read to its end: the error is of another kind, and nothing more can be read.
pub fn read_bounded_line(
    input: &mut impl BufRead,
    line: &mut Vec<u8>,
    longest: usize,
) -> io::Result<usize> {
    line.clear();
    let length = input.by_ref().take(longest as u64 + 1).read_until(b'\n', line)?;
    if length <= longest {
        return Ok(length);
    }
    if !line.ends_with(b"\n")
        && input.by_ref().take(LONGEST_FILE).skip_until(b'\n')? as u64 == LONGEST_FILE
    {
        let fault = format!("the line has more than {}, and no more are read", size(LONGEST_FILE));
        return Err(io::Error::new(ErrorKind::InvalidData, fault));
    }
    line.truncate(longest);
    Err(too_long(&format!("the line has more than {}", size(longest as u64))))
}

fn too_long(fault: &str) -> io::Error {
    io::Error::new(ErrorKind::FileTooLarge, format!("{fault}, and no more are read"))
}

/// So many bytes in words.
fn size(bytes: u64) -> String {
    match bytes >> 20 {
        0 => format!("{bytes} bytes"),
        mebibytes => format!("{mebibytes} MiB"),
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn a_file_without_an_end_is_refused() {
        let mut line = Vec::new();
        let zeros = File::open("/dev/zero").unwrap();
        let refused = read_bounded_line(&mut BufReader::new(zeros), &mut line, 100).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::InvalidData);
        assert_eq!(refused.to_string(), "the line has more than 512 MiB, and no more are read");
        assert_eq!(line.len(), 101);
        let refused = read_file_within("/dev/zero", 1 << 20).unwrap_err();
        assert_eq!(refused.to_string(), "it has more than 1 MiB, and no more are read");
    }

    #[test]
    fn a_long_line_is_refused_and_the_next_one_read() {
        let mut input = &b"short\nmuch too long\nlast"[..];
        let mut line = Vec::new();
        assert_eq!(read_bounded_line(&mut input, &mut line, 6).unwrap(), 6);
        assert_eq!(line, b"short\n");
        let refused = read_bounded_line(&mut input, &mut line, 6).unwrap_err();
        assert_eq!(refused.to_string(), "the line has more than 6 bytes, and no more are read");
        assert_eq!(read_bounded_line(&mut input, &mut line, 6).unwrap(), 4);
        assert_eq!(line, b"last");
        assert_eq!(read_bounded_line(&mut input, &mut line, 6).unwrap(), 0);
    }
}
