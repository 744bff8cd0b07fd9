use arimaa::{Bitboard, Form, Kind, Position, Square, Step};
use arimaa_ai::step_policy::{is_inverse, lost};

use crate::Stage;

/// What a step is worth by what it does, in hundredths (Kozelek 2009, 4.6, with the numbers of the program). All
/// that applies is added up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepWeights {
    /// A pass, for each step that it gives up.
    pub pass: i32,
    /// To undo the last step.
    pub inverse: i32,
    /// A step of the elephant, pushes and pulls included, as for all pieces.
    pub elephant: i32,
    /// A step of the camel.
    pub camel: i32,
    /// A step of a horse.
    pub horse: i32,
    /// A step of a rabbit, by the [`Stage`].
    pub rabbit: [i32; 3],
    /// A push or a pull.
    pub displace: i32,
    /// A push or a pull onto a trap, besides.
    pub displace_onto_trap: i32,
    /// A friend is lost on a trap that the moved piece held.
    pub abandon: i32,
    /// The moved piece is lost on a trap.
    pub suicide: i32,
    /// The moved piece goes onto a trap that a single friend holds.
    pub onto_trap: i32,
    /// An enemy is captured.
    pub kill: i32,
    /// The moved piece starts within three squares of where the last step ended.
    pub near: i32,
}

/// The numbers of the program.
impl Default for StepWeights {
    fn default() -> StepWeights {
        StepWeights {
            pass: -50,
            inverse: 0,
            elephant: 10,
            camel: 0,
            horse: 0,
            rabbit: [-120, -20, 20],
            displace: 10,
            displace_onto_trap: 20,
            abandon: -100,
            suicide: -500,
            onto_trap: -50,
            kill: 500,
            near: 10,
        }
    }
}

impl StepWeights {
    /// What is looked up once for all steps of a position, if `previous` was played last.
    #[inline(always)]
    pub(crate) fn view(&self, position: &Position, previous: Option<Step>) -> StepView<'_> {
        let (board, side) = (position.board(), position.side());
        let previous = previous.filter(|&step| step != Step::PASS);
        StepView {
            weights: self,
            own: board.of(side),
            enemy: board.of(!side),
            rabbits: board.kind(Kind::Rabbit),
            horses: board.kind(Kind::Horse),
            camels: board.kind(Kind::Camel),
            elephants: board.kind(Kind::Elephant),
            rabbit: self.rabbit[Stage::of(board) as usize],
            undoable: previous.filter(|_| self.inverse != 0),
            near: previous.map_or(Bitboard::EMPTY, |step| WITHIN_THREE[step.to().index()]),
            steps_left: i32::from(position.steps_left().0),
        }
    }
}

/// A position as the steps of it are judged.
pub(crate) struct StepView<'a> {
    weights: &'a StepWeights,
    own: Bitboard,
    enemy: Bitboard,
    rabbits: Bitboard,
    horses: Bitboard,
    camels: Bitboard,
    elephants: Bitboard,
    /// What a step of a rabbit is worth at this stage.
    rabbit: i32,
    /// The previous step, if it counts to undo it.
    undoable: Option<Step>,
    /// The squares near the previous step.
    near: Bitboard,
    steps_left: i32,
}

impl StepView<'_> {
    /// How good a legal step looks, in hundredths.
    #[inline(always)]
    pub(crate) fn score(&self, step: Step) -> i32 {
        let (from, to, victim) = (step.from(), step.to(), step.victim());
        let score = match step.form() {
            Form::Pass => return self.weights.pass * self.steps_left,
            Form::Single => self.of_mover(from, to),
            Form::Push => self.of_mover(from, victim) + self.of_victim(victim, to),
            Form::Pull => self.of_mover(from, to) + self.of_victim(victim, from),
        };
        match self.undoable {
            Some(previous) if is_inverse(step, previous) => score + self.weights.inverse,
            _ => score,
        }
    }

    /// What is moved, whether that is near the previous step, and what it costs on traps.
    #[inline(always)]
    fn of_mover(&self, from: Square, to: Square) -> i32 {
        let weight = |pieces: Bitboard, weight: i32| if pieces.has(from) { weight } else { 0 };
        weight(self.rabbits, self.rabbit)
            + weight(self.horses, self.weights.horse)
            + weight(self.camels, self.weights.camel)
            + weight(self.elephants, self.weights.elephant)
            + weight(self.near, self.weights.near)
            + self.on_traps(from, to)
    }

    /// What the own step costs on traps.
    #[inline(always)]
    fn on_traps(&self, from: Square, to: Square) -> i32 {
        let own = self.own ^ from.bit() ^ to.bit();
        let mut score = 0;
        if Bitboard::TRAPS.has(to) {
            let guards = own & to.neighbours();
            if guards.is_empty() {
                score += self.weights.suicide;
            } else if guards.is_single() {
                score += self.weights.onto_trap;
            }
        }
        if lost(own).meets(!to.bit()) {
            score += self.weights.abandon;
        }
        score
    }

    /// What it brings to move an enemy.
    #[inline(always)]
    fn of_victim(&self, from: Square, to: Square) -> i32 {
        let onto_trap = Bitboard::TRAPS.has(to);
        let kills = !lost(self.enemy ^ from.bit() ^ to.bit()).is_empty();
        self.weights.displace
            + if onto_trap { self.weights.displace_onto_trap } else { 0 }
            + if kills { self.weights.kill } else { 0 }
    }
}

/// For each square, the squares within three steps of it, itself included.
pub(crate) static WITHIN_THREE: [Bitboard; 64] = {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let mut reached = 1 << index;
        let mut steps = 0;
        while steps < 3 {
            reached |= Bitboard(reached).neighbours().0;
            steps += 1;
        }
        table[index] = Bitboard(reached);
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use arimaa::{Board, Direction, GOLD};
    use search::StepKnowledge;

    use super::*;
    use crate::AkimotKnowledge;

    use Direction::{East, North, South, West};

    fn score(position: &Position, step: Step, previous: Option<Step>) -> f32 {
        assert!(position.steps().contains(&step), "{step:?} is legal");
        AkimotKnowledge::default().step_knowledge(position, step, previous)
    }

    /// Gold's step on a board of few pieces: the end of a game, where a rabbit's step is worth 0.2.
    fn alone(board: &str, step: Step) -> f32 {
        score(&Position::new(board.parse().unwrap(), GOLD), step, None)
    }

    const TRAP: &str = "
         +-----------------+
        8| r . . . . . . . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . . . . . . |
        4| . c D . . . . . |
        3| . . C E . x . . |
        2| . H . . . . . . |
        1| R . . . . . . . |
         +-----------------+
           a b c d e f g h
    ";

    #[test]
    fn a_step_is_worth_what_moves() {
        assert_eq!(alone(TRAP, Step::single(Square::D3, East)), 0.1);
        assert_eq!(alone(TRAP, Step::single(Square::B2, South)), 0.0);
        assert_eq!(alone(TRAP, Step::single(Square::A1, North)), 0.2);
    }

    #[test]
    fn rabbits_stay_in_the_beginning_and_go_in_the_end() {
        let step = Step::single(Square::H2, North);
        let start: Board =
            "[rrrrrrrrhdcemcdh                                RDCMECDRHHRRRRRR]".parse().unwrap();
        assert_eq!(score(&Position::new(start, GOLD), step, None), -1.2);
        let (mut board, mut taken) = (start, 0);
        for square in Square::all().filter(|&square| square != Square::H2).collect::<Vec<_>>() {
            if taken < 8 && board.take(square).is_some() {
                taken += 1;
            }
        }
        assert_eq!(score(&Position::new(board, GOLD), step, None), -0.2);
    }

    #[test]
    fn friends_and_enemies_on_traps_count() {
        // The camel may go into the trap while two friends hold it; with one, it is a risk; with none, a loss.
        let held = "
             +-----------------+
            8| r . . . . . . . |
            7| . . . . . . . . |
            6| . . x . . x H . |
            5| . . . . . . . . |
            4| . . D . . . . . |
            3| . M x C . x . . |
            2| . . . . . . . . |
            1| R . . . . . . . |
             +-----------------+
               a b c d e f g h
        ";
        assert_eq!(alone(held, Step::single(Square::B3, East)), 0.0);
        assert_eq!(alone(&held.replace("x C", "x ."), Step::single(Square::B3, East)), -0.5);
        assert_eq!(alone(held, Step::single(Square::G6, West)), -5.0);
        // The last friend of the cat leaves.
        let last = "
             +-----------------+
            8| r . . . . . . . |
            7| . . . . . . . . |
            6| . . x . . x . . |
            5| . . . . . . . . |
            4| . . . . . . . . |
            3| . . C E . x . . |
            2| . . . . . . . . |
            1| R . . . . . . . |
             +-----------------+
               a b c d e f g h
        ";
        assert_eq!(alone(last, Step::single(Square::D3, North)), 0.1 - 1.0);
    }

    #[test]
    fn pushes_and_pulls_count_and_captures_most() {
        let board = "
             +-----------------+
            8| r . . . . . . . |
            7| . . . . . . . . |
            6| . . x . . x . . |
            5| . . . . . . . . |
            4| . . h . . . . . |
            3| . . x . . x . . |
            2| . . . . . r H . |
            1| R . . . . . . . |
             +-----------------+
               a b c d e f g h
        ";
        let knows = |board: &str, step| alone(board, step);
        assert_eq!(knows(board, Step::push(Square::G2, West, West)), 0.1);
        assert_eq!(knows(board, Step::pull(Square::G2, West, North)), 0.1);
        assert_eq!(knows(board, Step::push(Square::G2, West, North)), 0.1 + 0.2 + 5.0);
        // The rabbit pushed away was all that held the cat; and one that is held lives on.
        let holder = board.replace("3| . . x . . x", "3| . . x . . c");
        assert_eq!(knows(&holder, Step::push(Square::G2, West, West)), 0.1 + 5.0);
        let held = board.replace("3| . . x . . x", "3| . . x . d x");
        assert_eq!(knows(&held, Step::push(Square::G2, West, North)), 0.1 + 0.2);
    }

    #[test]
    fn a_step_near_the_last_one_is_worth_more_and_a_pass_costs_what_it_gives_up() {
        let mut position: Position = Position::new(TRAP.parse().unwrap(), GOLD);
        let horse = Step::single(Square::B2, South);
        let after = |from, way| Some(Step::single(from, way));
        assert_eq!(
            score(&position, horse, after(Square::C4, East)),
            0.0,
            "d4 is four squares away"
        );
        assert_eq!(score(&position, horse, after(Square::C4, West)), 0.1, "b4 is two");
        assert_eq!(score(&position, horse, Some(Step::PASS)), 0.0);
        position.play_unchecked(horse);
        assert_eq!(score(&position, Step::PASS, Some(horse)), -1.5);
    }

    #[test]
    fn a_step_that_takes_back_the_last_one_is_known() {
        let inverse = [
            (Step::single(Square::D4, North), Step::single(Square::D5, South)),
            (Step::push(Square::D4, East, North), Step::pull(Square::E4, North, West)),
            (Step::pull(Square::D4, East, North), Step::push(Square::D5, South, East)),
        ];
        for (one, other) in inverse {
            assert!(is_inverse(one, other) && is_inverse(other, one), "{one:?}, {other:?}");
            assert!(!is_inverse(one, one));
        }
        assert!(!is_inverse(Step::single(Square::D5, North), Step::single(Square::D4, North)));
    }
}
