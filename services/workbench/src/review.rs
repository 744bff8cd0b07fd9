//! A game looked at turn by turn: what each turn was worth, what it lost, and what was better.

use std::time::Duration;

use engine::{Engine, Info, Limits, Line, Stop, Verdict};
use game::{BySide, Game as _, Position as _, Proof, Side, Turns};
use serde_json::{Value, json};

use crate::verdicts::{
    accuracy, chance, line_json, points, proof_json, score_json, worth, written_line,
};
use crate::{GameSpec, Interactive};

/// What was found about a turn.
pub struct TurnReport<S: GameSpec> {
    /// The position before it.
    pub before: S::Position,
    /// Its number and side, such as `12g`.
    pub label: String,
    /// Who has played it.
    pub side: Side,
    /// The turn itself.
    pub played: String,
    /// What the best turn is worth, for who has moved.
    pub best_verdict: Option<Verdict>,
    /// What the turn that was played is worth, for who has moved.
    pub verdict: Option<Verdict>,
    /// All lines that were found, the best one first.
    pub lines: Vec<Line<String>>,
    /// How many points the turn has lost; nothing, where the engine gives no scores.
    pub loss: Option<i32>,
    /// How much of the chances to win it has lost, from 0 to 1.
    pub chance_lost: f64,
}

/// What a search says of a position.
pub struct Judged<S: GameSpec> {
    /// For the side to move.
    pub verdict: Option<Verdict>,
    /// What the engine has found; nothing, if the game is over.
    pub info: Option<Info<<S::Game as game::Game>::Action>>,
}

impl<S: GameSpec> Judged<S> {
    /// Asks an engine.
    pub fn of(
        game: &S::Game,
        engine: &mut impl Engine<S::Game>,
        limits: Limits,
        stop: &Stop,
    ) -> Judged<S> {
        if let Some(ended) = game.ended() {
            let is_won = ended.winner == game.position().side();
            let proof = if is_won { Proof::Win(Turns(0)) } else { Proof::Loss(Turns(0)) };
            return Judged { verdict: Some(Verdict::Proof(proof)), info: None };
        }
        let info = engine.analyse(game, &limits, stop, &mut |_| ());
        Judged { verdict: info.as_ref().and_then(Info::verdict), info }
    }
}

impl<S: Interactive> TurnReport<S> {
    /// Compares what was played with what was best, given what an engine says before and after.
    pub fn new(
        before: &S::Game,
        after: &S::Position,
        played: &str,
        now: &Judged<S>,
        next: &Judged<S>,
    ) -> TurnReport<S> {
        let lines = now.info.as_ref().map_or(&[][..], |info| &info.lines);
        let best = lines.first().and_then(|line| line.pv.first());
        let is_best = best.is_some_and(|&best| {
            let mut best_game = before.clone();
            best_game.play(best).is_ok()
                && best_game.position().repetition_key() == after.repetition_key()
        });
        let verdict = next.verdict.map(worth);
        let both = now.verdict.zip(verdict);
        let lost = |lost: i32| if is_best { 0 } else { lost.max(0) };
        let chance_lost = both.map_or(0.0, |(best, own)| chance::<S>(best) - chance::<S>(own));
        TurnReport {
            label: before.label(),
            side: before.position().side(),
            played: played.to_string(),
            best_verdict: now.verdict,
            verdict,
            loss: both.map(|(best, own)| lost(points(best) - points(own))),
            chance_lost: if is_best { 0.0 } else { chance_lost.max(0.0) },
            before: *before.position(),
            lines: lines.iter().map(|line| written_line(before, line)).collect(),
        }
    }

    /// The best turn and the turns expected after it.
    pub fn pv(&self) -> &[String] {
        self.lines.first().map_or(&[], |line| &line.pv)
    }

    /// The best turn as text.
    pub fn best(&self) -> Option<&String> {
        self.pv().first()
    }

    /// As an object.
    pub fn row(&self, with_lines: bool) -> Value {
        let mut row = json!({
            "turn": self.label,
            "side": S::LETTERS[self.side as usize].to_string(),
            "played": self.played,
            "score": score_json(self.verdict),
            "best": self.best(),
            "loss": self.loss,
            "proof": proof_json(self.verdict),
            "best_score": score_json(self.best_verdict),
            "best_proof": proof_json(self.best_verdict),
            "pv": self.pv(),
            "position": self.before.to_string(),
        });
        if with_lines {
            row["lines"] = self.lines.iter().map(line_json).collect();
        }
        row
    }
}

/// What there is to say of all turns together.
pub struct Summary {
    /// How accurate each side was, in percent.
    pub accuracy: BySide<Option<f64>>,
    /// How many points each side has lost a turn.
    pub mean_loss: BySide<Option<f64>>,
    /// The turns that have lost the most, the worst first.
    pub worst: Vec<usize>,
    /// How long that took.
    pub time: Duration,
}

/// As many of the worst turns are named.
const WORST: usize = 3;

impl Summary {
    /// Adds up the reports of a game.
    pub fn of<S: GameSpec>(reports: &[TurnReport<S>], time: Duration) -> Summary {
        let mut worst: Vec<usize> = (0..reports.len())
            .filter(|&index| reports[index].loss.is_some_and(|loss| loss > 0))
            .collect();
        worst.sort_by(|&one, &other| {
            let key = |index: usize| (reports[index].chance_lost, reports[index].loss);
            key(other).partial_cmp(&key(one)).unwrap_or(std::cmp::Ordering::Equal)
        });
        worst.truncate(WORST);
        let mean = |side: Side, value: &dyn Fn(&TurnReport<S>) -> f64| {
            let scored =
                reports.iter().filter(|report| report.side == side && report.loss.is_some());
            let values: Vec<f64> = scored.map(value).collect();
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        };
        let by_side = |value: &dyn Fn(&TurnReport<S>) -> f64| BySide {
            first: mean(Side::First, value),
            second: mean(Side::Second, value),
        };
        Summary {
            accuracy: by_side(&|report| accuracy(report.chance_lost)),
            mean_loss: by_side(&|report| f64::from(report.loss.unwrap_or(0))),
            worst,
            time,
        }
    }

    /// As an object.
    pub fn json<S: GameSpec>(&self, reports: &[TurnReport<S>]) -> Value {
        let worst = self.worst.iter().map(|&index| {
            let TurnReport { label, loss, .. } = &reports[index];
            json!({ "turn": label, "loss": loss })
        });
        let [first, second] = S::SIDES.map(str::to_lowercase);
        json!({
            "summary": true,
            "turns": reports.len(),
            "accuracy": { &first: self.accuracy.first, &second: self.accuracy.second },
            "mean_loss": { &first: self.mean_loss.first, &second: self.mean_loss.second },
            "worst": worst.collect::<Vec<Value>>(),
            "seconds": self.time.as_secs_f64(),
        })
    }
}
