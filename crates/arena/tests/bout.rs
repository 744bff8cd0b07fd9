//! A game from its opening to its end, in a game that nobody has heard of: two count to ten by ones,
//! twos and threes, and whoever says ten has won.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use arena::{
    Adjudication, Answer, Bout, Budget, Clarity, Ending, Failure, Fault, Pace, Played, Player,
    Referee, Rules, Start, Thought,
};
use game::{BySide, Side};

struct CountToTen;

struct Counting {
    turns: Vec<u32>,
}

impl Rules for CountToTen {
    fn name(&self) -> &str {
        "count to ten"
    }

    fn begin(&self, opening: &str) -> Result<Box<dyn Referee>, String> {
        let mut counting = Counting { turns: Vec::new() };
        for turn in opening.lines() {
            counting.play(turn)?;
        }
        Ok(Box::new(counting))
    }
}

impl Referee for Counting {
    fn origin(&self) -> Option<String> {
        None
    }

    fn turns(&self) -> Vec<String> {
        self.turns.iter().map(u32::to_string).collect()
    }

    fn position(&self) -> String {
        self.turns.iter().sum::<u32>().to_string()
    }

    fn picture(&self) -> String {
        self.position()
    }

    fn side(&self) -> Side {
        if self.turns.len().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn label(&self) -> String {
        (self.turns.len() + 1).to_string()
    }

    fn play(&mut self, turn: &str) -> Result<String, String> {
        let step = turn.trim().parse().ok().filter(|step| (1..=3).contains(step));
        self.turns.push(step.ok_or("say 1, 2 or 3")?);
        Ok(turn.trim().to_string())
    }

    fn ending(&self) -> Option<Ending> {
        let over = self.turns.iter().sum::<u32>() >= 10;
        over.then(|| Ending { winner: !self.side(), reason: "ten".to_string() })
    }
}

/// Says what is on its list, each within some milliseconds, and thinks that it stands so.
struct Reader {
    list: Vec<&'static str>,
    time: Duration,
    score: i32,
    heard: Vec<String>,
}

fn reader(list: &[&'static str]) -> Reader {
    let list = list.iter().rev().copied().collect();
    Reader { list, time: Duration::from_millis(5), score: 0, heard: Vec::new() }
}

impl Player for Reader {
    fn identity(&self) -> String {
        "reader".to_string()
    }

    fn begin(&mut self, start: &Start) -> Result<(), Failure> {
        self.heard = start.turns.clone();
        Ok(())
    }

    fn played(&mut self, turn: &str) -> Result<(), Failure> {
        self.heard.push(turn.to_string());
        Ok(())
    }

    fn think(&mut self, _budget: &Budget) -> Result<Thought, Failure> {
        let answer = match self.list.pop() {
            Some("resign") => Answer::Resign,
            Some(turn) => Answer::Play(turn.to_string()),
            None => {
                let detail = "the list is at its end".to_string();
                return Err(Failure { fault: Fault::Crash, detail, last_lines: Vec::new() });
            }
        };
        let (time, score) = (self.time, Some(self.score));
        Ok(Thought { answer, time, score, depth: None, nodes: None })
    }
}

fn play(opening: &str, first: &mut Reader, second: &mut Reader, asked: &Asked) -> Played {
    let bout = Bout {
        rules: &CountToTen,
        opening,
        names: BySide { first: "a", second: "b" },
        pace: asked.pace,
        adjudication: asked.adjudication,
        seed: 1,
        is_off: &AtomicBool::new(false),
    };
    bout.play(BySide { first, second }).expect("the opening is one")
}

#[derive(Default)]
struct Asked {
    pace: Pace,
    adjudication: Adjudication,
}

fn end(played: &Played) -> (Option<Side>, &str) {
    (played.winner, &played.reason)
}

#[test]
fn the_rules_end_a_game_and_both_players_hear_every_turn() {
    let (mut a, mut b) = (reader(&[" 3", "3"]), reader(&["2"]));
    let played = play("1\n1", &mut a, &mut b, &Asked::default());
    assert_eq!(end(&played), (Some(Side::First), "ten"));
    assert_eq!((played.turns, played.plies.len()), (5, 3));
    assert_eq!(a.heard, ["1", "1", "3", "2", "3"]);
    assert_eq!(a.heard, b.heard);
    let thinking = BySide { first: Duration::from_millis(10), second: Duration::from_millis(5) };
    assert_eq!(played.thinking, thinking);
}

#[test]
fn whoever_breaks_the_rules_gives_up_or_fails_has_lost() {
    let lost = |list: &[&'static str]| {
        let played = play("", &mut reader(&["1"]), &mut reader(list), &Asked::default());
        assert_eq!(played.winner, Some(Side::First));
        (played.reason, played.detail)
    };
    let (reason, detail) = lost(&["4"]);
    assert_eq!(reason, "illegal");
    assert_eq!(detail, "turn 2: \"4\" is not legal: say 1, 2 or 3\n1");
    assert_eq!(lost(&["resign"]).0, "resignation");
    assert_eq!(lost(&[]), ("crash".to_string(), "the list is at its end".to_string()));
}

#[test]
fn an_answer_is_late_when_move_reserve_and_margin_are_used_up() {
    let reason = |control: &str, margin: u64, time: u64| {
        let control = Some(control.parse().expect("a time control"));
        let pace = Pace { control, margin: Duration::from_millis(margin), ..Pace::default() };
        let (mut slow, mut other) = (reader(&["1", "3", "3"]), reader(&["2", "2"]));
        slow.time = Duration::from_millis(time);
        let asked = Asked { pace, ..Asked::default() };
        play("", &mut slow, &mut other, &asked).reason
    };
    assert_eq!(reason("1s/0/0", 0, 1000), "ten");
    assert_eq!(reason("1s/0/0", 0, 1001), "late");
    assert_eq!(reason("1s/0/0", 100, 1100), "ten");
    // Three times half a second more than the turn has: the reserve lasts for two.
    assert_eq!(reason("1s/1s", 0, 1500), "late");
    assert_eq!(reason("1s/2s", 0, 1500), "ten");
    // Whatever the reserve, a turn may not take longer than so.
    assert_eq!(reason("1s/1m/100/0/0/2s", 0, 2001), "late");
    // Nobody is late when the time of the whole game is over.
    assert_eq!(reason("1s/1m/100/0/3s", 0, 1500), "limit");
}

#[test]
fn limits_leave_a_game_unfinished_and_clear_scores_end_it() {
    let game = |adjudication| {
        let (mut a, mut b) = (reader(&["1"; 9]), reader(&["1"; 9]));
        (a.score, b.score) = (900, -900);
        let played = play("", &mut a, &mut b, &Asked { adjudication, ..Asked::default() });
        (played.winner, played.reason, played.plies.len())
    };
    let none = Adjudication::default();
    assert_eq!(game(none), (Some(Side::Second), "ten".to_string(), 10));
    let limited = Adjudication { turns: Some(3), ..none };
    assert_eq!(game(limited), (None, "limit".to_string(), 6));
    let clear = Some(Clarity { score: 800, turns: 2 });
    let resigned = Adjudication { resign: clear, ..none };
    assert_eq!(game(resigned), (Some(Side::First), "adjudication".to_string(), 4));
    let agreed = Adjudication { agree: clear, ..none };
    assert_eq!(game(agreed), (Some(Side::First), "adjudication".to_string(), 4));
}

#[test]
fn what_is_no_opening_is_refused() {
    let bout = Bout {
        rules: &CountToTen,
        opening: "1\n7",
        names: BySide { first: "a", second: "b" },
        pace: Pace::default(),
        adjudication: Adjudication::default(),
        seed: 1,
        is_off: &AtomicBool::new(false),
    };
    let (mut a, mut b) = (reader(&[]), reader(&[]));
    let refused = bout.play(BySide { first: &mut a, second: &mut b });
    assert_eq!(refused.unwrap_err(), "say 1, 2 or 3");
}
