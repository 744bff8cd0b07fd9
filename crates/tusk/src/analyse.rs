//! `tusk analyse`: every turn of a game, with what it was worth and what would have been better.

mod page;

use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use engine::{Engine, Info, Limits, Line, Stop, Verdict};
use game::{BySide, Game as _, Position as _, Proof, Side, Turns, notations};
use indicatif::ProgressBar;
use serde_json::{Value, json};
use workbench::reading::Content;
use workbench::verdicts::{accuracy, chance, line_json, points, proof_json, score_json, worth};
use workbench::{
    GameName, GameRecord as _, GameSpec, Interactive, Playing, Reading, TurnNumber, WrongUse,
    in_game,
};

use crate::moves::{Thinking, lines};
use crate::output::{Output, standard};
use crate::show::refuse;
use crate::{Exit, choice, input, progress};

/// Analyses every turn of a game: its score, what it lost, and the better turn with its line.
///
/// Each position is searched once: what a turn was worth, the search of the next position says. Scores are for who
/// has moved, in points of the evaluation. A certain win counts as 2000 points in a loss. Setups are not analysed.
/// With --turn, that turn alone is.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tusk analyse game.txt --time 300ms --html game.html\n  tusk analyse positions/sample-game.txt --turn 3s --lines 3"
)]
pub struct Arguments {
    #[command(flatten)]
    input: input::Input,

    #[command(flatten)]
    thinking: Thinking,

    /// How many lines to find in each position; the time is shared among them
    #[arg(long, value_name = "N", value_parser = lines())]
    lines: Option<u16>,

    /// Write the analysis as a page for a browser, with boards and a graph
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    #[command(flatten)]
    engine: choice::EngineArguments,
}

pub fn run(arguments: &Arguments, game: Option<GameName>) -> anyhow::Result<Exit> {
    let mut texts = arguments.input.read(game)?;
    // The whole game is wanted in any case.
    let turn = texts.turn.take();
    in_game!(texts.game, S => {
        let entries = texts.entries::<S>();
        if arguments.html.is_some() && entries.len() != 1 {
            let fault = format!("--html is for one game, and there are {}", entries.len());
            return Err(WrongUse(fault).into());
        }
        let mut exit = Exit::Done;
        for entry in &entries {
            let content = entry.content.as_ref().map_err(String::as_str);
            match content.map_err(str::to_string).and_then(|content| wanted(content, turn)) {
                Ok(wanted) => arguments.analyse::<S>(wanted)?,
                Err(fault) => {
                    exit = Exit::Refused;
                    refuse(entry, &fault, arguments.input.json, &mut standard())?;
                }
            }
        }
        Ok(exit)
    })
}

/// A game and which of its turns are to be analysed.
struct Wanted<S: GameSpec> {
    /// Before each action, and in the end.
    stages: Vec<S::Game>,
    played: Vec<String>,
    turns: Vec<usize>,
}

fn wanted<S: GameSpec>(
    content: &Content<S>,
    turn: Option<TurnNumber>,
) -> Result<Wanted<S>, String> {
    let game = &content.game;
    let (stages, played) = (game.stages(), game.turns());
    let only = turn.map(|turn| game.before_turn(turn)).transpose()?.map(|before| before.label());
    let is_wanted = |&index: &usize| {
        let stage = &stages[index];
        stage.setting_up().is_none() && only.as_ref().is_none_or(|only| *only == stage.label())
    };
    let turns: Vec<usize> = (0..played.len()).filter(is_wanted).collect();
    match (turns.is_empty(), only) {
        (false, _) => Ok(Wanted { stages, played, turns }),
        (true, Some(label)) => Err(format!("turn {label} was not played")),
        (true, None) => {
            Err("there is no turn to analyse: expected the record of a game, one turn a line"
                .to_string())
        }
    }
}

/// What was found about a turn.
pub(crate) struct TurnReport<S: GameSpec> {
    before: S::Game,
    label: String,
    side: Side,
    played: String,
    /// What the best turn is worth, and what was played; for who has moved.
    best_verdict: Option<Verdict>,
    verdict: Option<Verdict>,
    /// What would have been best, and what was expected then.
    pv: Vec<String>,
    lines: Vec<Line<<S::Game as game::Game>::Action>>,
    /// How many points the turn has lost; nothing, where the engine gives no scores.
    loss: Option<i32>,
    /// How much of the chances to win it has lost, from 0 to 1.
    chance_lost: f64,
}

impl Arguments {
    fn analyse<S: Playing + Reading + Interactive>(&self, wanted: Wanted<S>) -> anyhow::Result<()> {
        let begin = Instant::now();
        let (name, mut engine) = self.engine.start::<S>()?;
        engine.set_lines(self.lines.map_or(1, usize::from));
        engine.new_game();
        let limits = self.thinking.limits();
        let bar = progress::bar(wanted.turns.len(), "turns");
        let mut out = standard();
        let mut reports: Vec<TurnReport<S>> = Vec::new();
        let mut next: Option<(usize, Judged<S>)> = None;
        for &index in &wanted.turns {
            let judge = |index: usize, engine: &mut _| {
                Judged::<S>::of(&wanted.stages[index], engine, limits)
            };
            let now = match next.take() {
                Some((at, judged)) if at == index => judged,
                _ => judge(index, &mut engine),
            };
            let after = judge(index + 1, &mut engine);
            let report = TurnReport::new(
                &wanted.stages[index],
                &wanted.stages[index + 1],
                &wanted.played[index],
                &now,
                &after,
            );
            next = Some((index + 1, after));
            self.print_row(&report, &bar, &mut out)?;
            reports.push(report);
            bar.inc(1);
        }
        bar.finish_and_clear();
        let summary = Summary::of(&reports, begin.elapsed());
        match self.input.json {
            true => writeln!(out, "{}", summary.json(&reports))?,
            false => write!(out, "\n{}", summary.text(&reports))?,
        }
        if let Some(path) = &self.html {
            let last = wanted.turns.last().map(|&index| &wanted.stages[index + 1]);
            let mut file = Output::open(Some(path))?;
            file.write_all(page::page(&name, &reports, last, &summary).as_bytes())?;
            file.finish()?;
        }
        Ok(())
    }

    fn print_row<S: Interactive>(
        &self,
        report: &TurnReport<S>,
        bar: &ProgressBar,
        out: &mut impl std::io::Write,
    ) -> anyhow::Result<()> {
        let row = match self.input.json {
            true => report.row(self.lines.is_some()).to_string(),
            false => report.text(),
        };
        bar.suspend(|| writeln!(out, "{row}"))?;
        Ok(())
    }
}

/// What a search says of a position.
struct Judged<S: GameSpec> {
    /// For the side to move.
    verdict: Option<Verdict>,
    info: Option<Info<<S::Game as game::Game>::Action>>,
}

impl<S: GameSpec> Judged<S> {
    fn of(game: &S::Game, engine: &mut impl Engine<S::Game>, limits: Limits) -> Judged<S> {
        if let Some(ended) = game.ended() {
            let is_won = ended.winner == game.position().side();
            let proof = if is_won { Proof::Win(Turns(0)) } else { Proof::Loss(Turns(0)) };
            return Judged { verdict: Some(Verdict::Proof(proof)), info: None };
        }
        let info = engine.analyse(game, &limits, &Stop::new(), &mut |_| ());
        Judged { verdict: info.as_ref().and_then(Info::verdict), info }
    }
}

impl<S: Interactive> TurnReport<S> {
    fn new(
        before: &S::Game,
        after: &S::Game,
        played: &str,
        now: &Judged<S>,
        next: &Judged<S>,
    ) -> TurnReport<S> {
        let lines = now.info.as_ref().map_or(Vec::new(), |info| info.lines.clone());
        let pv = lines.first().map_or(&[][..], |line| &line.pv);
        let is_best = pv.first().is_some_and(|&best| {
            let mut best_game = before.clone();
            best_game.play(best).is_ok()
                && best_game.position().repetition_key() == after.position().repetition_key()
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
            pv: notations(before, pv),
            loss: both.map(|(best, own)| lost(points(best) - points(own))),
            chance_lost: if is_best { 0.0 } else { chance_lost.max(0.0) },
            before: before.clone(),
            lines,
        }
    }

    /// The best turn as text.
    fn best(&self) -> Option<&String> {
        self.pv.first()
    }

    fn row(&self, with_lines: bool) -> Value {
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
            "pv": self.pv,
            "position": self.before.position().to_string(),
        });
        if with_lines {
            row["lines"] = self.lines.iter().map(|line| line_json(&self.before, line)).collect();
        }
        row
    }

    fn text(&self) -> String {
        let told = |verdict: Option<Verdict>| verdict.map_or("-".to_string(), |it| it.to_string());
        let TurnReport { label, played, loss, .. } = self;
        let score = told(self.verdict);
        let mut text = format!("{label:>4}  {score:>10}  {played}");
        if let Some(loss) = loss.filter(|&loss| loss > 0) {
            let (best, pv) = (told(self.best_verdict), self.pv.join(" | "));
            text += &format!("\n      lost {loss:>5}  better {best}: {pv}");
        }
        let others = (2..).zip(self.lines.iter().skip(1));
        for (number, line) in others {
            let pv = notations(&self.before, &line.pv).join(" | ");
            text += &format!("\n      {:>10}  {number}. {}: {pv}", "", told(line.verdict));
        }
        text
    }
}

/// What there is to say of all turns together.
pub(crate) struct Summary {
    accuracy: BySide<Option<f64>>,
    mean_loss: BySide<Option<f64>>,
    /// The turns that have lost the most, the worst first.
    worst: Vec<usize>,
    time: Duration,
}

/// As many of the worst turns are named.
const WORST: usize = 3;

impl Summary {
    fn of<S: GameSpec>(reports: &[TurnReport<S>], time: Duration) -> Summary {
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

    fn json<S: GameSpec>(&self, reports: &[TurnReport<S>]) -> Value {
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

    /// A line for each side, and one for each of the worst turns.
    fn text<S: GameSpec>(&self, reports: &[TurnReport<S>]) -> String {
        let mut text = String::new();
        for side in Side::ALL {
            if let Some((accuracy, loss)) = self.accuracy[side].zip(self.mean_loss[side]) {
                let name = S::SIDES[side as usize];
                text +=
                    &format!("{name}: accuracy {accuracy:.1} %, {loss:.0} points lost a turn\n");
            }
        }
        for &index in &self.worst {
            let TurnReport { label, played, loss, .. } = &reports[index];
            let loss = loss.unwrap_or(0);
            text += &format!("{label} lost {loss} points: {played}\n");
        }
        text
    }
}
