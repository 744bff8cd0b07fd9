//! The settings of a line of generations, from its file and from a command line.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, bail};
use guard::read_text_within;
use learn::generation::Settings;
use workbench::{GameName, GameSpec, WrongUse, in_game};

use crate::choice::setting;
use crate::numbers::share;

/// What can be set of a line of generations.
#[derive(clap::Args)]
pub struct Options {
    /// How many generations there shall be [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=9999))]
    generations: Option<u16>,

    /// Games of self-play in a generation [default: 20000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: Option<u64>,

    /// Nodes of a search of self-play, randomly up to 30 % more or less [default: 400]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Additional searches at each turn of self-play, each after random steps that are then taken back [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=100))]
    branches: Option<u32>,

    /// How many generations of games a net is trained on [default: 5]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..))]
    window: Option<u16>,

    /// The first generation whose games count, for a folder without the shards before it [default: 1]
    #[arg(long, value_name = "G", value_parser = clap::value_parser!(u16).range(1..))]
    since: Option<u16>,

    /// Whether trainings begin with the weights of the best net instead of random ones [default: false]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    from_best: Option<bool>,

    /// The most positions of each game that a net is trained on, chosen at random; 0: all [default: 120]
    #[arg(long, value_name = "N")]
    per_game: Option<u32>,

    /// Sets of output weights of the nets: in Arimaa 4, by the steps left, or 16, also by which sides are near a goal
    /// [default: the most]
    #[arg(long, value_name = "N")]
    buckets: Option<usize>,

    /// Hidden units that are trained: 64, 128 or as many as the game's nets have; the others stay empty [default: 128, or as
    /// many as the nets have]
    #[arg(long, value_name = "N")]
    hidden: Option<usize>,

    /// How much a score counts against the result of the game, from 0 to 1; scores of an untrained net do not count
    /// [default: 1]
    #[arg(long, value_name = "L", value_parser = share::<f64>)]
    lambda: Option<f64>,

    /// How much of a score later searches of the game are, each turn by this factor, and its result at the end; 0: none of
    /// it [default: 0.9]
    #[arg(long, value_name = "D", value_parser = share::<f64>)]
    decay: Option<f64>,

    /// The score at which the odds to win are e to 1 [default: 400]
    #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(u16).range(1..))]
    scale: Option<u16>,

    /// How often a training goes through all positions, at most [default: 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    epochs: Option<u32>,

    /// Stop a training after N epochs without a better validation [default: 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    patience: Option<u32>,

    /// Positions of a step of the optimiser [default: 8192]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    batch: Option<u32>,

    /// The highest learning rate [default: 0.01]
    #[arg(long, value_name = "RATE", value_parser = share::<f64>)]
    learning_rate: Option<f64>,

    /// Positions to search for a turn of the match against the best net [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    gate_nodes: Option<u64>,

    /// The most games of that match [default: 400]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    gate_games: Option<u32>,

    /// What the test of that match decides between: the net is stronger by ELO0 at most, or by ELO1 at least [default:
    /// 0,30]
    #[arg(long, value_name = "ELO0,ELO1", value_parser = hypotheses, allow_hyphen_values = true)]
    gate_sprt: Option<(f64, f64)>,

    /// The seed of all chance [default: 1]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(..1 << 62))]
    seed: Option<u64>,

    /// Engine parameter (repeatable); replaces all engine parameters of the folder [default: in Arimaa, threat_search=0 and
    /// verification=0, which are slow where a turn has few nodes]
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    engine: Vec<(String, String)>,
}

/// More than anybody waits for.
const MOST_GAMES: u64 = 1_000_000_000;

/// The longest file of settings, in bytes.
const LONGEST_FILE: u64 = 1 << 20;

fn hypotheses(text: &str) -> Result<(f64, f64), String> {
    let numbers = text
        .split_once(',')
        .and_then(|(elo0, elo1)| Some((elo0.trim().parse().ok()?, elo1.trim().parse().ok()?)));
    let (elo0, elo1) = numbers.ok_or("write two numbers, such as 0,30")?;
    arena::Hypotheses::new(elo0, elo1, arena::Scale::Logistic)
        .map_err(|error| error.to_string())?;
    Ok((elo0, elo1))
}

/// The settings of a file, if it is there.
pub fn read(path: &Path) -> anyhow::Result<Option<Settings>> {
    let name = || path.display().to_string();
    let text = match read_text_within(path, LONGEST_FILE) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(name),
    };
    match toml::from_str(&text) {
        Ok(settings) => Ok(Some(settings)),
        Err(error) => {
            let line = workbench::line(&text, error.span().map_or(0, |span| span.start));
            bail!("{}, line {line}: {}", name(), error.message().trim().replace('\n', ", "))
        }
    }
}

impl Options {
    /// The settings of the folder, or the defaults, with these options applied.
    pub fn apply(
        &self,
        known: Option<Settings>,
        game: Option<GameName>,
    ) -> anyhow::Result<Settings> {
        let mut settings = match known {
            Some(known) => {
                if let Some(game) = game.filter(|game| game.word() != known.game) {
                    let fault =
                        format!("--game {}: this folder has a line of {}", game.word(), known.game);
                    return Err(WrongUse(format!("{fault}: choose another folder")).into());
                }
                if let Some(seed) = self.seed.filter(|&seed| seed != known.seed) {
                    let fault = format!("--seed {seed}: the seed of this folder is {}", known.seed);
                    return Err(WrongUse(format!("{fault}: choose another folder")).into());
                }
                known
            }
            None => in_game!(game.unwrap_or_default(), S => {
                Settings::new::<<S as GameSpec>::Game>(self.seed.unwrap_or(1))
            }),
        };
        macro_rules! set {
            ($($name:ident),*) => { $(settings.$name = self.$name.unwrap_or(settings.$name);)* };
        }
        set!(
            generations,
            games,
            nodes,
            branches,
            window,
            since,
            from_best,
            lambda,
            scale,
            epochs,
            patience,
            batch
        );
        set!(learning_rate, gate_nodes, gate_games, per_game, buckets, hidden, decay);
        (settings.elo0, settings.elo1) = self.gate_sprt.unwrap_or((settings.elo0, settings.elo1));
        if !self.engine.is_empty() {
            let words = self.engine.iter().map(|(name, value)| format!("{name}={value}"));
            settings.engine = words.collect();
        }
        let game = GameName::named(&settings.game).map_err(anyhow::Error::msg)?;
        match in_game!(game, S => settings.fault::<<S as GameSpec>::Game>()) {
            Some(fault) => Err(WrongUse(fault).into()),
            None => Ok(settings),
        }
    }
}
