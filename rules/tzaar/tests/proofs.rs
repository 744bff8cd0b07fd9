//! Proofs about Tzaar, from boards on which everything can be tried.

mod common;

use std::collections::HashMap;

use common::{Taste, play_out, rng};
use game::{History, Key, Notation, Position as _, Proof, Side};
use proof::{Document, Repetition, StrategyNode, prove};
use tzaar::{Phase, Position, Step, distinct_turns};

/// Who wins, by trying every turn.
#[derive(Default)]
struct Everything {
    known: HashMap<Key, Side>,
}

impl Everything {
    fn winner(&mut self, position: &Position) -> Side {
        if let Some(winner) = position.winner() {
            return winner;
        }
        if let Some(&winner) = self.known.get(&position.key()) {
            return winner;
        }
        let winner = match self.winning_turn(position) {
            Some(_) => position.side(),
            None => !position.side(),
        };
        self.known.insert(position.key(), winner);
        winner
    }

    fn winning_turn(&mut self, position: &Position) -> Option<Vec<Step>> {
        let turns = distinct_turns(position);
        let side = position.side();
        let (turn, _) = turns.into_iter().find(|(_, end)| self.winner(end) == side)?;
        Some(turn.steps().collect())
    }
}

/// Positions of random games with few stacks left.
fn endgames(count: usize) -> Vec<Position> {
    let mut rng = rng(11);
    let mut endgames = Vec::new();
    while endgames.len() < count {
        let mut last = None;
        play_out(Position::fixed_start(), Taste::High, &mut rng, |position, _| {
            let is_small = (12..=14).contains(&position.board().stacks());
            if is_small && position.phase() == Phase::First && position.winner().is_none() {
                last = last.or(Some(*position));
            }
        });
        endgames.extend(last);
    }
    endgames
}

#[test]
fn endgames_are_proved_and_the_proofs_checked_and_read_back() {
    let (mut wins, mut losses, mut longest) = (0, 0, 0);
    for position in endgames(60) {
        let mut everything = Everything::default();
        let winner = everything.winner(&position);
        let mut prover = |position: &Position, _: &History| everything.winning_turn(position);
        let repetition = Repetition::Independent;
        let strategy = prove(&position, winner, &History::new(), repetition, &mut prover)
            .unwrap_or_else(|gap| panic!("{}", gap.text(&position)));
        let document = Document::new(position, Vec::new(), winner, repetition, strategy);
        let document = document.expect("no circle");
        let turns = document.check().unwrap_or_else(|fault| panic!("{}", fault.text(&position)));
        longest = longest.max(turns.0);
        let text = document.text();
        let read =
            Document::<Position>::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read.text(), text);
        assert_eq!((read.position, read.result), (position, document.result));
        read.check().expect("the same proof");
        match document.result {
            Proof::Win(_) => wins += 1,
            Proof::Loss(_) => losses += 1,
        }
        // What is taken from a proof is missed, and the other side has none.
        let mut less = document;
        let defence = less.strategy.nodes.iter_mut().find_map(|node| match node {
            StrategyNode::Defence { finishers, answers } if finishers.len() + answers.len() > 0 => {
                Some((finishers, answers))
            }
            _ => None,
        });
        if let Some((finishers, answers)) = defence {
            finishers.clear();
            answers.pop();
            assert!(less.check().is_err(), "{}", less.text());
        }
        let mut prover = |position: &Position, _: &History| everything.winning_turn(position);
        assert!(prove(&position, !winner, &History::new(), repetition, &mut prover).is_err());
    }
    assert!(wins > 10 && losses > 5 && longest > 2, "{wins} wins, {losses} losses, {longest}");
}

#[test]
fn what_a_proof_says_of_positions_and_turns_is_refused_where_it_is_wrong() {
    let text = Position::fixed_start().to_string();
    assert!(Position::read(&text, "win").is_ok());
    let error = Position::read(&text, "capture:E4").expect_err("another target");
    assert_eq!(error, "the target is \"capture:E4\", expected win");
    let error = Position::read("1 2", "win").expect_err("no position");
    assert!(error.starts_with("column 3: expected number 3 of 163"), "{error}");
    let error = Position::read_turn("E4xF3 F3", Side::First).expect_err("no turn");
    assert!(error.starts_with("column 7 (F3): expected a capture"), "{error}");
    assert_eq!(Position::past_key(&text), Ok(Position::fixed_start().repetition_key()));
}
