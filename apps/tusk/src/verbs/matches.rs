//! `tusk match`: games of two engines.

use arena::{Contestant, Format, Plan, TestTerms, openings_for};
use workbench::{Catalogues, GameName, Playing, WrongUse, host, in_game};

use crate::Exit;
use crate::shared::choice::{any_seed, setting};
use crate::shared::contest::{EventArguments, conclude};
use crate::shared::output::say;
use crate::shared::terms::{MOST_GAMES, Terms, Timing};
use crate::shared::{allowed, signals};

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

fn hypotheses(text: &str) -> Result<TestTerms, String> {
    let parts = text
        .split_once(',')
        .and_then(|(elo0, elo1)| Some((elo0.trim().parse().ok()?, elo1.trim().parse().ok()?)));
    let (elo0, elo1) = parts.ok_or_else(|| format!("{text:?}: write two numbers, such as 0,10"))?;
    let terms =
        TestTerms { elo0, elo1, alpha: 0.05, beta: 0.05, normalized: false, count_failures: false };
    terms.test().map(|_| terms)
}

/// A test is mostly decided long before.
const MOST_GAMES_OF_A_TEST: u32 = 20_000;

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

fn title(plan: &Plan) -> String {
    let names: Vec<&str> = plan.contestants.iter().map(|one| one.name.as_str()).collect();
    names.join(" - ")
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
