use arimaa::{Board, Position, Replay, Side, Turn, WHOLE_TURN};
use game::{Key, Turns};
use rustc_hash::FxHashMap;

use crate::{Tactician, win};

/// A search for a win by force: each turn of the attacker threatens to win with the next one, until
/// the enemy has no defence left.
///
/// What it finds is certain; that it finds nothing says only that threats alone do not win so soon.
///
/// # Method
///
/// A threat leaves the enemy few turns that count, its [defences](Tactician::defences), and most threats
/// of a position fail to the same ones. Turns that worked are therefore replayed, where they are
/// legal, before any list is made: defences against the next threat, and winning turns against the next
/// defence. Of the threats that leave a defence, those come first that leave few, and that none of the
/// defences meets that have held against others.
pub struct Attack<'a> {
    side: Side,
    tactician: &'a mut Tactician,
    conditions: Conditions<'a>,
    /// Winning turns by the position and the number of turns they may take, or that there is none.
    known: FxHashMap<(Key, u8), Option<Turn>>,
    /// Turns that have won after other defences.
    answers: Tried,
    /// Defences that have held for so many more turns of the attacker.
    defences: [Tried; Attack::MOST_TURNS as usize],
    /// How many boards were looked at.
    pub nodes: u64,
}

/// What an attack may do.
#[derive(Clone, Copy)]
pub struct Conditions<'a> {
    /// Whether the attacker may bring about the position of that repetition key.
    pub is_allowed: &'a dyn Fn(Key) -> bool,
    /// Whether somebody wants it to end.
    pub must_stop: &'a dyn Fn() -> bool,
    /// How many boards it may look at.
    pub nodes: u64,
}

/// A turn that wins by force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForcedWin {
    /// The turn.
    pub turn: Turn,
    /// The most turns of the attacker, this one included, that the win takes.
    pub turns: Turns,
}

/// A threat, and how promising it is.
struct Attempt {
    turn: Turn,
    /// How many defences it leaves, as far as one knows.
    defences: usize,
    doubt: Doubt,
}

/// What is known against a threat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Doubt {
    None,
    /// A defence that has held against another threat meets this one as well.
    Presumed,
    /// A defence holds.
    Refuted,
}

/// Threats with at most so many defences are tried before the others.
const FEW_DEFENCES: [usize; 4] = [4, 16, 64, MANY_DEFENCES];

/// A threat with more defences is taken to be met.
const MANY_DEFENCES: usize = 256;

/// No more than so many of the defences that worked elsewhere are counted: the threat is a weak one.
const MANY_KNOWN: usize = 8;

impl<'a> Attack<'a> {
    /// The most turns that a win may take.
    pub const MOST_TURNS: u8 = 8;

    /// An attack of `side`, which is to move.
    pub fn new(side: Side, tactician: &'a mut Tactician, conditions: Conditions<'a>) -> Attack<'a> {
        Attack {
            side,
            tactician,
            conditions,
            known: FxHashMap::default(),
            answers: Tried::default(),
            defences: Default::default(),
            nodes: 0,
        }
    }

    /// The shortest win by force that takes at most so many turns.
    pub fn search(&mut self, board: &Board, most: Turns) -> Option<ForcedWin> {
        let most = most.0.min(Attack::MOST_TURNS.into()) as u8;
        if let Some(win) = win(board, self.side, WHOLE_TURN) {
            return Some(ForcedWin { turn: win.turn, turns: Turns(1) });
        }
        self.threaten(board, most)
    }

    /// A turn that wins at once or with at most so many turns.
    fn wins(&mut self, board: &Board, turns: u8) -> Option<Turn> {
        self.nodes += 1;
        if let Some(win) = win(board, self.side, WHOLE_TURN) {
            return Some(win.turn);
        }
        if turns == 1 || self.must_stop() {
            return None;
        }
        let key = (board.key(), turns);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let answer = self.answer_again(board, turns);
        let found = answer.or_else(|| Some(self.threaten(board, turns)?.turn));
        if found.is_some() || !self.must_stop() {
            self.known.insert(key, found);
        }
        found
    }

    /// One of the turns that have won after other defences, if it does so here as well.
    fn answer_again(&mut self, board: &Board, turns: u8) -> Option<Turn> {
        for index in 0..self.answers.turns.len() {
            if self.must_stop() {
                break;
            }
            let turn = self.answers.turns[index];
            if let Some(after) = board.try_play_turn(self.side, turn)
                && self.may_bring_about(&after)
                && win(&after, self.side, WHOLE_TURN).is_some()
                && win(&after, !self.side, WHOLE_TURN).is_none()
                && !self.has_defence(&after, turns - 1)
            {
                self.answers.promote(index);
                return Some(turn);
            }
        }
        None
    }

    /// The shortest win of at most so many turns, one at least before the last.
    fn threaten(&mut self, board: &Board, most: u8) -> Option<ForcedWin> {
        let mut threats = self.threats(board);
        for turns in 2..=most {
            if turns == 3 {
                self.sort_by_known_defences(board, &mut threats);
            }
            let found = match turns {
                2 => self.undefended(board, &threats),
                _ => self.forced(board, &mut threats, turns),
            };
            if let Some(turn) = found {
                self.answers.add(turn);
                return Some(ForcedWin { turn, turns: Turns(turns.into()) });
            }
        }
        None
    }

    /// The turns that threaten to win and give the enemy no win of its own, the shortest wins first.
    fn threats(&mut self, board: &Board) -> Vec<Attempt> {
        let (side, conditions) = (self.side, self.conditions);
        let mut nodes = self.nodes;
        let threats = self.tactician.threats_unless(board, side, |looked_at| {
            nodes += looked_at;
            nodes >= conditions.nodes || (conditions.must_stop)()
        });
        self.nodes = nodes;
        let threats = threats.unwrap_or_default();
        let mut replay = Replay::new(board);
        let mut threats: Vec<_> = threats
            .iter()
            .filter(|threat| {
                let after = replay.after(threat.reached.turn);
                (conditions.is_allowed)(threat.reached.key)
                    && win(after, !side, WHOLE_TURN).is_none()
            })
            .map(|threat| (threat.win.steps, threat.reached.turn))
            .collect();
        threats.sort_by_key(|&(steps, _)| steps);
        let fresh = |(_, turn)| Attempt { turn, defences: 0, doubt: Doubt::None };
        threats.into_iter().map(fresh).collect()
    }

    /// A threat that leaves no defence.
    fn undefended(&mut self, board: &Board, threats: &[Attempt]) -> Option<Turn> {
        let mut replay = Replay::new(board);
        for threat in threats {
            if self.must_stop() {
                return None;
            }
            if !self.has_defence(replay.after(threat.turn), 1) {
                return Some(threat.turn);
            }
        }
        None
    }

    /// Puts those threats first against which few of the defences work that worked against others.
    fn sort_by_known_defences(&mut self, board: &Board, threats: &mut [Attempt]) {
        let mut replay = Replay::new(board);
        for threat in threats.iter_mut() {
            if self.must_stop() {
                return;
            }
            let after = replay.after(threat.turn);
            let known = self.defences[1].turns.iter();
            let works = known.filter(|defence| self.stops_threat(after, **defence));
            threat.defences = works.take(MANY_KNOWN).count();
        }
        threats.sort_by_key(|threat| threat.defences);
    }

    /// A threat that wins within so many turns, whatever the defence.
    fn forced(&mut self, board: &Board, threats: &mut [Attempt], turns: u8) -> Option<Turn> {
        let mut replay = Replay::new(board);
        threats.iter_mut().for_each(|threat| threat.doubt = Doubt::None);
        for doubt in [Doubt::None, Doubt::Presumed] {
            for most in FEW_DEFENCES {
                for threat in threats.iter_mut() {
                    if threat.doubt > doubt || threat.defences > most {
                        continue;
                    }
                    if self.must_stop() {
                        return None;
                    }
                    let after = *replay.after(threat.turn);
                    if doubt == Doubt::None && self.meets_known_defence(&after, turns - 1) {
                        threat.doubt = Doubt::Presumed;
                    } else if self.is_forced(threat, &after, most, turns - 1) {
                        return Some(threat.turn);
                    }
                }
            }
        }
        None
    }

    /// Whether a threat has at most so many defences and none of them holds for so many turns.
    fn is_forced(&mut self, threat: &mut Attempt, after: &Board, most: usize, turns: u8) -> bool {
        let Some(defences) = self.list_defences(after, most) else {
            threat.defences = most + 1;
            return false;
        };
        threat.defences = defences.len();
        let holds = self.defend_again(after, turns) || self.one_holds(after, &defences, turns);
        if holds {
            threat.doubt = Doubt::Refuted;
        }
        !holds
    }

    /// Whether a defence that has held elsewhere for so many turns stops the threat of this board.
    fn meets_known_defence(&self, board: &Board, turns: u8) -> bool {
        let mut known = self.defences[turns as usize].turns.iter();
        known.any(|&defence| self.stops_threat(board, defence))
    }

    /// Whether a defence is legal on a board and keeps the attacker from winning with its next turn.
    fn stops_threat(&self, board: &Board, defence: Turn) -> bool {
        let after = board.try_play_turn(!self.side, defence);
        after.is_some_and(|board| win(&board, self.side, WHOLE_TURN).is_none())
    }

    /// The defences, if there are at most so many.
    fn list_defences(&mut self, board: &Board, most: usize) -> Option<Vec<Turn>> {
        let before = self.tactician.looked_at;
        let defences = self.tactician.few_defences(board, !self.side, most);
        let defences = defences.map(|list| list.iter().map(|reached| reached.turn).collect());
        self.nodes += self.tactician.looked_at - before;
        defences
    }

    /// Whether the enemy, to move on a board with a threat against it and no win of its own, is not lost
    /// within so many turns of the attacker.
    fn has_defence(&mut self, board: &Board, turns: u8) -> bool {
        self.nodes += 1;
        if self.defend_again(board, turns) {
            return true;
        }
        if turns == 1 {
            let before = self.tactician.looked_at;
            let defence = self.tactician.find_defence(board, !self.side);
            self.nodes += self.tactician.looked_at - before;
            defence.inspect(|&turn| self.defences[1].add(turn)).is_some()
        } else {
            let defences = self.list_defences(board, MANY_DEFENCES);
            defences.is_none_or(|defences| self.one_holds(board, &defences, turns))
        }
    }

    /// Whether one of the defences holds that have held against other threats.
    fn defend_again(&mut self, board: &Board, turns: u8) -> bool {
        for index in 0..self.defences[turns as usize].turns.len() {
            let defence = self.defences[turns as usize].turns[index];
            if let Some(after) = board.try_play_turn(!self.side, defence)
                && self.wins(&after, turns).is_none()
            {
                self.defences[turns as usize].promote(index);
                return true;
            }
        }
        false
    }

    /// Whether one of these defences holds; none of them wins.
    fn one_holds(&mut self, board: &Board, defences: &[Turn], turns: u8) -> bool {
        let mut replay = Replay::new(board);
        let defence = defences.iter().find(|defence| {
            let after = *replay.after(**defence);
            self.wins(&after, turns).is_none()
        });
        defence.inspect(|&&turn| self.defences[turns as usize].add(turn)).is_some()
    }

    fn must_stop(&self) -> bool {
        self.nodes >= self.conditions.nodes || (self.conditions.must_stop)()
    }

    fn may_bring_about(&self, board: &Board) -> bool {
        let key = Position::new(*board, !self.side).repetition_key();
        (self.conditions.is_allowed)(key)
    }
}

/// Turns that have worked elsewhere, the most useful first.
#[derive(Default)]
struct Tried {
    turns: Vec<Turn>,
}

impl Tried {
    const MOST: usize = 64;

    fn add(&mut self, turn: Turn) {
        if !self.turns.contains(&turn) {
            self.turns.truncate(Tried::MOST - 1);
            self.turns.insert(0, turn);
        }
    }

    /// The turn at that place has worked again.
    fn promote(&mut self, index: usize) {
        self.turns[..=index].rotate_right(1);
    }
}
