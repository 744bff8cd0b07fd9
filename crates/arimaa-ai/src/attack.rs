//! Wins by force: see [`Attack`].

mod attempt;
mod crew;
mod lore;
mod memory;
mod refuge;
mod siege;

use std::mem;
use std::slice;
use std::sync::atomic::{AtomicBool, Ordering};

use arimaa::{Board, Position, Reached, Replay, Side, Turn, WHOLE_TURN};
use game::{Key, Turns};

use self::attempt::{Attempt, freedom, turns_with};
use self::lore::Lore;
pub use self::memory::Memory;
pub(crate) use self::refuge::Refuge;
use self::refuge::verdict;
pub(crate) use self::siege::Siege;
use self::siege::threats;
use crate::tactician::is_decided;
use crate::{Tactician, win};

/// A search for a win by force: each turn of the attacker leaves the enemy few turns that count, until
/// there is none.
///
/// What it finds is certain; that it finds nothing says only that there is no win so soon among the
/// turns that its [`Effort`] looks at.
///
/// # Method
///
/// A threat to win leaves the enemy its [defences](Tactician::defences), and a quiet turn that
/// paralyses it leaves few turns at all. Most attempts of a position fail to the same replies. Turns that worked
/// are therefore replayed, where they are legal, before any list is made: defences against the next
/// attempt, and winning turns against the next defence. Of the attempts that leave a reply, those
/// come first that leave few, and that none of the replies meets that have held against others.
pub struct Attack<'a> {
    side: Side,
    tactician: &'a mut Tactician,
    conditions: Conditions<'a>,
    effort: Effort,
    memory: &'a Memory,
    lore: Lore,
    /// What other efforts have learnt: a reply that holds against one may fail against another.
    shelved: Vec<(Effort, Lore)>,
    /// Set when another one of the crew has found what all are looking for.
    pub(crate) halt: Option<&'a AtomicBool>,
    /// How many boards were looked at.
    pub nodes: u64,
}

/// What an attack may do.
#[derive(Clone, Copy)]
pub struct Conditions<'a> {
    /// Whether the attacker may bring about the position of that repetition key.
    pub is_allowed: &'a (dyn Fn(Key) -> bool + Sync),
    /// Whether somebody wants it to end.
    pub must_stop: &'a (dyn Fn() -> bool + Sync),
    /// How many boards it may look at.
    pub nodes: u64,
}

/// Which turns an attack looks at. Whoever looks at more finds wins that are rarer, and finds the others
/// later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// An attempt with more replies is taken to be met.
    pub replies: usize,
    /// Turns without a threat are looked at if they leave at most so many replies, by an estimate.
    pub quiet: usize,
    /// The same for turns after the first one.
    pub quiet_later: usize,
    /// With at most so many single steps, a side may be lost because it must move; with more, to do nothing
    /// is taken to be as good as anything.
    pub zugzwang: usize,
}

impl Effort {
    /// Nothing but threats.
    pub const THREATS: Effort = Effort { replies: 256, quiet: 0, quiet_later: 0, zugzwang: 0 };
}

/// A turn that wins by force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForcedWin {
    /// The turn.
    pub turn: Turn,
    /// The most turns of the attacker, this one included, that the win takes.
    pub turns: Turns,
}

/// No more than so many of the defences that worked elsewhere are counted: the threat is a weak one.
const MANY_KNOWN: usize = 8;

impl<'a> Attack<'a> {
    /// The most turns that a win may take.
    pub const MOST_TURNS: u8 = 12;

    /// An attack of `side`, which is to move.
    pub fn new(
        side: Side,
        tactician: &'a mut Tactician,
        memory: &'a Memory,
        conditions: Conditions<'a>,
        effort: Effort,
    ) -> Attack<'a> {
        Attack {
            side,
            tactician,
            conditions,
            effort,
            memory,
            lore: Lore::default(),
            shelved: Vec::new(),
            halt: None,
            nodes: 0,
        }
    }

    /// The shortest win by force that takes at most so many turns.
    pub fn search(&mut self, board: &Board, most: Turns) -> Option<ForcedWin> {
        let most = most.0.min(Attack::MOST_TURNS.into()) as u8;
        if let Some(win) = win(board, self.side, WHOLE_TURN) {
            return Some(ForcedWin { turn: win.turn, turns: Turns(1) });
        }
        self.press(board, most, self.effort.quiet)
    }

    /// From now on, an effort and how many boards more may be looked at.
    pub(crate) fn allow(&mut self, effort: Effort, nodes: u64) {
        if effort != self.effort {
            let lore = mem::take(&mut self.lore);
            self.shelved.push((self.effort, lore));
            let shelf = self.shelved.iter().position(|(shelved, _)| *shelved == effort);
            self.lore = shelf.map_or_else(Lore::default, |index| self.shelved.swap_remove(index).1);
            self.effort = effort;
        }
        self.conditions.nodes = self.nodes.saturating_add(nodes);
    }

    /// A turn that wins at once or with at most so many turns.
    pub(crate) fn wins(&mut self, board: &Board, turns: u8) -> Option<Turn> {
        self.nodes += 1;
        if let Some(win) = win(board, self.side, WHOLE_TURN) {
            return Some(win.turn);
        }
        if turns == 1 || self.must_stop() {
            return None;
        }
        let key = self.key(board, turns);
        if let Some(known) = self.memory.get(key) {
            return known;
        }
        let answer = self.answer_again(board, turns);
        let found =
            answer.or_else(|| Some(self.press(board, turns, self.effort.quiet_later)?.turn));
        if found.is_some() || !self.must_stop() {
            self.memory.put(key, found);
        }
        found
    }

    /// What the memory knows a question by: the board, who attacks, for how long and with which effort.
    fn key(&self, board: &Board, turns: u8) -> Key {
        let Effort { replies, quiet_later, zugzwang, .. } = self.effort;
        let effort = match turns {
            // A threat is met or not, with whatever effort.
            2 if quiet_later == 0 => 0,
            _ => (replies as u64) << 40 ^ (quiet_later as u64) << 20 ^ (zugzwang as u64) << 8,
        };
        let salt = effort ^ u64::from(turns);
        Position::new(*board, self.side).repetition_key() ^ Key(salt).disguised()
    }

    /// One of the turns that have won after other defences, if it does so here as well.
    fn answer_again(&mut self, board: &Board, turns: u8) -> Option<Turn> {
        for index in 0..self.lore.answers.turns.len() {
            if self.must_stop() {
                break;
            }
            let turn = self.lore.answers.turns[index];
            if let Some(after) = board.try_play_turn(self.side, turn)
                && self.may_bring_about(&after)
                && win(&after, self.side, WHOLE_TURN).is_some()
                && win(&after, !self.side, WHOLE_TURN).is_none()
                && !self.holds(&after, turns - 1)
            {
                self.lore.answers.promote(index);
                return Some(turn);
            }
        }
        None
    }

    /// The shortest win of at most so many turns, one at least before the last; turns without a threat
    /// are looked at if they leave at most so many replies.
    fn press(&mut self, board: &Board, most: u8, quiet: usize) -> Option<ForcedWin> {
        let mut siege = Siege::new(board, quiet, Siege::FIRST);
        while siege.turns <= most {
            if let Some(win) = siege.press(slice::from_mut(self)) {
                return Some(win);
            }
            if self.must_stop() {
                break;
            }
        }
        None
    }

    /// How many turns threaten to win and give the enemy no win of its own.
    pub(crate) fn count_threats(&mut self, board: &Board) -> usize {
        threats(slice::from_mut(self), board).len()
    }

    /// Those of these turns that threaten to win and give the enemy no win of its own; in the place of
    /// replies, the steps of the win.
    fn threats(&mut self, board: &Board, turns: &[Reached]) -> Vec<Attempt> {
        // Some ten microseconds' worth.
        const TURNS_A_LOOK: usize = 64;
        let mut replay = Replay::new(board);
        let mut threats = Vec::new();
        for turns in turns.chunks(TURNS_A_LOOK) {
            self.nodes += turns.len() as u64;
            if self.must_stop() {
                return Vec::new();
            }
            for reached in turns {
                let after = replay.after(reached.turn);
                if !is_decided(after)
                    && let Some(found) = win(after, self.side, WHOLE_TURN)
                    && (self.conditions.is_allowed)(reached.key)
                    && win(after, !self.side, WHOLE_TURN).is_none()
                {
                    threats.push(Attempt::new(reached.turn, after, found.steps.0.into()));
                }
            }
        }
        threats
    }

    /// Those of these turns that do not threaten to win, give the enemy no win either, and leave it at
    /// most about so many turns.
    fn quiet_turns(&mut self, board: &Board, turns: &[Reached], most: usize) -> Vec<Attempt> {
        self.nodes += turns.len() as u64;
        let mut replay = Replay::new(board);
        let quiet = turns.iter().filter_map(|reached| {
            let after = replay.after(reached.turn);
            let replies = turns_with(freedom(after, !self.side));
            let is_quiet =
                replies <= most && (self.conditions.is_allowed)(reached.key) && has_no_win(after);
            is_quiet.then(|| Attempt::new(reached.turn, after, replies))
        });
        quiet.collect()
    }

    /// The same of those that none of the known defences meets, though there is nothing to defend against.
    fn paralysing_turns(&mut self, board: &Board, turns: &[Reached]) -> Vec<Attempt> {
        self.nodes += turns.len() as u64;
        let mut replay = Replay::new(board);
        let paralysing = turns.iter().filter_map(|reached| {
            let after = replay.after(reached.turn);
            let is_paralysing = !self.meets_known_defence(after, 1)
                && has_no_win(after)
                && (self.conditions.is_allowed)(reached.key);
            is_paralysing.then(|| Attempt::new(reached.turn, after, 0))
        });
        paralysing.collect()
    }

    /// How many of the defences work against a threat that have worked against others.
    fn count_known_defences(&self, after: &Board) -> usize {
        let known = self.lore.defences[1].turns.iter();
        let works = known.filter(|defence| self.stops_threat(after, **defence));
        works.take(MANY_KNOWN).count()
    }

    /// Whether a defence that has held elsewhere for so many turns stops the threat of this board.
    fn meets_known_defence(&self, board: &Board, turns: u8) -> bool {
        let mut known = self.lore.defences[turns as usize].turns.iter();
        known.any(|&defence| self.stops_threat(board, defence))
    }

    /// Whether a defence is legal on a board and keeps the attacker from winning with its next turn.
    fn stops_threat(&self, board: &Board, defence: Turn) -> bool {
        let after = board.try_play_turn(!self.side, defence);
        after.is_some_and(|board| win(&board, self.side, WHOLE_TURN).is_none())
    }

    /// Whether the enemy, to move and without a win of its own, is not lost within so many turns of the
    /// attacker, as far as one can tell.
    fn holds(&mut self, board: &Board, turns: u8) -> bool {
        let most = self.effort.replies;
        verdict(slice::from_mut(self), board, turns, most, usize::MAX) != Verdict::Lost
    }

    /// The turns of the enemy, to move and without a win of its own, that must be answered within so many
    /// turns; or its verdict, where that is seen without them.
    fn replies(&mut self, board: &Board, turns: u8, most: usize) -> Result<Vec<Attempt>, Verdict> {
        self.nodes += 1;
        if self.must_stop() || self.defend_again(board, turns) {
            return Err(Verdict::Holds);
        }
        let replies = if win(board, self.side, WHOLE_TURN).is_none() {
            self.all_replies(board, turns, most)?
        } else if turns == 1 {
            return Err(self.verdict_of_threat(board));
        } else {
            let before = self.tactician.looked_at;
            let defences = self.tactician.few_defences(board, !self.side, most);
            let defences = defences.ok_or(Verdict::Many).map(<[Reached]>::to_vec);
            self.nodes += self.tactician.looked_at - before;
            defences?
        };
        let mut replay = Replay::new(board);
        let attempt = |reply: &Reached| Attempt::new(reply.turn, replay.after(reply.turn), 0);
        Ok(replies.iter().map(attempt).collect())
    }

    /// Whether a threat to win can be met at all.
    fn verdict_of_threat(&mut self, board: &Board) -> Verdict {
        let before = self.tactician.looked_at;
        let defence = self.tactician.find_defence(board, !self.side);
        self.nodes += self.tactician.looked_at - before;
        match defence {
            Some(turn) => {
                self.lore.defences[1].add(turn);
                Verdict::Holds
            }
            None => Verdict::Lost,
        }
    }

    /// All turns of the enemy, which must do something, though the attacker does not threaten to win at
    /// once; or its verdict, if it might as well do nothing.
    fn all_replies(
        &mut self,
        board: &Board,
        turns: u8,
        most: usize,
    ) -> Result<Vec<Reached>, Verdict> {
        let must_move = turns == 1 || freedom(board, !self.side) <= self.effort.zugzwang;
        if !must_move && self.wins(board, turns).is_none() {
            return Err(Verdict::Holds);
        }
        let replies = self.tactician.distinct(board, !self.side);
        if replies.len() > most { Err(Verdict::Many) } else { Ok(replies.to_vec()) }
    }

    /// Whether one of the defences holds that have held against other threats.
    fn defend_again(&mut self, board: &Board, turns: u8) -> bool {
        for index in 0..self.lore.defences[turns as usize].turns.len() {
            let defence = self.lore.defences[turns as usize].turns[index];
            if let Some(after) = board.try_play_turn(!self.side, defence)
                && self.wins(&after, turns).is_none()
            {
                self.lore.defences[turns as usize].promote(index);
                return true;
            }
        }
        false
    }

    pub(crate) fn must_stop(&self) -> bool {
        self.nodes >= self.conditions.nodes
            || self.halt.is_some_and(|halt| halt.load(Ordering::Relaxed))
            || (self.conditions.must_stop)()
    }

    fn may_bring_about(&self, board: &Board) -> bool {
        let key = Position::new(*board, !self.side).repetition_key();
        (self.conditions.is_allowed)(key)
    }
}

/// What becomes of a side within some turns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// It is lost.
    Lost,
    /// It has a reply that holds, or there was no time to see that it has none.
    Holds,
    /// It has more replies than were asked for.
    Many,
    /// The first of its replies do not hold.
    Open,
}

/// Whether neither side wins within a turn.
fn has_no_win(board: &Board) -> bool {
    Side::ALL.iter().all(|&side| win(board, side, WHOLE_TURN).is_none())
}
