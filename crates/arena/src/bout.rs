use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use aei::{Failure, Fault};
use game::{BySide, KeyGenerator, Side};
use serde::{Deserialize, Serialize};

use crate::{Adjudication, Answer, Budget, Clocks, Pace, Player, Referee, Rules, Start};

/// A game to be played.
pub struct Bout<'a> {
    /// By these rules.
    pub rules: &'a dyn Rules,
    /// From here.
    pub opening: &'a str,
    /// What the players are called.
    pub names: BySide<&'a str>,
    /// How long they may think.
    pub pace: Pace,
    /// When it ends before the rules end it.
    pub adjudication: Adjudication,
    /// The seed of the players' random choices.
    pub seed: u64,
    /// Whether nobody wants it any more: it then ends at the next turn, and counts for nothing.
    pub is_off: &'a AtomicBool,
}

/// A game that was played.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// Who won, if it was finished.
    pub winner: Option<Side>,
    /// By what, in a word: as the rules say, or as [`Reason`] does.
    pub reason: String,
    /// What there is to say about it, where one word is not enough.
    pub detail: String,
    /// The players' names for themselves, with their versions.
    pub versions: BySide<String>,
    /// The turns, after the opening.
    pub plies: Vec<Ply>,
    /// How many turns the game's record has, with those of the opening.
    pub turns: usize,
    /// How long it took in all.
    pub time: Duration,
    /// What of it each side was thinking.
    pub thinking: BySide<Duration>,
}

/// A turn that was played, with what its player told.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Ply {
    /// The turn.
    pub turn: String,
    /// How long it took.
    pub seconds: f64,
    /// What its player had in reserve afterwards, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reserve: Option<f64>,
    /// How its player thought it stood.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// How deep it looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// How many positions it looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// How a game ended, other than by its rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// By the rules; the word is theirs.
    Rules(String),
    /// The loser gave up.
    Resignation,
    /// The loser failed.
    Failure(Failure),
    /// A limit on turns or on the time of the game was reached; nobody has won.
    Limit,
    /// The scores that the players told were clear enough.
    Adjudication,
}

impl Reason {
    /// In a word.
    pub fn word(&self) -> &str {
        match self {
            Reason::Rules(word) => word,
            Reason::Resignation => "resignation",
            Reason::Failure(failure) => failure.fault.name(),
            Reason::Limit => "limit",
            Reason::Adjudication => "adjudication",
        }
    }

    /// What there is to say besides, with the last lines of an engine that failed.
    fn detail(&self) -> String {
        match self {
            Reason::Failure(failure) => {
                let lines = failure.last_lines.iter().map(|line| format!("\n{line}"));
                lines.fold(failure.detail.clone(), |detail, line| detail + &line)
            }
            _ => String::new(),
        }
    }
}

/// The end of a game.
struct End {
    winner: Option<Side>,
    reason: Reason,
}

impl End {
    fn lost_by(side: Side, reason: Reason) -> End {
        End { winner: Some(!side), reason }
    }
}

/// What comes of a game, unless it goes on.
type Course<T> = Result<T, End>;

/// A game in progress.
struct Table<'a, 'p> {
    bout: &'a Bout<'a>,
    referee: Box<dyn Referee>,
    players: BySide<&'p mut dyn Player>,
    clocks: Clocks,
    plies: Vec<Ply>,
    thinking: BySide<Duration>,
}

impl Bout<'_> {
    /// Plays it to the end. An error means that the opening is none, and no game was played.
    pub fn play(&self, players: BySide<&mut dyn Player>) -> Result<Played, String> {
        let begun = Instant::now();
        let referee = self.rules.begin(self.opening)?;
        let before = referee.untold() + referee.turns().len();
        let turn = before as u32 / 2 + 1;
        let clocks = Clocks::new(referee.side(), turn, self.pace.control);
        let (plies, thinking) = (Vec::new(), BySide::default());
        let mut table = Table { bout: self, referee, players, clocks, plies, thinking };
        let end = match table.play() {
            Err(end) => end,
            Ok(never) => match never {},
        };
        Ok(Played {
            winner: end.winner,
            reason: end.reason.word().to_string(),
            detail: end.reason.detail(),
            versions: BySide {
                first: table.players.first.identity(),
                second: table.players.second.identity(),
            },
            plies: table.plies,
            turns: table.referee.turns().len(),
            time: begun.elapsed(),
            thinking: table.thinking,
        })
    }
}

impl Table<'_, '_> {
    /// Turn by turn until it ends.
    fn play(&mut self) -> Course<std::convert::Infallible> {
        for side in Side::ALL {
            let start = self.start(side);
            self.players[side].begin(&start).map_err(|failure| failed(side, failure))?;
        }
        loop {
            self.look_for_the_end()?;
            let side = self.referee.side();
            let turn = self.turn_of(side)?;
            for hearer in Side::ALL {
                let told = self.players[hearer].played(&turn);
                told.map_err(|failure| failed(hearer, failure))?;
            }
        }
    }

    fn start(&self, side: Side) -> Start {
        Start {
            origin: self.referee.origin(),
            turns: self.referee.turns(),
            side,
            opponent: self.bout.names[!side].to_string(),
            seed: seed_of(self.bout.seed, side),
            pace: self.bout.pace,
        }
    }

    /// Lets the side play its turn, which is returned.
    fn turn_of(&mut self, side: Side) -> Course<String> {
        let pace = self.bout.pace;
        let latest = pace.latest(&self.clocks);
        let budget = Budget { pace, clocks: self.clocks, latest };
        let thought = self.players[side].think(&budget).map_err(|failure| failed(side, failure))?;
        self.thinking[side] += thought.time;
        if let Some(latest) = latest.filter(|&latest| thought.time > latest) {
            return Err(failed(side, late(thought.time, latest)));
        }
        let answer = match thought.answer {
            Answer::Play(answer) => answer,
            Answer::Resign => return Err(End::lost_by(side, Reason::Resignation)),
        };
        let turn = self.referee.play(&answer);
        let turn = turn.map_err(|why| failed(side, self.illegal(&answer, &why)))?;
        self.clocks.press(thought.time, pace.control);
        self.plies.push(Ply {
            turn: turn.clone(),
            seconds: thought.time.as_secs_f64(),
            reserve: pace.control.map(|_| self.clocks.reserves[side].as_secs_f64()),
            score: thought.score,
            depth: thought.depth,
            nodes: thought.nodes,
        });
        Ok(turn)
    }

    fn look_for_the_end(&self) -> Course<()> {
        if let Some(ending) = self.referee.ending() {
            return Err(End { winner: Some(ending.winner), reason: Reason::Rules(ending.reason) });
        }
        if let Some(winner) = self.bout.adjudication.winner(&self.plies, self.referee.side()) {
            return Err(End { winner: Some(winner), reason: Reason::Adjudication });
        }
        let control = self.bout.pace.control.unwrap_or_default();
        let last = [self.bout.adjudication.turns, control.turns].into_iter().flatten().min();
        let is_over = self.bout.is_off.load(Ordering::Relaxed)
            || last.is_some_and(|last| self.clocks.turn > last)
            || control.total.is_some_and(|total| self.clocks.game >= total);
        if is_over { Err(End { winner: None, reason: Reason::Limit }) } else { Ok(()) }
    }

    fn illegal(&self, answer: &str, why: &str) -> Failure {
        let detail = format!("turn {}: {answer:?} is not legal: {why}", self.referee.label());
        Failure { fault: Fault::Illegal, detail, last_lines: vec![self.referee.position()] }
    }
}

fn failed(side: Side, failure: Failure) -> End {
    End::lost_by(side, Reason::Failure(failure))
}

fn late(time: Duration, latest: Duration) -> Failure {
    let detail = format!(
        "answered after {:.3} s, of which it had {:.3} s",
        time.as_secs_f64(),
        latest.as_secs_f64()
    );
    Failure::new(Fault::Late, detail)
}

/// A seed for each side, so that equal engines do not mirror each other.
fn seed_of(seed: u64, side: Side) -> u64 {
    KeyGenerator::new(seed.wrapping_mul(2).wrapping_add(side as u64)).next_key().0
}
