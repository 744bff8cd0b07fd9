//! Whether each level beats the one below it: docs/experiments/strength.md.

use std::io::Write;
use std::time::Duration;

use arena::{
    Adjudication, Contestant, Format, GameRow, HeadToHead, Plan, ScoredGame, Standing, Tally,
    TimeSettings, Unfinished,
};
use process::TimeControl;

use crate::contest::EventArguments;
use crate::matches::{USUAL_MARGIN, openings_for};
use crate::output::{say, standard};
use crate::tournament::find_or_create;
use workbench::{GameName, Playing, in_game};
use workbench::{WrongUse, units};

use crate::{Exit, signals, standings};

/// From the weakest to the strongest.
const LEVELS: [&str; 4] = ["beginner", "intermediate", "expert", "unbeatable"];

/// Lets each level play the one below it, in the form of Veselý's thesis (2013), 4.2.1.
///
/// The games are kept in the store; interrupted, the same command goes on with them.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  tusk experiment levels --games 20 --time 1s")]
pub struct Arguments {
    /// How many games two levels play
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// The time for each turn
    #[arg(long, value_name = "T", default_value = "1s", value_parser = units::time)]
    time: Duration,

    /// The seed of openings and random choices
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 62))]
    seed: u64,

    #[command(flatten)]
    playing: EventArguments,
}

pub fn run(arguments: &Arguments, game: Option<GameName>) -> anyhow::Result<Exit> {
    in_game!(game.unwrap_or_default(), S => climb::<S>(arguments))
}

fn climb<S: Playing>(arguments: &Arguments) -> anyhow::Result<Exit> {
    let store = arguments.playing.open()?;
    store.claim()?;
    let mut rows = Vec::new();
    for two in LEVELS.windows(2) {
        let (weaker, stronger) = (two[0], two[1]);
        let plan = arguments.plan::<S>(stronger, weaker)?;
        let time = arguments.time.as_secs_f64();
        let name = format!("levels: {stronger} - {weaker}, {time} s, seed {}", arguments.seed);
        let event = find_or_create(&store, &name, &plan)?;
        arguments.playing.play(&store, &event)?;
        if signals::received().is_some() {
            say!("interrupted; the same command goes on with it");
            break;
        }
        let games = store.games(&event)?.sound;
        let scores: Vec<ScoredGame> = games.iter().filter_map(GameRow::score).collect();
        if arguments.playing.json {
            let standing = Standing::of(&plan, &games);
            writeln!(standard(), "{}", standings::match_json(&plan, &scores, &standing))?;
        }
        let Tally { wins, losses, .. } = HeadToHead::of(&scores, (0, 1)).tally;
        rows.push(format!("| {stronger} | {weaker} | {wins} | {losses} |"));
    }
    if !arguments.playing.json {
        let header = "| stronger | weaker | won | lost |\n| --- | --- | ---: | ---: |";
        writeln!(standard(), "\n{header}\n{}", rows.join("\n"))?;
    }
    Ok(Exit::Done)
}

impl Arguments {
    fn plan<S: Playing>(&self, stronger: &str, weaker: &str) -> anyhow::Result<Plan> {
        let openings = S::openings(S::OPENINGS).map_err(WrongUse)?;
        Ok(Plan {
            game: S::NAME.word().to_string(),
            contestants: vec![Contestant::new(stronger), Contestant::new(weaker)],
            format: Format::RoundRobin,
            games: self.games,
            openings: openings.make(openings_for(self.games), self.seed, &|| ())?,
            time: TimeSettings {
                control: Some(TimeControl::per_turn(self.time)),
                margin: USUAL_MARGIN,
                ..TimeSettings::default()
            },
            adjudication: Adjudication::default(),
            sprt: None,
            unfinished: Unfinished::Half,
            seed: self.seed,
        })
    }
}
