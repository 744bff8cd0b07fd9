//! Proofs of small endgames, by a prover that tries everything.
//!
//! With `TUSK_WRITE` set, the samples in positions/proofs are written anew.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::PathBuf;

use arimaa::{Board, GOLD, Game, Hunt, Piece, Position, SILVER, Side, Square, Step, Target, Turn};
use game::{History, Key, Notation, Past, Position as _, Turns};
use proof::{CheckErrorKind, Document, Repetition, StrategyNode, prove};
use proptest::prelude::*;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use test_support::{long, rng, scattered};

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
    fn win<P: game::Position<Step = Step>>(
        &mut self,
        position: &P,
        most: u16,
    ) -> Option<Vec<Step>> {
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
        let mut prover =
            |position: &P, _: &History| (1..=most).find_map(|turns| self.win(position, turns));
        let repetition = Repetition::Independent;
        let strategy = prove(position, winner, &History::new(), repetition, &mut prover)
            .map_err(|gap| gap.text(position))
            .unwrap();
        Some(Document::new(position.clone(), Vec::new(), winner, repetition, strategy).unwrap())
    }
}

/// What is told in positions/proofs: the file, the position and the target.
const SAMPLES: [(&str, &str, &str); 3] = [
    ("goal.txt", "g [         H                  cr       m           R              ]", "win"),
    ("loss.txt", "g [             mH         c      r                     R          ]", "win"),
    ("capture.txt", CAPTURE, "capture:dh5"),
];

/// The dog is pushed to h6, where it is frozen, and then into f6.
const CAPTURE: &str = "g [rr                             d       c      H                R]";

/// One of the defences in loss.txt, which has been tried twice.
const REPEATED: &str = "Rf2e Rg2n Rg3e";

fn sample_file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../positions/proofs").join(name)
}

fn sample(name: &str) -> String {
    std::fs::read_to_string(sample_file(name)).unwrap()
}

fn written<P: Notation<Step = Step>>(position: &str, target: &str) -> String {
    let position = P::read(position, target).unwrap();
    let document = Brute::default().document(&position, 2).expect("there is a proof");
    assert_eq!(document.check().map_err(|fault| fault.text(&position)), Ok(document.turns()));
    document.text()
}

#[test]
fn the_samples_are_what_is_written_today() {
    for (name, position, target) in SAMPLES {
        let text = match target {
            "win" => written::<Position>(position, target),
            _ => written::<Hunt>(position, target),
        };
        if std::env::var_os("TUSK_WRITE").is_some() {
            std::fs::write(sample_file(name), &text).unwrap();
        }
        assert_eq!(text, sample(name), "{name}");
    }
}

/// The proof of loss.txt without an answer to a turn that is no longer allowed.
fn with_a_past() -> Document<Position> {
    let mut document = Document::<Position>::read(&sample("loss.txt")).unwrap();
    let repeated = Position::read_turn(REPEATED, GOLD).unwrap();
    let mut after = document.position;
    repeated.iter().for_each(|&step| after.play(step));
    for node in &mut document.strategy.nodes {
        if let StrategyNode::Defence { answers, .. } = node {
            answers.retain(|answer| answer.turn != repeated);
        }
    }
    document.past =
        vec![Past { count: 2, position: after.to_string(), key: after.repetition_key() }];
    document.repetition = Repetition::Relied;
    document
}

#[test]
fn a_defence_that_would_be_the_third_repetition_needs_no_answer_if_the_proof_says_so() {
    let document = with_a_past();
    let text = document.text();
    if std::env::var_os("TUSK_WRITE").is_some() {
        std::fs::write(sample_file("repetition.txt"), &text).unwrap();
    }
    assert_eq!(text, sample("repetition.txt"));
    assert_eq!(document.check().map_err(|fault| fault.text(&document.position)), Ok(Turns(2)));
    let independent = Document { repetition: Repetition::Independent, ..document };
    assert_eq!(
        independent.check().unwrap_err().text(&independent.position),
        "Rf2e Rg2n Rg3e: there is no answer to this turn"
    );
}

/// A few pieces at random, with nobody at the goal.
fn endgame(rng: &mut ChaCha8Rng, pieces: &str) -> Option<Position> {
    let mut board = Board::EMPTY;
    for letter in pieces.chars() {
        let square = Square::new(rng.random_range(8..56)).unwrap();
        board.put(Piece::from_letter(letter).unwrap(), square);
    }
    let whole = board.pieces().count() == pieces.len() && board.validate().is_ok();
    let position = Position::new(board, GOLD);
    (whole && position.outcome().is_none()).then_some(position)
}

#[test]
fn small_endgames_are_proved_and_survive_their_text() {
    let mut rng = rng(3);
    let mut proved = 0;
    while proved < if long() { 200 } else { 6 } {
        let Some(position) = endgame(&mut rng, "RHrcm") else { continue };
        let mut brute = Brute::default();
        let Some(document) = brute.document(&position, 2) else { continue };
        assert_eq!(document.check().map_err(|fault| fault.text(&position)), Ok(document.turns()));
        assert_eq!(Document::read(&document.text()), Ok(document.clone()), "{position}");
        assert_eq!(fault_in_text::<Position>(&document.text()), None, "{position}");
        proved += 1;
    }
}

#[test]
fn whatever_is_taken_from_a_proof_is_missed() {
    for name in ["goal.txt", "loss.txt", "capture.txt", "repetition.txt"] {
        let text = sample(name);
        let lines: Vec<&str> = text.lines().collect();
        let tree =
            lines.iter().position(|line| line.trim_start().starts_with(['>', '!', '<'])).unwrap();
        for line in tree..lines.len() {
            // A line with all that is below it.
            let indent = |line: &str| line.len() - line.trim_start().len();
            let below =
                lines[line + 1..].iter().take_while(|other| indent(other) > indent(lines[line]));
            let rest = line + 1 + below.count();
            let less = [&lines[..line], &lines[rest..]].concat().join("\n");
            assert!(!is_valid(&less), "{name}, line {}", line + 1);
            assert!(!is_valid(&lines[..line].join("\n")), "{name}, up to line {line}");
        }
    }
}

fn is_valid(text: &str) -> bool {
    fn checked<P: Notation>(text: &str) -> bool {
        Document::<P>::read(text).is_ok_and(|document| document.check().is_ok())
    }
    if text.contains("target capture") { checked::<Hunt>(text) } else { checked::<Position>(text) }
}

/// What is wrong with a proof as it is written, if anything is.
fn fault_in_text<P: Notation>(text: &str) -> Option<String> {
    let (document, checked) = Document::<P>::check_text(text).unwrap();
    checked.err().map(|fault| fault.text(&document.position))
}

#[test]
fn the_samples_tell_what_happens() {
    for name in ["goal.txt", "loss.txt", "repetition.txt"] {
        assert_eq!(fault_in_text::<Position>(&sample(name)), None, "{name}");
    }
    assert_eq!(fault_in_text::<Hunt>(&sample("capture.txt")), None);
}

#[test]
fn a_text_that_tells_of_pieces_and_captures_that_are_not_there_is_no_proof() {
    let text = sample("goal.txt");
    let altered = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        fault_in_text::<Position>(&text.replacen(from, to, 1))
    };
    let first = "> Rb2n Rb3n";
    let told = |turn: &str| {
        let turn = format!("{turn} Rb4n Rb5n");
        Some(format!(
            "Rb2n Rb3n Rb4n Rb5n: this turn is written as {turn:?}, and other pieces move or are \
             captured here"
        ))
    };
    // Another piece, and captures that do not happen.
    assert_eq!(altered(first, "> Rb2n Mb3n"), told("Rb2n Mb3n"));
    assert_eq!(altered(first, "> Rb2n ec6x Rb3n"), told("Rb2n ec6x Rb3n"));
    assert_eq!(altered(first, "> rc3x Rb2n Rb3n"), told("rc3x Rb2n Rb3n"));
    // A finisher of a piece that is not there.
    let fault = altered("! Hb7e Hc7s Rb6n Rb7n", "! Db7e Dc7s Rb6n Rb7n").unwrap();
    assert!(fault.contains("this turn is written as \"Db7e Dc7s Rb6n Rb7n\""), "{fault}");
    // A capture that happens may be told or left out, but at its place and once.
    let hunt = |turn: &str| {
        let finisher = "! dh6w Hh5n dg6w Hh6w";
        fault_in_text::<Hunt>(&sample("capture.txt").replacen(finisher, &format!("! {turn}"), 1))
    };
    assert_eq!(hunt("dh6w Hh5n dg6w df6x Hh6w"), None);
    for turn in
        ["dh6w df6x Hh5n dg6w Hh6w", "dh6w Hh5n dg6w Hh6w df6x", "dh6w Hh5n dg6w df6x df6x Hh6w"]
    {
        assert!(hunt(turn).is_some(), "{turn}");
    }
}

#[test]
fn whatever_is_altered_in_a_proof_is_told() {
    let fault = |text: &str| {
        let document = Document::<Position>::read(text).unwrap();
        document.check().unwrap_err().text(&document.position)
    };
    let text = sample("goal.txt");
    assert_eq!(
        fault(&text.replace("> Rb2n Rb3n Rb4n Rb5n", "> Rb2n Rb3n Rb4n")),
        "after Rb2n Rb3n Rb4n: ce5n: there is no answer to this turn"
    );
    assert_eq!(
        fault(&text.replace("> Rb2n Rb3n Rb4n Rb5n", "> Rb2n Rb3n Rb4n Rb4n")),
        "Rb2n Rb3n Rb4n (b4 to b5): this turn is not legal"
    );
    assert_eq!(
        fault(&text.replace("win in 2", "win in 3")),
        "the strategy takes 2 turns, not 3 as it says"
    );
    let other_side = text.replace("position g", "position s");
    assert!(Document::<Position>::read(&other_side).is_err(), "a silver turn with gold pieces");
}

#[test]
fn a_turn_is_read_without_the_board_as_it_was_written() {
    let mut rng = rng(5);
    let mut joined = 0;
    for _ in 0..if long() { 200_000 } else { 20_000 } {
        let side = Side::ALL[rng.random_range(0..2)];
        let position = Position::new(scattered(&mut rng), side);
        let Some(turn) = position.clone().play_random_turn(&mut rng) else { continue };
        for text in [position.turn_text(&turn.whole()), position.finisher_text(&turn.whole())] {
            assert_eq!(Position::read_turn(&text, side), Ok(turn.whole()), "{position} {text}");
            joined += usize::from(text.contains('+'));
            if !text.contains('+') {
                let again = Turn::parse(&text, &position).unwrap();
                let after = |turn| {
                    let mut position = position;
                    position.try_play_turn(turn).unwrap();
                    position
                };
                assert_eq!(after(again), after(turn));
            }
        }
    }
    assert!(joined > 0, "some pushes read like a pull");
}

/// The pieces by what they were called at first, square by square.
#[derive(Clone)]
struct Named(Vec<Option<(usize, Piece)>>);

impl Named {
    fn of(board: &Board) -> Named {
        let named = |square: Square| Some((square.index(), board.piece_at(square)?));
        Named(Square::all().map(named).collect())
    }

    fn play(&mut self, step: Step) {
        for (from, to) in step.moves() {
            self.0[to.index()] = self.0[from.index()].take();
            for trap in Square::TRAPS {
                let side = |square: Square| self.0[square.index()].map(|(_, piece)| piece.side);
                let held = |near: Square| side(near).is_some() && side(near) == side(trap);
                if !trap.neighbours().into_iter().any(held) {
                    self.0[trap.index()] = None;
                }
            }
        }
    }

    fn find(&self, name: usize) -> Option<Square> {
        let at = self.0.iter().position(|piece| piece.is_some_and(|(other, _)| other == name));
        at.and_then(Square::new)
    }
}

#[test]
fn a_quarry_is_followed_wherever_it_goes() {
    let mut rng = rng(6);
    let mut captured = 0;
    for _ in 0..if long() { 20_000 } else { 2_000 } {
        let board = scattered(&mut rng);
        let mut position = Position::new(board, Side::ALL[rng.random_range(0..2)]);
        let mut named = Named::of(&board);
        let hunts = board.pieces().map(|(square, piece)| {
            (square.index(), Hunt::new(position, Target { piece, square }).unwrap())
        });
        let mut hunts: Vec<(usize, Hunt)> = hunts.collect();
        for _ in 0..40 {
            let steps = position.steps();
            if steps.is_empty() {
                break;
            }
            let step = steps[rng.random_range(0..steps.len())];
            position.play_unchecked(step);
            named.play(step);
            for (name, hunt) in &mut hunts {
                hunt.play_unchecked(step);
                assert_eq!(hunt.quarry(), named.find(*name), "{position}");
                assert_eq!(hunt.position(), &position);
                assert_eq!(hunt.winner(), judged(hunt), "{hunt}");
                captured += usize::from(hunt.quarry().is_none());
            }
        }
        let keys: HashSet<Key> = hunts.iter().map(|(_, hunt)| hunt.key()).collect();
        let there = hunts.iter().filter(|(_, hunt)| hunt.quarry().is_some()).count();
        assert_eq!(keys.len(), there + usize::from(there < hunts.len()));
    }
    assert!(captured > 100);
}

/// Who has won a hunt, in the words of its rules.
fn judged(hunt: &Hunt) -> Option<Side> {
    let (hunter, hunted) = (hunt.hunter(), !hunt.hunter());
    let game = hunt.position().outcome().map(|outcome| outcome.winner);
    if !hunt.turn_starts() {
        None
    } else if hunt.quarry().is_none() {
        Some(if game == Some(hunted) { hunted } else { hunter })
    } else {
        game.map(|_| hunted)
    }
}

#[test]
fn a_goal_does_not_save_the_hunter_but_a_lost_game_saves_the_hunted() {
    let hunt = |pieces: &str, target: &str| {
        let mut board = Board::EMPTY;
        for piece in pieces.split(' ') {
            let Target { piece, square } = piece.parse().unwrap();
            board.put(piece, square);
        }
        Hunt::new(Position::new(board, GOLD), target.parse().unwrap()).unwrap()
    };
    let play = |hunt: &Hunt, turn: &str| {
        let mut after = *hunt;
        for step in Turn::parse(turn, hunt.position()).unwrap().whole() {
            after.play(step);
        }
        after.winner()
    };
    // Gold may capture the dog, or bring its rabbit home instead.
    let both = hunt("rh8 Ra7 Hd3 de3", "de3");
    assert_eq!((both.hunter(), both.winner()), (GOLD, None));
    assert_eq!(play(&both, "de3e Hd3e"), Some(GOLD));
    assert_eq!(play(&both, "Ra7n"), Some(SILVER));
    assert_eq!(play(&both, "de3e Hd3e Ra7n"), Some(GOLD));
    assert_eq!(play(&both, "Hd3s"), None);
    // The same capture gives up the last rabbit.
    assert_eq!(play(&hunt("rh8 Rc3 Hd3 de3", "de3"), "de3e Hd3e"), Some(SILVER));
    assert!(matches!(
        Hunt::new(*both.position(), "me3".parse().unwrap()),
        Err(arimaa::TargetError::NotThere { .. })
    ));
    assert!("m".parse::<Target>().is_err() && "mi9".parse::<Target>().is_err());
}

#[test]
fn two_equal_pieces_that_change_places_are_another_hunt_and_a_repetition() {
    let position: Position =
        "g [r        dd                                      R              ]".parse().unwrap();
    let [one, other] =
        ["db7", "dc7"].map(|target| Hunt::new(position, target.parse().unwrap()).unwrap());
    assert_ne!(one.key(), other.key());
    assert_eq!(one.repetition_key(), other.repetition_key());
    assert_eq!(one.repetition_key(), position.repetition_key());
}

#[test]
fn the_past_has_what_can_come_about_again() {
    let start = "g [r                                    d               H       R  ]";
    let mut game = Game::from_position(start.parse().unwrap());
    for turn in ["Ha1n", "db3n", "Ha2s", "db4s"] {
        let turn = Turn::parse(turn, game.position());
        if let Ok(turn) = turn {
            game.try_play(turn).unwrap();
        }
    }
    let past = game.repeatable_past();
    let counts: u32 = past.iter().map(|past| past.count).sum();
    let played = game.actions().count() as u32 + 1;
    let alone = u32::from(game.history().count(game.position().repetition_key()) == 1);
    assert_eq!(counts + alone, played);
    for past in &past {
        assert_eq!(Position::past_key(&past.position), Ok(past.key));
        assert_eq!(game.history().count(past.key), past.count);
    }
}

#[test]
fn a_proof_with_two_repetitions_behind_it_is_refused() {
    let document = Document::<Position>::read(&sample("goal.txt")).unwrap();
    let mut after = document.position;
    let Some(StrategyNode::Attack { turn, .. }) =
        document.strategy.root.and_then(|root| document.strategy.node(root))
    else {
        panic!("the winner moves");
    };
    turn.iter().for_each(|&step| after.play(step));
    let past =
        |count: u32| sample("goal.txt").replace("target", &format!("past {count} {after}\ntarget"));
    assert!(is_valid(&past(1)));
    let document = Document::<Position>::read(&past(2)).unwrap();
    assert!(matches!(document.check().unwrap_err().kind, CheckErrorKind::ThirdTime(_)));
    assert_eq!(document.text(), past(2));
    assert_eq!(document.turns(), Turns(2));
}

proptest! {
    #[test]
    fn damaged_texts_do_no_harm(name in 0..3_usize, at in any::<prop::sample::Index>(), byte in 0..128_u8, insert in any::<bool>()) {
        let mut text = sample(SAMPLES[name].0).into_bytes();
        let at = at.index(text.len());
        if insert { text.insert(at, byte) } else { text[at] = byte }
        let text = String::from_utf8(text).unwrap();
        if let Ok(document) = Document::<Position>::read(&text) {
            let _ = document.strategy.length();
            drop(document.check().map_err(|fault| fault.text(&document.position)));
        }
        if let Err(error) = Document::<Hunt>::read(&text) {
            prop_assert!(error.to_string().starts_with("line "));
        }
    }
}
