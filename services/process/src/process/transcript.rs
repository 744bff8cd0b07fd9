use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The last lines that were exchanged with a program; threads share it by cloning.
#[derive(Clone, Default)]
pub(super) struct Transcript(Arc<Mutex<Lines>>);

/// Errors are kept apart: a program that talks a lot must not push out why it crashed, nor the other
/// way round.
#[derive(Default)]
struct Lines {
    count: u64,
    talk: VecDeque<(u64, String)>,
    errors: VecDeque<(u64, String)>,
}

/// How many lines of each kind are kept.
const KEPT: usize = 20;

/// How many characters of a line are kept.
const WIDTH: usize = 300;

impl Transcript {
    /// The program was told a line.
    pub(super) fn told(&self, line: &str) {
        self.lines().keep(|lines| &mut lines.talk, '>', line);
    }

    /// The program wrote a line.
    pub(super) fn heard(&self, line: &str) {
        self.lines().keep(|lines| &mut lines.talk, '<', line);
    }

    /// The program wrote a line to its standard error.
    pub(super) fn complained(&self, line: &str) {
        self.lines().keep(|lines| &mut lines.errors, '!', line);
    }

    /// All that is kept, in order.
    pub(super) fn last_lines(&self) -> Vec<String> {
        let lines = self.lines();
        let mut all: Vec<_> = lines.talk.iter().chain(&lines.errors).cloned().collect();
        all.sort_by_key(|(number, _)| *number);
        all.into_iter().map(|(_, line)| line).collect()
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lines {
    fn keep(
        &mut self,
        which: impl Fn(&mut Lines) -> &mut VecDeque<(u64, String)>,
        mark: char,
        line: &str,
    ) {
        self.count += 1;
        let count = self.count;
        let mut text = format!("{mark} {}", line.chars().take(WIDTH).collect::<String>());
        if line.chars().nth(WIDTH).is_some() {
            text.push('…');
        }
        let kept = which(self);
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back((count, text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept_in_order_and_errors_apart() {
        let transcript = Transcript::default();
        transcript.complained("Traceback");
        for number in 0..100 {
            transcript.heard(&format!("info nodes {number}"));
        }
        transcript.told("stop");
        let lines = transcript.last_lines();
        assert_eq!(lines.len(), KEPT + 1);
        assert_eq!((lines[0].as_str(), lines[KEPT].as_str()), ("! Traceback", "> stop"));
        assert_eq!(lines[1], "< info nodes 81");
    }

    #[test]
    fn a_long_line_is_cut() {
        let transcript = Transcript::default();
        transcript.heard(&"ä".repeat(10_000));
        assert_eq!(transcript.last_lines()[0].chars().count(), "< ".len() + WIDTH + "…".len() / 3);
    }
}
