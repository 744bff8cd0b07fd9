//! The match that decides whether a candidate becomes the best net.

use std::sync::{Mutex, MutexGuard, PoisonError};

use arena::{
    Adjudication, Decision, EnginePlayer, Fault, GameScore, MatchGame, Pairs, Player, Sprt,
    TimeSettings,
};
use engine::Stop;
use game::{BySide, KeyGenerator, Side};
use guard::share_work;

use crate::Learnable;
use crate::selfplay::MakeEngine;

/// A game that goes on after this many turns of each side is unfinished.
const MOST_TURNS: u32 = 75;

/// A match in pairs of games from the same opening, with sides changed.
///
/// The test looks at the pairs in their order and ends at the first pair that decides: what later games brought, that
/// other threads played meanwhile, does not count. So it comes out the same on every number of threads.
pub(super) struct Gate<'a, G: Learnable> {
    /// The candidate and the best net.
    pub engines: [&'a MakeEngine<'a, G>; 2],
    /// The opening of each pair.
    pub openings: &'a [String],
    /// Positions that a search enters.
    pub nodes: u64,
    /// The most games.
    pub games: u32,
    /// When it is decided.
    pub test: Sprt,
    /// The seed of the engines.
    pub seed: u64,
    /// Games at a time.
    pub threads: usize,
}

/// How a match stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GateStanding {
    /// The pairs that count.
    pub pairs: Pairs,
    /// The log-likelihood ratio of the test.
    pub llr: f64,
    /// Whether no more games are wanted, and then whether the candidate is accepted.
    pub accepted: Option<bool>,
}

/// What the threads of a match share.
struct Shared<F> {
    /// Scores of games for the candidate by their numbers, as far as they are known.
    known: Vec<Option<i8>>,
    /// Games below are played or taken.
    next: usize,
    /// Why the match ended before it was decided.
    fault: Option<String>,
    on_game: F,
}

impl<G: Learnable> Gate<'_, G> {
    /// Plays what is missing, and says how it ended. `on_game` hears of each game: its number, its score and the standing.
    pub fn play<F>(
        &self,
        played: impl Iterator<Item = (u32, i8)>,
        on_game: F,
    ) -> Result<GateStanding, String>
    where
        F: FnMut(u32, i8, &GateStanding) -> Result<(), String> + Send,
    {
        let mut known = vec![None; self.games as usize];
        for (game, score) in played {
            if let Some(place) = known.get_mut(game as usize) {
                *place = Some(score);
            }
        }
        let shared = Mutex::new(Shared { known, next: 0, fault: None, on_game });
        share_work("gate", self.threads, || {
            if let Err(fault) = self.work(&shared) {
                locked(&shared).fault.get_or_insert(fault);
            }
        });
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        match shared.fault {
            Some(fault) => Err(fault),
            None => Ok(self.standing(&shared.known)),
        }
    }

    /// Plays one game after the other until none is wanted.
    fn work<F>(&self, shared: &Mutex<Shared<F>>) -> Result<(), String>
    where
        F: FnMut(u32, i8, &GateStanding) -> Result<(), String>,
    {
        let [candidate, best] = self.engines;
        let player = |make: &MakeEngine<G>, name: &str| {
            Ok::<_, String>(EnginePlayer::new(name.to_string(), make()?))
        };
        let mut players = [player(candidate, "candidate")?, player(best, "best")?];
        loop {
            // The lock is held while the game is taken, not while it is played.
            let next = self.next_game(&mut locked(shared));
            let Some(game) = next else { return Ok(()) };
            let score = self.play_game(game, &mut players)?;
            let mut shared = locked(shared);
            shared.known[game] = Some(score);
            let standing = self.standing(&shared.known);
            (shared.on_game)(game as u32, score, &standing)?;
        }
    }

    /// The next game to be played; none, if the match is decided.
    fn next_game<F>(&self, shared: &mut Shared<F>) -> Option<usize> {
        let is_over = shared.fault.is_some() || self.standing(&shared.known).accepted.is_some();
        let mut open = shared.next..shared.known.len();
        let game = open.find(|&game| shared.known[game].is_none()).filter(|_| !is_over)?;
        shared.next = game + 1;
        Some(game)
    }

    /// The score of a game for the candidate, which has the first side in every other game.
    fn play_game(
        &self,
        number: usize,
        [candidate, best]: &mut [EnginePlayer<G>; 2],
    ) -> Result<i8, String> {
        let is_first = number.is_multiple_of(2);
        let side = if is_first { Side::First } else { Side::Second };
        let stop = Stop::new();
        let names = if is_first { ["candidate", "best"] } else { ["best", "candidate"] };
        let game = MatchGame {
            opening: &self.openings[number / 2 % self.openings.len()],
            names: BySide { first: names[0], second: names[1] },
            time: TimeSettings { nodes: Some(self.nodes), ..TimeSettings::default() },
            adjudication: Adjudication { turns: Some(MOST_TURNS), ..Adjudication::default() },
            seed: KeyGenerator::new(self.seed.wrapping_add(number as u64)).next_key().0,
            stop: &stop,
        };
        let (candidate, best): (&mut dyn Player<G>, &mut dyn Player<G>) = (candidate, best);
        let players = match is_first {
            true => BySide { first: candidate, second: best },
            false => BySide { first: best, second: candidate },
        };
        let result = game.play(players)?;
        if Fault::named(&result.reason).is_some() {
            return Err(format!("game {} of the gate: {}", number + 1, result.detail));
        }
        Ok(match result.winner {
            Some(winner) if winner == side => 1,
            Some(_) => -1,
            None => 0,
        })
    }

    /// How the match stands after the first pairs that are known, or after the one that decided.
    fn standing(&self, known: &[Option<i8>]) -> GateStanding {
        let mut standing = GateStanding { pairs: Pairs::default(), llr: 0.0, accepted: None };
        for pair in known.chunks_exact(2) {
            let (Some(first), Some(second)) = (pair[0], pair[1]) else { return standing };
            standing.pairs.add(game_score(first), game_score(second));
            standing.llr = self.test.llr(&standing.pairs.sample());
            match self.test.decision(standing.llr) {
                Decision::GoesOn => (),
                decision => {
                    standing.accepted = Some(decision == Decision::AcceptsH1);
                    return standing;
                }
            }
        }
        // Not decided by the test: the likelier hypothesis counts.
        standing.accepted = Some(standing.llr > 0.0);
        standing
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn game_score(score: i8) -> GameScore {
    match score {
        1 => GameScore::Win,
        -1 => GameScore::Loss,
        _ => GameScore::Unfinished,
    }
}

#[cfg(test)]
mod tests {
    use arena::TestTerms;

    use super::*;

    fn with_gate<T>(work: impl FnOnce(&Gate<tzaar::Game>) -> T) -> T {
        let make = || Err("no engine".to_string());
        let terms = TestTerms {
            elo0: 0.0,
            elo1: 30.0,
            alpha: 0.05,
            beta: 0.05,
            normalized: false,
            count_failures: true,
        };
        work(&Gate {
            engines: [&make, &make],
            openings: &[tzaar::Position::fixed_start().to_string()],
            nodes: 1,
            games: 400,
            test: terms.test().expect("a test"),
            seed: 1,
            threads: 2,
        })
    }

    /// Games of which the candidate wins three in four, then as many that it loses.
    fn scores() -> Vec<Option<i8>> {
        let won = (0..200).map(|game| Some(if game % 4 == 3 { -1 } else { 1 }));
        won.chain((0..200).map(|_| Some(-1))).collect()
    }

    #[test]
    fn the_first_pair_that_decides_ends_the_match_whatever_else_was_played() {
        with_gate(|gate| {
            let all = scores();
            let standing = gate.standing(&all);
            assert_eq!(standing.accepted, Some(true));
            let games = standing.pairs.games() as usize;
            assert!(games < 200, "{games}");
            assert_eq!(gate.standing(&all[..games]), standing);
            assert!(games > 2 && gate.standing(&all[..games - 2]).pairs.games() < games as u64);
            // Another thread may be ahead of a game that is still played.
            let mut gap = all.clone();
            gap[6] = None;
            let before = gate.standing(&gap);
            assert_eq!((before.pairs.games(), before.accepted), (6, None));
        });
    }

    #[test]
    fn without_a_decision_the_likelier_hypothesis_counts_at_the_last_game() {
        with_gate(|gate| {
            let even: Vec<Option<i8>> = [1, -1].into_iter().cycle().take(20).map(Some).collect();
            assert_eq!(gate.standing(&even).accepted, Some(false));
            let better = [even, vec![Some(1); 2]].concat();
            assert!(gate.standing(&better).llr > 0.0);
            assert_eq!(gate.standing(&better).accepted, Some(true));
        });
    }

    #[test]
    fn an_engine_that_cannot_be_made_ends_the_match() {
        let ended = with_gate(|gate| gate.play(std::iter::empty(), |_, _, _: &_| Ok(())));
        assert_eq!(ended, Err("no engine".to_string()));
    }
}
