//! `tusk experiment symmetry`: whether it pays to know a position of Tzaar however the board is turned.

use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::time::Duration;

use game::{History, Key, Score, Side, Steps};
use search::{
    AlphaBeta, DfPn, Evaluator, InitialProofNumbers, Limits, Parameters, ProofNumberHeuristics,
    StepOrdering, Stop, Tactics, Task, TurnStructure,
};
use tzaar::{Position, Step, Symmetry};
use tzaar_ai::{Heuristics, proof_parameters};
use workbench::{GameName, Tzaar, WrongUse};

use crate::Exit;
use crate::shared::input;
use crate::shared::output::standard;
use crate::shared::refusal::refuse;

/// Searches positions of Tzaar with tables that know a position by itself, and with tables that know it however the
/// board is turned or mirrored.
///
/// Few stacks are solved by proof numbers, others are searched by alpha-beta. Beside each position stands by how many of the
/// twelve symmetries its board is like itself.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  tusk experiment symmetry positions/tzaar/endgames.txt")]
pub struct Arguments {
    #[command(flatten)]
    input: input::Input,

    /// The depth of alpha-beta, in moves
    #[arg(long, value_name = "STEPS", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=100))]
    depth: u8,

    /// How many positions a search for a proof may enter
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
}

/// From how many stacks down proofs are looked for.
const FEW_STACKS: usize = 29;

/// What the tables take, in MiB.
const MEBIBYTES: usize = 64;

pub fn run(arguments: &Arguments, game: Option<GameName>) -> anyhow::Result<Exit> {
    let texts = arguments.input.read(game)?;
    if texts.game != GameName::Tzaar {
        let fault = "`tusk experiment symmetry` is for Tzaar: Arimaa has one mirror and no turns";
        return Err(WrongUse(fault.to_string()).into());
    }
    let mut out = BufWriter::new(standard());
    let (mut sums, mut refused) = ([(0, Duration::ZERO); 2], 0);
    for entry in &texts.entries::<Tzaar>() {
        let position = match &entry.content {
            Ok(content) if content.game.outcome().is_none() => *content.game.position(),
            Ok(_) => continue,
            Err(error) => {
                refused += 1;
                refuse(entry, error, arguments.input.json, &mut out)?;
                continue;
            }
        };
        let like_itself =
            |symmetry: &Symmetry| position.board().seen_by(*symmetry) == *position.board();
        let symmetries = Symmetry::all().filter(like_itself).count();
        let plain = arguments.search(&position, &Heuristics::default());
        let turned = arguments.search(&Turned::new(position), &Turned::heuristics());
        for (sum, (nodes, time)) in sums.iter_mut().zip([plain, turned]) {
            *sum = (sum.0 + nodes, sum.1 + time);
        }
        let stacks = position.board().stacks();
        row(
            arguments.input.json,
            &format!("{stacks} stacks, {symmetries} of 12"),
            [plain, turned],
            &mut out,
        )?;
    }
    row(arguments.input.json, "all", sums, &mut out)?;
    out.flush()?;
    Ok(if refused == 0 { Exit::Done } else { Exit::Refused })
}

fn row(
    json: bool,
    name: &str,
    [plain, turned]: [(u64, Duration); 2],
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let seconds = |(_, time): (u64, Duration)| time.as_secs_f64();
    match json {
        true => writeln!(
            out,
            "{}",
            serde_json::json!({
                "position": name,
                "nodes": plain.0,
                "seconds": seconds(plain),
                "turned_nodes": turned.0,
                "turned_seconds": seconds(turned),
            })
        )?,
        false => writeln!(
            out,
            "{name:<22} {:>10} nodes in {:>7.3} s; turned {:>10} nodes in {:>7.3} s",
            plain.0,
            seconds(plain),
            turned.0,
            seconds(turned)
        )?,
    }
    Ok(())
}

impl Arguments {
    /// How many positions a search enters, and how long it takes.
    fn search<P, H>(&self, position: &P, heuristics: &H) -> (u64, Duration)
    where
        P: game::Position<Step = Step> + Stacks + Sync,
        H: ProofNumberHeuristics<P>,
    {
        let (past, stop) = (History::default(), Stop::new());
        if position.stacks() <= FEW_STACKS {
            let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
            let task = Task { position, past: &past, heuristics, limits, stop: &stop };
            let found = DfPn::new(proof_parameters(MEBIBYTES)).solve(&task, |_| ());
            return (found.nodes, found.time);
        }
        let limits = Limits::depth(Steps(self.depth));
        let task = Task { position, past: &past, heuristics, limits, stop: &stop };
        let report = AlphaBeta::new(Parameters::default(), MEBIBYTES).search(&task, |_| ());
        report.map_or((0, Duration::ZERO), |report| (report.nodes, report.time))
    }
}

/// What has stacks.
trait Stacks {
    fn stacks(&self) -> usize;
}

impl Stacks for Position {
    fn stacks(&self) -> usize {
        self.board().stacks()
    }
}

impl Stacks for Turned {
    fn stacks(&self) -> usize {
        self.position.stacks()
    }
}

/// A position that is known however the board is turned.
#[derive(Clone, Copy)]
struct Turned {
    position: Position,
    key: Key,
}

/// What is known of it.
struct TurnedHeuristics(Heuristics);

impl Turned {
    fn new(position: Position) -> Turned {
        Turned { position, key: position.common_key() }
    }

    fn heuristics() -> TurnedHeuristics {
        TurnedHeuristics(Heuristics::default())
    }
}

impl game::Position for Turned {
    type Step = Step;

    fn side(&self) -> Side {
        self.position.side()
    }

    fn turn_starts(&self) -> bool {
        self.position.turn_starts()
    }

    fn for_each_step(&self, visit: impl FnMut(Step) -> ControlFlow<()>) -> ControlFlow<()> {
        self.position.for_each_step(visit)
    }

    fn cost(&self, step: Step) -> Steps {
        self.position.cost(step)
    }

    fn is_idle(&self) -> bool {
        self.position.is_idle()
    }

    fn play(&mut self, step: Step) {
        self.position.play(step);
        self.key = self.position.common_key();
    }

    fn key(&self) -> Key {
        self.key
    }

    fn winner(&self) -> Option<Side> {
        self.position.winner()
    }
}

impl Evaluator<Turned> for TurnedHeuristics {
    type State = ();
    type Cache = ();

    fn state(&self, _: &Turned) {}

    fn evaluate(&self, turned: &Turned, (): &(), (): &mut ()) -> Score {
        self.0.evaluator.evaluate(&turned.position)
    }
}

impl Tactics<Turned> for TurnedHeuristics {
    type Scratch = ();

    fn winning_steps(&self, turned: &Turned) -> Option<Vec<Step>> {
        self.0.winning_steps(&turned.position)
    }

    fn wins(&self, turned: &Turned) -> bool {
        self.0.wins(&turned.position)
    }
}

impl StepOrdering<Turned> for TurnedHeuristics {
    fn ordering_score(&self, turned: &Turned, step: Step) -> i32 {
        self.0.ordering_score(&turned.position, step)
    }

    fn is_quiet(&self, turned: &Turned, step: Step) -> bool {
        self.0.is_quiet(&turned.position, step)
    }
}

impl TurnStructure<Turned> for TurnedHeuristics {
    const WHOLE_TURN: Steps = <Heuristics as TurnStructure<Position>>::WHOLE_TURN;

    fn has_twin(&self, turned: &Turned, step: Step) -> bool {
        self.0.has_twin(&turned.position, step)
    }

    fn null_move(&self, turned: &Turned) -> Option<Turned> {
        self.0.null_move(&turned.position).map(Turned::new)
    }
}

impl InitialProofNumbers<Turned> for TurnedHeuristics {
    fn initial_numbers(&self, turned: &Turned) -> (u32, u32) {
        self.0.initial_numbers(&turned.position)
    }
}
