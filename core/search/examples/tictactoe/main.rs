//! Tic-tac-toe with two marks a turn, as docs/adding-a-game.md tells it: the rules, some heuristics, and what
//! the searches make of them.

pub(crate) mod heuristics;
pub(crate) mod proofs;
pub(crate) mod rules;

use std::process::ExitCode;

use game::{History, Notation as _, Position as _, Side, Steps};
use proof::{Document, Repetition};
use search::{AlphaBeta, DfPn, Limits, Parameters, Pns, ProofInfo, ProofParameters, Stop, Task};

use heuristics::Adept;
use rules::{Grid, Mark};

fn main() -> ExitCode {
    let text = std::env::args().nth(1).unwrap_or(Grid::EMPTY.to_string());
    match text.parse().and_then(|grid| told(&grid)) {
        Ok(told) => {
            print!("{told}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// A good turn, who wins, and the proof, unless it is long.
pub fn told(grid: &Grid) -> Result<String, String> {
    if grid.winner().is_some() {
        return Err(format!("the game is over in {grid}: give a position that is still played"));
    }
    let turn = best_turn(grid).ok_or("nothing was found: search deeper")?;
    let depth_first = solved_depth_first(grid).proof.ok_or("not decided: search longer")?;
    let best_first = solved_best_first(grid).proof.ok_or("not decided: search longer")?;
    let proof = proved(grid, depth_first.winner(grid.side))?;
    let turns = proof.check().map_err(|fault| fault.text(grid))?;
    let mut told = format!("alpha-beta plays {}\n", grid.turn_text(&turn));
    told += &format!("depth first: {depth_first}; best first: {best_first}\n");
    told += &format!("the proof is valid and takes {turns} turns\n");
    let text = proof.text();
    if text.lines().count() <= 20 {
        told += &text;
    }
    Ok(told)
}

/// What alpha-beta plays after looking eight steps ahead.
pub fn best_turn(grid: &Grid) -> Option<Vec<Mark>> {
    let (past, stop) = (History::new(), Stop::new());
    let limits = Limits::depth(Steps(8));
    let task = Task { position: grid, past: &past, heuristics: &Adept, limits, stop: &stop };
    let mut search = AlphaBeta::new(Parameters::default(), 1);
    let info = search.search(&task, |_| ())?;
    Some(info.pv().iter().copied().take(2).collect())
}

/// Little memory is enough for so small a game: so many MiB.
fn parameters() -> ProofParameters {
    ProofParameters { number_table: 8, proof_table: 8, tree: 16, ..ProofParameters::default() }
}

/// Who wins, by a search that keeps nothing but tables.
pub fn solved_depth_first(grid: &Grid) -> ProofInfo<Mark> {
    let (past, stop) = (History::new(), Stop::new());
    let limits = Limits::default();
    let task = Task { position: grid, past: &past, heuristics: &Adept, limits, stop: &stop };
    DfPn::new(parameters()).solve(&task, |_| ())
}

/// Who wins, by a search that keeps the tree.
pub fn solved_best_first(grid: &Grid) -> ProofInfo<Mark> {
    let (past, stop) = (History::new(), Stop::new());
    let limits = Limits::default();
    let task = Task { position: grid, past: &past, heuristics: &Adept, limits, stop: &stop };
    Pns::new(parameters()).solve(&task, |_| ())
}

/// Why a side wins: a strategy that anybody can check with the rules alone.
pub fn proved(grid: &Grid, winner: Side) -> Result<Document<Grid>, String> {
    let mut search = DfPn::new(parameters());
    let mut winning_turn = |grid: &Grid, past: &History| {
        let (limits, stop) = (Limits::default(), Stop::new());
        search.winning_turn(&Task { position: grid, past, heuristics: &Adept, limits, stop: &stop })
    };
    let (past, repetition) = (History::new(), Repetition::Independent);
    let strategy = proof::prove(grid, winner, &past, repetition, &mut winning_turn)
        .map_err(|gap| gap.text(grid))?;
    Document::new(*grid, Vec::new(), winner, repetition, strategy)
        .map_err(|circle| circle.to_string())
}
