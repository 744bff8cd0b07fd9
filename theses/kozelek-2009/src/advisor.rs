//! The move advisor (Kozelek 2009, 4.7.3): tactical turns that were found in the tree are played in playouts, wherever
//! what matters to them is the same.

use arimaa::{Bitboard, Board, Direction, Kind, Position, Side, Step, Turn, WHOLE_TURN};
use arimaa_ai::evaluation::{EvaluationContext, hostages};
use arimaa_ai::{captures, goal};
use arrayvec::ArrayVec;
use game::BySide;

use crate::PlayoutParameters;
use crate::step_knowledge::WITHIN_THREE;

/// The turns that one thread's playouts can be advised to play, with their results so far.
#[derive(Clone, Debug, Default)]
pub struct MoveAdvisor {
    of: BySide<AdviceList>,
    /// What the playout has used so far, by side and number.
    used: ArrayVec<(Side, usize), 16>,
}

/// The advice for a side.
#[derive(Clone, Debug, Default)]
struct AdviceList {
    advice: Vec<Advice>,
    /// How often any of it was used.
    uses: u32,
    /// Where the next one goes when the list is full, unless that was used since the hand came by: a clock.
    hand: usize,
}

/// A turn, and the context in which it does what it is for.
#[derive(Clone, Copy, Debug)]
struct Advice {
    board: Board,
    mask: Bitboard,
    turn: Turn,
    uses: u32,
    /// The mean result for the side that plays it.
    mean: f32,
    recent: bool,
}

impl Advice {
    fn new(board: &Board, turn: Turn) -> Advice {
        Advice { board: *board, mask: context(turn), turn, uses: 0, mean: 0.0, recent: false }
    }

    fn is_same(&self, other: &Advice) -> bool {
        self.turn == other.turn && self.board.agrees_on(&other.board, self.mask)
    }

    /// How much it is worth trying, as by UCB1: the logarithm is of the uses of all advice.
    fn urgency(&self, exploration: f32, logarithm: f32) -> f32 {
        match self.uses {
            0 => f32::INFINITY,
            uses => self.mean + exploration * (logarithm / uses as f32).sqrt(),
        }
    }
}

/// The squares that matter to a turn: those of its steps, and those beside them. The trap that takes a piece is
/// among the former, who holds it among the latter.
fn context(turn: Turn) -> Bitboard {
    let squares = turn.squares();
    squares | squares.neighbours()
}

impl AdviceList {
    /// Adds a piece of advice, unless it is known, in place of another if there are `most`.
    fn add(&mut self, new: Advice, most: usize) {
        if most == 0 || self.advice.iter().any(|old| old.is_same(&new)) {
            return;
        }
        if self.advice.len() < most {
            self.advice.push(new);
            return;
        }
        loop {
            self.hand = (self.hand + 1) % self.advice.len();
            let old = &mut self.advice[self.hand];
            if !old.recent {
                *old = new;
                return;
            }
            old.recent = false;
        }
    }

    /// The most urgent one whose context is that of the position.
    fn choose(&self, position: &Position, exploration: f32) -> Option<usize> {
        let logarithm = (self.uses.max(1) as f32).ln();
        let mut best = None;
        let mut highest = f32::NEG_INFINITY;
        for (index, advice) in self.advice.iter().enumerate() {
            if !position.board().agrees_on(&advice.board, advice.mask)
                || advice.turn.cost() > position.steps_left()
            {
                continue;
            }
            let urgency = advice.urgency(exploration, logarithm);
            if urgency > highest {
                (best, highest) = (Some(index), urgency);
            }
        }
        best
    }

    fn record(&mut self, index: usize, value: f32) {
        let advice = &mut self.advice[index];
        self.uses += 1;
        advice.uses += 1;
        advice.mean += (value - advice.mean) / advice.uses as f32;
        advice.recent = true;
    }
}

impl MoveAdvisor {
    /// Advises the side to move, if a turn fits the position. What it advises is held to be played.
    pub(crate) fn choose(&mut self, position: &Position, exploration: f32) -> Option<Turn> {
        let side = position.side();
        if self.used.is_full() {
            return None;
        }
        let index = self.of[side].choose(position, exploration)?;
        self.used.push((side, index));
        Some(self.of[side].advice[index].turn)
    }

    /// The playout is over; what it has used did this well for that side.
    pub(crate) fn record(&mut self, side: Side, value: f32) {
        for (user, index) in self.used.drain(..) {
            self.of[user].record(index, if user == side { value } else { -value });
        }
    }

    /// Looks for tactical turns of both sides.
    pub(crate) fn look(&mut self, board: &Board, parameters: &PlayoutParameters) {
        let found = Side::ALL.map(|side| captures(board, side, WHOLE_TURN));
        for side in Side::ALL {
            let list = &mut self.of[side];
            let most = parameters.playout_advisor_turns as usize;
            let mut learn = |turn: Turn| {
                if !turn.is_empty() {
                    list.add(Advice::new(board, turn), most);
                }
            };
            if parameters.playout_advise_goals != 0
                && let Some(goal) = goal(board, side, WHOLE_TURN)
            {
                learn(goal.turn);
            }
            if parameters.playout_advise_captures != 0 {
                found[side as usize].iter().for_each(|capture| learn(capture.turn));
            }
            if parameters.playout_advise_protection != 0 {
                let traps = found[!side as usize].iter().map(|capture| capture.trap).collect();
                protections(board, side, traps, &mut learn);
            }
            if parameters.playout_advise_hostages != 0 {
                hostage_turns(board, side, &mut learn);
            }
        }
    }
}

/// Calls `learn` with walks beside traps at which the enemy threatens to capture, after which it no longer does.
fn protections(board: &Board, side: Side, traps: Bitboard, learn: &mut impl FnMut(Turn)) {
    for trap in traps {
        let beside = trap.neighbours();
        let walkers = board.of(side) & WITHIN_THREE[trap.index()] & !beside;
        for_each_walk(board, side, walkers, |turn, after, end| {
            let is_safe = || {
                let threats = captures(after, !side, WHOLE_TURN);
                threats.iter().all(|threat| threat.trap != trap)
            };
            if end.meets(beside) && is_safe() {
                learn(turn);
            }
        });
    }
}

/// Calls `learn` with walks of elephants and camels after which they hold a camel or horse hostage.
fn hostage_turns(board: &Board, side: Side, learn: &mut impl FnMut(Turn)) {
    let strong = board.kind(Kind::Camel) | board.kind(Kind::Horse);
    let wanted = strong & board.of(!side) & board.free(!side);
    let holders = board.above(Kind::Horse) & board.of(side);
    for_each_walk(board, side, holders, |turn, after, end| {
        let holds = || {
            let context = EvaluationContext::of_board(after, side);
            hostages(&context, side)
                .any(|hostage| wanted.has(hostage.square) && end.has(hostage.holder))
        };
        if end.neighbours().meets(wanted) && holds() {
            learn(turn);
        }
    });
}

/// Calls `visit` with one or two single steps of each of the pieces, the board after them, and where the piece is.
fn for_each_walk(
    board: &Board,
    side: Side,
    pieces: Bitboard,
    mut visit: impl FnMut(Turn, &Board, Bitboard),
) {
    for from in pieces {
        for first in Direction::ALL {
            let step = Step::single(from, first);
            if !board.allows(side, step) {
                continue;
            }
            let (after, end) = (board.after(step), step.to());
            if !after.of(side).has(end) {
                continue;
            }
            let turn = Turn::EMPTY.then(step);
            visit(turn, &after, end.bit());
            for second in Direction::ALL.into_iter().filter(|&second| second != first.opposite()) {
                let step = Step::single(end, second);
                if after.allows(side, step) {
                    visit(turn.then(step), &after.after(step), step.to().bit());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use arimaa::{GOLD, Square, bitboard};

    use super::*;

    /// The camel captures the dog, as in Figure 4.7 of the thesis; its friends leave it no other way.
    const SCENARIO: &str = "
         +-----------------+
        8| r r r r . r r r |
        7| . c . . . C r . |
        6| . . x . E x M . |
        5| e . . . . R d . |
        4| . . . . . . . . |
        3| . . x . . x . . |
        2| . D C . . . D . |
        1| R R R R R . R R |
         +-----------------+
           a b c d e f g h
    ";

    fn trap_the_dog() -> Turn {
        // Mg6e dg5n dg6w Mh6w
        let pull = Step::pull(Square::G6, Direction::South, Direction::East);
        let push = Step::push(Square::H6, Direction::West, Direction::West);
        Turn::EMPTY.then(pull).then(push)
    }

    fn position(board: &str) -> Position {
        Position::new(board.parse().unwrap(), GOLD)
    }

    #[test]
    fn the_context_of_a_turn_is_what_is_around_its_steps() {
        assert_eq!(
            context(trap_the_dog()),
            bitboard! {
                . . . . . . . .
                . . . . . X X X
                . . . . X X X X
                . . . . . X X X
                . . . . . . X .
                . . . . . . . .
                . . . . . . . .
                . . . . . . . .
            }
        );
    }

    #[test]
    fn a_capture_that_was_found_is_advised_wherever_its_context_is_the_same() {
        let mut advisor = MoveAdvisor::default();
        advisor.look(position(SCENARIO).board(), &PlayoutParameters::default());
        let turns: Vec<Turn> = advisor.of[GOLD].advice.iter().map(|advice| advice.turn).collect();
        assert!(turns.contains(&trap_the_dog()), "{turns:?}");

        let advised = |board: &str| {
            let mut advisor = MoveAdvisor::default();
            let advice = Advice::new(position(SCENARIO).board(), trap_the_dog());
            advisor.of[GOLD].add(advice, 10);
            advisor.choose(&position(board), 0.2)
        };
        assert_eq!(advised(SCENARIO), Some(trap_the_dog()));
        let elsewhere = SCENARIO.replace("4| . . . . . . . .", "4| H . . . . . . h");
        assert_eq!(advised(&elsewhere), Some(trap_the_dog()));
        let guarded = SCENARIO.replace("7| . c . . . C r .", "7| . c . . . h r .");
        assert_eq!(advised(&guarded), None);
        let with_a_cat = SCENARIO.replace("5| e . . . . R d .", "5| e . . . . R c .");
        assert_eq!(advised(&with_a_cat), None);
    }

    #[test]
    fn a_turn_is_not_advised_when_too_few_steps_are_left() {
        let mut advisor = MoveAdvisor::default();
        let mut position = position(SCENARIO);
        advisor.of[GOLD].add(Advice::new(position.board(), trap_the_dog()), 10);
        position.play_unchecked(Step::single(Square::B2, Direction::North));
        assert_eq!(advisor.choose(&position, 0.2), None);
    }

    #[test]
    fn what_has_done_better_is_advised_again() {
        let position = position(SCENARIO);
        let other = Turn::EMPTY.then(Step::single(Square::E6, Direction::North));
        let mut advisor = MoveAdvisor::default();
        for turn in [trap_the_dog(), other] {
            advisor.of[GOLD].add(Advice::new(position.board(), turn), 10);
        }
        let mut advised = [0; 2];
        for _ in 0..100 {
            let good = advisor.choose(&position, 0.2) == Some(trap_the_dog());
            advised[usize::from(good)] += 1;
            advisor.record(GOLD, if good { 0.5 } else { -0.5 });
        }
        assert!(advised[0] > 0 && advised[1] > 80, "{advised:?}");
        // What did well for Gold did badly in Silver's eyes.
        let means: Vec<f32> = advisor.of[GOLD].advice.iter().map(|advice| advice.mean).collect();
        assert_eq!(means, [0.5, -0.5]);
    }

    #[test]
    fn a_full_list_keeps_what_was_used() {
        let position = position(SCENARIO);
        let mut list = AdviceList::default();
        let advice =
            |from, way| Advice::new(position.board(), Turn::EMPTY.then(Step::single(from, way)));
        let kept = advice(Square::E6, Direction::North);
        list.add(kept, 3);
        list.add(kept, 3);
        assert_eq!(list.advice.len(), 1, "what is known is not added");
        list.record(0, 1.0);
        for square in [Square::B2, Square::C2, Square::A1, Square::G2] {
            list.add(advice(square, Direction::North), 3);
        }
        assert_eq!(list.advice.len(), 3);
        assert!(list.advice.iter().any(|advice| advice.is_same(&kept)));
        assert!(list.advice.iter().any(|advice| advice.turn.squares().has(Square::G2)));
    }

    #[test]
    fn a_threatened_trap_is_protected() {
        // Silver's elephant threatens the dog of b3: the horse can hold the trap.
        let board: Board = "
             +-----------------+
            8| r . . . . . . . |
            7| . . . . . . . . |
            6| . . x . . x . . |
            5| . . . . . . . . |
            4| . e . . . . . . |
            3| . D x . H x . . |
            2| . . . . . . . . |
            1| R . . . . . . . |
             +-----------------+
               a b c d e f g h
        "
        .parse()
        .unwrap();
        let mut turns = Vec::new();
        protections(&board, GOLD, Square::C3.bit(), &mut |turn| turns.push(turn));
        let horse = Turn::EMPTY.then(Step::single(Square::E3, Direction::West));
        assert!(turns.contains(&horse), "{turns:?}");
        for turn in turns {
            let after = board.try_play_turn(GOLD, turn).unwrap();
            assert!(captures(&after, !GOLD, WHOLE_TURN).is_empty());
        }
    }

    #[test]
    fn a_camel_can_be_taken_hostage() {
        let board: Board = "
             +-----------------+
            8| r . . . . . . . |
            7| . . . . . . . . |
            6| . . x . . x . . |
            5| . . . . . . . . |
            4| . . e . . . . . |
            3| m . x . . x . . |
            2| . E . . . . . . |
            1| R . . . . . . . |
             +-----------------+
               a b c d e f g h
        "
        .parse()
        .unwrap();
        let mut turns = Vec::new();
        hostage_turns(&board, GOLD, &mut |turn| turns.push(turn));
        assert!(turns.contains(&Turn::EMPTY.then(Step::single(Square::B2, Direction::North))));
    }
}
