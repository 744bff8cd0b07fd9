//! One game of self-play, from its opening to its end.

use std::ops::ControlFlow;

use arena::{Budget, Clocks, Failure, Fault, Player, Reply, Start, TimeSettings};
use engine::{Engine, Limits, Stop, Verdict};
use game::{BySide, Position, Proof, Side};
use rand::seq::IndexedRandom as _;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use crate::{
    Ending, GameId, Learnable, Openings, PackedScore, Participant, Reason, Searched, ShardGame,
    ShardTurn, StepOf, TurnSteps,
};

/// How the games of a run are played.
#[derive(Clone, Debug)]
pub struct Terms<P> {
    /// How many positions a search may enter, on average.
    pub nodes: u64,
    /// What all chance comes from.
    pub seed: u64,
    /// Of how many rounds of learning the engine is the result.
    pub generation: u16,
    /// How many branches there are at each turn of the engine: see [`ShardTurn::is_branch`].
    pub branches: u32,
    /// Where games begin.
    pub openings: Openings<P>,
    /// How long the opponent may think.
    pub opponent_time: TimeSettings,
}

/// How much fewer or more nodes a turn may get: so that the engine is not always equally deep at the same
/// place of a turn.
const NODE_JITTER: f64 = 0.3;

/// The share of turns that are random: what comes after a blunder must be known too. More would drown
/// the results of games in noise.
const RANDOM_TURN_SHARE: f64 = 0.02;

/// The share of turns whose first steps are random, and whose rest is searched: positions inside a turn
/// are most of what a search evaluates.
const RANDOM_STEPS_SHARE: f64 = 0.1;

/// How many times fewer nodes the search of a branch has. Most leaves of a search are after turns that nobody
/// would play: an evaluation must know them, but a small search sees what is wrong with them.
const BRANCH_NODES_DIVISOR: u64 = 4;

/// The share of branches that are whole turns.
const WHOLE_BRANCH_SHARE: f64 = 0.5;

/// The share of games in which a side that is lost by its scores resigns. The others are played out:
/// they tell what such scores are worth.
const RESIGNING_SHARE: f64 = 0.9;

/// For so many scores in a row the same side must be lost.
const RESIGN_TURNS: u32 = 4;

/// After so many turns a game is unfinished.
const MOST_TURNS: usize = 150;

/// Why no game was played.
#[derive(Debug, Error)]
pub enum SelfPlayError {
    /// An engine cannot be made.
    #[error("{0}")]
    Engine(String),
    /// The opponent does not start.
    #[error("--against: {0}")]
    Opponent(Failure),
    /// The engine does not play by the rules.
    #[error("the engine plays what is not legal in {position}: {fault}")]
    Illegal {
        /// Where.
        position: String,
        /// Why.
        fault: String,
    },
}

/// How an engine is made. One is made for each thread and plays all its games.
pub type MakeEngine<'a, G> = dyn Fn() -> Result<Box<dyn Engine<G>>, String> + Sync + 'a;

/// How the opponent is started, which may be a program.
pub type StartOpponent<'a, G> = dyn Fn() -> Result<Box<dyn Player<G>>, Failure> + Sync + 'a;

/// An opponent that fails so often in a row will not do better.
const MOST_FAILURES: u32 = 3;

/// Plays games of a run, one after the other, with one engine.
pub struct SelfPlay<'a, G: Learnable> {
    terms: &'a Terms<G::Position>,
    engine: Box<dyn Engine<G>>,
    start_opponent: Option<&'a StartOpponent<'a, G>>,
    opponent: Option<Box<dyn Player<G>>>,
    /// How often the opponent has failed in a row.
    failures: u32,
}

/// What a side does when it is its turn.
enum Reaction<G: Learnable> {
    /// It plays, and perhaps it has proved who wins.
    Turn { turn: ShardTurn<StepOf<G>>, action: G::Action, proven: Option<Side> },
    /// It gives up.
    Resigns,
    /// The opponent cannot go on.
    Fails(Failure),
}

impl<'a, G: Learnable> SelfPlay<'a, G> {
    /// Makes the engine; the opponent starts with its first game.
    pub fn new(
        terms: &'a Terms<G::Position>,
        make_engine: &MakeEngine<G>,
        start_opponent: Option<&'a StartOpponent<'a, G>>,
    ) -> Result<SelfPlay<'a, G>, SelfPlayError> {
        let engine = make_engine().map_err(SelfPlayError::Engine)?;
        Ok(SelfPlay { terms, engine, start_opponent, opponent: None, failures: 0 })
    }

    /// Plays a game. All its chance comes from the seed and the number: the same game again is the same
    /// game, whoever plays it.
    pub fn play(&mut self, number: u64) -> Result<ShardGame<G::Position>, SelfPlayError> {
        let id = GameId::new(self.terms.seed, self.terms.generation, number);
        let mut rng = ChaCha8Rng::seed_from_u64(id.0);
        let opening = self.terms.openings.choose::<G>(&mut rng);
        let resigns = rng.random_bool(RESIGNING_SHARE);
        let mut game = G::begin_at(&opening.start);
        let players = self.players(number);
        self.engine.new_game();
        self.engine.set_seed(id.0);
        self.begin_opponent(&game, players, id)?;
        let mut random_steps = opening.random_steps;
        let (mut turns, mut played) = (Vec::new(), 0);
        let mut streak = Streak::default();
        let ending = loop {
            if let Some(ended) = game.ended() {
                let reason = Reason::of_rules::<G>(ended.reason).unwrap_or(Reason::Resignation);
                break Ending { winner: Some(ended.winner), reason };
            }
            if played >= MOST_TURNS {
                break Ending { winner: None, reason: Reason::Length };
            }
            let side = game.position().side();
            let before = self.opponent.is_some().then(|| game.clone());
            if players[side] == Participant::Learner {
                for _ in 0..self.terms.branches {
                    turns.extend(self.branch(&game, &mut rng));
                }
            }
            let reaction = match players[side] {
                Participant::Learner => self.think(&mut game, random_steps, &mut rng)?,
                Participant::Opponent => self.ask_opponent(&mut game),
            };
            random_steps = false;
            let (turn, action, proven) = match reaction {
                Reaction::Turn { turn, action, proven } => (turn, action, proven),
                Reaction::Resigns => {
                    break Ending { winner: Some(!side), reason: Reason::Resignation };
                }
                Reaction::Fails(failure) => {
                    self.note_failure(failure)?;
                    break Ending { winner: None, reason: Reason::Failure };
                }
            };
            let score = turn.searched.map(|searched| searched.score);
            turns.push(turn);
            played += 1;
            if proven.is_some() {
                break Ending { winner: proven, reason: Reason::Proof };
            }
            let lost = score.and_then(|score| streak.add(side, score, G::RESIGN_SCORE));
            if let Some(loser) = lost.filter(|_| resigns) {
                break Ending { winner: Some(!loser), reason: Reason::Resignation };
            }
            if let Some(before) = before {
                self.tell_opponent(&before, action);
            }
        };
        if ending.reason != Reason::Failure {
            self.failures = 0;
        }
        Ok(ShardGame { id, start: opening.start, players, ending, turns })
    }

    /// Who has which side: against an opponent, sides change with each game.
    fn players(&self, number: u64) -> BySide<Participant> {
        use Participant::{Learner, Opponent};
        match self.start_opponent {
            None => BySide { first: Learner, second: Learner },
            Some(_) if number.is_multiple_of(2) => BySide { first: Learner, second: Opponent },
            Some(_) => BySide { first: Opponent, second: Learner },
        }
    }

    /// A turn of the engine, or of chance.
    fn think(
        &mut self,
        game: &mut G,
        random_steps: bool,
        rng: &mut ChaCha8Rng,
    ) -> Result<Reaction<G>, SelfPlayError> {
        let chance = rng.random::<f64>();
        if !random_steps
            && chance < RANDOM_TURN_SHARE
            && let Some((steps, action)) = random_turn(game, rng)
        {
            let by_chance = steps.len() as u8;
            let turn = ShardTurn { steps, by_chance, searched: None, is_branch: false };
            return Ok(Reaction::Turn { turn, action, proven: None });
        }
        if random_steps || chance < RANDOM_TURN_SHARE + RANDOM_STEPS_SHARE {
            let first = first_steps(game, rng);
            if let Some(inside) = game.inside(&first).filter(|_| !first.is_empty())
                && let Ok(reaction) = self.search(game, &inside, first, rng)
            {
                return Ok(reaction);
            }
            // The rest of the turn may be forbidden by repetition: the whole turn is searched.
        }
        let start = game.clone();
        self.search(game, &start, TurnSteps::<G>::new(), rng).map_err(|fault| {
            SelfPlayError::Illegal { position: game.position().to_string(), fault }
        })
    }

    /// Searches the game inside a turn, after its first steps, and plays the whole turn. An error tells
    /// why it cannot be played.
    fn search(
        &mut self,
        game: &mut G,
        inside: &G,
        first: TurnSteps<G>,
        rng: &mut ChaCha8Rng,
    ) -> Result<Reaction<G>, String> {
        let jitter = rng.random_range(1.0 - NODE_JITTER..=1.0 + NODE_JITTER);
        let nodes = Some(((self.terms.nodes as f64 * jitter) as u64).max(1));
        let limits = Limits { nodes, ..Limits::default() };
        let info = self.engine.analyse(inside, &limits, &Stop::new(), &mut |_| ());
        let Some(info) = info else { return Ok(Reaction::Resigns) };
        let Some(&best) = info.best() else { return Ok(Reaction::Resigns) };
        let by_chance = first.len() as u8;
        let mut steps = first;
        let rest = G::steps(best);
        steps.try_extend_from_slice(&rest).map_err(|error| error.to_string())?;
        let action = G::turn(&steps).ok_or("the steps are no turn")?;
        let mover = game.position().side();
        game.play(action)?;
        let verdict = info.verdict();
        let searched = verdict
            .map(|verdict| Searched { score: PackedScore::new(verdict), depth: info.depth.0 });
        let proven = verdict.and_then(Verdict::proof).map(|proof: Proof| proof.winner(mover));
        let turn = ShardTurn { steps, by_chance, searched, is_branch: false };
        Ok(Reaction::Turn { turn, action, proven })
    }

    /// Searches the position after some steps by chance, inside the turn or after all of it. Nothing, if the game
    /// would be over there or has no such position.
    fn branch(&mut self, game: &G, rng: &mut ChaCha8Rng) -> Option<ShardTurn<StepOf<G>>> {
        let mut after = game.clone();
        let steps = if rng.random_bool(WHOLE_BRANCH_SHARE) {
            random_turn(&mut after, rng)?.0
        } else {
            let steps = first_steps(game, rng);
            after = game.inside(&steps).filter(|_| !steps.is_empty())?;
            steps
        };
        // A turn that ends with a pass reads like the beginning of a longer one.
        let mut position = game.position().clone();
        steps.iter().for_each(|&step| position.play(step));
        if position.key() != after.position().key() || after.ended().is_some() {
            return None;
        }
        let nodes = Some((self.terms.nodes / BRANCH_NODES_DIVISOR).max(1));
        let limits = Limits { nodes, ..Limits::default() };
        let info = self.engine.analyse(&after, &limits, &Stop::new(), &mut |_| ())?;
        let score = PackedScore::new(info.verdict()?);
        let searched = Some(Searched { score, depth: info.depth.0 });
        let by_chance = steps.len() as u8;
        Some(ShardTurn { steps, by_chance, searched, is_branch: true })
    }

    /// Tells the opponent of a new game, and starts it where there is none.
    fn begin_opponent(
        &mut self,
        game: &G,
        players: BySide<Participant>,
        id: GameId,
    ) -> Result<(), SelfPlayError> {
        let Some(start_opponent) = self.start_opponent else { return Ok(()) };
        let mut opponent = match self.opponent.take() {
            Some(opponent) => opponent,
            None => start_opponent().map_err(SelfPlayError::Opponent)?,
        };
        let side = Side::ALL.into_iter().find(|&side| players[side] == Participant::Opponent);
        let start = Start {
            game: game.clone(),
            origin: Some(game.position().clone()),
            side: side.unwrap_or(Side::Second),
            opponent: "Tusk".to_string(),
            seed: id.0 >> 1,
            time: self.terms.opponent_time,
            stop: Stop::new(),
        };
        opponent.begin(&start).map_err(SelfPlayError::Opponent)?;
        self.opponent = Some(opponent);
        Ok(())
    }

    /// A turn of the opponent. It has no score: only what the learner's own search says is learned.
    fn ask_opponent(&mut self, game: &mut G) -> Reaction<G> {
        let time = self.terms.opponent_time;
        let clocks = Clocks::new(game.position().side(), 1, time.control);
        let budget = Budget { time, clocks, latest: time.latest(&clocks) };
        let Some(opponent) = &mut self.opponent else { return Reaction::Resigns };
        let thought = match opponent.think(game, &budget) {
            Ok(thought) => thought,
            Err(failure) => return Reaction::Fails(failure),
        };
        let action = match thought.reply {
            Reply::Play(action) => action,
            Reply::Illegal { text, why } => return illegal(&text, &why),
            Reply::Resign => return Reaction::Resigns,
        };
        if let Err(why) = game.play(action) {
            return illegal(&format!("{action:?}"), &why);
        }
        let steps = G::steps(action);
        let turn = ShardTurn { steps, by_chance: 0, searched: None, is_branch: false };
        Reaction::Turn { turn, action, proven: None }
    }

    /// Tells the opponent what was played. Where that fails, it fails again when it is asked.
    fn tell_opponent(&mut self, before: &G, action: G::Action) {
        if let Some(opponent) = &mut self.opponent {
            let _ = opponent.played(action, &before.notation(action));
        }
    }

    /// A new opponent plays the next game, unless it has failed too often.
    fn note_failure(&mut self, failure: Failure) -> Result<(), SelfPlayError> {
        self.opponent = None;
        self.failures += 1;
        if self.failures >= MOST_FAILURES {
            return Err(SelfPlayError::Opponent(failure));
        }
        Ok(())
    }
}

fn illegal<G: Learnable>(text: &str, why: &str) -> Reaction<G> {
    let detail = format!("{text:?} is not legal: {why}");
    Reaction::Fails(Failure::new(Fault::Illegal, detail))
}

/// How often in a row the scores have said that the same side is lost.
#[derive(Default)]
struct Streak {
    loser: Option<Side>,
    turns: u32,
}

impl Streak {
    /// Hears a score; says who is lost, if it has been said often enough.
    fn add(&mut self, mover: Side, score: PackedScore, bound: i16) -> Option<Side> {
        let loser = match score {
            PackedScore(score) if score >= bound => Some(!mover),
            PackedScore(score) if score <= -bound => Some(mover),
            _ => None,
        };
        self.turns = if loser == self.loser { self.turns + 1 } else { 1 };
        self.loser = loser;
        loser.filter(|_| self.turns >= RESIGN_TURNS)
    }
}

/// Plays a random turn: each step is as likely as the others of its position. Nothing is played if no
/// turn was found that is legal.
pub(crate) fn random_turn<G: Learnable>(
    game: &mut G,
    rng: &mut impl Rng,
) -> Option<(TurnSteps<G>, G::Action)> {
    // Repetition hardly ever forbids a turn, but it may.
    for _ in 0..8 {
        let mut position = game.position().clone();
        let mut steps = TurnSteps::<G>::new();
        while position.side() == game.position().side() && position.winner().is_none() {
            let Some(&step) = legal_steps(&position, |_| true).choose(rng) else { break };
            position.play(step);
            steps.try_push(step).ok()?;
        }
        let action = G::turn(&steps);
        if let Some(action) = action.filter(|&action| game.play(action).is_ok()) {
            // As the game writes the turn: without what it leaves out.
            return Some((G::steps(action), action));
        }
    }
    None
}

/// The first steps of a turn by chance: one to three of them, as many as leave something of the turn.
fn first_steps<G: Learnable>(game: &G, rng: &mut impl Rng) -> TurnSteps<G> {
    let side = game.position().side();
    let mut position = game.position().clone();
    let mut steps = TurnSteps::<G>::new();
    for _ in 0..rng.random_range(1..=3) {
        let goes_on = |after: &G::Position| after.side() == side && !after.turn_starts();
        let Some(&step) = legal_steps(&position, goes_on).choose(rng) else { break };
        position.play(step);
        steps.push(step);
    }
    if position.is_idle() { TurnSteps::<G>::new() } else { steps }
}

/// The steps after which the position is as it is wanted.
fn legal_steps<P: Position>(position: &P, is_wanted: impl Fn(&P) -> bool) -> Vec<P::Step> {
    let mut steps = Vec::new();
    let _ = position.for_each_step(|step| {
        let mut after = position.clone();
        after.play(step);
        if is_wanted(&after) {
            steps.push(step);
        }
        ControlFlow::Continue(())
    });
    steps
}
