use arimaa::{Bitboard, Board, Position, Side, Step, WHOLE_TURN};
use arimaa_ai::step_policy::{StepContext, StepPolicy, end_of};
use arimaa_ai::{Evaluation, win};
use arrayvec::ArrayVec;
use fastrand::Rng;
use game::Position as _;
use search::{PlayoutRequest, Playouts, StepHistory, StepKnowledge};

use crate::evaluation::win_ratio;
use crate::generation::{for_each_step_of, movable, some_of};
use crate::step_knowledge::StepView;
use crate::{AkimotKnowledge, MoveAdvisor};

engine::parameters! {
    /// How playouts go. The defaults are Akimot's (Kozelek 2009, 4.4, and the program's configuration).
    pub struct PlayoutParameters {
        leaf_evaluation: 0, 0..=100, "how much the evaluation of a leaf counts beside its playout, in percent; 100: there are no playouts";
        playout_least_turns: 1, 1..=1000, "a playout has at least so many turns, the one that it begins in included";
        playout_most_turns: 4, 1..=1000, "and at most so many, each number as likely; 1000 for both plays to the end of the game";
        playout_whole_turns: 1, 0..=1, "1: a turn moves a few pieces, chosen by chance; 0: each step may move any piece";
        playout_least_pieces: 2, 1..=16, "a turn moves at least so many pieces, if they have steps";
        playout_most_pieces: 3, 1..=16, "and at most so many, each number as likely";
        playout_selection: 1, 0..=2, "how a step is chosen: 0 by chance, 1 the best of a few, 2 by a roulette of a few";
        playout_patterns: 0, 0..=1, "how good a step looks: 0 by Akimot's knowledge of steps, 1 by patterns that were learned from games";
        tree_patterns: 0, 0..=1, "how good a step looks in the tree, likewise";
        playout_best_of: 3, 1..=64, "so many steps are compared, at most half of those that there are";
        playout_roulette_of: 8, 1..=64, "so many steps share a roulette, at most half of those that there are";
        playout_history: 0, 0..=2, "how steps have done in the tree counts: 0 not, 1 each step, 2 each step after the one before";
        playout_history_weight: 50, 0..=1000, "what a step that has always won in the tree is worth more, in hundredths";
        playout_advisor: 5, 0..=100, "how often the move advisor is asked at the start of a turn, in hundredths; the thesis has 20";
        playout_advisor_turns: 200, 0..=10000, "so many turns the advisor keeps for each side";
        playout_advisor_exploration: 20, 0..=1000, "how much the advisor tries what is little known, in hundredths";
        playout_advise_captures: 1, 0..=1, "1: captures are advised";
        playout_advise_goals: 1, 0..=1, "1: goals are advised";
        playout_advise_protection: 1, 0..=1, "1: turns are advised that protect a trap where a piece could be captured";
        playout_advise_hostages: 1, 0..=1, "1: turns are advised that take a camel or horse hostage";
        playout_evaluation: 0, 0..=1, "what evaluates the end of a playout: 0 Akimot's evaluation, 1 Tusk's own";
        playout_goal_search: 1, 0..=1, "1: who can win within the turn at the end of a playout has won";
    }
}

/// Akimot's playouts: some turns by chance, then the evaluation (Kozelek 2009, 4.4).
#[derive(Clone, Debug, Default)]
pub struct AkimotPlayouts {
    /// What is known of steps, and of the position in the end.
    pub knowledge: AkimotKnowledge,
    /// The learned patterns.
    pub policy: StepPolicy,
    /// Tusk's own evaluation.
    pub evaluation: Evaluation,
    /// How playouts go.
    pub parameters: PlayoutParameters,
}

/// The steps among which one is chosen. No side has more: sixteen pieces with at most thirteen each.
type Candidates = ArrayVec<Step, 208>;

impl Playouts<Position> for AkimotPlayouts {
    type Scratch = MoveAdvisor;

    fn evaluation_share(&self) -> f32 {
        self.parameters.leaf_evaluation as f32 / 100.0
    }

    fn playout(
        &self,
        request: PlayoutRequest<Position>,
        random: &mut Rng,
        advisor: &mut MoveAdvisor,
        mut played: impl FnMut(&Position, Step),
    ) -> f32 {
        let side = request.position.side();
        let (end, winner) = self.play_turns(request, random, advisor, &mut played);
        let value = match winner {
            Some(winner) if winner == side => 1.0,
            Some(_) => -1.0,
            None if end.side() == side => self.value(&end),
            None => -self.value(&end),
        };
        advisor.record(side, value);
        value
    }

    fn expanded(&self, position: &Position, advisor: &mut MoveAdvisor) {
        if self.parameters.playout_advisor != 0 {
            advisor.look(position.board(), &self.parameters);
        }
    }
}

impl StepKnowledge<Position> for AkimotPlayouts {
    #[inline]
    fn step_knowledge(&self, position: &Position, step: Step, previous: Option<Step>) -> f32 {
        match self.parameters.tree_patterns {
            0 => self.knowledge.step_knowledge(position, step, previous),
            _ => self.policy.step_knowledge(position, step, previous),
        }
    }
}

impl AkimotPlayouts {
    /// Plays some turns, or until somebody has won.
    #[inline(always)]
    fn play_turns(
        &self,
        request: PlayoutRequest<Position>,
        random: &mut Rng,
        advisor: &mut MoveAdvisor,
        played: &mut impl FnMut(&Position, Step),
    ) -> (Position, Option<Side>) {
        let mut position = *request.position;
        let mut previous = request.previous;
        let turns = self.parameters.playout_least_turns..=self.parameters.playout_most_turns;
        for _ in 0..number_between(turns, random) {
            let mut turn = PlayoutTurn::new(self, &position, previous, request.history, random);
            turn.follow_advice(advisor, played);
            turn.play(played);
            (position, previous) = (turn.position, turn.previous);
            if let Some(outcome) = position.outcome() {
                return (position, Some(outcome.winner));
            }
        }
        (position, None)
    }

    /// How the side to move stands at the end of a playout, from -1 to 1.
    #[inline(always)]
    fn value(&self, position: &Position) -> f32 {
        let (board, side) = (position.board(), position.side());
        if self.parameters.playout_goal_search != 0 && win(board, side, WHOLE_TURN).is_some() {
            return 1.0;
        }
        let score = match self.parameters.playout_evaluation {
            0 => self.knowledge.evaluation.score(position).0,
            _ => self.evaluation.evaluate(position).0,
        };
        2.0 * win_ratio(score) - 1.0
    }
}

/// A turn of a playout, or what is left of one.
struct PlayoutTurn<'a> {
    playouts: &'a AkimotPlayouts,
    history: &'a StepHistory,
    random: &'a mut Rng,
    /// Whose turn it is.
    side: Side,
    position: Position,
    /// The step that was played last, by whichever side.
    previous: Option<Step>,
    /// The board that the turn began with, if it began here.
    start: Option<Board>,
    /// The pieces that may move.
    movers: Bitboard,
}

impl<'a> PlayoutTurn<'a> {
    #[inline(always)]
    fn new(
        playouts: &'a AkimotPlayouts,
        position: &Position,
        previous: Option<Step>,
        history: &'a StepHistory,
        random: &'a mut Rng,
    ) -> PlayoutTurn<'a> {
        PlayoutTurn {
            playouts,
            history,
            random,
            side: position.side(),
            position: *position,
            previous,
            start: position.turn_starts().then(|| *position.board()),
            movers: Bitboard::EMPTY,
        }
    }

    /// Chooses the pieces that may move.
    #[inline(always)]
    fn choose_movers(&mut self) {
        let PlayoutParameters {
            playout_whole_turns,
            playout_least_pieces,
            playout_most_pieces,
            ..
        } = self.playouts.parameters;
        self.movers = match playout_whole_turns {
            0 => self.position.board().of(self.side),
            _ => {
                let pieces =
                    number_between(playout_least_pieces..=playout_most_pieces, self.random);
                some_of(movable(&self.position), pieces, self.random)
            }
        };
    }

    /// Now and then, plays what the advisor says. The rest of the turn is left to chance.
    #[inline(always)]
    fn follow_advice(
        &mut self,
        advisor: &mut MoveAdvisor,
        played: &mut impl FnMut(&Position, Step),
    ) {
        let PlayoutParameters { playout_advisor, playout_advisor_exploration, .. } =
            self.playouts.parameters;
        if playout_advisor == 0 || self.random.i32(0..100) >= playout_advisor {
            return;
        }
        let exploration = playout_advisor_exploration as f32 / 100.0;
        let Some(turn) = advisor.choose(&self.position, exploration) else { return };
        for step in turn.steps() {
            // What a trap outside the context takes can make the rest impossible.
            if self.turn_is_over()
                || !self.position.board().allows(self.side, step)
                || self.restores(step)
            {
                return;
            }
            self.play_step(step, played);
        }
    }

    /// Plays to the end of the turn.
    #[inline(always)]
    fn play(&mut self, played: &mut impl FnMut(&Position, Step)) {
        if self.turn_is_over() {
            return;
        }
        self.choose_movers();
        let mut candidates = Candidates::new();
        while !self.turn_is_over() {
            self.list_candidates(&mut candidates);
            // Without a step, a pass is legal: what could move at the start of a turn can move again while the board is
            // as it was.
            let step = self.select(&mut candidates).unwrap_or(Step::PASS);
            self.play_step(step, played);
        }
    }

    #[inline(always)]
    fn turn_is_over(&self) -> bool {
        self.position.side() != self.side
    }

    /// Plays a legal step. The pieces that may move stay the same, wherever they go.
    #[inline(always)]
    fn play_step(&mut self, step: Step, played: &mut impl FnMut(&Position, Step)) {
        played(&self.position, step);
        self.position.play_unchecked(step);
        if step == Step::PASS {
            return;
        }
        self.previous = Some(step);
        let own = self.position.board().of(self.side);
        self.movers = (self.movers ^ step.from().bit() ^ end_of(step).bit()) & own;
    }

    /// Lists the steps of the pieces that may move. One rule is not looked at: the last one may leave the board that the
    /// turn began with.
    #[inline(always)]
    fn list_candidates(&self, candidates: &mut Candidates) {
        candidates.clear();
        for_each_step_of(&self.position, self.movers, |step| candidates.push(step));
        let any_piece = self.playouts.parameters.playout_whole_turns == 0;
        if any_piece && self.position.can_pass() {
            candidates.push(Step::PASS);
        }
    }

    /// Chooses one of the candidates that is legal.
    #[inline(always)]
    fn select(&mut self, candidates: &mut Candidates) -> Option<Step> {
        let PlayoutParameters { playout_best_of, playout_roulette_of, .. } =
            self.playouts.parameters;
        let most = (candidates.len() / 2).max(1);
        match self.playouts.parameters.playout_selection {
            0 => self.draw(candidates),
            1 => self.best(candidates, most.min(playout_best_of as usize)),
            _ => self.roulette(candidates, most.min(playout_roulette_of as usize)),
        }
    }

    /// The best of so many; of equal ones, the first that is drawn.
    #[inline(always)]
    fn best(&mut self, candidates: &mut Candidates, count: usize) -> Option<Step> {
        let judge = self.judge();
        let mut best = None;
        let mut highest = i32::MIN;
        for _ in 0..count {
            let Some(step) = self.draw(candidates) else { break };
            let score = self.score(&judge, step);
            if score > highest {
                (best, highest) = (Some(step), score);
            }
        }
        best
    }

    /// One of so many. The better a step looks, the likelier it is.
    #[inline(always)]
    fn roulette(&mut self, candidates: &mut Candidates, count: usize) -> Option<Step> {
        let judge = self.judge();
        let mut drawn = ArrayVec::<(Step, i32), 64>::new();
        for _ in 0..count {
            let Some(step) = self.draw(candidates) else { break };
            drawn.push((step, self.score(&judge, step)));
        }
        let lowest = drawn.iter().map(|&(_, score)| score).min()?;
        let share = |score: i32| judge.share(score - lowest);
        let sum: f32 = drawn.iter().map(|&(_, score)| share(score)).sum();
        let mut left = self.random.f32() * sum;
        let hit = drawn.iter().find(|&&(_, score)| {
            left -= share(score);
            left < 0.0
        });
        // Rounding may leave nothing: then it is the last one.
        hit.or(drawn.last()).map(|&(step, _)| step)
    }

    /// Who says how good steps look.
    #[inline(always)]
    fn judge(&self) -> Judge<'a> {
        match self.playouts.parameters.playout_patterns {
            0 => {
                Judge::Knowledge(self.playouts.knowledge.steps.view(&self.position, self.previous))
            }
            _ => Judge::Policy(
                &self.playouts.policy,
                StepContext::new(&self.position, self.previous),
            ),
        }
    }

    /// Takes one of the candidates that is legal, each as likely.
    #[inline(always)]
    fn draw(&mut self, candidates: &mut Candidates) -> Option<Step> {
        while !candidates.is_empty() {
            let step = candidates.swap_remove(self.random.usize(0..candidates.len()));
            if !self.restores(step) {
                return Some(step);
            }
        }
        None
    }

    /// Whether the step would end the turn with the board that it began with.
    #[inline(always)]
    fn restores(&self, step: Step) -> bool {
        if step.cost() < self.position.steps_left() {
            return false;
        }
        // What has changed elsewhere stays changed.
        let touched = step.from().bit() | step.to().bit() | step.victim().bit();
        let elsewhere = |start: &Board| start.differences(self.position.board()).meets(!touched);
        if self.start.as_ref().is_some_and(elsewhere) {
            return false;
        }
        let mut after = self.position;
        after.play_unchecked(step);
        self.position.restores(&after)
    }

    /// How good a step looks, in hundredths.
    #[inline(always)]
    fn score(&self, judge: &Judge, step: Step) -> i32 {
        let score = judge.score(step);
        match self.playouts.parameters.playout_history {
            0 => score,
            order => score + self.history_score(step, order == 2),
        }
    }

    /// How a step has done in the tree: after the one before it, if that is known, else in general.
    fn history_score(&self, step: Step, after_previous: bool) -> i32 {
        let side = self.side;
        let reply = self.previous.filter(|_| after_previous);
        let reply = reply.map(|previous| self.history.reply(side, previous, step));
        let known = reply.filter(|reply| reply.count > 0);
        let mean = known.unwrap_or_else(|| self.history.step(side, step));
        (self.playouts.parameters.playout_history_weight as f32 * mean.value) as i32
    }
}

/// Who says how good steps look.
enum Judge<'a> {
    Knowledge(StepView<'a>),
    Policy(&'a StepPolicy, StepContext),
}

impl Judge<'_> {
    /// In hundredths.
    #[inline(always)]
    fn score(&self, step: Step) -> i32 {
        match self {
            Judge::Knowledge(view) => view.score(step),
            Judge::Policy(policy, context) => policy.score(context, step),
        }
    }

    /// The share that a step has in a roulette, with a score so far above the lowest.
    fn share(&self, above: i32) -> f32 {
        /// What the lowest one still has, in hundredths.
        const LEAST: i32 = 10;
        match self {
            Judge::Knowledge(_) => (above + LEAST) as f32,
            Judge::Policy(..) => (above as f32 / 100.0).exp(),
        }
    }
}

/// A number of a range, each as likely.
#[inline(always)]
fn number_between(range: std::ops::RangeInclusive<i32>, random: &mut Rng) -> i32 {
    let (least, most) = (*range.start(), *range.end());
    random.i32(least..=most.max(least))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::ops::ControlFlow;

    use arimaa::{GOLD, SILVER, Square};
    use game::{Key, Steps};
    use search::StepKnowledge;

    use super::*;
    use crate::test_games::test_positions;

    fn with(settings: &[(&str, &str)]) -> AkimotPlayouts {
        let mut playouts = AkimotPlayouts::default();
        for (name, value) in settings {
            playouts.parameters.set(name, value).unwrap();
        }
        playouts
    }

    fn drawn(side: Side, board: &str) -> Position {
        Position::new(board.parse().unwrap(), side)
    }

    fn playout(playouts: &AkimotPlayouts, position: &Position, random: &mut Rng) -> f32 {
        let history = StepHistory::default();
        let request = PlayoutRequest { position, previous: None, history: &history };
        playouts.playout(request, random, &mut MoveAdvisor::default(), |_, _| {})
    }

    #[test]
    fn every_step_of_a_playout_is_legal() {
        let history = StepHistory::default();
        let mut random = Rng::with_seed(1);
        let positions = test_positions();
        for settings in [
            &[][..],
            &[("playout_whole_turns", "0")],
            &[("playout_selection", "0")],
            &[("playout_selection", "2"), ("playout_most_pieces", "16")],
            &[("playout_advisor", "100")],
            &[("playout_patterns", "1")],
            &[("playout_patterns", "1"), ("playout_selection", "2")],
            &[
                ("playout_history", "2"),
                ("playout_least_pieces", "1"),
                ("playout_most_pieces", "1"),
            ],
        ] {
            let playouts = with(settings);
            let mut advisor = MoveAdvisor::default();
            for start in positions.iter().filter(|position| position.outcome().is_none()) {
                // Some begin inside a turn.
                let mut position = *start;
                for _ in 0..random.usize(0..3) {
                    let steps = position.steps();
                    let singles = steps.into_iter().find(|step| step.cost() == Steps(1));
                    singles.into_iter().for_each(|step| position.play_unchecked(step));
                }
                let mut expected = position;
                let request =
                    PlayoutRequest { position: &position, previous: None, history: &history };
                let legal = |before: &Position, step| {
                    assert_eq!(*before, expected);
                    assert!(before.allows(step), "{step:?}: {before}, {:?}", before.steps_left());
                    expected.play_unchecked(step);
                };
                playouts.expanded(&position, &mut advisor);
                let value = playouts.playout(request, &mut random, &mut advisor, legal);
                assert!((-1.0..=1.0).contains(&value));
            }
        }
    }

    /// A turn as the thesis tells it, with lists of steps.
    fn slow_turn(playouts: &AkimotPlayouts, start: &Position, random: &mut Rng) -> Position {
        let pseudo_legal = |position: &Position| {
            let mut steps = Vec::new();
            let _ = game::Position::for_each_pseudo_legal_step(position, |step| {
                steps.push(step);
                ControlFlow::Continue(())
            });
            steps.retain(|&step| step != Step::PASS);
            steps
        };
        let (mut position, mut previous) = (*start, None);
        let mut movers: Vec<Square> = pseudo_legal(start).iter().map(|step| step.from()).collect();
        movers.sort();
        movers.dedup();
        random.shuffle(&mut movers);
        movers.truncate(random.usize(2..=3));
        while position.side() == start.side() {
            let mut steps = pseudo_legal(&position);
            steps.retain(|step| movers.contains(&step.from()));
            let count = (steps.len() / 2).clamp(1, 3);
            random.shuffle(&mut steps);
            steps.retain(|&step| position.allows(step));
            let score = |&step: &Step| {
                (100.0 * playouts.knowledge.step_knowledge(&position, step, previous)) as i32
            };
            // Of equal ones, `max_by_key` takes the last, which is drawn as likely as the first.
            let best = steps.into_iter().take(count).max_by_key(score);
            if let Some(step) = best {
                let (from, to) = step.moves().find(|(from, _)| *from == step.from()).unwrap();
                movers.iter_mut().filter(|mover| **mover == from).for_each(|mover| *mover = to);
                previous = Some(step);
            }
            position.play_unchecked(best.unwrap_or(Step::PASS));
            movers.retain(|mover| position.board().of(start.side()).has(*mover));
        }
        position
    }

    fn turn(
        playouts: &AkimotPlayouts,
        start: &Position,
        history: &StepHistory,
        random: &mut Rng,
    ) -> Position {
        let mut turn = PlayoutTurn::new(playouts, start, None, history, random);
        turn.play(&mut |_, _| {});
        turn.position
    }

    #[test]
    fn turns_are_as_likely_as_those_of_a_slow_twin() {
        const TURNS: usize = 40_000;
        let playouts = AkimotPlayouts::default();
        let positions = [
            drawn(
                GOLD,
                "
                 +-----------------+
                8| . . . . . . . . |
                7| . . . . . . . . |
                6| . . x . . x . . |
                5| . . . h . . . . |
                4| . . . . E . . . |
                3| . . x d . x . . |
                2| . . . . . R . . |
                1| . . . . . . . . |
                 +-----------------+
                   a b c d e f g h
                ",
            ),
            drawn(
                SILVER,
                "
                 +-----------------+
                8| r . . . . . . . |
                7| . e . . r . . . |
                6| . . x . . x . . |
                5| . . h . . . . . |
                4| . . M . c . . . |
                3| . . x . . C . . |
                2| . . . . . D . . |
                1| . R . . . . . . |
                 +-----------------+
                   a b c d e f g h
                ",
            ),
            "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap(),
        ];
        for (index, mut position) in positions.into_iter().enumerate() {
            // Inside a turn as well, where the last step could take the others back.
            for inside in [false, true] {
                if inside {
                    position.play_unchecked(position.steps()[0]);
                }
                let mut random = Rng::with_seed(index as u64);
                let mut counts: HashMap<Key, [f64; 2]> = HashMap::new();
                let history = StepHistory::default();
                for _ in 0..TURNS {
                    let fast = turn(&playouts, &position, &history, &mut random);
                    counts.entry(fast.key()).or_default()[0] += 1.0;
                    let slow = slow_turn(&playouts, &position, &mut random);
                    counts.entry(slow.key()).or_default()[1] += 1.0;
                }
                assert_same_distribution(counts.values().copied());
            }
        }
    }

    /// A chi-squared test of two samples of the same size. What is rare is counted together.
    fn assert_same_distribution(counts: impl Iterator<Item = [f64; 2]>) {
        let (common, rare): (Vec<_>, Vec<_>) = counts.partition(|[one, other]| one + other >= 20.0);
        let rest = rare.iter().fold([1.0, 1.0], |sum, [one, other]| [sum[0] + one, sum[1] + other]);
        let cells = common.iter().chain([&rest]);
        let chi: f64 = cells.map(|[one, other]| (one - other).powi(2) / (one + other)).sum();
        let freedom = common.len() as f64;
        let limit = freedom + 4.0 * (2.0 * freedom).sqrt();
        assert!(chi < limit, "chi squared {chi:.0} of {freedom} cells, at most {limit:.0}");
    }

    #[test]
    fn a_playout_sees_a_goal_within_the_last_turn() {
        let position = drawn(
            SILVER,
            "
             +-----------------+
            8| . . . . . . r . |
            7| . . . . . . . . |
            6| R . x . . x . . |
            5| . . . . . . . . |
            4| . . . . . . . . |
            3| . . x . . x . . |
            2| . . . . . . . . |
            1| . . . . . . . . |
             +-----------------+
               a b c d e f g h
            ",
        );
        let one_turn = [("playout_most_turns", "1")];
        let mut random = Rng::with_seed(0);
        for _ in 0..100 {
            assert_eq!(playout(&with(&one_turn), &position, &mut random), -1.0);
        }
        let blind = with(&[one_turn[0], ("playout_goal_search", "0")]);
        assert!(playout(&blind, &position, &mut random).abs() < 0.5);
    }

    #[test]
    fn a_playout_ends_with_the_evaluation_that_is_asked_for() {
        let position = test_positions()[300];
        let score = Evaluation::default().evaluate(&position).0;
        let knowledge = AkimotKnowledge::default().evaluation.score(&position).0;
        assert_ne!(score, knowledge);
        let value = |setting| with(&[("playout_evaluation", setting)]).value(&position);
        assert_eq!(value("0"), 2.0 * win_ratio(knowledge) - 1.0);
        assert_eq!(value("1"), 2.0 * win_ratio(score) - 1.0);
    }

    #[test]
    fn playouts_to_the_end_have_a_winner() {
        let start: Position =
            "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
        let playouts = with(&[("playout_least_turns", "1000"), ("playout_most_turns", "1000")]);
        let mut random = Rng::with_seed(0);
        let values = [(); 50].map(|()| playout(&playouts, &start, &mut random));
        assert!(values.iter().all(|value| value.abs() == 1.0));
        assert!(values.contains(&1.0) && values.contains(&-1.0));
    }

    #[test]
    fn the_same_seed_plays_the_same() {
        let position = test_positions()[100];
        let values = |seed| {
            let mut random = Rng::with_seed(seed);
            [(); 20].map(|()| playout(&AkimotPlayouts::default(), &position, &mut random))
        };
        assert_eq!(values(3), values(3));
        assert_ne!(values(3), values(4));
    }

    #[test]
    fn what_is_chosen_by_knowledge_captures_more() {
        let position = drawn(
            GOLD,
            "
             +-----------------+
            8| r . . . . . . . |
            7| . . . . . . . . |
            6| . . x . . x . . |
            5| . . . . . . . . |
            4| . . . . . . . . |
            3| . . x . . x . . |
            2| . . . . . r H . |
            1| R . . . . . . . |
             +-----------------+
               a b c d e f g h
            ",
        );
        let captures = |(selection, patterns)| {
            let settings = [("playout_selection", selection), ("playout_patterns", patterns)];
            let playouts = with(&settings);
            let (history, mut random) = (StepHistory::default(), Rng::with_seed(0));
            let boards = [(); 500].map(|()| turn(&playouts, &position, &history, &mut random));
            boards.iter().filter(|after| after.board().of(SILVER).is_single()).count()
        };
        let chance = captures(("0", "0"));
        for known in [("1", "0"), ("2", "0"), ("1", "1"), ("2", "1")] {
            assert!(captures(known) > 2 * chance, "{known:?}: {}, {chance}", captures(known));
        }
    }
}
