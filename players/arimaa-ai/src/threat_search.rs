//! Threat-space search for wins by force: see [`ThreatSearch`].

mod deepening;
mod table;

use std::mem;
use std::slice;
use std::sync::atomic::{AtomicBool, Ordering};

use arimaa::{Board, Position, Reached, Replay, Side, Turn, WHOLE_TURN};
use game::{Key, Turns};
use search::ForcedWinLimits;

use self::deepening::{Candidate, defender_state, freedom, threats, turns_with};
pub(crate) use self::deepening::{LossSearch, WinSearch};
pub use self::table::ThreatTable;
use crate::threats::is_decided;
use crate::{ThreatGenerator, win};

/// Threat-space search (Allis, van den Herik and Huntjens 1996): each turn of the attacker leaves the
/// enemy few replies that count, until there is none.
///
/// What it finds is certain. If it finds nothing, there is no win so soon among the turns that its
/// [`Breadth`] looks at.
///
/// # Method
///
/// After a threat to win, only the [defences](ThreatGenerator::defences) count. After a quiet turn that
/// paralyses the enemy, it has few turns at all. Most candidates fail to the same replies. So killer turns
/// are replayed, where they are legal, before any list is made: defences against the next candidate, and
/// winning turns against the next defence. Candidates with few replies are tried first. Candidates that a
/// known defence meets are tried last.
pub struct ThreatSearch<'a> {
    side: Side,
    generator: &'a mut ThreatGenerator,
    limits: ForcedWinLimits<'a>,
    breadth: Breadth,
    table: &'a ThreatTable,
    killers: KillerTurns,
    /// The killer turns of other breadths: a reply that holds against one may fail against another.
    shelved: Vec<(Breadth, KillerTurns)>,
    /// Set when another worker has found what all are looking for.
    pub(crate) halt: Option<&'a AtomicBool>,
    /// How many boards were looked at.
    pub nodes: u64,
}

/// Which turns a threat-space search looks at. A broader search finds rarer wins, and finds the others
/// later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Breadth {
    /// A candidate with more replies is taken to fail.
    pub replies: usize,
    /// Quiet turns are looked at if they leave at most about so many replies.
    pub quiet: usize,
    /// The same for turns after the first one.
    pub quiet_later: usize,
    /// With at most so many single steps, a side may be lost because it must move. With more, it is taken to
    /// hold if doing nothing holds.
    pub zugzwang: usize,
}

impl Breadth {
    /// Nothing but threats.
    pub const THREATS: Breadth = Breadth { replies: 256, quiet: 0, quiet_later: 0, zugzwang: 0 };
}

/// A turn that wins by force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForcedWin {
    /// The turn.
    pub turn: Turn,
    /// The most turns of the attacker, this one included, that the win takes.
    pub turns: Turns,
}

/// Killer turns are tried first on the board that is asked about, for wins of at most this many turns.
const MOST_REPLAYED: u8 = 3;

/// At most so many known defences are counted: a threat with as many is a weak one.
const MANY_KNOWN: usize = 8;

/// How many turns are tested before the limits are looked at: some ten microseconds' worth.
const TURNS_A_CHECK: usize = 64;

impl<'a> ThreatSearch<'a> {
    /// The most turns that a win may take.
    pub const MOST_TURNS: u8 = 12;

    /// A search for wins of `side`, which is to move.
    pub fn new(
        side: Side,
        generator: &'a mut ThreatGenerator,
        table: &'a ThreatTable,
        limits: ForcedWinLimits<'a>,
        breadth: Breadth,
    ) -> ThreatSearch<'a> {
        ThreatSearch {
            side,
            generator,
            limits,
            breadth,
            table,
            killers: KillerTurns::default(),
            shelved: Vec::new(),
            halt: None,
            nodes: 0,
        }
    }

    /// The search with the killer turns of an earlier one.
    pub(crate) fn with_killers(self, killers: KillerTurns) -> ThreatSearch<'a> {
        ThreatSearch { killers, ..self }
    }

    /// The killer turns, for a later search of the same side.
    pub(crate) fn into_killers(self) -> KillerTurns {
        self.killers
    }

    /// The shortest win by force that takes at most so many turns.
    pub fn search(&mut self, board: &Board, most: Turns) -> Option<ForcedWin> {
        let most = most.0.min(ThreatSearch::MOST_TURNS.into()) as u8;
        if let Some(win) = win(board, self.side, WHOLE_TURN) {
            return Some(ForcedWin { turn: win.turn, turns: Turns(1) });
        }
        self.deepen(board, most, self.breadth.quiet, MOST_REPLAYED)
    }

    /// Sets the breadth, and how many more boards may be looked at.
    pub(crate) fn set_budget(&mut self, breadth: Breadth, nodes: u64) {
        if breadth != self.breadth {
            let killers = mem::take(&mut self.killers);
            self.shelved.push((self.breadth, killers));
            let shelf = self.shelved.iter().position(|(shelved, _)| *shelved == breadth);
            self.killers =
                shelf.map_or_else(KillerTurns::default, |index| self.shelved.swap_remove(index).1);
            self.breadth = breadth;
        }
        self.limits.nodes = self.nodes.saturating_add(nodes);
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
        if let Some(known) = self.table.probe(key) {
            return known;
        }
        let answer = self.replay_winning_turns(board, turns);
        let found =
            answer.or_else(|| Some(self.deepen(board, turns, self.breadth.quiet_later, 0)?.turn));
        if found.is_some() || !self.must_stop() {
            self.table.store(key, found);
        }
        found
    }

    /// The key of a question in the table: the board, the attacker, the turns and the breadth.
    fn key(&self, board: &Board, turns: u8) -> Key {
        let Breadth { replies, quiet_later, zugzwang, .. } = self.breadth;
        let breadth = match turns {
            // Whether a threat is met does not depend on the breadth.
            2 if quiet_later == 0 => 0,
            _ => (replies as u64) << 40 ^ (quiet_later as u64) << 20 ^ (zugzwang as u64) << 8,
        };
        let salt = breadth ^ u64::from(turns);
        Position::new(*board, self.side).repetition_key() ^ Key(salt).disguised()
    }

    /// One of the turns that have won after other defences, if it wins here too.
    fn replay_winning_turns(&mut self, board: &Board, turns: u8) -> Option<Turn> {
        for index in 0..self.killers.winning.turns.len() {
            if self.must_stop() {
                break;
            }
            let turn = self.killers.winning.turns[index];
            if let Some(after) = board.try_play_turn(self.side, turn)
                && self.is_allowed(&after)
                && win(&after, self.side, WHOLE_TURN).is_some()
                && win(&after, !self.side, WHOLE_TURN).is_none()
                && !self.holds(&after, turns - 1)
            {
                self.killers.winning.promote(index);
                return Some(turn);
            }
        }
        None
    }

    /// The shortest win of two to `most` turns, by iterative deepening. Quiet turns are looked at if they
    /// leave at most about `quiet` replies. Turns that have won on similar boards come first, for wins of at most
    /// `most_replayed` turns.
    fn deepen(
        &mut self,
        board: &Board,
        most: u8,
        quiet: usize,
        most_replayed: u8,
    ) -> Option<ForcedWin> {
        let mut win_search = WinSearch::new(board, quiet, WinSearch::FIRST);
        while win_search.turns <= most {
            let turns = win_search.turns;
            if turns <= most_replayed
                && let Some(turn) = self.replay_winning_turns(board, turns)
            {
                return Some(ForcedWin { turn, turns: Turns(turns.into()) });
            }
            if let Some(win) = win_search.iterate(slice::from_mut(self)) {
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

    /// Those of these turns that threaten to win and give the enemy no win of its own. `replies` is the
    /// number of steps of the win.
    fn threats(&mut self, board: &Board, turns: &[Reached]) -> Vec<Candidate> {
        self.candidates(board, turns, |search, reached, after| {
            let found =
                (!is_decided(after)).then(|| win(after, search.side, WHOLE_TURN)).flatten()?;
            let is_threat = (search.limits.is_allowed)(reached.key)
                && win(after, !search.side, WHOLE_TURN).is_none();
            is_threat.then(|| found.steps.0.into())
        })
    }

    /// Those of these turns that do not threaten to win, give the enemy no win either, and leave it at
    /// most about so many turns.
    fn quiet_turns(&mut self, board: &Board, turns: &[Reached], most: usize) -> Vec<Candidate> {
        self.candidates(board, turns, |search, reached, after| {
            let replies = turns_with(freedom(after, !search.side));
            let is_quiet =
                replies <= most && (search.limits.is_allowed)(reached.key) && has_no_win(after);
            is_quiet.then_some(replies)
        })
    }

    /// Those of these turns after which no known defence holds, although there is no threat.
    fn paralysing_turns(&mut self, board: &Board, turns: &[Reached]) -> Vec<Candidate> {
        self.candidates(board, turns, |search, reached, after| {
            let is_paralysing = !search.meets_known_defence(after, 1)
                && has_no_win(after)
                && (search.limits.is_allowed)(reached.key);
            is_paralysing.then_some(0)
        })
    }

    /// Those of these turns for which `replies`, given the board after one, tells how many replies there are; none, if
    /// the search must stop on the way.
    fn candidates(
        &mut self,
        board: &Board,
        turns: &[Reached],
        replies: impl Fn(&Self, &Reached, &Board) -> Option<usize>,
    ) -> Vec<Candidate> {
        let mut replay = Replay::new(board);
        let mut candidates = Vec::new();
        for turns in turns.chunks(TURNS_A_CHECK) {
            self.nodes += turns.len() as u64;
            if self.must_stop() {
                return Vec::new();
            }
            candidates.extend(turns.iter().filter_map(|reached| {
                let after = replay.after(reached.turn);
                let replies = replies(self, reached, after)?;
                Some(Candidate::new(reached.turn, after, replies))
            }));
        }
        candidates
    }

    /// How many known defences stop the threat of this board, up to [`MANY_KNOWN`].
    fn count_known_defences(&self, after: &Board) -> usize {
        let known = self.killers.defences[1].turns.iter();
        let works = known.filter(|defence| self.stops_threat(after, **defence));
        works.take(MANY_KNOWN).count()
    }

    /// Whether a known defence, one that has held elsewhere for so many turns, stops the threat of this board.
    fn meets_known_defence(&self, board: &Board, turns: u8) -> bool {
        let mut known = self.killers.defences[turns as usize].turns.iter();
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
        let most = self.breadth.replies;
        defender_state(slice::from_mut(self), board, turns, most, usize::MAX) != DefenderState::Lost
    }

    /// The turns of the enemy, to move and without a win of its own, that must be answered within so many
    /// turns; or its state, where that is known without them.
    fn replies(
        &mut self,
        board: &Board,
        turns: u8,
        most: usize,
    ) -> Result<Vec<Candidate>, DefenderState> {
        self.nodes += 1;
        if self.must_stop() || self.replay_defences(board, turns) {
            return Err(DefenderState::Holds);
        }
        let replies = if win(board, self.side, WHOLE_TURN).is_none() {
            self.all_replies(board, turns, most)?
        } else if turns == 1 {
            return Err(self.state_after_threat(board));
        } else {
            let before = self.generator.boards_tested;
            let defences = self.generator.few_defences(board, !self.side, most);
            let defences = defences.ok_or(DefenderState::TooManyReplies).map(<[Reached]>::to_vec);
            self.nodes += self.generator.boards_tested - before;
            defences?
        };
        let mut replay = Replay::new(board);
        let candidate = |reply: &Reached| Candidate::new(reply.turn, replay.after(reply.turn), 0);
        Ok(replies.iter().map(candidate).collect())
    }

    /// Whether a threat to win can be met at all.
    fn state_after_threat(&mut self, board: &Board) -> DefenderState {
        let before = self.generator.boards_tested;
        let defence = self.generator.find_defence(board, !self.side);
        self.nodes += self.generator.boards_tested - before;
        match defence {
            Some(turn) => {
                self.killers.defences[1].add(turn);
                DefenderState::Holds
            }
            None => DefenderState::Lost,
        }
    }

    /// All turns of the enemy where there is no threat; or its state, if doing nothing holds.
    fn all_replies(
        &mut self,
        board: &Board,
        turns: u8,
        most: usize,
    ) -> Result<Vec<Reached>, DefenderState> {
        let must_move = turns == 1 || freedom(board, !self.side) <= self.breadth.zugzwang;
        if !must_move && self.wins(board, turns).is_none() {
            return Err(DefenderState::Holds);
        }
        let replies = self.generator.distinct(board, !self.side);
        if replies.len() > most { Err(DefenderState::TooManyReplies) } else { Ok(replies.to_vec()) }
    }

    /// Whether a known defence holds here too.
    fn replay_defences(&mut self, board: &Board, turns: u8) -> bool {
        for index in 0..self.killers.defences[turns as usize].turns.len() {
            let defence = self.killers.defences[turns as usize].turns[index];
            if let Some(after) = board.try_play_turn(!self.side, defence)
                && self.wins(&after, turns).is_none()
            {
                self.killers.defences[turns as usize].promote(index);
                return true;
            }
        }
        false
    }

    pub(crate) fn must_stop(&self) -> bool {
        self.nodes >= self.limits.nodes
            || self.halt.is_some_and(|halt| halt.load(Ordering::Relaxed))
            || (self.limits.must_stop)()
    }

    fn is_allowed(&self, board: &Board) -> bool {
        let key = Position::new(*board, !self.side).repetition_key();
        (self.limits.is_allowed)(key)
    }
}

/// Killer turns: those that have worked elsewhere in the same search.
#[derive(Clone, Default, Debug)]
pub(crate) struct KillerTurns {
    /// Turns that have won after other defences.
    winning: KillerList,
    /// Defences that have held for so many more turns of the attacker.
    defences: [KillerList; ThreatSearch::MOST_TURNS as usize],
}

impl KillerTurns {
    /// Adds the killer turns of another worker.
    fn learn(&mut self, other: &KillerTurns) {
        self.winning.learn(&other.winning);
        for (own, others) in self.defences.iter_mut().zip(&other.defences) {
            own.learn(others);
        }
    }
}

/// Killer turns, the most useful first.
#[derive(Clone, Default, Debug)]
struct KillerList {
    turns: Vec<Turn>,
}

impl KillerList {
    const MOST: usize = 64;

    fn add(&mut self, turn: Turn) {
        if !self.turns.contains(&turn) {
            self.turns.truncate(KillerList::MOST - 1);
            self.turns.insert(0, turn);
        }
    }

    /// Puts a turn that has worked again first.
    fn promote(&mut self, index: usize) {
        self.turns[..=index].rotate_right(1);
    }

    /// Adds the most useful turns of another list.
    fn learn(&mut self, other: &KillerList) {
        const BEST: usize = 16;
        other.turns.iter().take(BEST).rev().for_each(|&turn| self.add(turn));
    }
}

/// The state of the defender, to move, within some turns of the attacker.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DefenderState {
    /// It is lost.
    Lost,
    /// It has a reply that holds, or there was no time to see that it has none.
    Holds,
    /// It has more replies than were asked for.
    TooManyReplies,
    /// Its first replies do not hold; the others were not looked at.
    Undecided,
}

/// Whether neither side wins within a turn.
fn has_no_win(board: &Board) -> bool {
    Side::ALL.iter().all(|&side| win(board, side, WHOLE_TURN).is_none())
}
