//! A game from its opening to its end.

mod common;

use std::time::Duration;

use arena::{
    Adjudication, Budget, EnginePlayer, Failure, Fault, GameResult, MatchGame, Player, Reply,
    ScoreThreshold, Start, Thought, TimeSettings,
};
use common::{Counting, Say, Sayer};
use engine::{Engine, Info, Limits, Sink, Stop, Verdict};
use game::{BySide, Game, Score, Side};

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

impl Player<Counting> for Reader {
    fn identity(&self) -> String {
        "reader".to_string()
    }

    fn begin(&mut self, start: &Start<Counting>) -> Result<(), Failure> {
        self.heard = start.game.turns();
        Ok(())
    }

    fn played(&mut self, action: Say, text: &str) -> Result<(), Failure> {
        assert_eq!(action.0.to_string(), text);
        self.heard.push(text.to_string());
        Ok(())
    }

    fn think(&mut self, game: &Counting, _: &Budget) -> Result<Thought<Say>, Failure> {
        assert_eq!(game.turns(), self.heard);
        let reply = match self.list.pop() {
            Some(turn) => Reply::read(game, turn),
            None => {
                let detail = "the list is at its end".to_string();
                return Err(Failure { fault: Fault::Crash, detail, last_lines: Vec::new() });
            }
        };
        let (time, score) = (self.time, Some(self.score));
        Ok(Thought { reply, time, score, depth: None, nodes: None })
    }
}

fn play(opening: &str, first: &mut Reader, second: &mut Reader, asked: &Asked) -> GameResult {
    let game = MatchGame {
        opening,
        names: BySide { first: "a", second: "b" },
        time: asked.time,
        adjudication: asked.adjudication,
        seed: 1,
        stop: &Stop::new(),
    };
    game.play(BySide { first, second }).expect("the opening is one")
}

#[derive(Default)]
struct Asked {
    time: TimeSettings,
    adjudication: Adjudication,
}

fn end(played: &GameResult) -> (Option<Side>, &str) {
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
        let time_settings = TimeSettings {
            control,
            margin: Duration::from_millis(margin),
            ..TimeSettings::default()
        };
        let (mut slow, mut other) = (reader(&["1", "3", "3"]), reader(&["2", "2"]));
        slow.time = Duration::from_millis(time);
        let asked = Asked { time: time_settings, ..Asked::default() };
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
    let clear = Some(ScoreThreshold { score: 800, turns: 2 });
    let resigned = Adjudication { resign: clear, ..none };
    assert_eq!(game(resigned), (Some(Side::First), "adjudication".to_string(), 4));
    let agreed = Adjudication { agree: clear, ..none };
    assert_eq!(game(agreed), (Some(Side::First), "adjudication".to_string(), 4));
}

#[test]
fn what_is_no_opening_is_refused() {
    let game = MatchGame {
        opening: "1\n7",
        names: BySide { first: "a", second: "b" },
        time: TimeSettings::default(),
        adjudication: Adjudication::default(),
        seed: 1,
        stop: &Stop::new(),
    };
    let (mut a, mut b) = (reader(&[]), reader(&[]));
    let refused = game.play(BySide { first: &mut a, second: &mut b });
    assert_eq!(refused.unwrap_err(), "say 1, 2 or 3");
}

/// An engine that says so much at once, and thinks that it is a little ahead.
struct Fixed(u16);

impl Engine<Counting> for Fixed {
    fn analyse(
        &mut self,
        game: &Counting,
        limits: &Limits,
        _: &Stop,
        _: &mut Sink<Counting>,
    ) -> Option<Info<Say>> {
        assert_eq!(limits.nodes, Some(7));
        // It gives up rather than lose.
        let gives_up = game.position().sum >= 8 && self.0 == 1;
        let verdict = Some(Verdict::Score(Score(5)));
        (!gives_up).then(|| Info::without_search(verdict, vec![Say(self.0)]))
    }
}

#[test]
fn engines_in_this_process_play_actions_and_report_their_infos() {
    let player = |say| EnginePlayer::new(format!("fixed {say}"), Box::new(Fixed(say)));
    let play = |first, second| {
        let game = MatchGame {
            opening: "",
            names: BySide { first: "a", second: "b" },
            time: TimeSettings { nodes: Some(7), ..TimeSettings::default() },
            adjudication: Adjudication::default(),
            seed: 1,
            stop: &Stop::new(),
        };
        let (mut a, mut b) = (player(first), player(second));
        game.play(BySide { first: &mut a, second: &mut b }).expect("the opening is one")
    };
    let played = play(3, 2);
    assert_eq!(end(&played), (Some(Side::Second), "ten"));
    assert_eq!(played.versions.first, "fixed 3");
    let ply = &played.plies[0];
    assert_eq!((ply.turn.as_str(), ply.score, ply.nodes), ("3", Some(5), Some(0)));
    assert_eq!(end(&play(1, 3)), (Some(Side::Second), "resignation"));
    let illegal = play(1, 5);
    assert_eq!(end(&illegal), (Some(Side::First), "illegal"));
    assert_eq!(illegal.detail, "turn 2: \"Say(5)\" is not legal: say 1, 2 or 3\n1");
}

#[test]
fn an_engine_in_this_process_that_panics_has_crashed_and_loses() {
    let game = MatchGame {
        opening: "",
        names: BySide { first: "a", second: "b" },
        time: TimeSettings { nodes: Some(7), ..TimeSettings::default() },
        adjudication: Adjudication::default(),
        seed: 1,
        stop: &Stop::new(),
    };
    let mut sound = EnginePlayer::new("fixed".to_string(), Box::new(Fixed(1)));
    let mut panicking =
        EnginePlayer::new("panicking".to_string(), Box::new(Sayer { panics: true }));
    let played = game.play(BySide { first: &mut sound, second: &mut panicking });
    assert_eq!(end(&played.expect("the opening is one")), (Some(Side::First), "crash"));
}
