//! Positions of self-play, where those of a thesis are gone.

use anyhow::anyhow;
use arimaa::{Game, Position};
use engine::{Engine, Limits};
use game::Game as _;
use workbench::{Army, EngineRequest, Playing, Reading, Tzaar, reading};

use crate::lab::Lab;

/// After so many turns a game is broken off.
const MOST_TURNS: usize = 300;

/// Games of the engine `tusk` with itself, each from an opening of its own: the notations of their turns, after the
/// opening. `nodes` limits each turn, so that they are the same everywhere.
pub fn games<S: Playing>(lab: &Lab, count: usize, nodes: u64) -> anyhow::Result<Vec<Recorded>> {
    let openings = S::openings(S::OPENINGS).map_err(anyhow::Error::msg)?;
    let openings = openings.make(count, lab.seed, &|| ())?;
    let numbered: Vec<(usize, String)> = openings.into_iter().enumerate().collect();
    let what = format!("games of {}", S::NAME);
    let key = |(number, _): &(usize, String)| format!("game {number}, {nodes} nodes");
    lab.each(&what, &numbered, key, |(_, opening)| {
        // A small table is cleared faster, and is enough for so few nodes.
        let request = EngineRequest { memory: Some(16), ..EngineRequest::new("tusk") };
        let mut engine = request.resolve::<S>(lab.catalogues.get::<S>())?.build()?;
        let (mut game, _) = S::Game::begin(opening).map_err(anyhow::Error::msg)?;
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut turns = Vec::new();
        while game.ended().is_none() && turns.len() < MOST_TURNS {
            let info = engine.analyse(&game, &limits, &lab.stop, &mut |_| ());
            let Some(&action) = info.as_ref().and_then(|info| info.best()) else { break };
            turns.push(game.notation(action));
            game.play(action).map_err(anyhow::Error::msg)?;
        }
        Ok(Recorded { opening: opening.clone(), turns })
    })
}

/// A game as it is kept.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
pub struct Recorded {
    pub opening: String,
    pub turns: Vec<String>,
}

impl Recorded {
    /// The game before each of its turns, and after the last.
    pub fn stages<G: game::Game>(&self) -> anyhow::Result<Vec<G>> {
        let (mut game, _) = G::begin(&self.opening).map_err(anyhow::Error::msg)?;
        let mut stages = vec![game.clone()];
        for turn in &self.turns {
            let action = game.parse_action(turn).map_err(anyhow::Error::msg)?;
            game.play(action).map_err(anyhow::Error::msg)?;
            stages.push(game.clone());
        }
        Ok(stages)
    }
}

/// So many of the items, evenly spread over all of them.
pub fn spread<T: Clone>(items: &[T], count: usize) -> Vec<T> {
    let count = count.min(items.len());
    (0..count).map(|index| items[index * items.len() / count].clone()).collect()
}

/// Zhong looked at 12g, 17s, 22g, 27s, 32g and 37s of a game of the final of 2005: so many turns after the setups.
const STAGES: [usize; 6] = [20, 31, 40, 51, 60, 71];

/// Positions at the same turns of the first game that is long enough, or of the longest, with what they are called in a record.
pub fn turns_of_the_final(games: &[Vec<Game>], count: usize) -> Vec<(String, Position)> {
    let needed = STAGES[STAGES.len() - 1] + 1;
    let is_long = |game: &&Vec<Game>| game.len() > needed;
    let longest = || games.iter().max_by_key(|game| game.len());
    let Some(game) = games.iter().find(is_long).or_else(longest) else { return Vec::new() };
    let last = game.len().saturating_sub(2);
    let stage =
        |wanted: &usize| &game[if last >= needed { *wanted } else { wanted * last / needed }];
    let told = |game: &Game| (game.label(), *game.position());
    STAGES.iter().take(count).map(|wanted| told(stage(wanted))).collect()
}

/// The positions that the command line names, if it does, and that are not over.
pub fn named<S: Reading>(lab: &Lab) -> anyhow::Result<Option<Vec<S::Game>>> {
    let Some(pos) = lab.positions else { return Ok(None) };
    let mut games = Vec::new();
    for entry in reading::read::<S>(pos, Army::Handicap)? {
        let content = entry.content.map_err(|fault| anyhow!("{}: {fault}", entry.place))?;
        if content.game.ended().is_none() {
            games.push(content.game);
        }
    }
    Ok(Some(games))
}

/// Where a number of positions come from: from the command line, or `made` by the study.
pub fn described(lab: &Lab, count: usize, made: &str) -> String {
    match lab.positions {
        Some(pos) => format!("{count} positions of `{pos}` (--positions)"),
        None => format!("{count} {made}"),
    }
}

/// Positions of Tzaar with so many stacks, one of each game of the engine with itself.
pub fn tzaar_positions(
    lab: &Lab,
    count: usize,
    nodes: u64,
    wanted: impl Fn(usize) -> bool,
    of_a_game: usize,
) -> anyhow::Result<Vec<tzaar::Game>> {
    let games = games::<Tzaar>(lab, count.div_ceil(of_a_game), nodes)?;
    let mut found = Vec::new();
    for game in &games {
        let stages: Vec<tzaar::Game> = game.stages()?;
        let is_wanted = |game: &tzaar::Game| {
            game.outcome().is_none() && wanted(game.position().board().stacks())
        };
        let chosen: Vec<tzaar::Game> = stages.into_iter().filter(is_wanted).collect();
        found.extend(spread(&chosen, of_a_game));
    }
    found.truncate(count);
    Ok(found.into_iter().map(|game| tzaar::Game::new(*game.position())).collect())
}
