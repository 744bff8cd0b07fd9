//! An engine in one short file, as an example: `docs/adding-an-engine.md` walks through it.

use arimaa::{Action, Game, Position, TurnGenerator, WHOLE_TURN};
use engine::{Engine, Info, Limits, Sink, Stop, Verdict};
use game::Score;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::{Evaluation, choose_setup};

/// Plays the turn after which its side stands best, without a look at the reply.
#[derive(Debug, Default)]
pub struct Greedy {
    generator: TurnGenerator,
    evaluation: Evaluation,
}

impl Engine<Game> for Greedy {
    fn analyse(
        &mut self,
        game: &Game,
        _limits: &Limits,
        _stop: &Stop,
        sink: &mut Sink<Game>,
    ) -> Option<Info<Action>> {
        let position = game.position();
        if let Some(side) = game.setting_up() {
            let setup = choose_setup(side, position.board(), &mut ChaCha8Rng::seed_from_u64(1));
            return Some(Info::without_search(None, vec![Action::Setup(setup)]));
        }
        let Greedy { generator, evaluation } = self;
        let turns = generator.distinct(position.board(), position.side());
        let scored = turns.iter().filter_map(|reached| {
            let mut after = *position;
            after.play_turn_unchecked(reached.turn);
            let is_third = game.history().count(after.repetition_key()) >= 2;
            (!is_third).then(|| (score(evaluation, &after), reached.turn))
        });
        let (score, turn) = scored.max_by_key(|&(score, _)| score)?;
        let found = Info::without_search(Some(Verdict::Score(score)), vec![Action::Turn(turn)]);
        let info = Info { depth: WHOLE_TURN, nodes: turns.len() as u64, ..found };
        sink(&info);
        Some(info)
    }
}

/// How the side stands that has just moved.
fn score(evaluation: &Evaluation, after: &Position) -> Score {
    match after.outcome() {
        Some(outcome) if outcome.winner == after.side() => Score(-30_000),
        Some(_) => Score(30_000),
        None => -evaluation.evaluate(after),
    }
}
