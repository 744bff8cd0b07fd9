use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Instant;

use super::start_thread;
use super::transcript::Transcript;

/// A line that a program wrote, without its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// When it arrived, whenever we look at it.
    pub at: Instant,
    /// What it says; bytes that are not UTF-8 are replaced.
    pub text: String,
}

/// Why no line comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Silence {
    /// None came in time.
    Time,
    /// The program closed its output, at this moment.
    End(Instant),
    /// A line is too long to be one.
    LongLine,
    /// There were too many.
    Flood,
}

/// The lines of a program, read by a thread as they arrive.
///
/// What waits here is bounded: after [`LINES`] or [`BYTES`] without a question in between
/// ([`Inbox::renew`]), nothing more is read.
pub(super) struct Inbox {
    lines: Receiver<Result<Line, Silence>>,
    quota: Arc<Quota>,
}

/// The longest line, in bytes; the longest ones of the protocol, a variation or a log, have some hundreds.
const LONGEST: usize = 64 << 10;

/// How many lines a program may write between two questions.
const LINES: u64 = 200_000;

/// How many bytes a program may write between two questions.
const BYTES: u64 = 32 << 20;

impl Inbox {
    pub(super) fn open(
        output: impl Read + Send + 'static,
        transcript: Transcript,
    ) -> io::Result<Inbox> {
        let (sender, lines) = mpsc::channel();
        let quota = Arc::<Quota>::default();
        let spent = Arc::clone(&quota);
        start_thread("output", move || {
            let end = deliver(output, &sender, &spent, &transcript);
            // Nobody may be there to hear it.
            let _ = sender.send(Err(end));
        })?;
        Ok(Inbox { lines, quota })
    }

    /// The next line; waits for one no longer than until then.
    pub(super) fn next(&self, until: Instant) -> Result<Line, Silence> {
        let wait = until.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(wait) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => Err(Silence::Time),
            Err(RecvTimeoutError::Disconnected) => Err(Silence::End(Instant::now())),
        }
    }

    /// A new question is asked: what came before does not count towards a flood.
    pub(super) fn renew(&self) {
        self.quota.lines.store(0, Ordering::Relaxed);
        self.quota.bytes.store(0, Ordering::Relaxed);
    }
}

/// How much came since the last question.
#[derive(Default)]
struct Quota {
    lines: AtomicU64,
    bytes: AtomicU64,
}

impl Quota {
    /// Counts a line, and says whether it may still come in.
    fn admits(&self, length: usize) -> bool {
        let length = length as u64;
        let lines = self.lines.fetch_add(1, Ordering::Relaxed) + 1;
        let bytes = self.bytes.fetch_add(length, Ordering::Relaxed) + length;
        lines <= LINES && bytes <= BYTES
    }
}

/// Passes lines on until the output ends, something is wrong with it, or nobody listens.
fn deliver(
    output: impl Read,
    sender: &Sender<Result<Line, Silence>>,
    quota: &Quota,
    transcript: &Transcript,
) -> Silence {
    let mut output = BufReader::new(output);
    while let Some(line) = read_piece(&mut output) {
        let at = Instant::now();
        let text = readable(&line);
        transcript.heard(&text);
        if line.len() > LONGEST {
            return Silence::LongLine;
        }
        if !quota.admits(line.len()) {
            return Silence::Flood;
        }
        if sender.send(Ok(Line { at, text })).is_err() {
            break;
        }
    }
    Silence::End(Instant::now())
}

/// Keeps the last lines of what a program writes to its standard error.
pub(super) fn keep_complaints(errors: impl Read, transcript: &Transcript) {
    let mut errors = BufReader::new(errors);
    while let Some(line) = read_piece(&mut errors) {
        transcript.complained(&readable(&line));
    }
}

/// A line with its end; of one that is too long, the part that shows it.
fn read_piece(output: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    match output.take(LONGEST as u64 + 1).read_until(b'\n', &mut line) {
        Ok(length) if length > 0 => Some(line),
        // The pipe is as good as closed when it cannot be read.
        _ => None,
    }
}

fn readable(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::time::Duration;

    use super::*;

    fn inbox(output: impl Read + Send + 'static) -> Inbox {
        Inbox::open(output, Transcript::default()).expect("a thread")
    }

    /// Everything that comes, and why no more does.
    fn heard(inbox: &Inbox) -> (Vec<String>, Silence) {
        let until = Instant::now() + Duration::from_secs(60);
        let mut lines = Vec::new();
        loop {
            match inbox.next(until) {
                Ok(line) => lines.push(line.text),
                Err(silence) => return (lines, silence),
            }
        }
    }

    #[test]
    fn lines_lose_their_ends_and_bad_bytes_are_replaced() {
        let (lines, silence) = heard(&inbox(&b"aeiok \r\n\nid name J\xE9r\xF4me\nbestmove"[..]));
        assert_eq!(lines, ["aeiok", "", "id name J\u{FFFD}r\u{FFFD}me", "bestmove"]);
        assert!(matches!(silence, Silence::End(_)));
    }

    #[test]
    fn an_endless_line_and_an_endless_stream_are_cut_off() {
        assert_eq!(heard(&inbox(io::repeat(b'x'))), (vec![], Silence::LongLine));
        let (lines, silence) = heard(&inbox(io::repeat(b'\n')));
        assert_eq!((lines.len() as u64, silence), (LINES, Silence::Flood));
    }

    #[test]
    fn long_lines_are_a_flood_by_their_bytes() {
        let line = [vec![b'x'; 1023], vec![b'\n']].concat();
        let (lines, silence) = heard(&inbox(io::Cursor::new(line.repeat(40_000))));
        assert_eq!((lines.len() as u64, silence), (BYTES / 1024, Silence::Flood));
    }

    #[test]
    fn a_question_begins_a_new_count() {
        let quota = Quota::default();
        assert!((0..LINES).all(|_| quota.admits(1)) && !quota.admits(1));
        let inbox = inbox(io::empty());
        (0..LINES).for_each(|_| assert!(inbox.quota.admits(1)));
        inbox.renew();
        assert!(inbox.quota.admits(1));
    }
}
