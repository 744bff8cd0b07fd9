use std::collections::BTreeMap;

use game::{BySide, Side};

use crate::{Crosstable, EloEstimate, Fault, GameRow, GameScore, Pairs, Plan, ScoredGame, Tally};

/// How things stand in an event.
pub struct Standing {
    /// Who played whom, and how it ended.
    pub table: Crosstable,
    /// How many games are finished.
    pub games: usize,
    /// How many are scheduled.
    pub scheduled: usize,
    /// How often games ended so.
    pub ways: BTreeMap<String, usize>,
    /// The turns of each game, the shortest first.
    pub lengths: Vec<i64>,
    /// What each contestant did with its time.
    pub time_use: Vec<TimeUse>,
}

/// What a contestant did with its time.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TimeUse {
    /// How long it was thinking, in seconds.
    pub thinking: f64,
    /// How long its games took, in seconds.
    pub playing: f64,
    /// How many games it lost by a failure of its own.
    pub failures: usize,
}

impl Standing {
    /// What the games of an event say so far.
    pub fn of(plan: &Plan, games: &[GameRow]) -> Standing {
        let mut standing = Standing {
            table: crosstable(plan, games.iter().filter_map(GameRow::score)),
            games: 0,
            scheduled: games.len(),
            ways: BTreeMap::new(),
            lengths: Vec::new(),
            time_use: vec![TimeUse::default(); plan.contestants.len()],
        };
        for game in games {
            if let Some(score) = game.score() {
                standing.add(game, &score);
            }
        }
        standing.lengths.sort_unstable();
        standing
    }

    fn add(&mut self, game: &GameRow, score: &ScoredGame) {
        self.games += 1;
        *self.ways.entry(game.reason.clone()).or_default() += 1;
        self.lengths.push(game.turns);
        let is_failure = Fault::named(&game.reason).is_some();
        for side in Side::ALL {
            let time_use = &mut self.time_use[score.players[side]];
            time_use.thinking += game.thinking[side];
            time_use.playing += game.seconds;
            time_use.failures += usize::from(is_failure && score.winner == Some(!side));
        }
    }
}

/// Who of a plan's contestants played whom, and how it ended.
pub fn crosstable(plan: &Plan, scores: impl IntoIterator<Item = ScoredGame>) -> Crosstable {
    let mut table = Crosstable::default();
    let entrants: Vec<_> = plan.contestants.iter().map(|one| table.enter(&one.name)).collect();
    for score in scores {
        let BySide { first, second } = score.players;
        table.add(entrants[first], entrants[second], score.of(first));
    }
    table
}

/// What two contestants have made of their games so far, in the eyes of the first.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct HeadToHead {
    /// All games.
    pub tally: Tally,
    /// Those pairs of games from one opening of which both are finished.
    pub pairs: Pairs,
}

impl HeadToHead {
    /// The games between two contestants.
    pub fn of(scores: &[ScoredGame], (a, b): (usize, usize)) -> HeadToHead {
        let mut games = HeadToHead::default();
        let mut halves: BTreeMap<i64, GameScore> = BTreeMap::new();
        for score in scores.iter().filter(|score| score.is_between(a, b)) {
            let of_a = score.of(a);
            games.tally.add(of_a);
            match halves.remove(&score.pair) {
                Some(other) => games.pairs.add(of_a, other),
                None => drop(halves.insert(score.pair, of_a)),
            }
        }
        games
    }

    /// What the games say of the first one's strength: by pairs, which tell more, where there are some.
    pub fn estimate(&self) -> Option<EloEstimate> {
        self.pairs.estimate().or_else(|| self.tally.estimate())
    }
}
