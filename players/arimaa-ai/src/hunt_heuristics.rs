use std::ops::ControlFlow;

use arimaa::{Hunt, Step, Turn, WHOLE_TURN};
use game::{Key, Position as _, Score, Steps};
use rustc_hash::FxHashSet;
use search::{Evaluator, InitialProofNumbers, StepOrdering, Tactics, TurnStructure};

use crate::heuristics::ordering_score;
use crate::{captures, win};

/// The heuristics of a [`Hunt`]: whether a piece is captured by force.
#[derive(Clone, Copy, Debug, Default)]
pub struct HuntHeuristics;

impl HuntHeuristics {
    /// A turn with which a side wins the hunt with so many steps, if it is to move.
    fn winning_turn(hunt: &Hunt, by_hunter: bool, steps: Steps) -> Option<Turn> {
        let (board, hunter) = (hunt.position().board(), hunt.hunter());
        if !by_hunter {
            // It wins the game; the quarry may even fall on the way.
            return Some(win(board, !hunter, steps)?.turn);
        }
        let square = hunt.quarry()?;
        let captures = captures(board, hunter, steps);
        let mut of_quarry = captures.iter().filter(|capture| capture.square == square);
        Some(of_quarry.next()?.turn)
    }

    /// Whether a turn of the hunter that captures the quarry wins the hunt: the hunter may have lost the
    /// game by it.
    fn is_won_by(hunt: &Hunt, turn: Turn) -> bool {
        let mut after = *hunt;
        turn.steps().for_each(|step| after.play(step));
        if after.side() == hunt.side() {
            after.play(Step::PASS);
        }
        after.winner() == Some(hunt.hunter())
    }

    fn is_hunters_turn(hunt: &Hunt) -> bool {
        hunt.side() == hunt.hunter()
    }
}

/// Looks for a turn after which the quarry cannot be captured at once, the shorter ones first.
#[derive(Debug, Default)]
pub struct Escape {
    seen: FxHashSet<Key>,
    inside: Vec<Hunt>,
}

impl Escape {
    fn exists(&mut self, hunt: &Hunt) -> bool {
        self.seen.clear();
        self.inside.clear();
        self.inside.push(*hunt);
        let mut next = 0;
        while let Some(&position) = self.inside.get(next) {
            next += 1;
            let escapes = position.for_each_step(|step| {
                let mut after = position;
                after.play(step);
                match self.seen.insert(after.key()) {
                    false => ControlFlow::Continue(()),
                    true if !after.turn_starts() => {
                        self.inside.push(after);
                        ControlFlow::Continue(())
                    }
                    true if holds(&after) => ControlFlow::Break(()),
                    true => ControlFlow::Continue(()),
                }
            });
            if escapes.is_break() {
                return true;
            }
        }
        false
    }
}

/// Whether the hunter, to move, does not win with its next turn.
fn holds(hunt: &Hunt) -> bool {
    match hunt.winner() {
        Some(winner) => winner != hunt.hunter(),
        None => HuntHeuristics.winning_steps(hunt).is_none(),
    }
}

impl Evaluator<Hunt> for HuntHeuristics {
    type State = ();
    type Cache = ();

    fn state(&self, _: &Hunt) {}

    fn evaluate(&self, _: &Hunt, (): &(), (): &mut ()) -> Score {
        Score(0)
    }
}

impl Tactics<Hunt> for HuntHeuristics {
    type Scratch = Escape;

    fn winning_steps(&self, hunt: &Hunt) -> Option<Vec<Step>> {
        let by_hunter = HuntHeuristics::is_hunters_turn(hunt);
        let turn = HuntHeuristics::winning_turn(hunt, by_hunter, hunt.position().steps_left())?;
        (!by_hunter || HuntHeuristics::is_won_by(hunt, turn)).then(|| turn.steps().collect())
    }

    fn is_threatened(&self, hunt: &Hunt) -> bool {
        let by_hunter = !HuntHeuristics::is_hunters_turn(hunt);
        HuntHeuristics::winning_turn(hunt, by_hunter, WHOLE_TURN).is_some()
    }

    /// Of the side that is hunted; what threatens the hunter is the loss of the game, which is rare.
    fn has_defence(&self, hunt: &Hunt, escape: &mut Escape) -> bool {
        HuntHeuristics::is_hunters_turn(hunt) || escape.exists(hunt)
    }
}

impl StepOrdering<Hunt> for HuntHeuristics {
    fn ordering_score(&self, _: &Hunt, step: Step) -> i32 {
        ordering_score(step)
    }
}

impl TurnStructure<Hunt> for HuntHeuristics {
    const WHOLE_TURN: Steps = WHOLE_TURN;
}

impl InitialProofNumbers<Hunt> for HuntHeuristics {}

#[cfg(test)]
mod tests {
    use arimaa::{Board, Direction, Piece, Position, SILVER, Square, Target};
    use game::History;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use search::{Limits, ProofNumberSearch, ProofParameters, Stop, Task};

    use super::*;

    fn hunt(position: &str, target: &str) -> Hunt {
        Hunt::new(position.parse().unwrap(), target.parse().unwrap()).unwrap()
    }

    #[test]
    fn a_capture_that_loses_the_game_wins_no_hunt() {
        // The horse pushes the cat onto f6, and leaves the rabbit of f3 without support.
        let last_rabbit = "g [r                            c       H       R                  ]";
        let one_of_two = "g [r                            c       H       R                 R]";
        assert_eq!(HuntHeuristics.winning_steps(&hunt(last_rabbit, "cf5")), None);
        let push = Step::push(Square::F4, Direction::North, Direction::North);
        assert_eq!(HuntHeuristics.winning_steps(&hunt(one_of_two, "cf5")), Some(vec![push]));
    }

    #[test]
    fn a_hunter_does_not_bring_about_what_the_game_has_seen_twice() {
        let hunt =
            hunt("g [rr                             d       c      H                R]", "dh5");
        let mut past = History::new();
        past.push(hunt.repetition_key());
        let mut forbidden = Vec::new();
        for depth_first in [false, true] {
            let parameters = ProofParameters { depth_first, ..ProofParameters::default() };
            let parameters =
                ProofParameters { number_table: 1, proof_table: 1, tree: 4, ..parameters };
            for _ in 0..3 {
                let (limits, stop) =
                    (Limits { nodes: Some(100_000), ..Limits::default() }, Stop::new());
                let task = Task {
                    position: &hunt,
                    past: &past,
                    heuristics: &HuntHeuristics,
                    limits,
                    stop: &stop,
                };
                let found = ProofNumberSearch::new(parameters, 1).solve(&task, |_| ());
                if found.turn.is_empty() {
                    break;
                }
                let mut after = hunt;
                found.turn.iter().for_each(|&step| after.play(step));
                assert!(!forbidden.contains(&after.repetition_key()), "{:?}", found.turn);
                forbidden.push(after.repetition_key());
                past.push(after.repetition_key());
                past.push(after.repetition_key());
            }
        }
        assert!(forbidden.len() > 1, "there are several ways to win");
    }

    #[test]
    fn there_is_an_escape_if_the_slow_way_finds_one() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut counts = [0; 2];
        while counts.iter().sum::<u32>() < 60 {
            let mut board = Board::EMPTY;
            for letter in ["R", "r", "E", "H", "M", "c"] {
                let piece = Piece::from_letter(letter.chars().next().unwrap()).unwrap();
                let square = Square::all().nth(rng.random_range(0..64)).unwrap();
                board.put(piece, square);
            }
            let cat = Piece::from_letter('c').unwrap();
            let Some(square) = board.piece(cat).first() else { continue };
            let position = Position::new(board, SILVER);
            let hunt = Hunt::new(position, Target { piece: cat, square }).unwrap();
            if hunt.winner().is_none() && HuntHeuristics.is_threatened(&hunt) {
                let escapes = HuntHeuristics.has_defence(&hunt, &mut Escape::default());
                assert_eq!(escapes, slowly_escapes(&hunt), "{hunt}");
                counts[usize::from(escapes)] += 1;
            }
        }
        assert!(counts[1] > 0, "{counts:?}");
    }

    /// The slow twin: every sequence of steps.
    fn slowly_escapes(hunt: &Hunt) -> bool {
        let mut found = false;
        let _ = hunt.for_each_step(|step| {
            let mut after = *hunt;
            after.play(step);
            found |= match after.side() == hunt.side() {
                true => slowly_escapes(&after),
                false => holds(&after),
            };
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found
    }
}
