//! Proofs about a toy whose rules are a drawing, the slow way beside them.

mod common;

use std::rc::Rc;

use common::{DRAWING, Place, Toy, Way, distance_with_past, distances};
use game::{History, Past, Position, Proof, Side, Turns};
use proof::{
    AnsweredTurn, CheckErrorKind, Document, NodeId, ReadErrorKind, Repetition, Strategy,
    StrategyNode, check, prove, texts,
};
use proptest::prelude::*;
use proptest::sample::Index;

/// A to move at 0; B may defend at 2 in three ways, two of which lose at once to the same turn.
/// Places 1 and 6 are inside turns.
const FORK: &str = "
    0 A 1
    1 a 2
    2 B 3 4 6
    3 A 9 2
    4 A 9
    5 A 7
    6 b 5 4
    7 B 8
    8 A 9
    9 B+
";

/// B can go back and forth, or lose.
const SWING: &str = "
    0 A 1
    1 B 0 2
    2 A 3
    3 B+
";

fn first(distances: Vec<Option<u32>>) -> impl FnMut(&Toy, &History) -> Option<Vec<Way>> {
    move |toy, _| {
        let near = |end: &Toy| distances[end.at as usize].unwrap_or(u32::MAX);
        let turns = toy.turns().into_iter().filter(|(_, end)| near(end) < u32::MAX);
        turns.min_by_key(|(_, end)| near(end)).map(|(turn, _)| turn)
    }
}

fn fork() -> Document<Toy> {
    let toy = Toy::draw(FORK);
    DRAWING.set(Some(toy.clone()));
    let mut source = first(distances(&toy));
    let strategy =
        prove(&toy, Side::First, &History::new(), Repetition::Independent, &mut source).unwrap();
    Document::new(toy, Vec::new(), Side::First, Repetition::Independent, strategy).unwrap()
}

fn ways(ways: &[u16]) -> Vec<Way> {
    ways.iter().map(|&way| Way(way)).collect()
}

const FORK_TEXT: &str = "\
tusk proof 1
game toy
position 0
target win
result win in 3
repetition independent
> 1-2
 ! 9
 < 6-5
  > 7
   ! 9
end
";

#[test]
fn a_strategy_is_written_out_and_holds() {
    let document = fork();
    assert_eq!(document.text(), FORK_TEXT);
    assert_eq!(document.check(), Ok(Turns(3)));
    assert_eq!(Document::read(FORK_TEXT), Ok(document));
}

/// What is wrong with the text, which can be read.
fn fault(text: &str) -> CheckErrorKind<Way> {
    Document::<Toy>::read(text).unwrap().check().unwrap_err().kind
}

#[test]
fn what_is_altered_is_refused_with_the_place() {
    let _ = fork();
    let without = |line: &str| FORK_TEXT.replace(line, "");
    let (defence, finisher) =
        (without(" < 6-5\n  > 7\n   ! 9\n"), without(" ! 9\n <").replace(" 6-5", " < 6-5"));
    let cases = [
        (defence, CheckErrorKind::Unanswered(ways(&[6, 5]))),
        (finisher, CheckErrorKind::Unanswered(ways(&[3]))),
        (FORK_TEXT.replace("> 7", "> 9"), CheckErrorKind::Illegal(ways(&[9]))),
        (FORK_TEXT.replace("> 7\n   ! 9", "> 7"), CheckErrorKind::DoesNotWin(ways(&[7]))),
        (FORK_TEXT.replace("   ! 9", "   ."), CheckErrorKind::Unanswered(ways(&[8]))),
        (
            FORK_TEXT.replace("win in 3", "win in 2"),
            CheckErrorKind::Length { claimed: Turns(2), found: Turns(3) },
        ),
    ];
    for (text, expected) in &cases {
        assert_eq!(fault(text), *expected, "{text}");
    }
    let altered = Document::<Toy>::read(&cases[0].0).unwrap();
    let fault = altered.check().unwrap_err();
    assert_eq!(fault.path, [ways(&[1, 2])]);
    assert_eq!(fault.text(&altered.position), "after 1-2: 6-5: there is no answer to this turn");
}

#[test]
fn a_strategy_that_leads_back_to_itself_is_refused() {
    let toy = Toy::draw(SWING);
    let mut strategy = Strategy::default();
    let attack = strategy.add(StrategyNode::Attack { turn: ways(&[1]), next: Some(NodeId(1)) });
    let answers = vec![AnsweredTurn { turn: ways(&[0]), next: attack }];
    strategy.add(StrategyNode::Defence { finishers: vec![ways(&[3])], answers });
    strategy.root = Some(attack);
    for repetition in [Repetition::Independent, Repetition::Relied] {
        let found = check(&toy, Side::First, &History::new(), repetition, &strategy);
        assert_eq!(found.unwrap_err().kind, CheckErrorKind::Cycle);
    }
}

#[test]
fn what_only_a_third_repetition_would_defend_is_won_if_that_is_relied_on() {
    let toy = Toy::draw(SWING);
    DRAWING.set(Some(toy.clone()));
    let past = |position: &str, count| Past {
        count,
        position: position.to_string(),
        key: <Toy as game::Notation>::past_key(position).unwrap(),
    };
    let text = "tusk proof 1\ngame toy\nposition 0\npast 2 0\ntarget win\nresult win in 2\n\
                repetition relied on\n> 1\n ! 3\nend\n";
    let document = Document::<Toy>::read(text).unwrap();
    assert_eq!(document.past, [past("0", 2)]);
    assert_eq!(document.check(), Ok(Turns(2)));
    let independent = text.replace("relied on", "independent");
    assert_eq!(fault(&independent), CheckErrorKind::Unanswered(ways(&[0])));
    // With no past, B can repeat once.
    assert_eq!(fault(&text.replace("past 2 0\n", "")), CheckErrorKind::Unanswered(ways(&[0])));
    let mut source = |toy: &Toy, _: &History| Some(toy.turns()[0].0.clone());
    let strategy =
        prove(&toy, Side::First, &History::new(), Repetition::Relied, &mut source).unwrap();
    let longer = Document::new(toy, Vec::new(), Side::First, Repetition::Relied, strategy).unwrap();
    assert_eq!((longer.check(), longer.result), (Ok(Turns(3)), Proof::Win(Turns(3))));
    assert_eq!(Document::read(&longer.text()), Ok(longer));
}

#[test]
fn the_winner_may_not_repeat_either() {
    // B goes back where it can; the third time at 1 is A's doing.
    let document = fork();
    let mut past = History::new();
    past.push(document.position.at(2).key());
    past.push(document.position.at(2).key());
    let found =
        check(&document.position, Side::First, &past, Repetition::Independent, &document.strategy);
    assert_eq!(found.unwrap_err().kind, CheckErrorKind::ThirdTime(ways(&[1, 2])));
    // And once is enough, if the proof itself comes there twice, by nodes of different lengths.
    let text = FORK_TEXT
        .replace("win in 3", "win in 4")
        .replace(" ! 9\n <", " ! 9\n < 3\n  > 2\n   ! 9\n   < 6-5\n    > 7\n     ! 9\n <");
    assert_eq!(Document::<Toy>::read(&text).unwrap().check(), Ok(Turns(4)));
    let once = text.replace("target", "past 1 2\ntarget");
    assert_eq!(fault(&once), CheckErrorKind::ThirdTime(ways(&[2])));
}

#[test]
fn what_cannot_be_read_is_refused_with_the_line() {
    let _ = fork();
    let cases = [
        ("", 1, ReadErrorKind::NoProof),
        ("tusk proof 2\n", 1, ReadErrorKind::NoProof),
        ("tusk proof 1\ngame toy\n", 2, ReadErrorKind::Missing("position")),
        (&FORK_TEXT.replace("game toy", "game chess"), 3, ReadErrorKind::OtherGame("toy")),
        (&FORK_TEXT.replace("target", "game toy\ntarget"), 4, ReadErrorKind::Twice("game")),
        (&FORK_TEXT.replace("target", "aim"), 4, ReadErrorKind::Unknown),
        (&FORK_TEXT.replace("end\n", ""), 11, ReadErrorKind::CutOff),
        (&(FORK_TEXT.to_string() + "> 1\n"), 13, ReadErrorKind::AfterEnd),
        (&FORK_TEXT.replace(" < 6", "   < 6"), 9, ReadErrorKind::Indentation { found: 3, most: 1 }),
        (&FORK_TEXT.replace("  > 7\n   ! 9\n", ""), 9, ReadErrorKind::NoAnswer),
        (&FORK_TEXT.replace("   ! 9", "   =7"), 11, ReadErrorKind::NoLabel(7)),
        (
            &FORK_TEXT.replace("> 1-2", "> 1-2\n #1").replace("   ! 9", "   =1"),
            12,
            ReadErrorKind::Cycle(1),
        ),
        (
            &FORK_TEXT.replace("  > 7", "  #1\n  #1\n  > 7"),
            11,
            ReadErrorKind::Misplaced("a label before what it is about"),
        ),
        (
            &FORK_TEXT.replace("> 1-2", "> 1-x"),
            7,
            ReadErrorKind::Game("\"x\" is no place".to_string()),
        ),
        (
            &FORK_TEXT.replace("  > 7\n   ! 9\n", "  #1\n"),
            10,
            ReadErrorKind::Misplaced("a turn of the winner below it"),
        ),
    ];
    for (text, line, fault) in cases {
        let error = Document::<Toy>::read(text).unwrap_err();
        assert_eq!((error.line, &error.kind), (line, &fault), "{text}");
    }
}

#[test]
fn deep_texts_are_refused_and_long_ways_are_no_danger() {
    let _ = fork();
    let deep = |levels: usize| {
        let lines = (0..levels).map(|depth| {
            let mark = if depth % 2 == 0 { '>' } else { '<' };
            format!("{:depth$}{mark} 1\n", "")
        });
        FORK_TEXT.split("> 1-2").next().unwrap().to_string() + &lines.collect::<String>() + "end\n"
    };
    assert!(matches!(
        Document::<Toy>::read(&deep(1500)).unwrap_err().kind,
        ReadErrorKind::Indentation { .. }
    ));
    // Labels make a way that is far longer than the text is deep.
    let mut strategy = Strategy::default();
    let mut next = None;
    for _ in 0..200_000 {
        let attack = strategy.add(StrategyNode::Attack { turn: ways(&[1]), next });
        let answers = vec![AnsweredTurn { turn: ways(&[0]), next: attack }];
        next = Some(strategy.add(StrategyNode::Defence { finishers: Vec::new(), answers }));
    }
    strategy.root = next;
    let toy = Toy::draw(SWING).at(1);
    let found = check(&toy, Side::First, &History::new(), Repetition::Independent, &strategy);
    assert_eq!(found.unwrap_err().kind, CheckErrorKind::Cycle);
}

#[test]
fn a_small_text_with_too_many_ways_is_given_up() {
    // At each of thirty places B has two ways, and every way of all is another one.
    let mut lines: Vec<String> = Vec::new();
    for level in 0..30 {
        let (two, four) = (4 * level + 1, 4 * level + 4);
        lines.push(format!("{} B {} {}", 4 * level, two, two + 1));
        lines.push(format!("{two} A {four}"));
        lines.push(format!("{} A {four}", two + 1));
        lines.push(format!("{} A", two + 2));
    }
    lines.push("120 B 121".to_string());
    lines.push("121 A+".to_string());
    let toy = Toy::draw(&lines.join("\n"));
    DRAWING.set(Some(toy.clone()));
    let mut source = first(distances(&toy));
    let past = History::new();
    let strategy = prove(&toy, Side::First, &past, Repetition::Independent, &mut source).unwrap();
    assert!(check(&toy, Side::First, &past, Repetition::Independent, &strategy).is_ok());
    let relied = check(&toy, Side::First, &past, Repetition::Relied, &strategy);
    assert!(matches!(relied.unwrap_err().kind, CheckErrorKind::TooManyVisits(_)));
    // What follows is the same after both of B's ways, and is told once.
    let document =
        Document::new(toy, Vec::new(), Side::First, Repetition::Independent, strategy).unwrap();
    let text = document.text();
    assert!(text.contains("< 1\n > 4\n  #1\n  < 5\n"), "{text}");
    assert!(text.ends_with("\n< 2\n > 4\n  =1\nend\n"), "{text}");
    assert_eq!(Document::read(&text), Ok(document));
}

#[test]
fn proofs_one_after_another_are_told_apart() {
    let two = format!("\n{FORK_TEXT}\n{FORK_TEXT}");
    let found = texts(&two);
    assert_eq!(found.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 14]);
    assert!(found.iter().all(|(_, text)| text.trim_end() == FORK_TEXT.trim_end()));
    assert_eq!(texts("nonsense\ntusk proof 1\n").len(), 2);
    assert_eq!(texts("\n \n"), []);
}

/// A drawing at random.
fn drawings(most: usize) -> impl Strategy_<Value = Toy> {
    (2..=most).prop_flat_map(|places| {
        let place = (any::<bool>(), 0..8_u8, proptest::collection::vec(any::<Index>(), 0..4));
        proptest::collection::vec(place, places).prop_map(move |drawn| {
            let sides: Vec<(Side, bool, Option<Side>)> = drawn
                .iter()
                .map(|&(is_first, kind, _)| {
                    let side = if is_first { Side::First } else { Side::Second };
                    match kind {
                        0 | 1 => (side, true, Some(Side::First)),
                        2 => (side, true, Some(Side::Second)),
                        3 => (side, false, None),
                        _ => (side, true, None),
                    }
                })
                .collect();
            let place = |(at, (_, _, ways)): (usize, &(bool, u8, Vec<Index>))| {
                let (side, starts, winner) = sides[at];
                // A turn goes on with the same side, and forwards; it ends with the other.
                let leads = |&to: &usize| match sides[to] {
                    (other, true, _) => other != side,
                    (other, false, _) => other == side && (starts || to > at),
                };
                let ways = ways.iter().map(|way| way.index(places)).filter(leads);
                let mut ways: Vec<u16> = ways.map(|to| to as u16).collect();
                ways.dedup();
                Place {
                    side,
                    starts,
                    winner,
                    ways: if winner.is_some() { Vec::new() } else { ways },
                }
            };
            let places = Rc::new(drawn.iter().enumerate().map(place).collect());
            Toy { places, at: 0 }
        })
    })
}

use proptest::strategy::Strategy as Strategy_;

/// Nodes at random, few of which make sense.
fn strategies() -> impl Strategy_<Value = Strategy<Way>> {
    let turn = || proptest::collection::vec((0..9_u16).prop_map(Way), 1..3);
    let attack = (turn(), proptest::option::of(0..6_u32))
        .prop_map(|(turn, next)| StrategyNode::Attack { turn, next: next.map(NodeId) });
    let answer =
        (turn(), 0..6_u32).prop_map(|(turn, next)| AnsweredTurn { turn, next: NodeId(next) });
    let finishers = proptest::collection::vec(turn(), 0..3);
    let defence = (finishers, proptest::collection::vec(answer, 0..3))
        .prop_map(|(finishers, answers)| StrategyNode::Defence { finishers, answers });
    (proptest::collection::vec(prop_oneof![attack, defence], 6), 0..6_u32)
        .prop_map(|(nodes, root)| Strategy { nodes, root: Some(NodeId(root)) })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn whatever_is_won_is_proved_and_survives_its_text(toy in drawings(14)) {
        DRAWING.set(Some(toy.clone()));
        let known = distances(&toy);
        for (at, &distance) in known.iter().enumerate() {
            let toy = toy.at(at as u16);
            if !toy.turn_starts() {
                continue;
            }
            let mut source = first(known.clone());
            let past = History::new();
            let strategy = prove(&toy, Side::First, &past, Repetition::Independent, &mut source);
            prop_assert_eq!(strategy.is_ok(), distance.is_some());
            let Ok(strategy) = strategy else { continue };
            let document =
                Document::new(toy, Vec::new(), Side::First, Repetition::Independent, strategy);
            let document = document.unwrap();
            let turns = document.check().map_err(|fault| fault.kind);
            prop_assert_eq!(turns, Ok(Turns(distance.unwrap() as u16)));
            let again = Document::read(&document.text());
            prop_assert_eq!(again, Ok(document));
        }
    }

    #[test]
    fn nothing_is_proved_that_is_not_won(toy in drawings(9), strategy in strategies()) {
        let past = History::new();
        let found = check(&toy, Side::First, &past, Repetition::Independent, &strategy);
        if let Ok(turns) = found {
            let distance = distances(&toy)[0];
            prop_assert!(distance.is_some_and(|distance| distance <= turns.0.into()));
        }
    }

    #[test]
    fn a_strategy_for_one_drawing_holds_for_another_only_if_that_is_won(
        toy in drawings(7), at in any::<Index>(), to in any::<Index>(),
        seen in proptest::collection::vec(0..3_u32, 7),
    ) {
        let mut source = first(distances(&toy));
        let strategy =
            prove(&toy, Side::First, &History::new(), Repetition::Independent, &mut source);
        let Ok(strategy) = strategy else { return Ok(()) };
        let mut places = (*toy.places).clone();
        let (at, to) = (at.index(places.len()), to.index(places.len()));
        let (from, end) = (&places[at], &places[to]);
        let goes_on = if end.starts { end.side != from.side } else { end.side == from.side && to > at };
        if goes_on && from.winner.is_none() {
            places[at].ways.push(to as u16);
        }
        let other = Toy { places: Rc::new(places), at: 0 };
        let mut past = History::new();
        past.push(other.key());
        for at in 1..other.places.len() as u16 {
            (0..seen[at as usize]).for_each(|_| past.push(other.at(at).key()));
        }
        for repetition in [Repetition::Independent, Repetition::Relied] {
            if let Ok(turns) = check(&other, Side::First, &past, repetition, &strategy) {
                let distance = distance_with_past(&other, &mut past.clone());
                prop_assert!(distance.is_some_and(|distance| distance <= turns.0.into()));
            }
        }
    }

    #[test]
    fn with_repetition_relied_on_the_same_holds(toy in drawings(6), seen in 0..3_u32) {
        prop_assume!(toy.turn_starts());
        let mut past = History::new();
        (0..=seen).for_each(|_| past.push(toy.key()));
        let distance = distance_with_past(&toy, &mut past.clone());
        let mut source = |toy: &Toy, path: &History| {
            let mut path = path.clone();
            let mut near = |end: &Toy| {
                if path.count(end.key()) >= 2 {
                    return None;
                }
                path.push(end.key());
                let distance = distance_with_past(end, &mut path);
                path.pop(end.key());
                distance
            };
            let turns = toy.turns().into_iter();
            let turns = turns.filter_map(|(turn, end)| Some((near(&end)?, turn)));
            turns.min_by_key(|(distance, _)| *distance).map(|(_, turn)| turn)
        };
        let strategy = prove(&toy, Side::First, &past, Repetition::Relied, &mut source);
        if distance.is_some() {
            let found = check(&toy, Side::First, &past, Repetition::Relied, &strategy.unwrap());
            prop_assert_eq!(found.map_err(|fault| fault.kind), Ok(Turns(distance.unwrap() as u16)));
        }
    }

    #[test]
    fn damaged_texts_do_no_harm(at in any::<Index>(), byte in 0..128_u8, cut in any::<Index>(), insert in any::<bool>()) {
        let _ = fork();
        let shared = FORK_TEXT.replace("> 7", "#1\n  > 7").replace(" ! 9\n <", " < 6-4\n  > 9\n <");
        let mut text = format!("{shared}{}", "\n =1").into_bytes();
        let at = at.index(text.len());
        if insert { text.insert(at, byte) } else { text[at] = byte }
        text.truncate(text.len() - cut.index(20));
        let text = String::from_utf8_lossy(&text);
        match Document::<Toy>::read(&text) {
            Ok(document) => drop(document.check()),
            Err(error) => drop(error.to_string()),
        }
        drop(texts(&text));
    }

    #[test]
    fn any_text_does_no_harm(lines in proptest::collection::vec("[ ]{0,3}(> 1-2|> 7|! 9|< 6-5|<|=1|#1|#2|\\.|end|.{0,3})", 0..12)) {
        let _ = fork();
        let text = FORK_TEXT.split("> 1-2").next().unwrap().to_string() + &lines.join("\n") + "\nend\n";
        if let Ok(document) = Document::<Toy>::read(&text) {
            drop(document.check());
            let again = Document::<Toy>::read(&document.text());
            prop_assert!(again.is_ok());
        }
    }
}
