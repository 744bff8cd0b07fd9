use arrayvec::ArrayVec;
use engine::Verdict;
use game::{BySide, KeyGenerator, Position, Proof, Score, Side, Turns};

use crate::{Learnable, MOST_STEPS};

/// A game as a shard holds it.
#[derive(Clone, PartialEq, Debug)]
pub struct ShardGame<P: Position> {
    /// By which it is known.
    pub id: GameId,
    /// Where it began: the start of a turn.
    pub start: P,
    /// Who played.
    pub players: BySide<Participant>,
    /// How it ended.
    pub ending: Ending,
    /// Its turns. The last one is the one after which it ended.
    pub turns: Vec<ShardTurn<P::Step>>,
}

/// A game like no other: made of seed, generation and number, so that the same game has the same id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameId(pub u64);

impl GameId {
    /// The id of a game of a run.
    pub fn new(seed: u64, generation: u16, number: u64) -> GameId {
        let run = KeyGenerator::new(seed).next_key().0;
        let place = u64::from(generation) << 48 | number;
        GameId(KeyGenerator::new(run ^ place).next_key().0)
    }
}

/// Who played a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Participant {
    /// The engine whose scores are learned from.
    #[default]
    Learner,
    /// The engine that was named by `--against`; its turns have no scores.
    Opponent,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Who won, if anybody did.
    pub winner: Option<Side>,
    /// By what.
    pub reason: Reason,
}

/// What ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The limit of its length.
    Length,
    /// The scores left no doubt for some turns, or a side gave up.
    Resignation,
    /// A search has proved who wins.
    Proof,
    /// The opponent failed; nobody has won.
    Failure,
    /// The rules: the place in [`Learnable::ENDINGS`].
    Rules(u8),
}

/// In shards, the endings of the rules come after this number.
const RULES: u8 = 16;

impl Reason {
    /// In a word.
    pub fn word<G: Learnable>(self) -> &'static str {
        match self {
            Reason::Length => "length",
            Reason::Resignation => "resignation",
            Reason::Proof => "proof",
            Reason::Failure => "failure",
            Reason::Rules(place) => G::ENDINGS.get(usize::from(place)).copied().unwrap_or("rules"),
        }
    }

    /// The reason of the rules with that word.
    pub fn of_rules<G: Learnable>(word: &str) -> Option<Reason> {
        let place = G::ENDINGS.iter().position(|&known| known == word)?;
        Some(Reason::Rules(place as u8))
    }

    pub(crate) fn to_byte(self) -> u8 {
        match self {
            Reason::Length => 0,
            Reason::Resignation => 1,
            Reason::Proof => 2,
            Reason::Failure => 3,
            Reason::Rules(place) => RULES + place,
        }
    }

    pub(crate) fn from_byte<G: Learnable>(byte: u8) -> Option<Reason> {
        match byte {
            0 => Some(Reason::Length),
            1 => Some(Reason::Resignation),
            2 => Some(Reason::Proof),
            3 => Some(Reason::Failure),
            _ => {
                let place = byte.checked_sub(RULES)?;
                (usize::from(place) < G::ENDINGS.len()).then_some(Reason::Rules(place))
            }
        }
    }
}

/// A turn as a shard holds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShardTurn<Step> {
    /// All its steps. What [`game::Game::turn`] leaves out is not there, such as the pass of Arimaa.
    pub steps: ArrayVec<Step, MOST_STEPS>,
    /// How many of them, at the beginning, were chosen by chance. If it was searched, the search
    /// was of the position after them.
    pub by_chance: u8,
    /// What a search has found. None, if all of it was chance or the opponent's.
    pub searched: Option<Searched>,
    /// It is a branch: steps by chance after which the position was searched, and which were then taken back.
    pub is_branch: bool,
}

/// What a search has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Searched {
    /// How the side to move stands.
    pub score: PackedScore,
    /// The depth that was completed, in steps.
    pub depth: u8,
}

/// A verdict in 16 bits: hundredths of the smallest piece, or ±(32000 − turns) for a proof.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct PackedScore(pub i16);

/// A proof of no turns.
const PROVEN: i16 = 32_000;

/// Proofs are not longer than that, and scores not larger than what is left.
const MOST_TURNS: i16 = 2_000;

impl PackedScore {
    /// A verdict; scores that are too large are cut.
    pub fn new(verdict: Verdict) -> PackedScore {
        let turns = |turns: Turns| PROVEN - turns.0.min(MOST_TURNS as u16) as i16;
        PackedScore(match verdict {
            Verdict::Score(Score(score)) => {
                let most = i32::from(PROVEN - MOST_TURNS - 1);
                score.clamp(-most, most) as i16
            }
            Verdict::Proof(Proof::Win(distance)) => turns(distance),
            Verdict::Proof(Proof::Loss(distance)) => -turns(distance),
        })
    }

    /// The verdict.
    pub fn verdict(self) -> Verdict {
        let PackedScore(score) = self;
        let turns = || Turns((PROVEN - score.saturating_abs()).max(0) as u16);
        match score {
            _ if score >= PROVEN - MOST_TURNS => Verdict::Proof(Proof::Win(turns())),
            _ if score <= MOST_TURNS - PROVEN => Verdict::Proof(Proof::Loss(turns())),
            _ => Verdict::Score(Score(i32::from(score))),
        }
    }
}

impl<P: Position> ShardGame<P> {
    /// The game again, turn by turn: `visit` sees each turn and the game before it. An error tells
    /// which turn cannot be played.
    pub fn replay<G: Learnable<Position = P>>(
        &self,
        mut visit: impl FnMut(&G, &ShardTurn<P::Step>),
    ) -> Result<(), String> {
        let mut game = G::begin_at(&self.start);
        for (number, turn) in (1..).zip(&self.turns) {
            visit(&game, turn);
            if turn.is_branch {
                continue;
            }
            let action = G::turn(&turn.steps).ok_or_else(|| format!("turn {number} is none"))?;
            game.play(action).map_err(|fault| format!("turn {number}: {fault}"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_unpacked_as_they_were_packed() {
        let proofs = [0, 1, 7, 2000].map(|turns| Proof::Win(Turns(turns)));
        let proofs = proofs.into_iter().flat_map(|win| [win, -win]).map(Verdict::Proof);
        let scores = [0, 1, -1, 1500, 29_999, -29_999].map(|score| Verdict::Score(Score(score)));
        for verdict in proofs.chain(scores) {
            assert_eq!(PackedScore::new(verdict).verdict(), verdict);
        }
        let large = PackedScore::new(Verdict::Score(Score(-80_000)));
        assert_eq!(large, PackedScore(-29_999));
    }

    #[test]
    fn ids_differ_by_seed_generation_and_number() {
        let mut ids = Vec::new();
        for seed in 0..10 {
            for generation in 0..10 {
                ids.extend((0..100).map(|number| GameId::new(seed, generation, number)));
            }
        }
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 10_000);
    }
}
