//! The games that are learned from: which ones, and what their positions are multiplied with.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use anyhow::{Context, bail};
use arimaa::Game;
use game::Side;
use guard::in_parallel;
use hrebejk_2013::FunctionModel;
use hrebejk_2013::expert_games::GameFacts;
use hrebejk_2013::terms::{GameTerms, TermsCache, TermsForm, game_key};
use records::{Record, Stream};
use serde_json::{Value, json};
use workbench::{Army, GameName};

use crate::shared::numbers::threads;
use crate::shared::output::{say, tell_error};
use crate::shared::progress::{self, Teller};

/// What games are learned from, and in which form.
#[derive(clap::Args)]
pub struct DataArguments {
    /// Games: lines of arimaa.com, tables with a column `movelist`, records or JSON, as `tusk games` writes them; they may be gzipped
    #[arg(required = true, value_name = "FILE")]
    pub games: Vec<String>,

    /// The degree of the polynomials
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub degree: u8,

    /// How many turns by chance the average turn is made of
    #[arg(long, value_name = "K", default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..))]
    samples: u16,

    /// Learn from so many turns at most, those of the first games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    turns: Option<u32>,

    /// Keep what takes long to compute in this folder, for other runs with the same games
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,

    /// How many threads compute what positions are multiplied with; nothing depends on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Only games with at least this rating: that of their players, with the time that they took and who they are
    #[arg(long, value_name = "R")]
    min_rating: Option<f64>,

    /// Also games that were given up, lost on time, not rated, or that were very short or long
    #[arg(long)]
    all_games: bool,

    /// The seed of all choices by chance
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
}

/// What was read.
#[derive(Default)]
pub struct Gathered {
    /// Games that are learned from or validate, and turns that are learned from.
    pub games: usize,
    pub turns: usize,
    /// Games that could not be read.
    pub refused: usize,
    /// Games that were there before.
    pub repeated: usize,
    /// Games that are not good enough, by the reason.
    pub left_out: BTreeMap<&'static str, usize>,
    /// Games that validate.
    pub validation: Vec<(Game, GameTerms)>,
}

/// Which games validate: one in so many, whichever others there are.
const VALIDATION: u64 = 20;

/// As many games a thread are read before their terms are computed.
const GAMES_A_THREAD: usize = 2;

/// A game that is good enough.
struct ChosenGame {
    game: Game,
    winner: Option<Side>,
    key: u64,
}

/// As many faults are told in full.
const TOLD: usize = 20;

impl DataArguments {
    /// The model whose weights are learned, and how games become terms.
    pub fn form(&self) -> TermsForm {
        let model = FunctionModel::polynomials(self.degree.into(), || 0.0);
        TermsForm { model, samples: self.samples.into(), seed: self.seed }
    }

    /// The options for a report.
    pub fn options(&self) -> Value {
        json!({
            "degree": self.degree,
            "samples": self.samples,
            "turns": self.turns,
            "min_rating": self.min_rating,
            "all_games": self.all_games,
        })
    }

    /// Reads the games, and calls `learn` with those that do not validate.
    pub fn gather(&self, mut learn: impl FnMut(Game, GameTerms)) -> anyhow::Result<Gathered> {
        let form = self.form();
        let mut cache = match &self.cache {
            Some(folder) => {
                let name = || folder.display().to_string();
                Some(TermsCache::open(folder, &form).with_context(name)?)
            }
            None => None,
        };
        let most = self.turns.map_or(usize::MAX, |turns| turns as usize);
        let bar = progress::started(0, 0, "{pos} games {msg}");
        let teller = Teller::new(&bar);
        let (mut gathered, mut seen) = (Gathered::default(), HashSet::new());
        let mut chosen: Vec<ChosenGame> = Vec::new();
        let mut take = |chosen: &mut Vec<ChosenGame>, gathered: &mut Gathered| {
            let terms = self.terms(&form, &mut cache, chosen)?;
            for (ChosenGame { game, key, .. }, terms) in chosen.drain(..).zip(terms) {
                if gathered.turns < most {
                    gathered.add(game, key, terms, &mut learn);
                }
            }
            anyhow::Ok(())
        };
        for file in &self.games {
            for entry in Stream::open(file, Army::Full)? {
                if gathered.turns >= most {
                    break;
                }
                bar.inc(1);
                teller.tell(format!("{} games, {} turns", gathered.games, gathered.turns));
                let (game, winner) =
                    match entry.record.and_then(|record| self.choose(record, &mut gathered)) {
                        Ok(Some(chosen)) => chosen,
                        Ok(None) => continue,
                        Err(fault) => {
                            gathered.refused += 1;
                            if gathered.refused <= TOLD {
                                tell_error(&format!("{}: {fault}", entry.place));
                            }
                            continue;
                        }
                    };
                let key = game_key(&game, winner);
                if !seen.insert(key) {
                    gathered.repeated += 1;
                    continue;
                }
                chosen.push(ChosenGame { game, winner, key });
                if chosen.len() >= GAMES_A_THREAD * threads(self.threads) {
                    take(&mut chosen, &mut gathered)?;
                }
            }
        }
        take(&mut chosen, &mut gathered)?;
        bar.finish_and_clear();
        if gathered.refused > TOLD {
            say!("{} more games cannot be read", gathered.refused - TOLD);
        }
        if let Some(cache) = cache.filter(|cache| cache.damaged() > 0) {
            say!("{}: what was damaged has been computed again", cache.path().display());
        }
        if gathered.games == 0
            && let Some((reason, count)) = gathered.left_out.iter().max_by_key(|(_, count)| **count)
        {
            bail!(
                "there is no turn to learn from: all games are left out, {count} of them {reason}; --all-games or a lower --min-rating keeps them"
            );
        }
        Ok(gathered)
    }

    /// The terms of games: those that the cache has, and the others on all threads.
    fn terms(
        &self,
        form: &TermsForm,
        cache: &mut Option<TermsCache>,
        games: &[ChosenGame],
    ) -> anyhow::Result<Vec<GameTerms>> {
        let mut known = |game: &ChosenGame| cache.as_mut()?.get(game.key);
        let known: Vec<Option<GameTerms>> = games.iter().map(&mut known).collect();
        let missing = || games.iter().zip(&known).filter(|(_, terms)| terms.is_none());
        let missing: Vec<&ChosenGame> = missing().map(|(game, _)| game).collect();
        let compute = |_: &mut (), number: usize| {
            let ChosenGame { game, winner, key } = missing[number];
            form.terms(game, *winner, *key)
        };
        let computed = in_parallel(missing.len(), threads(self.threads), || (), compute);
        if let Some(cache) = cache {
            let name = cache.path().display().to_string();
            for (game, terms) in missing.iter().zip(&computed) {
                cache.put(game.key, terms).with_context(|| name.clone())?;
            }
        }
        let mut computed = computed.into_iter();
        Ok(known.into_iter().filter_map(|terms| terms.or_else(|| computed.next())).collect())
    }

    /// The game of a record and who won it, if it is good enough.
    fn choose(
        &self,
        record: Record,
        gathered: &mut Gathered,
    ) -> Result<Option<(Game, Option<Side>)>, String> {
        let game = played_game(&record)?;
        let facts = facts(&record, &game);
        let fault = facts.fault().filter(|_| !self.all_games);
        let fault = fault.or_else(|| {
            let least = self.min_rating?;
            let is_low = facts.rating(this_year()).is_none_or(|rating| rating < least);
            is_low.then_some("below the rating")
        });
        Ok(match fault {
            Some(fault) => {
                *gathered.left_out.entry(fault).or_default() += 1;
                None
            }
            None => Some((game, record.winner)),
        })
    }
}

/// The games of files that can be read, with their keys.
pub fn readable_games(files: &[String]) -> anyhow::Result<Vec<(Game, u64)>> {
    let mut games = Vec::new();
    for file in files {
        for record in Stream::open(file, Army::Full)?.filter_map(|entry| entry.record.ok()) {
            if let Ok(game) = played_game(&record) {
                let key = game_key(&game, record.winner);
                games.push((game, key));
            }
        }
    }
    Ok(games)
}

/// The games of files that are kept from learning.
pub fn validating_games(files: &[String]) -> anyhow::Result<Vec<Game>> {
    let games = readable_games(files)?.into_iter();
    Ok(games.filter(|(_, key)| key.is_multiple_of(VALIDATION)).map(|(game, _)| game).collect())
}

impl Gathered {
    /// Adds a game, to those that validate or to those that `learn` is called with.
    fn add(
        &mut self,
        game: Game,
        key: u64,
        terms: GameTerms,
        learn: &mut impl FnMut(Game, GameTerms),
    ) {
        self.games += 1;
        if key.is_multiple_of(VALIDATION) {
            self.validation.push((game, terms));
        } else {
            self.turns += terms.len();
            learn(game, terms);
        }
    }

    /// For a report.
    pub fn figures(&self) -> Value {
        json!({
            "games": self.games,
            "turns": self.turns,
            "refused": self.refused,
            "repeated": self.repeated,
            "left_out": self.left_out,
            "validation_turns": self.validation_turns(),
        })
    }

    /// How many turns validate.
    pub fn validation_turns(&self) -> usize {
        self.validation.iter().map(|(_, terms)| terms.len()).sum()
    }
}

/// The seconds of a year.
const YEAR: f64 = 365.2425 * 86_400.0;

fn this_year() -> f64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    1970.0 + now.map_or(0.0, |now| now.as_secs_f64()) / YEAR
}

/// What a record knows of its game.
fn facts(record: &Record, game: &Game) -> GameFacts {
    let cell = |column: &str| record.archive.get(column).map(String::as_str);
    let rating = |column: &str| cell(column)?.parse().ok().filter(|rating: &f64| *rating > 0.0);
    let is_bot = |column: &str, side: Side| match cell(column) {
        Some(kind) => kind == "b",
        None => record.players[side].starts_with("bot_"),
    };
    let bots = [is_bot("wtype", Side::First), is_bot("btype", Side::Second)];
    let begin = game.played_turns().nth(2).map(|(position, _)| position.board().occupied().len());
    GameFacts {
        ratings: rating("wrating").zip(rating("brating")).map(|(one, other)| [one, other]),
        bots: bots.into_iter().filter(|is_bot| *is_bot).count(),
        is_rated: cell("wrating").map(|_| cell("rated") == Some("1")),
        is_natural: matches!(
            record.reason.as_str(),
            "goal" | "elimination" | "immobilisation" | "repetition"
        ),
        turns: game.played_turns().count(),
        seconds: Some(record.seconds).filter(|seconds| *seconds > 0.0),
        year: Some(1970.0 + record.finished / YEAR).filter(|_| record.finished > 0.0),
        begins_with_capture: begin.is_some_and(|pieces| pieces < 32),
    }
}

/// The game of a record.
fn played_game(record: &Record) -> Result<Game, String> {
    if record.game != GameName::Arimaa {
        return Err("this is no game of Arimaa".to_string());
    }
    let (origin, turns) = record.moves();
    if !origin.is_empty() {
        return Err("the game begins at a position: its setups are missing".to_string());
    }
    let lines = turns.iter().enumerate();
    let text: String = lines
        .map(|(index, turn)| format!("{}{} {turn}\n", index / 2 + 1, ["g", "s"][index % 2]))
        .collect();
    Game::parse(&text, Army::Full).map_err(|error| error.to_string())
}
