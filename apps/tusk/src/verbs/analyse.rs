//! `tusk analyse`: every turn of a game, with what it was worth and what would have been better.

mod page;

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use engine::{Engine as _, Stop, Verdict};
use game::{Game as _, Side};
use indicatif::ProgressBar;
use workbench::reading::Content;
use workbench::review::{Judged, Summary, TurnReport};
use workbench::{
    Catalogues, GameName, GameRecord as _, GameSpec, Interactive, Playing, Reading, Replay,
    TurnNumber, WrongUse, in_game,
};

use crate::Exit;
use crate::shared::features::Featured;
use crate::shared::output::{Output, standard};
use crate::shared::refusal::refuse;
use crate::shared::thinking::{Thinking, lines};
use crate::shared::{choice, input, progress};

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

pub fn run(
    arguments: &Arguments,
    game: Option<GameName>,
    catalogues: &Catalogues,
) -> anyhow::Result<Exit> {
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
                Ok(wanted) => arguments.analyse::<S>(catalogues, wanted)?,
                Err(fault) => {
                    exit = Exit::Refused;
                    refuse(entry, &fault, arguments.input.json, &mut standard())?;
                }
            }
        }
        Ok(exit)
    })
}

/// A game, as far as it is played again, and its turns that are to be analysed.
struct Wanted<S: GameSpec> {
    /// Before the first of the turns.
    replay: Replay<S::Game>,
    turns: Vec<String>,
}

fn wanted<S: GameSpec>(
    content: &Content<S>,
    turn: Option<TurnNumber>,
) -> Result<Wanted<S>, String> {
    let game = &content.game;
    let only = turn.map(|turn| game.before_turn(turn)).transpose()?;
    let mut replay = game.replay();
    let mut turns = game.turns().into_iter();
    let is_before = |now: &S::Game| match &only {
        Some(only) => now.label() != only.label(),
        None => now.setting_up().is_some(),
    };
    while is_before(replay.game()) && turns.next().is_some() {
        replay.advance();
    }
    let most = if only.is_some() { 1 } else { usize::MAX };
    let turns: Vec<String> = turns.take(most).collect();
    match (turns.is_empty(), only) {
        (false, _) => Ok(Wanted { replay, turns }),
        (true, Some(only)) => Err(format!("turn {} was not played", only.label())),
        (true, None) => {
            Err("there is no turn to analyse: expected the record of a game, one turn a line"
                .to_string())
        }
    }
}

impl Arguments {
    fn analyse<S: Playing + Reading + Interactive + Featured>(
        &self,
        catalogues: &Catalogues,
        wanted: Wanted<S>,
    ) -> anyhow::Result<()> {
        let Wanted { mut replay, turns } = wanted;
        let begin = Instant::now();
        let (name, mut engine) = self.engine.start::<S>(catalogues)?;
        engine.set_lines(self.lines.map_or(1, usize::from));
        engine.new_game();
        let limits = self.thinking.limits();
        let bar = progress::bar(turns.len(), "turns");
        let mut out = standard();
        let mut reports: Vec<TurnReport<S>> = Vec::new();
        let mut judge = |game: &S::Game| Judged::<S>::of(game, &mut engine, limits, &Stop::new());
        let mut now = judge(replay.game());
        for turn in &turns {
            let before = replay.game().clone();
            replay.advance();
            let after = judge(replay.game());
            let report = TurnReport::new(&before, replay.game().position(), turn, &now, &after);
            now = after;
            self.print_row(&report, &bar, &mut out)?;
            reports.push(report);
            bar.inc(1);
        }
        bar.finish_and_clear();
        let summary = Summary::of(&reports, begin.elapsed());
        match self.input.json {
            true => writeln!(out, "{}", summary.json(&reports))?,
            false => write!(out, "\n{}", summary_text(&summary, &reports))?,
        }
        if let Some(path) = &self.html {
            let mut file = Output::open(Some(path))?;
            file.write_all(page::page(&name, &reports, replay.game(), &summary).as_bytes())?;
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
            false => text(report),
        };
        bar.suspend(|| writeln!(out, "{row}"))?;
        Ok(())
    }
}

/// A turn for people.
fn text<S: Interactive>(report: &TurnReport<S>) -> String {
    let told = |verdict: Option<Verdict>| verdict.map_or("-".to_string(), |it| it.to_string());
    let TurnReport { label, played, loss, .. } = report;
    let score = told(report.verdict);
    let mut text = format!("{label:>4}  {score:>10}  {played}");
    if let Some(loss) = loss.filter(|&loss| loss > 0) {
        let (best, pv) = (told(report.best_verdict), report.pv().join(" | "));
        text += &format!("\n      lost {loss:>5}  better {best}: {pv}");
    }
    let others = (2..).zip(report.lines.iter().skip(1));
    for (number, line) in others {
        let pv = line.pv.join(" | ");
        text += &format!("\n      {:>10}  {number}. {}: {pv}", "", told(line.verdict));
    }
    text
}

/// A line for each side, and one for each of the worst turns.
pub(crate) fn summary_text<S: GameSpec>(summary: &Summary, reports: &[TurnReport<S>]) -> String {
    let mut text = String::new();
    for side in Side::ALL {
        if let Some((accuracy, loss)) = summary.accuracy[side].zip(summary.mean_loss[side]) {
            let name = S::SIDES[side as usize];
            text += &format!("{name}: accuracy {accuracy:.1} %, {loss:.0} points lost a turn\n");
        }
    }
    for &index in &summary.worst {
        let TurnReport { label, played, loss, .. } = &reports[index];
        let loss = loss.unwrap_or(0);
        text += &format!("{label} lost {loss} points: {played}\n");
    }
    text
}
