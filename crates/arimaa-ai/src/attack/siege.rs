use std::mem;
use std::ops::ControlFlow;
use std::slice;

use arimaa::{Board, Mobility, Reached, Turn};
use game::Turns;

use super::attempt::{Attempt, Doubt};
use super::crew::{first_that, gather};
use super::refuge::verdict;
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
const FEW_REPLIES: [usize; 8] = [4, 16, 64, 256, 1024, 4096, 16_384, usize::MAX];

/// So many replies are answered by one member of a crew: who answers them will mostly answer all, and the
/// others may help.
const FIRST_REPLIES: usize = 64;

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
        self.attempts = threats(crew, &self.board);
        let is_undefended = |attack: &mut Attack, attempt: &mut Attempt| {
            !attack.must_stop() && !attack.holds(&attempt.after, 1)
        };
        first_that(crew, self.attempts.iter_mut(), is_undefended).or_else(|| {
            let mut paralysing = match self.quiet {
                0 => Vec::new(),
                _ => paralysing_turns(crew, &self.board),
            };
            first_that(crew, paralysing.iter_mut(), is_undefended)
        })
    }

    /// Lists the attempts for longer wins: threats against which few defences are known, and quiet turns.
    fn complete(&mut self, crew: &mut [Attack]) {
        if self.attempts.is_empty() {
            self.attempts = threats(crew, &self.board);
        }
        first_that(crew, self.attempts.iter_mut(), |attack, threat| {
            threat.replies = attack.count_known_defences(&threat.after);
            false
        });
        self.attempts.sort_by_key(|threat| threat.replies);
        let most = self.quiet;
        if most > 0 {
            let look = |attack: &mut Attack, turns: &[Reached]| {
                attack.quiet_turns(&self.board, turns, most)
            };
            let turns = distinct_turns(crew, &self.board);
            let mut quiet = gather(crew, &turns, look);
            quiet.sort_by_key(|attempt| attempt.replies);
            self.attempts.extend(quiet);
        }
        self.is_complete = !crew.iter().any(|attack| attack.must_stop());
        if !self.is_complete {
            self.attempts.clear();
        }
    }

    /// An attempt that wins within so many turns, whatever the enemy does.
    fn forced(&mut self, crew: &mut [Attack], turns: u8) -> Option<Turn> {
        if !self.is_complete {
            self.complete(crew);
        }
        let limit = crew.first()?.effort.replies;
        for doubt in [Doubt::None, Doubt::Presumed] {
            for most in FEW_REPLIES.into_iter().filter(|&most| most <= limit) {
                while let Some(turn) = self.promising(crew, turns, doubt, most) {
                    if self.is_confirmed(crew, turn, turns, most) {
                        return Some(turn);
                    }
                }
            }
        }
        None
    }

    /// An attempt with at most so many replies that wins within so many turns, or that the first replies do
    /// not meet.
    fn promising(
        &mut self,
        crew: &mut [Attack],
        turns: u8,
        doubt: Doubt,
        most: usize,
    ) -> Option<Turn> {
        let first = if crew.len() > 1 { FIRST_REPLIES } else { usize::MAX };
        let is_due = |attempt: &&mut Attempt| attempt.doubt <= doubt && attempt.replies <= most;
        first_that(crew, self.attempts.iter_mut().filter(is_due), |attack, attempt| {
            !attack.must_stop() && attack.succeeds(attempt, turns, doubt, most, first)
        })
    }

    /// Whether a promising attempt wins: all other replies are answered by the whole crew.
    fn is_confirmed(&mut self, crew: &mut [Attack], turn: Turn, turns: u8, most: usize) -> bool {
        let Some(attempt) = self.attempts.iter_mut().find(|attempt| attempt.turn == turn) else {
            return false;
        };
        let is_open = mem::take(&mut attempt.is_open);
        if !is_open || verdict(crew, &attempt.after, turns - 1, most, usize::MAX) == Verdict::Lost {
            return true;
        }
        if !crew.iter().any(|attack| attack.must_stop()) {
            attempt.doubt = Doubt::Refuted;
        }
        false
    }
}

fn distinct_turns(crew: &mut [Attack], board: &Board) -> Vec<Reached> {
    let lead = crew.first_mut();
    lead.map_or(Vec::new(), |lead| lead.tactician.distinct(board, lead.side).to_vec())
}

/// The turns that threaten to win and give the enemy no win of its own, the shortest wins first.
pub(super) fn threats(crew: &mut [Attack], board: &Board) -> Vec<Attempt> {
    let turns = distinct_turns(crew, board);
    let mut threats = gather(crew, &turns, |attack, turns| attack.threats(board, turns));
    threats.sort_by_key(|threat| threat.replies);
    threats.iter_mut().for_each(|threat| threat.replies = 0);
    threats
}

/// The turns that do not threaten to win, give the enemy no win either, and yet are not met by one of the
/// first replies that come to mind: the enemy may be lost because it must move.
fn paralysing_turns(crew: &mut [Attack], board: &Board) -> Vec<Attempt> {
    for attack in crew.iter_mut() {
        let _ = Mobility::new(board, !attack.side).for_each_single(&mut |step| {
            attack.lore.defences[1].add(Turn::EMPTY.then(step));
            ControlFlow::Continue(())
        });
    }
    let turns = distinct_turns(crew, board);
    gather(crew, &turns, |attack, turns| attack.paralysing_turns(board, turns))
}

impl Attack<'_> {
    /// Whether an attempt wins within so many turns, if it leaves at most so many replies; what stands
    /// against it is noted.
    fn succeeds(
        &mut self,
        attempt: &mut Attempt,
        turns: u8,
        doubt: Doubt,
        most: usize,
        first: usize,
    ) -> bool {
        if doubt == Doubt::None && self.meets_known_defence(&attempt.after, turns - 1) {
            attempt.doubt = Doubt::Presumed;
            return false;
        }
        match verdict(slice::from_mut(self), &attempt.after, turns - 1, most, first) {
            Verdict::Lost => return true,
            Verdict::Open => {
                attempt.is_open = true;
                return true;
            }
            // Who is told to stop has seen nothing.
            Verdict::Holds if self.must_stop() => {}
            Verdict::Holds => attempt.doubt = Doubt::Refuted,
            Verdict::Many => attempt.replies = most.saturating_add(1),
        }
        false
    }
}
