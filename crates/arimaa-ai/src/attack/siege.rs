use arimaa::{Board, Turn};
use game::Turns;

use super::attempt::{Attempt, Doubt};
use super::crew::first_that;
use super::{Attack, ForcedWin, Verdict};

/// The attempts of a board, tried for ever longer wins.
pub(crate) struct Siege {
    board: Board,
    /// Turns without a threat are looked at if they leave at most so many replies.
    quiet: usize,
    /// How many turns the next win to be looked for takes.
    pub(crate) turns: u8,
    attempts: Vec<Attempt>,
    /// Whether quiet turns are among them.
    is_complete: bool,
}

/// Attempts with at most so many replies are tried before the others.
const FEW_REPLIES: [usize; 7] = [4, 16, 64, 256, 1024, 4096, usize::MAX];

impl Siege {
    /// The length of the first win that is looked for.
    pub(crate) const FIRST: u8 = 2;

    /// The siege of a board on which the attacker does not win with fewer turns than these.
    pub(crate) fn new(board: &Board, quiet: usize, turns: u8) -> Siege {
        Siege { board: *board, quiet, turns, attempts: Vec::new(), is_complete: false }
    }

    /// A win of as many turns as it is the turn of; if there is none, one more is looked for next time. A
    /// crew that was told to stop goes on where it was.
    pub(crate) fn press(&mut self, crew: &mut [Attack]) -> Option<ForcedWin> {
        let found = match self.turns {
            2 => self.undefended(crew),
            turns => self.forced(crew, turns),
        };
        let win = found.map(|turn| ForcedWin { turn, turns: Turns(self.turns.into()) });
        if let Some(win) = win {
            crew.iter_mut().for_each(|attack| attack.lore.answers.add(win.turn));
        }
        if !crew.iter().any(|attack| attack.must_stop()) {
            self.turns += 1;
            self.attempts.iter_mut().for_each(|attempt| attempt.doubt = Doubt::None);
        }
        win
    }

    /// A turn that leaves no defence against a win with the next one.
    fn undefended(&mut self, crew: &mut [Attack]) -> Option<Turn> {
        let lead = crew.first_mut()?;
        self.attempts = lead.threats(&self.board);
        let is_undefended = |attack: &mut Attack, attempt: &mut Attempt| {
            !attack.must_stop() && !attack.holds(&attempt.after, 1)
        };
        first_that(crew, &mut self.attempts, is_undefended).or_else(|| {
            let lead = crew.first_mut().filter(|_| self.quiet > 0)?;
            let mut paralysing = lead.paralysing_turns(&self.board);
            first_that(crew, &mut paralysing, is_undefended)
        })
    }

    /// Lists the attempts for longer wins: threats against which few defences are known, and quiet turns.
    fn complete(&mut self, lead: &mut Attack) {
        if self.attempts.is_empty() {
            self.attempts = lead.threats(&self.board);
        }
        lead.sort_by_known_defences(&mut self.attempts);
        self.attempts.extend(lead.quiet_turns(&self.board, self.quiet));
        self.is_complete = !lead.must_stop();
        if !self.is_complete {
            self.attempts.clear();
        }
    }

    /// An attempt that wins within so many turns, whatever the enemy does.
    fn forced(&mut self, crew: &mut [Attack], turns: u8) -> Option<Turn> {
        let lead = crew.first_mut()?;
        if !self.is_complete {
            self.complete(lead);
        }
        let limit = lead.effort.replies;
        for doubt in [Doubt::None, Doubt::Presumed] {
            for most in FEW_REPLIES.into_iter().filter(|&most| most <= limit) {
                let found = first_that(crew, &mut self.attempts, |attack, attempt| {
                    attempt.doubt <= doubt
                        && attempt.replies <= most
                        && !attack.must_stop()
                        && attack.succeeds(attempt, turns, doubt, most)
                });
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }
}

impl Attack<'_> {
    /// Whether an attempt wins within so many turns, if it leaves at most so many replies; what stands
    /// against it is noted.
    fn succeeds(&mut self, attempt: &mut Attempt, turns: u8, doubt: Doubt, most: usize) -> bool {
        if doubt == Doubt::None && self.meets_known_defence(&attempt.after, turns - 1) {
            attempt.doubt = Doubt::Presumed;
            return false;
        }
        match self.verdict(&attempt.after, turns - 1, most) {
            Verdict::Lost => return true,
            // Who is told to stop has seen nothing.
            Verdict::Holds if self.must_stop() => {}
            Verdict::Holds => attempt.doubt = Doubt::Refuted,
            Verdict::Many => attempt.replies = most.saturating_add(1),
        }
        false
    }
}
