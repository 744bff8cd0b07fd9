//! A game that nobody has heard of: two count to ten by ones, twos and threes, and whoever says ten has
//! won.

// Each test program uses its own part.
#![allow(dead_code)]

use std::fmt;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use engine::{Engine, Info, Limits, Sink, Stop};
use game::{Ended, Game, History, Key, PackedStep, Position, Side, Steps};

/// What a player says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Say(pub u16);

/// How far they have counted, and who is next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Count {
    pub sum: u16,
    pub turns: u16,
}

/// A count with its past.
#[derive(Clone, Debug)]
pub struct Counting {
    now: Count,
    said: Vec<Say>,
}

impl PackedStep for Say {
    fn pack(self) -> u16 {
        self.0
    }

    fn unpack(bits: u16) -> Option<Say> {
        (1..=3).contains(&bits).then_some(Say(bits))
    }
}

impl Position for Count {
    type Step = Say;

    fn side(&self) -> Side {
        Side::ALL[usize::from(self.turns % 2)]
    }

    fn turn_starts(&self) -> bool {
        true
    }

    fn for_each_step(&self, mut visit: impl FnMut(Say) -> ControlFlow<()>) -> ControlFlow<()> {
        (1..=3).try_for_each(|number| visit(Say(number)))
    }

    fn cost(&self, _: Say) -> Steps {
        Steps(1)
    }

    fn is_idle(&self) -> bool {
        false
    }

    fn play(&mut self, say: Say) {
        self.sum += say.0;
        self.turns += 1;
    }

    fn key(&self) -> Key {
        Key(u64::from(self.sum) << 16 | u64::from(self.turns))
    }

    fn winner(&self) -> Option<Side> {
        (self.sum >= 10).then(|| !self.side())
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.sum.fmt(f)
    }
}

impl fmt::Display for Counting {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.turns().join("\n"))
    }
}

static NO_PAST: LazyLock<History> = LazyLock::new(History::new);

impl Game for Counting {
    type Position = Count;
    type Action = Say;

    fn begin(opening: &str) -> Result<(Counting, Option<Count>), String> {
        let mut game = Counting { now: Count { sum: 0, turns: 0 }, said: Vec::new() };
        for turn in opening.lines() {
            game.play(game.parse_action(turn)?)?;
        }
        Ok((game, None))
    }

    fn position(&self) -> &Count {
        &self.now
    }

    fn history(&self) -> &History {
        &NO_PAST
    }

    fn setting_up(&self) -> Option<Side> {
        None
    }

    fn turns(&self) -> Vec<String> {
        self.said.iter().map(|say| say.0.to_string()).collect()
    }

    fn label(&self) -> String {
        (self.said.len() + 1).to_string()
    }

    fn picture(&self) -> String {
        self.now.to_string()
    }

    fn ended(&self) -> Option<Ended> {
        let winner = self.now.winner()?;
        Some(Ended { winner, reason: "ten", sentence: "somebody said ten".to_string() })
    }

    fn play(&mut self, say: Say) -> Result<(), String> {
        if !(1..=3).contains(&say.0) {
            return Err("say 1, 2 or 3".to_string());
        }
        self.now.play(say);
        self.said.push(say);
        Ok(())
    }

    fn turn(steps: &[Say]) -> Option<Say> {
        steps.first().copied()
    }

    fn parse_action(&self, text: &str) -> Result<Say, String> {
        text.trim().parse().map(Say).map_err(|_| "say a number".to_string())
    }

    fn notation(&self, say: Say) -> String {
        say.0.to_string()
    }
}

/// Says one each time, or panics.
pub struct Sayer {
    pub panics: bool,
}

impl Engine<Counting> for Sayer {
    fn analyse(
        &mut self,
        _: &Counting,
        _: &Limits,
        _: &Stop,
        _: &mut Sink<Counting>,
    ) -> Option<Info<Say>> {
        assert!(!self.panics, "as a test wants it");
        Some(Info::without_search(None, vec![Say(1)]))
    }
}
