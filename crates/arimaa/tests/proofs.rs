//! Proofs of small endgames, by a prover that tries everything.
//!
//! With `TUSK_WRITE` set, the samples in positions/proofs are written anew.

mod common;

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::PathBuf;

use arimaa::{GOLD, Game, Hunt, Kind, Piece, Position, SILVER, Side, Square, Step, Turn};
use common::{long, random_game, random_start, rng, scattered};
use game::{History, Key, Position as _, Turns};
use proof::{Document, FaultKind, Node, Notation, Repetition, check, prove};
use proptest::prelude::*;
use rand::RngExt;

/// Tries everything, up to a number of turns.
#[derive(Default)]
struct Brute {
    known: HashMap<(Key, u16), bool>,
}

fn turns<P: game::Position<Step = Step>>(position: &P) -> Vec<(Vec<Step>, P)> {
    fn walk<P: game::Position<Step = Step>>(
        position: &P,
        steps: &mut Vec<Step>,
        seen: &mut HashSet<Key>,
        found: &mut Vec<(Vec<Step>, P)>,
    ) {
        let _ = position.for_each_step(|step| {
            let mut after = position.clone();
            after.play(step);
            if seen.insert(after.key()) {
                steps.push(step);
                match after.turn_starts() {
                    true => found.push((steps.clone(), after)),
                    false => walk(&after, steps, seen, found),
                }
                steps.pop();
            }
            ControlFlow::Continue(())
        });
    }
    let mut found = Vec::new();
    walk(position, &mut Vec::new(), &mut HashSet::new(), &mut found);
    found
}

impl Brute {
    /// A turn of `side`, which is to move, that wins within so many turns.
    fn win<P: game::Position<Step = Step>>(&mut self, position: &P, most: u16) -> Option<Vec<Step>> {
        let side = position.side();
        if most == 0 || self.known.get(&(position.key(), most)) == Some(&false) {
            return None;
        }
        let turns = turns(position);
        let mut found = turns.iter().find(|(_, after)| after.winner() == Some(side));
        if found.is_none() && most > 1 {
            let open = |(_, after): &&(Vec<Step>, P)| after.winner().is_none();
            found = turns.iter().filter(open).find(|(_, after)| self.is_lost(after, most - 1));
        }
        self.known.insert((position.key(), most), found.is_some());
        found.map(|(turn, _)| turn.clone())
    }

    /// Whether the side to move, with the game open, loses within so many turns of the other.
    fn is_lost<P: game::Position<Step = Step>>(&mut self, position: &P, most: u16) -> bool {
        turns(position).iter().all(|(_, after)| match after.winner() {
            Some(side) => side != position.side(),
            None => self.win(after, most).is_some(),
        })
    }

    /// A proof that the side to move wins, or that it loses, within so many turns.
    fn document<P: Notation + game::Position<Step = Step>>(
        &mut self,
        position: &P,
        most: u16,
    ) -> Option<Document<P>> {
        let least = (1..=most).find(|&turns| self.win(position, turns).is_some());
        let winner = match least {
            Some(_) => position.side(),
            None if self.is_lost(position, most) => !position.side(),
            None => return None,
        };
        let mut prover = |position: &P, _: &History| {
            (1..=most).find_map(|turns| self.win(position, turns))
        };
        let repetition = Repetition::Independent;
        let strategy = prove(position, winner, &History::new(), repetition, &mut prover)
            .map_err(|gap| gap.text(position))
            .unwrap();
        Some(Document::new(position.clone(), Vec::new(), winner, repetition, strategy).unwrap())
    }
}

fn position(text: &str) -> Position {
    text.parse().unwrap()
}

#[test]
#[ignore]
fn explore() {
    let mut rng = rng(7);
    for _ in 0..3000 {
        let mut board = arimaa::Board::EMPTY;
        let mut put = |piece: char| {
            let square = Square::new(rng.random_range(8..56)).unwrap();
            board.put(Piece::from_letter(piece).unwrap(), square);
        };
        "RHrcm".chars().for_each(&mut put);
        if board.validate().is_err() || board.pieces().count() < 5 {
            continue;
        }
        let position = Position::new(board, GOLD);
        if position.outcome().is_some() {
            continue;
        }
        let mut brute = Brute::default();
        if brute.win(&position, 1).is_some() {
            continue;
        }
        if let Some(document) = brute.document(&position, 2) {
            println!("{}", document.text());
            println!("{:?}", document.check());
        }
    }
}
