//! `tusk match`: games of two engines.

use std::io::Write;
use std::time::Duration;

use arena::{
    Adjudication, BlockingStore, Contestant, Event, Format, GameRow, Plan, Rows, RunnerError,
    ScoreThreshold, ScoredGame, Standing, TimeSettings,
};
use arena::{TestTerms, Unfinished};

use crate::choice::{any_seed, setting};
use crate::contest::EventArguments;
use crate::moves::Thinking;
use crate::output::{say, standard, tell_error};
use workbench::{Catalogues, GameName, Playing, in_game};
use workbench::{WrongUse, host, units};

use crate::{Exit, allowed, signals, standings};

/// Plays a match of two engines, in pairs of games from the same opening with sides changed.
///
/// A and B are names of `tusk engines`, files such as mine.toml, either with settings
/// ("tusk max_depth=9 threads=2"), "aei:COMMAND" for any engine that speaks the Arimaa Engine Interface,
/// "getmove:COMMAND" for one of the older interface, or "process:NAME" for an engine of this program in a
/// process of its own. In Tzaar (--game tzaar), "waltz:COMMAND" is any program with the interface of WALTZ, which is
/// run as COMMAND --bestmove FILE --timelimit SECONDS for each turn. Every game is kept in the store as soon as it is finished: a match that was
/// interrupted goes on with --resume.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tusk match tusk zhong --games 100 --time 1s\n  tusk match \"tusk step_combos=1\" tusk --nodes 30000 --sprt 0,10\n  tusk match tusk waltz --game tzaar --time 1s\n  tusk match tusk \"waltz:./tzaar --ai 42\" --game tzaar --time 10s\n  tusk match --resume 3"
)]
pub struct Arguments {
    /// The first engine; results are from its point of view
    #[arg(required_unless_present = "resume")]
    a: Option<String>,

    /// Its opponent
    #[arg(required_unless_present = "resume")]
    b: Option<String>,

    /// How many games [default: 20, or until the test is decided with --sprt]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_GAMES)))]
    games: Option<u32>,

    /// An option of A, as often as you like: a parameter of an engine of this program, what another program is
    /// told by setoption
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    option_a: Vec<(String, String)>,

    /// The same for B
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    option_b: Vec<(String, String)>,

    #[command(flatten)]
    timing: Timing,

    #[command(flatten)]
    terms: Terms,

    /// Stop as soon as a test decides between A being stronger by ELO0 at most and by ELO1 at least
    #[arg(long, value_name = "ELO0,ELO1", value_parser = hypotheses, allow_hyphen_values = true)]
    sprt: Option<TestTerms>,

    /// Let games count in the test of --sprt in which an engine failed (crash, hang, late, illegal, protocol)
    #[arg(long, requires = "sprt")]
    count_failures: bool,

    /// Go on with the match of this number, with all its settings
    #[arg(long, value_name = "NUMBER", conflicts_with_all = [
        "a", "b", "games", "time", "tc", "depth", "nodes", "openings", "seed", "turns", "resign",
        "agree", "unfinished", "sprt", "count_failures", "margin", "option_a", "option_b",
    ])]
    resume: Option<i64>,

    /// With --resume in a shared store: a program or engine file of the match that may run here, as it is named
    /// there; may be repeated
    #[arg(long, value_name = "ENGINE", requires = "resume")]
    allow: Vec<String>,

    #[command(flatten)]
    playing: EventArguments,
}

/// How long engines may think.
#[derive(clap::Args)]
pub struct Timing {
    #[command(flatten)]
    thinking: Thinking,

    /// The time control: move/reserve[/percent/maxreserve/gamelimit or Nt/turntime]
    #[arg(long, value_name = "CONTROL", conflicts_with = "time")]
    tc: Option<process::TimeControl>,

    /// How much later than its clock allows an answer may come [default: 100ms with --time, else 0ms]
    #[arg(long, value_name = "T", value_parser = units::time)]
    margin: Option<Duration>,
}

/// How a match is played, besides the time.
#[derive(clap::Args)]
pub struct Terms {
    /// From where: setups (of the library), random or random:TURNS (such turns from there, balanced
    /// by a search), empty (engines set up), or positions or games (POS) [default: setups]. In Tzaar: random
    /// (boards filled by chance), fixed (the official start), tournament (engines place their pieces), or POS
    /// [default: random]
    #[arg(long, value_name = "OPENINGS")]
    openings: Option<String>,

    /// The seed of openings and of the engines' random choices [default: another one each time]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(..1 << 62))]
    pub seed: Option<u64>,

    /// End a game as unfinished after so many turns of each side
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    turns: Option<u32>,

    /// End a game as lost for an engine that saw itself SCORE behind in so many TURNS in a row
    #[arg(long, value_name = "SCORE,TURNS", value_parser = score_threshold)]
    resign: Option<ScoreThreshold>,

    /// End a game as won when both engines saw the same one SCORE ahead in so many TURNS in a row
    #[arg(long, value_name = "SCORE,TURNS", value_parser = score_threshold)]
    agree: Option<ScoreThreshold>,

    /// What an unfinished game counts: half a point for each, or a loss for both
    #[arg(long, value_enum, default_value = "half")]
    unfinished: UnfinishedRule,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum UnfinishedRule {
    Half,
    Loss,
}

fn score_threshold(text: &str) -> Result<ScoreThreshold, String> {
    let parts = text.split_once(',').and_then(|(score, turns)| {
        let (score, turns) = (score.trim().parse().ok()?, turns.trim().parse().ok()?);
        ScoreThreshold::new(score, turns)
    });
    parts.ok_or_else(|| format!("{text:?}: write a score and a number of turns, such as 800,3"))
}

fn hypotheses(text: &str) -> Result<TestTerms, String> {
    let parts = text
        .split_once(',')
        .and_then(|(elo0, elo1)| Some((elo0.trim().parse().ok()?, elo1.trim().parse().ok()?)));
    let (elo0, elo1) = parts.ok_or_else(|| format!("{text:?}: write two numbers, such as 0,10"))?;
    let terms =
        TestTerms { elo0, elo1, alpha: 0.05, beta: 0.05, normalized: false, count_failures: false };
    terms.test().map(|_| terms)
}

impl Timing {
    pub fn time_settings(&self) -> TimeSettings {
        let time = self.thinking.time_settings();
        let usual = if self.tc.is_some() { Duration::ZERO } else { USUAL_MARGIN };
        let margin = self.margin.unwrap_or(usual);
        TimeSettings { control: self.tc.or(time.control), margin, ..time }
    }
}

/// Where there is no reserve, the way to the engine and back is not on its clock.
pub const USUAL_MARGIN: Duration = Duration::from_millis(100);

/// More than anybody waits for.
pub const MOST_GAMES: u32 = 1_000_000;

/// A test is mostly decided long before.
const MOST_GAMES_OF_A_TEST: u32 = 20_000;

/// How many openings are made for a longer match; it goes through them more than once.
const MOST_OPENINGS: usize = 2000;

/// Enough of them for so many games, each opening being played twice.
pub fn openings_for(games: u32) -> usize {
    (games.div_ceil(2) as usize).min(MOST_OPENINGS)
}

pub fn run(
    arguments: &Arguments,
    game: Option<GameName>,
    catalogues: &Catalogues,
) -> anyhow::Result<Exit> {
    // What is wrong with the command line is told before anything is written.
    let plan = || in_game!(game.unwrap_or_default(), S => arguments.plan::<S>(catalogues));
    let plan = arguments.resume.is_none().then(plan).transpose()?;
    let store = arguments.playing.open()?;
    store.claim()?;
    let id = match (&plan, arguments.resume) {
        (Some(plan), _) => store.create(&title(plan), plan)?,
        (None, id) => id.unwrap_or_default(),
    };
    let event = store.event(id)?;
    say!(
        "match {id}; if it is interrupted, go on with: tusk match --resume {id} --store {}",
        store.name()
    );
    if arguments.resume.is_some() && store.is_shared() {
        allowed::refuse_others(catalogues, &event, &arguments.allow)?;
    }
    let played = arguments.playing.play(catalogues, &store, &event);
    let exit = conclude(&store, &event, arguments.playing.json, played);
    if signals::received().is_some() {
        let store = store.name();
        say!("interrupted; go on with: tusk match --resume {id} --store {store}");
    }
    exit
}

/// Tells what an event came to, also where an engine was given up. Failures are told by the exit status.
pub fn conclude(
    store: &BlockingStore,
    event: &Event,
    json: bool,
    played: anyhow::Result<()>,
) -> anyhow::Result<Exit> {
    if let Err(error) = &played
        && !matches!(error.downcast_ref(), Some(RunnerError::Engine { .. }))
    {
        return played.map(|()| Exit::Done);
    }
    let told = tell(store, event, json);
    played?;
    let Told { failures, refused } = told?;
    Ok(if failures + refused == 0 { Exit::Done } else { Exit::Refused })
}

fn title(plan: &Plan) -> String {
    let names: Vec<&str> = plan.contestants.iter().map(|one| one.name.as_str()).collect();
    names.join(" - ")
}

/// What there is to mind about an event.
pub struct Told {
    /// How many games ended by a failure.
    pub failures: usize,
    /// How many rows of the store make no sense.
    pub refused: usize,
}

/// What the match came to.
pub fn tell(store: &BlockingStore, event: &Event, json: bool) -> anyhow::Result<Told> {
    let Rows { sound: games, refused } = store.games(event)?;
    for error in &refused {
        tell_error(&format!("{error}: the row is left out"));
    }
    let scores: Vec<ScoredGame> = games.iter().filter_map(GameRow::score).collect();
    let standing = Standing::of(&event.plan, &games);
    let text = match (json, event.plan.contestants.len()) {
        (true, 2) => standings::match_json(&event.plan, &scores, &standing).to_string(),
        (true, _) => standings::report_json(&standing).to_string(),
        (false, _) => format!("\n{}", standings::report(&event.plan, &scores, &standing)),
    };
    writeln!(standard(), "{text}")?;
    let failures = standing.time_use.iter().map(|one| one.failures).sum();
    Ok(Told { failures, refused: refused.len() })
}

impl Arguments {
    fn plan<S: Playing>(&self, catalogues: &Catalogues) -> anyhow::Result<Plan> {
        let engines = [&self.a, &self.b].map(|engine| engine.clone().unwrap_or_default());
        let games = match (self.games, self.sprt) {
            (Some(games), _) => games,
            (None, Some(_)) => MOST_GAMES_OF_A_TEST,
            (None, None) => 20,
        };
        let seed = self.terms.seed.unwrap_or_else(any_seed);
        Ok(Plan {
            game: S::NAME.word().to_string(),
            contestants: self.contestants::<S>(catalogues, &engines)?,
            format: Format::RoundRobin,
            games,
            openings: self.terms.openings::<S>(openings_for(games), seed)?,
            time: self.timing.time_settings(),
            adjudication: self.terms.adjudication(),
            sprt: self.sprt.map(|terms| TestTerms { count_failures: self.count_failures, ..terms }),
            unfinished: self.terms.unfinished(),
            seed,
        })
    }

    /// Engines by their own words; equal ones are told apart.
    fn contestants<S: Playing>(
        &self,
        catalogues: &Catalogues,
        engines: &[String; 2],
    ) -> Result<Vec<Contestant>, WrongUse> {
        let [a, b] = engines;
        let contestant = |name: String, text: &str, options: &[(String, String)]| {
            let options = options.iter().cloned().collect();
            host::contestant::<S>(catalogues.get::<S>(), name, text, options).map_err(WrongUse)
        };
        let second = if a == b { format!("{b} (2)") } else { b.clone() };
        Ok(vec![contestant(a.clone(), a, &self.option_a)?, contestant(second, b, &self.option_b)?])
    }
}

impl Terms {
    /// So many openings.
    pub fn openings<S: Playing>(&self, count: usize, seed: u64) -> anyhow::Result<Vec<String>> {
        let text = self.openings.as_deref().unwrap_or(S::OPENINGS);
        let openings = S::openings(text);
        let wrong = |fault: String| WrongUse::value("--openings <OPENINGS>", text, &fault);
        openings.map_err(wrong)?.make(count, seed, &|| ())
    }

    pub fn adjudication(&self) -> Adjudication {
        Adjudication { turns: self.turns, resign: self.resign, agree: self.agree }
    }

    pub fn unfinished(&self) -> Unfinished {
        match self.unfinished {
            UnfinishedRule::Half => Unfinished::Half,
            UnfinishedRule::Loss => Unfinished::LossForBoth,
        }
    }
}
