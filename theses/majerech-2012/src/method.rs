use arimaa::{Game, Position, Step};
use game::Turns;
use search::{ProofNumberSearch, ProofParameters};
use workbench::{Arimaa, ByNumbers, Method, ProofSearch, SearchPlan};

use crate::{ApnsHeuristics, LambdaPosition};

/// The value of `ordering` for Table 4.1.
const BY_TABLE: i32 = 2;

/// By proof numbers, with what the thesis adds to them.
struct Apns {
    plan: SearchPlan,
    search: Box<ProofNumberSearch<Step>>,
    /// Whether steps are given up one by one.
    by_lambda: bool,
}

/// The search of the thesis, where the parameters ask for its vertices or for its order of steps.
pub(crate) fn method(plan: &SearchPlan, threads: usize) -> Option<Box<dyn Method<Arimaa>>> {
    let parameters = plan.parameters.as_ref().filter(|parameters| is_asked_for(parameters))?;
    let search = Box::new(ProofNumberSearch::new(*parameters, threads));
    let by_lambda = parameters.lambda != 0;
    Some(Box::new(Apns { plan: plan.clone(), search, by_lambda }))
}

fn is_asked_for(parameters: &ProofParameters) -> bool {
    parameters.lambda != 0 || parameters.ordering == BY_TABLE
}

impl Method<Arimaa> for Apns {
    fn plan(&self) -> &SearchPlan {
        &self.plan
    }

    fn play_step(&self) -> fn(&mut Position, Step) {
        match self.by_lambda {
            true => |position, step| match step {
                Step::PASS => position.give_up_step(),
                step => game::Position::play(position, step),
            },
            false => game::Position::play,
        }
    }

    fn begin<'a>(
        &'a mut self,
        game: &'a Game,
        _: Turns,
    ) -> anyhow::Result<Box<dyn ProofSearch + 'a>> {
        let (search, position) = (&mut self.search, *game.position());
        let heuristics = ApnsHeuristics::default();
        if !self.by_lambda {
            let adapt = |position: &Position| *position;
            return Ok(Box::new(ByNumbers::new(search, game, position, heuristics, adapt)));
        }
        let adapt = |position: &Position| LambdaPosition::new(*position);
        let mut search = ByNumbers::new(search, game, position, heuristics, adapt);
        search.turn = LambdaPosition::turn;
        Ok(Box::new(search))
    }
}
