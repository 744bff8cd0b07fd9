//! Fixed work for `tusk bench`: a signature that is the same on every machine, and the speed of each part.
//!
//! A crate of its own, since it is compiled with full optimisation, and the binary is not.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use anyhow::Context;
use arimaa::{Position, Side, TurnGenerator, WHOLE_TURN};
use arimaa_ai::network_evaluation::NETWORKS;
use arimaa_ai::{NetworkEvaluation, ThreatGenerator, TurnMobility};
use engine::{Engine, Limits, Stop};
use game::{Game as _, PackedStep as _, Position as _, notations};
use hrebejk_2013::FunctionModel;
use kozelek_2009::{AkimotKnowledge, AkimotPlayouts};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use search::{Evaluator, PlayoutRequest, Playouts, StepHistory};
use workbench::{Arimaa, Catalogues, EngineRequest, GameName, Playing, Tzaar};

/// Positions of random games, one a line.
const POSITIONS: &str = include_str!("../../../positions/bench.txt");

/// Enough work that a second of it is measured on a slow machine.
const ROUNDS: usize = 20;

/// A part of the work.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// The name of the units it counts, in the plural.
    pub unit: &'static str,
    /// The number of units.
    pub nodes: u64,
    /// The time that they took.
    pub time: Duration,
    /// A hash of the results.
    pub signature: u64,
    /// Whether it is part of the signature and the sums. A part with made-up weights is not: it has only a speed.
    pub is_counted: bool,
}

/// The positions of the bench.
pub fn positions() -> anyhow::Result<Vec<Position>> {
    let lines = POSITIONS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.parse().with_context(|| format!("positions/bench.txt: {line}"))).collect()
}

/// The parts of the work: those of one game, or of both. The signature depends on their order.
pub fn parts(game: Option<GameName>, catalogues: &Catalogues) -> anyhow::Result<Vec<Part>> {
    let wants = |name: GameName| game.is_none_or(|game| game == name);
    let (positions, tzaar) = (positions()?, tzaar_positions());
    let many = many_positions(&positions);
    let arimaa_games = || positions.iter().map(|&position| arimaa::Game::from_position(position));
    // One position in 997: all stages of a game are among them.
    let tzaar_games = || tzaar.iter().step_by(997).map(|&position| tzaar::Game::new(position));
    let mut parts = Vec::new();
    if wants(GameName::Arimaa) {
        parts.extend([turns(&positions), steps(&positions), wins(&many)]);
        parts.extend([captures(&many), verdicts(&many), evaluations(&many)]);
        parts.extend([akimot_evaluations(&many), playouts(&positions)]);
    }
    if wants(GameName::Tzaar) {
        parts.push(tzaar_evaluations(&tzaar));
    }
    if wants(GameName::Arimaa) {
        parts.push(search::<Arimaa>(catalogues, "search", "tusk", arimaa_games())?);
        parts.push(search::<Arimaa>(catalogues, "search, zhong", "zhong", arimaa_games())?);
    }
    if wants(GameName::Tzaar) {
        parts.push(search::<Tzaar>(catalogues, "Tzaar search", "tusk", tzaar_games())?);
        parts.push(search::<Tzaar>(catalogues, "Tzaar, waltz", "waltz", tzaar_games())?);
    }
    if wants(GameName::Arimaa) {
        parts.push(networks(&positions));
        parts
            .extend([mobility(&many), drake(&many)].map(|part| Part { is_counted: false, ..part }));
    }
    Ok(parts)
}

/// The signature of the parts that count: the same on every machine, and changed by every change of play.
pub fn signature(parts: &[Part]) -> u64 {
    let counted = parts.iter().filter(|part| part.is_counted);
    counted.fold(0, |sum, part| sum.rotate_left(1) ^ part.signature)
}

/// The distinct turns of each position. The signature sums the keys of the boards after them: it depends on the boards,
/// not on their order.
fn turns(positions: &[Position]) -> Part {
    let mut generator = TurnGenerator::new();
    measure("distinct turns", "turns", positions, ROUNDS, |position| {
        let turns = generator.distinct(position.board(), position.side());
        let sum = turns.iter().fold(0u64, |sum, reached| sum.wrapping_add(reached.key.0));
        (turns.len() as u64, sum)
    })
}

/// The steps of each position, and those after each of them, played one by one.
fn steps(positions: &[Position]) -> Part {
    measure("steps", "steps", positions, ROUNDS, |position| {
        let (mut nodes, mut sum) = (0, 0u64);
        let mut visit = |position: &Position| {
            nodes += 1;
            sum = sum.wrapping_add(position.key().0);
        };
        let _ = position.for_each_step(|step| {
            let mut after = *position;
            after.play_unchecked(step);
            visit(&after);
            let _ = after.for_each_step(|step| {
                let mut then = after;
                then.play_unchecked(step);
                visit(&then);
                ControlFlow::Continue(())
            });
            ControlFlow::Continue(())
        });
        (nodes, sum)
    })
}

/// Many different positions: what some of the turns of each lead to. A detector that meets the same
/// ones again and again looks faster than it is, since the processor learns them by heart.
pub fn many_positions(positions: &[Position]) -> Vec<Position> {
    const EVERY: usize = 17;
    let mut generator = TurnGenerator::new();
    let mut many = Vec::new();
    for position in positions {
        let turns = generator.distinct(position.board(), position.side());
        many.extend(turns.iter().step_by(EVERY).map(|reached| {
            let mut after = *position;
            after.play_turn_unchecked(reached.turn);
            after
        }));
    }
    many
}

/// What both sides could win within a turn. The signature sums the steps.
fn wins(positions: &[Position]) -> Part {
    measure("wins", "positions", positions, 1, |position| {
        let win = |side| arimaa_ai::win(position.board(), side, WHOLE_TURN);
        let steps =
            Side::ALL.map(|side| win(side).map_or(0, |win| u64::from(win.steps.0) << 8 | 1));
        (1, steps[0] << 32 | steps[1])
    })
}

/// What both sides could capture within a turn. The signature sums the steps.
fn captures(positions: &[Position]) -> Part {
    measure("captures", "positions", positions, 1, |position| {
        let captures = |side| arimaa_ai::captures(position.board(), side, WHOLE_TURN);
        let steps = |side| captures(side).iter().map(|capture| u64::from(capture.steps.0)).sum();
        (1, Side::ALL.into_iter().map(steps).fold(0, |sum: u64, steps: u64| (sum << 32) + steps))
    })
}

/// Whether the side to move has a defence, where the other threatens to win.
fn verdicts(positions: &[Position]) -> Part {
    let threatened = |position: &&Position| {
        arimaa_ai::win(position.board(), !position.side(), WHOLE_TURN).is_some()
    };
    let threatened: Vec<Position> = positions.iter().filter(threatened).copied().collect();
    let mut generator = ThreatGenerator::new();
    measure("defended or not", "positions", &threatened, 1, |position| {
        (1, generator.has_defence(position.board(), position.side()).into())
    })
}

/// What Tusk's evaluation says of positions. The signature sums the scores.
fn evaluations(positions: &[Position]) -> Part {
    let evaluation = arimaa_ai::Evaluation::default();
    measure("evaluation", "positions", positions, EVALUATION_ROUNDS, |position| {
        (1, i64::from(evaluation.evaluate(position).0) as u64)
    })
}

/// What Akimot's evaluation says of positions. The signature sums the scores.
fn akimot_evaluations(positions: &[Position]) -> Part {
    let knowledge = AkimotKnowledge::default();
    measure("Akimot evaluation", "positions", positions, EVALUATION_ROUNDS, |position| {
        (1, i64::from(knowledge.evaluate(position, &(), &mut ()).0) as u64)
    })
}

/// Playouts like Akimot's. The signature sums the steps that they play.
fn playouts(positions: &[Position]) -> Part {
    const PLAYOUTS: usize = 5_000;
    let (playouts, history) = (AkimotPlayouts::default(), StepHistory::default());
    let mut random = fastrand::Rng::with_seed(0);
    measure("playouts", "playouts", positions, PLAYOUTS, |position| {
        let request = PlayoutRequest { position, previous: None, history: &history };
        let mut sum = 0;
        playouts.playout(request, &mut random, &mut Default::default(), |_, step| {
            sum += u64::from(step.pack());
        });
        (1, sum)
    })
}

/// What each piece of both sides can do and suffer within a turn. The signature counts squares.
fn mobility(positions: &[Position]) -> Part {
    measure("mobility", "positions", positions, 1, |position| {
        let mobility = TurnMobility::new(position.board());
        let occupied = position.board().occupied().into_iter();
        let squares = |square| {
            mobility.reach(square, WHOLE_TURN).len() + mobility.displaced(square, WHOLE_TURN).len()
        };
        let sum: usize = occupied.map(squares).sum();
        (1, (sum + mobility.captured(WHOLE_TURN).len()) as u64)
    })
}

/// The three layers of bot_drake's evaluation, with polynomials of degree 3. Their weights are made up: what they are makes
/// no difference to the speed.
fn drake(positions: &[Position]) -> Part {
    let model = FunctionModel::polynomials(3, || 1.0);
    measure("drake", "positions", positions, 1, |position| {
        (1, model.evaluate(position).round() as i64 as u64)
    })
}

/// What a net adds to the evaluation, while steps are played one after the other: both the upkeep of its state
/// and its output. The signature sums the scores.
fn networks(positions: &[Position]) -> Part {
    const STEPS: usize = 200;
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let network = NETWORKS.embedded();
    let evaluation = NetworkEvaluation::new(arimaa_ai::Evaluation::default(), network);
    let games: Vec<(Position, Vec<arimaa::Step>)> = positions
        .iter()
        .map(|start| {
            let (mut position, mut played) = (*start, Vec::new());
            while played.len() < STEPS && position.outcome().is_none() {
                let steps = position.steps();
                let step = steps[rng.random_range(0..steps.len())];
                position.play_unchecked(step);
                played.push(step);
            }
            (*start, played)
        })
        .collect();
    measure("network", "positions", &games, ROUNDS, |(start, steps)| {
        let (mut position, mut state) = (*start, evaluation.state(start));
        let mut sum = 0u64;
        for &step in steps {
            evaluation.play(&mut position, &mut state, step);
            sum = sum.wrapping_add_signed(evaluation.output(&position, &state).into());
        }
        (steps.len() as u64, sum)
    })
}

/// The positions of random games of Tzaar, at the starts of turns and inside.
fn tzaar_positions() -> Vec<tzaar::Position> {
    const GAMES: usize = 500;
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut positions = Vec::new();
    for _ in 0..GAMES {
        let mut position = tzaar::Position::random_start(&mut rng);
        while position.outcome().is_none() {
            positions.push(position);
            let steps = position.steps();
            position.play(steps[rng.random_range(0..steps.len())]);
        }
    }
    positions
}

/// The same for Tzaar.
fn tzaar_evaluations(positions: &[tzaar::Position]) -> Part {
    let evaluation = tzaar_ai::Evaluation::default();
    measure("Tzaar evaluation", "positions", positions, EVALUATION_ROUNDS, |position| {
        (1, i64::from(evaluation.evaluate(position).0) as u64)
    })
}

/// Searches of an engine, with 20,000 nodes a position. The signature hashes turns, verdicts and nodes: a change of play
/// changes it.
fn search<S: Playing>(
    catalogues: &Catalogues,
    part: &'static str,
    engine: &str,
    games: impl Iterator<Item = S::Game>,
) -> anyhow::Result<Part> {
    const NODES: u64 = 20_000;
    // Enough for 20,000 nodes. With a larger table, the system spends much of the time on clearing its pages for each game.
    let request = EngineRequest { memory: Some(16), ..EngineRequest::new(engine) };
    let mut engine = request.resolve::<S>(catalogues.get::<S>())?.build()?;
    let games: Vec<S::Game> = games.filter(|game| game.position().turn_starts()).collect();
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    Ok(measure(part, "nodes", &games, 1, |game| {
        engine.new_game();
        let info = engine.analyse(game, &limits, &Stop::new(), &mut |_| ());
        let Some(info) = info else { return (0, 0) };
        let turns = notations(game, info.pv()).join(" ");
        let told = format!("{turns} {:?} {}", info.verdict(), info.nodes);
        (
            info.nodes,
            told.bytes().fold(0, |hash: u64, byte| hash.wrapping_mul(FNV) ^ u64::from(byte)),
        )
    }))
}

/// The multiplier of the hash FNV-1.
const FNV: u64 = 0x100_0000_01b3;

/// An evaluation is so fast that one round is soon over.
const EVALUATION_ROUNDS: usize = 5;

fn measure<P>(
    name: &'static str,
    unit: &'static str,
    positions: &[P],
    rounds: usize,
    mut work: impl FnMut(&P) -> (u64, u64),
) -> Part {
    let begin = Instant::now();
    let (mut nodes, mut signature) = (0, 0u64);
    for position in (0..rounds).flat_map(|_| positions) {
        let (more, sum) = work(position);
        nodes += more;
        signature = signature.wrapping_add(sum);
    }
    Part { name, unit, nodes, time: begin.elapsed(), signature, is_counted: true }
}
