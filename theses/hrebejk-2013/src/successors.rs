//! Positions to learn from that an evaluation itself would choose.
//!
//! A model that plays the best of 17,000 turns plays what it overrates. So it must learn from the positions after such turns. From
//! a position of a game, the turns that the model likes best are looked for, those that Tusk's own evaluation likes best, and
//! some by chance; a search scores what each of them leads to. Then the game goes on with one of them, so that the
//! positions are those that the model meets when it plays.

use arimaa::{Game, Position, TurnGenerator, WHOLE_TURN};
use arimaa_ai::{Evaluation, win};
use engine::{Engine, Limits, Stop};
use game::{Score, Side};
use rand::seq::index::sample;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::FunctionModel;

/// Which successors are found, and how they are scored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SuccessorSettings {
    /// How many turns are played from each position.
    pub turns: usize,
    /// How many turns by chance the best ones are chosen of.
    pub tried: usize,
    /// How many of them each evaluation chooses.
    pub best: usize,
    /// How many are chosen by chance.
    pub random: usize,
    /// How many positions a search may enter for a score.
    pub nodes: u64,
}

/// A score is at most this: beyond, a game is decided.
const MOST_SCORE: i32 = 3000;

/// The share of turns that are any of those that were scored: what comes after a mistake must be known too.
const MISTAKES: f64 = 0.15;

/// A position after a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Successor {
    /// The position.
    pub position: Position,
    /// Its score for the side that is to move there, in hundredths of a rabbit.
    pub score: Score,
}

/// Positions after turns of one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Siblings {
    /// The position before.
    pub parent: Position,
    /// Those after turns that were chosen.
    pub successors: Vec<Successor>,
    /// The place of the one that the model likes best.
    pub by_model: usize,
    /// The place of the one that Tusk's own evaluation likes best.
    pub by_hand: usize,
}

/// Finds successors and scores them.
pub struct SuccessorFinder<'a> {
    settings: SuccessorSettings,
    model: &'a FunctionModel,
    by_hand: Evaluation,
    labeller: Box<dyn Engine<Game>>,
    generator: TurnGenerator,
}

/// A position after a turn, with what it is worth to the side that has played it.
struct Candidate {
    after: Position,
    by_model: f32,
    by_hand: i32,
}

impl<'a> SuccessorFinder<'a> {
    /// The engine is the one whose scores are learned.
    pub fn new(
        settings: SuccessorSettings,
        model: &'a FunctionModel,
        labeller: Box<dyn Engine<Game>>,
    ) -> SuccessorFinder<'a> {
        let (by_hand, generator) = (Evaluation::default(), TurnGenerator::new());
        SuccessorFinder { settings, model, by_hand, labeller, generator }
    }

    /// Plays from a position: one side by the model, the other one by Tusk's own evaluation. All chance comes from the
    /// seed.
    pub fn play_on(&mut self, start: &Position, seed: u64) -> Vec<Siblings> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        self.labeller.new_game();
        let learner = if rng.random() { Side::First } else { Side::Second };
        let (mut position, mut played) = (*start, Vec::new());
        for _ in 0..self.settings.turns {
            let Some(siblings) = self.siblings(&position, &mut rng) else { break };
            let next = match position.side() == learner {
                _ if rng.random_bool(MISTAKES) => rng.random_range(0..siblings.successors.len()),
                true => siblings.by_model,
                false => siblings.by_hand,
            };
            position = siblings.successors[next].position;
            played.push(siblings);
        }
        played
    }

    /// The successors of a position. Nothing, if the game is decided within a turn.
    fn siblings(&mut self, parent: &Position, rng: &mut ChaCha8Rng) -> Option<Siblings> {
        if parent.outcome().is_some() || win(parent.board(), parent.side(), WHOLE_TURN).is_some() {
            return None;
        }
        let candidates = self.candidates(parent, rng);
        if candidates.is_empty() {
            return None;
        }
        let chosen = choose(&candidates, &self.settings, rng);
        let mut successors = Vec::with_capacity(chosen.len());
        for &index in &chosen {
            let position = candidates[index].after;
            successors.push(Successor { position, score: self.score(&position)? });
        }
        let favourite = |value: &dyn Fn(&Candidate) -> f32| {
            let value = |place: &usize| value(&candidates[chosen[*place]]);
            let places = (0..chosen.len()).max_by(|a, b| value(a).total_cmp(&value(b)));
            places.unwrap_or(0)
        };
        Some(Siblings {
            parent: *parent,
            by_model: favourite(&|candidate| candidate.by_model),
            by_hand: favourite(&|candidate| candidate.by_hand as f32),
            successors,
        })
    }

    /// What some turns by chance lead to, without those that lose at once: no evaluation has to know them.
    fn candidates(&mut self, parent: &Position, rng: &mut ChaCha8Rng) -> Vec<Candidate> {
        let all = self.generator.distinct(parent.board(), parent.side());
        let tried = sample(rng, all.len(), self.settings.tried.min(all.len()));
        let mut candidates = Vec::with_capacity(tried.len());
        for index in tried {
            let mut after = *parent;
            after.play_turn_unchecked(all[index].turn);
            let loses = win(after.board(), after.side(), WHOLE_TURN).is_some();
            if after.outcome().is_none() && !loses {
                candidates.push(Candidate {
                    after,
                    by_model: -self.model.evaluate(&after),
                    by_hand: -self.by_hand.evaluate(&after).0,
                });
            }
        }
        candidates
    }

    fn score(&mut self, position: &Position) -> Option<Score> {
        let limits = Limits { nodes: Some(self.settings.nodes), ..Limits::default() };
        let game = Game::from_position(*position);
        let info = self.labeller.analyse(&game, &limits, &Stop::new(), &mut |_| ())?;
        Some(Score(info.verdict()?.as_score().0.clamp(-MOST_SCORE, MOST_SCORE)))
    }
}

/// The places of the candidates that either evaluation likes best, and of some by chance; none twice.
fn choose(
    candidates: &[Candidate],
    settings: &SuccessorSettings,
    rng: &mut ChaCha8Rng,
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    let best = settings.best.min(order.len());
    order.sort_by(|&a, &b| candidates[b].by_model.total_cmp(&candidates[a].by_model));
    let mut chosen = order[..best].to_vec();
    order.sort_by_key(|&index| -candidates[index].by_hand);
    chosen.extend(&order[..best]);
    chosen.extend(sample(rng, order.len(), settings.random.min(order.len())));
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

#[cfg(test)]
mod tests {
    use arimaa_ai::engines::ENGINES;

    use super::*;

    fn finder(model: &FunctionModel) -> SuccessorFinder<'_> {
        let mut configuration = engine::named(ENGINES, "tusk").unwrap().configure();
        configuration.memory = 1;
        let settings = SuccessorSettings { turns: 3, tried: 40, best: 3, random: 4, nodes: 20 };
        SuccessorFinder::new(settings, model, Box::new(configuration.build().unwrap()))
    }

    fn start() -> Position {
        "g [rrrddrrrrhcm c r     e   HE   h               H R C MC RRRRDDRRR]".parse().unwrap()
    }

    #[test]
    fn successors_come_after_different_turns_of_their_parent() {
        let model = FunctionModel::tuned_by_hand();
        let played = finder(&model).play_on(&start(), 1);
        assert_eq!(played.len(), 3);
        let mut generator = TurnGenerator::new();
        for Siblings { parent, successors, by_model, by_hand } in &played {
            let mut known = Vec::new();
            for reached in generator.distinct(parent.board(), parent.side()) {
                let mut after = *parent;
                after.play_turn_unchecked(reached.turn);
                known.push(after);
            }
            assert!((3..=10).contains(&successors.len()));
            for (index, successor) in successors.iter().enumerate() {
                assert!(known.contains(&successor.position));
                assert!(!successors[..index].iter().any(|one| one.position == successor.position));
            }
            let value = |successor: &Successor| -model.evaluate(&successor.position);
            let best = successors.iter().map(value).fold(f32::MIN, f32::max);
            assert_eq!(value(&successors[*by_model]), best);
            assert!(*by_hand < successors.len());
        }
        // Each begins where the one before has led.
        for pair in played.windows(2) {
            assert!(pair[0].successors.iter().any(|one| one.position == pair[1].parent));
        }
    }

    #[test]
    fn the_same_seed_finds_the_same() {
        let model = FunctionModel::tuned_by_hand();
        let first = finder(&model).play_on(&start(), 7);
        let mut finder = finder(&model);
        assert_eq!(finder.play_on(&start(), 7), first);
        assert_ne!(finder.play_on(&start(), 8), first);
        assert_eq!(finder.play_on(&start(), 7), first);
    }

    #[test]
    fn nothing_is_found_where_the_side_to_move_wins() {
        let won: Position =
            "g [        R                                                      r]".parse().unwrap();
        assert!(finder(&FunctionModel::tuned_by_hand()).play_on(&won, 1).is_empty());
    }
}
