use arimaa::Board;

use super::attempt::Attempt;
use super::crew::first_that;
use super::{Attack, Verdict};

/// The enemy of an attack is to move: is it lost, in ever more turns?
pub(crate) struct Refuge {
    board: Board,
    /// Within how many turns of the attacker the next loss to be looked for comes.
    pub(crate) turns: u8,
}

impl Refuge {
    /// The length of the first loss that is looked for.
    pub(crate) const FIRST: u8 = 1;

    /// The board of an enemy that does not win at once, nor lose within fewer turns than these.
    pub(crate) fn new(board: &Board, turns: u8) -> Refuge {
        Refuge { board: *board, turns }
    }

    /// Whether the enemy is lost within as many turns as it is the turn of; if not, one more is looked at
    /// next time. If the crew was told to stop, nothing has changed.
    pub(crate) fn is_lost(&mut self, crew: &mut [Attack]) -> bool {
        let turns = self.turns;
        let Some(lead) = crew.first_mut() else { return false };
        let is_lost = match lead.replies(&self.board, turns, lead.effort.replies) {
            Err(verdict) => verdict == Verdict::Lost,
            Ok(mut replies) => {
                let holds = |attack: &mut Attack, reply: &mut Attempt| {
                    attack.wins(&reply.after, turns).is_none()
                };
                first_that(crew, replies.iter_mut(), holds).is_none()
            }
        };
        if !is_lost && !crew.iter().any(|attack| attack.must_stop()) {
            self.turns += 1;
        }
        is_lost
    }
}
