//! One game of a match, from its opening to its end.

use std::time::{Duration, Instant};

use engine::Stop;
use game::{BySide, Game, KeyGenerator, Position, Side};
use process::{Failure, Fault};
use serde::{Deserialize, Serialize};

use crate::{Adjudication, Budget, Clocks, Player, Reply, Start, TimeSettings};

/// A game to be played.
pub struct MatchGame<'a> {
    /// From here.
    pub opening: &'a str,
    /// What the players are called.
    pub names: BySide<&'a str>,
    /// How long they may think.
    pub time: TimeSettings,
    /// When it ends before the rules end it.
    pub adjudication: Adjudication,
    /// The seed of the players' random choices.
    pub seed: u64,
    /// Whether nobody wants it any more: it then ends at the next turn, and counts for nothing.
    pub stop: &'a Stop,
}

/// A game that was played.
#[derive(Clone, PartialEq, Debug)]
pub struct GameResult {
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
    Rules(&'static str),
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

/// Why a game does not go on.
struct GameEnd {
    winner: Option<Side>,
    reason: Reason,
}

impl GameEnd {
    fn lost_by(side: Side, reason: Reason) -> GameEnd {
        GameEnd { winner: Some(!side), reason }
    }

    /// The one place where a failure of a player decides a game: whoever crashes, hangs, is late,
    /// breaks the rules or the protocol, or does not start, loses. The kind of failure is
    /// [`Failure::fault`].
    fn failed(side: Side, failure: Failure) -> GameEnd {
        GameEnd::lost_by(side, Reason::Failure(failure))
    }
}

/// A game in progress.
struct GameInProgress<'a, 'p, G: Game> {
    settings: &'a MatchGame<'a>,
    game: G,
    origin: Option<G::Position>,
    players: BySide<&'p mut dyn Player<G>>,
    clocks: Clocks,
    plies: Vec<Ply>,
    thinking: BySide<Duration>,
}

impl MatchGame<'_> {
    /// Plays it to the end. An error means that the opening is none, and no game was played.
    pub fn play<G: Game>(&self, players: BySide<&mut dyn Player<G>>) -> Result<GameResult, String> {
        let begun = Instant::now();
        let (game, origin) = G::begin(self.opening)?;
        let setups = if origin.is_some() { G::SETUPS } else { 0 };
        let turn = (setups + game.turns().len()) as u32 / 2 + 1;
        let clocks = Clocks::new(game.position().side(), turn, self.time.control);
        let (plies, thinking) = (Vec::new(), BySide::default());
        let mut progress =
            GameInProgress { settings: self, game, origin, players, clocks, plies, thinking };
        let end = match progress.play() {
            Err(end) => end,
            Ok(never) => match never {},
        };
        Ok(GameResult {
            winner: end.winner,
            reason: end.reason.word().to_string(),
            detail: end.reason.detail(),
            versions: BySide {
                first: progress.players.first.identity(),
                second: progress.players.second.identity(),
            },
            plies: progress.plies,
            turns: progress.game.turns().len(),
            time: begun.elapsed(),
            thinking: progress.thinking,
        })
    }
}

impl<G: Game> GameInProgress<'_, '_, G> {
    /// Turn by turn until it ends.
    fn play(&mut self) -> Result<std::convert::Infallible, GameEnd> {
        for side in Side::ALL {
            let start = self.start(side);
            let begun = self.players[side].begin(&start);
            begun.map_err(|failure| GameEnd::failed(side, failure))?;
        }
        loop {
            self.look_for_the_end()?;
            let (action, text) = self.turn_of(self.game.position().side())?;
            for side in Side::ALL {
                let told = self.players[side].played(action, &text);
                told.map_err(|failure| GameEnd::failed(side, failure))?;
            }
        }
    }

    fn start(&self, side: Side) -> Start<G> {
        Start {
            game: self.game.clone(),
            origin: self.origin.clone(),
            side,
            opponent: self.settings.names[!side].to_string(),
            seed: seed_of(self.settings.seed, side),
            time: self.settings.time,
            stop: self.settings.stop.clone(),
        }
    }

    /// Lets the side play its turn, which is returned with its text.
    fn turn_of(&mut self, side: Side) -> Result<(G::Action, String), GameEnd> {
        let time = self.settings.time;
        let latest = time.latest(&self.clocks);
        let budget = Budget { time, clocks: self.clocks, latest };
        let thought = self.players[side].think(&self.game, &budget);
        let thought = thought.map_err(|failure| GameEnd::failed(side, failure))?;
        self.thinking[side] += thought.time;
        if let Some(latest) = latest.filter(|&latest| thought.time > latest) {
            return Err(GameEnd::failed(side, late(thought.time, latest)));
        }
        let action = match thought.reply {
            Reply::Play(action) => action,
            Reply::Illegal { text, why } => {
                return Err(GameEnd::failed(side, self.illegal(&text, &why)));
            }
            Reply::Resign => return Err(GameEnd::lost_by(side, Reason::Resignation)),
        };
        let before = self.game.clone();
        if let Err(why) = self.game.play(action) {
            return Err(GameEnd::failed(side, self.illegal(&format!("{action:?}"), &why)));
        }
        let text = before.notation(action);
        self.clocks.press(thought.time, time.control);
        self.plies.push(Ply {
            turn: text.clone(),
            seconds: thought.time.as_secs_f64(),
            reserve: time.control.map(|_| self.clocks.reserves[side].as_secs_f64()),
            score: thought.score,
            depth: thought.depth,
            nodes: thought.nodes,
        });
        Ok((action, text))
    }

    fn look_for_the_end(&self) -> Result<(), GameEnd> {
        if let Some(ended) = self.game.ended() {
            return Err(GameEnd {
                winner: Some(ended.winner),
                reason: Reason::Rules(ended.reason),
            });
        }
        let MatchGame { adjudication, time, stop, .. } = self.settings;
        if let Some(winner) = adjudication.winner(&self.plies, self.game.position().side()) {
            return Err(GameEnd { winner: Some(winner), reason: Reason::Adjudication });
        }
        let control = time.control.unwrap_or_default();
        let last = [adjudication.turns, control.turns].into_iter().flatten().min();
        let is_over = stop.is_requested()
            || last.is_some_and(|last| self.clocks.turn > last)
            || control.total.is_some_and(|total| self.clocks.game >= total);
        if is_over { Err(GameEnd { winner: None, reason: Reason::Limit }) } else { Ok(()) }
    }

    fn illegal(&self, text: &str, why: &str) -> Failure {
        let detail = format!("turn {}: {text:?} is not legal: {why}", self.game.label());
        let last_lines = vec![self.game.position().to_string()];
        Failure { fault: Fault::Illegal, detail, last_lines }
    }
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
