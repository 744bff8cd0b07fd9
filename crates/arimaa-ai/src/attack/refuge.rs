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
        let Some(lead) = crew.first() else { return false };
        let most = lead.effort.replies;
        let is_lost = verdict(crew, &self.board, self.turns, most, usize::MAX) == Verdict::Lost;
        if !is_lost && !crew.iter().any(|attack| attack.must_stop()) {
            self.turns += 1;
        }
        is_lost
    }
}

/// What becomes of the enemy, to move and without a win of its own, within so many turns, if it has at most so
/// many replies; the crew answers together the first ones of them.
pub(super) fn verdict(
    crew: &mut [Attack],
    board: &Board,
    turns: u8,
    most: usize,
    first: usize,
) -> Verdict {
    let Some(lead) = crew.first_mut() else { return Verdict::Holds };
    let mut replies = match lead.replies(board, turns, most) {
        Err(verdict) => return verdict,
        Ok(replies) => replies,
    };
    let holds =
        |attack: &mut Attack, reply: &mut Attempt| attack.wins(&reply.after, turns).is_none();
    match first_that(crew, replies.iter_mut().take(first), holds) {
        Some(reply) => {
            crew.iter_mut().for_each(|attack| attack.lore.defences[turns as usize].add(reply));
            Verdict::Holds
        }
        None if replies.len() > first => Verdict::Open,
        None => Verdict::Lost,
    }
}
