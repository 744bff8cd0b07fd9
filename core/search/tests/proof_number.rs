//! Proof-number search on games that are graphs, where ways lead back to where they were, and on
//! tic-tac-toe with two marks a turn; both solved by trying everything.

mod everything;
mod graphs;
#[expect(dead_code, reason = "only its game is played here")]
#[path = "../examples/tictactoe/main.rs"]
mod tictactoe;

use everything::{Everything, positions};
use game::{History, KeyGenerator, Position, Proof, Side, Turns};
use graphs::{At, Exact, Graph, Naive, Rules, To, history};
use search::{
    Limits, ProofInfo, ProofNumberHeuristics, ProofNumberSearch, ProofParameters, Stop, Task,
};
use tictactoe::heuristics::Adept;
use tictactoe::rules::{Grid, Mark};

/// Small tables and a small tree: what they lose is searched again.
fn small() -> ProofParameters {
    ProofParameters { number_table: 1, proof_table: 1, tree: 1, ..ProofParameters::default() }
}

fn winner<Step>(info: &ProofInfo<Step>, side: Side) -> Option<Side> {
    info.proof.map(|proof| match proof {
        Proof::Win(_) => side,
        Proof::Loss(_) => !side,
    })
}

fn solve(solver: &mut ProofNumberSearch<To>, at: &At, counts: &[u8]) -> ProofInfo<To> {
    let (past, stop) = (history(at.graph, counts), Stop::new());
    let limits = Limits { nodes: Some(10_000_000), ..Limits::default() };
    let task = Task { position: at, past: &past, heuristics: &Rules, limits, stop: &stop };
    solver.solve(&task, |_| ())
}

/// Plays the turns that a search gives against every reply, from a position whose mover wins.
fn follow(solver: &mut ProofNumberSearch<To>, exact: &mut Exact, at: At, counts: &mut Vec<u8>) {
    let (past, stop) = (history(at.graph, counts), Stop::new());
    let limits = Limits { nodes: Some(10_000_000), ..Limits::default() };
    let task = Task { position: &at, past: &past, heuristics: &Rules, limits, stop: &stop };
    let turn = solver.winning_turn(&task).expect("a turn that wins");
    let after = turn.iter().fold(at, |at, &step| at.after(step));
    assert!(after.turn_starts());
    if let Some(winner) = after.winner() {
        assert_eq!(winner, at.side());
        return;
    }
    counts[after.place] += 1;
    assert!(counts[after.place] <= 2, "a third time");
    assert_eq!(exact.winner(after, counts), at.side(), "{turn:?} in\n{}", at.graph.text());
    for next in ends_of_turns(after) {
        if next.winner().is_none() && counts[next.place] < 2 {
            counts[next.place] += 1;
            follow(solver, exact, next, counts);
            counts[next.place] -= 1;
        }
    }
    counts[after.place] -= 1;
}

/// The positions after all turns, be they legal or repeating.
fn ends_of_turns(at: At) -> Vec<At> {
    let firsts = at.steps().into_iter().map(|step| at.after(step));
    let ends = firsts.flat_map(|inside| match inside.turn_starts() {
        true => vec![inside],
        false => inside.steps().into_iter().map(|step| inside.after(step)).collect(),
    });
    ends.collect()
}

/// How often the places of a graph have come about: the root once, and now and then others as well.
fn random_past(graph: &Graph, round: i32, keys: &mut KeyGenerator) -> Vec<u8> {
    let often = if round % 3 == 0 { keys.next_key().0 } else { 0 };
    let count = |place: usize| (often >> (2 * place) & 3).min(2) as u8;
    let starts = |place: usize| u8::from(graph.places[place].starts);
    let mut counts: Vec<u8> =
        (0..graph.places.len()).map(|place| count(place) * starts(place)).collect();
    counts[0] = counts[0].max(1);
    counts
}

/// Solves random graphs with different parameters, and follows the wins.
fn solve_graphs(seed: u64, rounds: i32, parameters: impl Fn(i32) -> ProofParameters) {
    let mut keys = KeyGenerator::new(seed);
    let (mut by_repetition, mut wins) = (0, 0);
    for round in 0..rounds {
        let graph = Graph::random(&mut keys);
        let mut exact = Exact::default();
        let mut counts = random_past(&graph, round, &mut keys);
        let mut solver = ProofNumberSearch::new(parameters(round), 1);
        let at = graph.at(0);
        let expected = exact.winner(at, &mut counts);
        let info = solve(&mut solver, &at, &counts);
        assert_eq!(
            winner(&info, at.side()),
            Some(expected),
            "{round}: {counts:?} in\n{}",
            graph.text()
        );
        by_repetition += u32::from(info.by_repetition);
        if expected == at.side() {
            wins += 1;
            follow(&mut solver, &mut exact, at, &mut counts);
        }
    }
    assert!(by_repetition > rounds as u32 / 100, "{by_repetition} depend on repetition");
    assert!(wins > rounds / 6, "{wins} wins");
}

#[test]
fn graphs_with_cycles_are_decided_depth_first() {
    solve_graphs(7, 4000, |round| ProofParameters {
        sum: round % 4,
        estimate: round / 4 % 2,
        replacement: round / 8 % 5,
        epsilon: round % 3 * 50,
        killers: round % 2 * 3,
        ..small()
    });
}

#[test]
fn graphs_with_cycles_are_decided_best_first() {
    solve_graphs(8, 4000, |round| ProofParameters {
        depth_first: 0,
        sum: round % 4,
        estimate: round / 4 % 2,
        replacement: round / 8 % 5,
        ..small()
    });
}

#[test]
fn graphs_with_cycles_are_decided_depth_first_with_a_tree() {
    solve_graphs(11, 4000, |round| ProofParameters {
        keep_tree: 1,
        sum: round % 4,
        estimate: round / 4 % 2,
        epsilon: round % 3 * 50,
        merge: round / 2 % 2,
        ..small()
    });
}

#[test]
fn graphs_with_cycles_are_decided_although_the_tree_is_pruned_all_the_time() {
    solve_graphs(9, 2000, |round| ProofParameters {
        depth_first: round % 2,
        keep_tree: 1,
        gc_high: 12 + round % 20,
        gc_low: 8,
        ..small()
    });
}

#[test]
fn graphs_with_cycles_are_decided_without_a_table() {
    solve_graphs(10, 1000, |round| ProofParameters {
        depth_first: round % 2,
        number_table: round / 2 % 2,
        proof_table: 0,
        ..small()
    });
}

#[test]
fn turns_that_win_by_repetition_count_positions_by_their_repetition_keys() {
    let mut keys = KeyGenerator::new(12);
    let mut by_repetition = 0;
    for round in 0..5000 {
        let graph = Graph::random(&mut keys);
        let mut counts = random_past(&graph, 0, &mut keys);
        let at = graph.at(0);
        let parameters =
            ProofParameters { depth_first: round % 2, proof_table: round / 4 % 2, ..small() };
        let mut solver = ProofNumberSearch::new(parameters, 1);
        // Half of the time, the past does not count the root, which is on the board all the same.
        let mut told = counts.clone();
        if round % 4 < 2 {
            (counts[0], told[0]) = (1, 0);
        }
        let info = solve(&mut solver, &at, &told);
        if !matches!(info.proof, Some(Proof::Win(_))) {
            continue;
        }
        assert!(!info.turn.is_empty(), "{round}: no turn, {told:?} in\n{}", graph.text());
        by_repetition += u32::from(info.by_repetition);
        let after = info.turn.iter().fold(at, |at, &step| at.after(step));
        if after.winner().is_none() {
            counts[after.place] += 1;
            assert!(counts[after.place] <= 2, "a third time in\n{}", graph.text());
        }
        let winner = Exact::default().winner(after, &mut counts);
        assert_eq!(winner, at.side(), "{round}: {:?} in\n{}", info.turn, graph.text());
    }
    assert!(by_repetition > 50, "{by_repetition} depend on repetition");
}

/// Second loses this only since repetition forbids what would save it: a table that has met the
/// position with the way open does not see the proof.
const LOST_PROOF: &str = "
    First: 3
    Second: 0
    First: 3 1
    Second: 2
";

/// First seems to win this, if a table tells that Second is out of turns where it is not.
const WRONG_PROOF: &str = "
    First: 3
    Second: 2
    First: 1
    Second: 2 4
    First: 1
";

#[test]
fn what_fools_a_table_that_ignores_the_path_is_decided_right() {
    for (text, expected) in [(LOST_PROOF, Side::First), (WRONG_PROOF, Side::Second)] {
        let graph = Graph::read(text);
        let mut counts = vec![0; graph.places.len()];
        counts[0] = 1;
        assert_eq!(Exact::default().winner(graph.at(0), &mut counts), expected);
        assert_eq!(Naive::default().winner(graph.at(0), &mut counts), !expected, "no trap\n{text}");
        for depth_first in [0, 1] {
            let mut solver = ProofNumberSearch::new(ProofParameters { depth_first, ..small() }, 1);
            // Asked again, the tables answer.
            for _ in 0..3 {
                let info = solve(&mut solver, &graph.at(0), &counts);
                assert_eq!(winner(&info, Side::First), Some(expected), "{text}");
            }
        }
    }
}

#[test]
fn a_table_serves_one_past_after_the_other() {
    let mut keys = KeyGenerator::new(11);
    for round in 0..500 {
        let graph = Graph::random(&mut keys);
        let mut searches = [0, 1].map(|depth_first| {
            ProofNumberSearch::new(ProofParameters { depth_first, ..small() }, 1)
        });
        for _ in 0..6 {
            let mut counts = random_past(&graph, 0, &mut keys);
            let expected = Exact::default().winner(graph.at(0), &mut counts);
            for solver in &mut searches {
                let info = solve(solver, &graph.at(0), &counts);
                let winner = winner(&info, Side::First);
                assert_eq!(winner, Some(expected), "{round}: {counts:?} in\n{}", graph.text());
            }
        }
    }
}

fn solve_grid<K: ProofNumberHeuristics<Grid>>(
    solver: &mut ProofNumberSearch<Mark>,
    heuristics: &K,
    grid: &Grid,
    nodes: u64,
) -> ProofInfo<Mark> {
    let (past, stop) = (History::new(), Stop::new());
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let task = Task { position: grid, past: &past, heuristics, limits, stop: &stop };
    solver.solve(&task, |_| ())
}

/// Whether a proof is right, and no shorter than can be.
fn assert_right(info: &ProofInfo<Mark>, grid: &Grid, everything: &mut Everything) {
    match (info.proof, everything.result(grid)) {
        (Some(Proof::Win(turns)), Proof::Win(least)) => {
            assert!(turns >= least, "{turns} for {least}");
            let after = info.turn.iter().fold(*grid, |grid, &step| grid.after(step));
            assert!(!info.turn.is_empty() && after.turn_starts());
            let wins = matches!(everything.result(&after), Proof::Loss(_));
            assert!(wins, "{:?} in {grid:?}", info.turn);
        }
        (Some(Proof::Loss(turns)), Proof::Loss(most)) => assert!(turns >= most, "{turns}, {most}"),
        (found, expected) => panic!("{found:?} for {expected:?} in {grid:?}"),
    }
}

#[test]
fn every_switch_leaves_the_results_of_marks_as_they_are() {
    let mut everything = Everything::default();
    let positions = positions(5, 3, 1);
    for depth_first in [0, 1] {
        let switches = ProofParameters::DECLARED.iter();
        // Without garbage collection, a search may end before it has a result.
        let others = ["number_table", "proof_table", "tree", "depth_first", "gc"];
        for declared in switches.filter(|declared| !others.contains(&declared.name)) {
            let (least, most) = declared.range().expect("a number");
            for value in [least, most.min(3)] {
                let mut parameters = ProofParameters { depth_first, ..small() };
                let set = parameters.set(declared.name, &value.max(least).to_string());
                // A number of something may be larger than 3.
                if set.is_err() {
                    continue;
                }
                for grid in &positions {
                    let mut solver = ProofNumberSearch::new(parameters, 1);
                    let info = solve_grid(&mut solver, &Adept, grid, 5_000_000);
                    assert_right(&info, grid, &mut everything);
                    let info = solve_grid(
                        &mut ProofNumberSearch::new(parameters, 1),
                        &Rules,
                        grid,
                        5_000_000,
                    );
                    assert_right(&info, grid, &mut everything);
                }
            }
        }
    }
}

#[test]
fn games_of_marks_are_solved_from_their_second_turn_on() {
    let mut everything = Everything::default();
    for (round, grid) in positions(6, 1, 6).iter().enumerate() {
        let parameters = ProofParameters { depth_first: round as i32 % 2, tree: 16, ..small() };
        let info = solve_grid(&mut ProofNumberSearch::new(parameters, 1), &Rules, grid, 50_000_000);
        assert_right(&info, grid, &mut everything);
    }
}

#[test]
fn positions_inside_a_turn_are_decided_too() {
    let mut everything = Everything::default();
    let mut wins = 0;
    for (round, grid) in positions(60, 3, 9).into_iter().enumerate() {
        let steps = grid.steps();
        let inside = grid.after(steps[round % steps.len()]);
        let after = |step| everything.result(&inside.after(step));
        let expected =
            inside.steps().into_iter().map(after).any(|result| matches!(result, Proof::Loss(_)));
        for depth_first in [0, 1] {
            let mut solver = ProofNumberSearch::new(ProofParameters { depth_first, ..small() }, 1);
            let info = solve_grid(&mut solver, &Rules, &inside, 5_000_000);
            assert_eq!(matches!(info.proof, Some(Proof::Win(_))), expected, "{inside:?}");
            assert_eq!(info.turn.len(), usize::from(expected));
            wins += u32::from(expected);
        }
    }
    assert!(wins > 10, "{wins}");
}

#[test]
fn who_follows_the_answers_comes_nearer_to_the_end_each_time() {
    fn follow(solver: &mut ProofNumberSearch<Mark>, grid: &Grid, most: u16) {
        let info = solve_grid(solver, &Rules, grid, 5_000_000);
        let Some(Proof::Win(Turns(turns))) = info.proof else {
            panic!("{:?} in {grid:?}", info.proof);
        };
        assert!(turns <= most, "{turns} turns instead of {most} in {grid:?}");
        let (past, stop, limits) = (History::new(), Stop::new(), Limits::default());
        let task = Task { position: grid, past: &past, heuristics: &Rules, limits, stop: &stop };
        let turn = solver.winning_turn(&task).expect("a turn that wins");
        let after = turn.iter().fold(*grid, |grid, &step| grid.after(step));
        if after.winner().is_none() {
            for (_, next) in after.turns() {
                if next.winner().is_none() {
                    follow(solver, &next, turns - 1);
                }
            }
        }
    }
    let mut won = 0;
    for depth_first in [0, 1] {
        for grid in positions(12, 3, 2) {
            let mut solver = ProofNumberSearch::new(ProofParameters { depth_first, ..small() }, 1);
            let info = solve_grid(&mut solver, &Rules, &grid, 5_000_000);
            if let Some(Proof::Win(Turns(turns))) = info.proof {
                follow(&mut solver, &grid, turns);
                won += 1;
            }
        }
    }
    assert!(won > 5, "{won}");
}

#[test]
fn the_same_search_enters_the_same_nodes() {
    for depth_first in [0, 1] {
        let info = || {
            let mut solver = ProofNumberSearch::new(ProofParameters { depth_first, ..small() }, 1);
            let found = solve_grid(&mut solver, &Adept, &Grid::EMPTY, 20_000);
            (found.nodes, found.proof_number, found.disproof_number, found.proof, found.turn)
        };
        let first = info();
        assert!(first.0 >= 20_000, "{}", first.0);
        assert_eq!(first, info());
    }
}

#[test]
fn several_threads_come_to_the_same_results() {
    let mut everything = Everything::default();
    for grid in positions(40, 2, 3) {
        let mut solver = ProofNumberSearch::new(small(), 3);
        let info = solve_grid(&mut solver, &Adept, &grid, 50_000_000);
        assert_right(&info, &grid, &mut everything);
    }
    let mut keys = KeyGenerator::new(12);
    for _ in 0..300 {
        let graph = Graph::random(&mut keys);
        let mut counts = vec![0; graph.places.len()];
        counts[0] = 1;
        let expected = Exact::default().winner(graph.at(0), &mut counts);
        let info = solve(&mut ProofNumberSearch::new(small(), 3), &graph.at(0), &counts);
        assert_eq!(winner(&info, Side::First), Some(expected), "{}", graph.text());
    }
}

#[test]
fn memory_is_what_was_asked_for_and_the_tree_stays_between_its_marks() {
    let parameters =
        ProofParameters { depth_first: 0, number_table: 2, proof_table: 3, tree: 4, ..small() };
    let mut solver = ProofNumberSearch::new(parameters, 1);
    assert!(solver.bytes() <= 9 << 20, "{}", solver.bytes());
    let bytes = solver.bytes();
    let info = solve_grid(&mut solver, &Rules, &Grid::EMPTY, 400_000);
    assert!(info.vertices > 1000);
    assert_eq!(solver.bytes(), bytes, "nothing has grown");
    let mut most = 0;
    for round in 1..200 {
        let parameters = ProofParameters { gc_high: 500, gc_low: 300, ..parameters };
        let mut solver = ProofNumberSearch::new(parameters, 1);
        let info = solve_grid(&mut solver, &Rules, &Grid::EMPTY, 300 * round);
        // What is expanded last may lead beyond.
        assert!(info.vertices < 500 + 20, "{}", info.vertices);
        most = most.max(info.vertices);
    }
    assert!(most > 400, "{most}");
}

#[test]
fn a_search_without_garbage_collection_ends_where_its_tree_is_full() {
    for depth_first in [0, 1] {
        let collects = |gc| {
            let parameters = ProofParameters { depth_first, keep_tree: 1, gc, ..small() };
            let mut solver = ProofNumberSearch::new(parameters, 1);
            solve_grid(&mut solver, &Rules, &Grid::EMPTY, 200_000)
        };
        let (with, without) = (collects(1), collects(0));
        assert!(with.nodes >= 200_000 || with.proof.is_some());
        assert!(without.proof.is_none() && without.nodes < 100_000, "{}", without.nodes);
        assert!(without.vertices > 5000, "{}", without.vertices);
    }
}

#[test]
fn what_was_saved_goes_on_to_the_same_verdict() {
    let mut everything = Everything::default();
    let grid = positions(1, 1, 4)[0];
    for depth_first in [0, 1] {
        let parameters = ProofParameters { depth_first, tree: 16, ..small() };
        let mut begun = ProofNumberSearch::new(parameters, 1);
        let half = solve_grid(&mut begun, &Rules, &grid, 5_000);
        assert_eq!(half.proof, None);
        let mut bytes = Vec::new();
        begun.save(&mut bytes).expect("memory");
        let whole = solve_grid(&mut begun, &Rules, &grid, 50_000_000);
        assert_right(&whole, &grid, &mut everything);
        // With the same parameters the search is the same, but for what killers have learned.
        let mut same = ProofNumberSearch::new(parameters, 1);
        same.load(&mut bytes.as_slice()).expect("what was saved");
        if depth_first == 0 {
            let at_once = solve_grid(&mut same, &Rules, &grid, 0);
            assert_eq!(at_once.proof_number, half.proof_number);
        }
        let on = solve_grid(&mut same, &Rules, &grid, 50_000_000);
        assert_right(&on, &grid, &mut everything);
        // With others, it is another one that knows as much.
        let other =
            ProofParameters { tree: 8, number_table: 2, replacement: 4, sum: 0, ..parameters };
        let mut other = ProofNumberSearch::new(other, 1);
        other.load(&mut bytes.as_slice()).expect("what was saved");
        let on = solve_grid(&mut other, &Adept, &grid, 50_000_000);
        assert_right(&on, &grid, &mut everything);
        // What is solved stays solved.
        let mut bytes = Vec::new();
        begun.save(&mut bytes).expect("memory");
        let mut solved = ProofNumberSearch::new(parameters, 1);
        solved.load(&mut bytes.as_slice()).expect("what was saved");
        let again = solve_grid(&mut solved, &Rules, &grid, 50_000_000);
        assert!(again.nodes < whole.nodes / 10, "{} after {}", again.nodes, whole.nodes);
    }
}

#[test]
fn a_loaded_tree_fits_its_own_root_and_the_memory_that_holds_it() {
    let grid = positions(1, 1, 4)[0];
    let parameters = ProofParameters { depth_first: 0, tree: 16, ..small() };
    let mut begun = ProofNumberSearch::new(parameters, 1);
    solve_grid(&mut begun, &Rules, &grid, 100_000);
    assert!(begun.fits(&grid) && !begun.fits(&Grid::EMPTY));
    let mut bytes = Vec::new();
    begun.save(&mut bytes).expect("memory");
    let none = ProofParameters { tree: 0, ..parameters };
    let fault = ProofNumberSearch::<Mark>::new(none, 1).load(&mut bytes.as_slice());
    assert!(fault.is_err_and(|fault| fault.to_string().contains("more memory")));
}

#[test]
fn a_search_whose_tree_has_no_room_says_so() {
    let parameters = ProofParameters { depth_first: 0, tree: 0, ..small() };
    let info = solve_grid(&mut ProofNumberSearch::new(parameters, 1), &Rules, &Grid::EMPTY, 10_000);
    assert!(info.proof.is_none() && info.tree_is_full);
    let enough = ProofParameters { tree: 1, ..parameters };
    let info = solve_grid(&mut ProofNumberSearch::new(enough, 1), &Rules, &Grid::EMPTY, 2_000);
    assert!(info.proof.is_none() && !info.tree_is_full);
}

#[test]
fn damaged_states_are_refused_and_leave_nothing() {
    for depth_first in [0, 1] {
        let parameters = ProofParameters { depth_first, ..small() };
        let mut solver = ProofNumberSearch::new(parameters, 1);
        solve_grid(&mut solver, &Rules, &Grid::EMPTY, 2000);
        let mut bytes = Vec::new();
        solver.save(&mut bytes).expect("memory");
        let mut keys = KeyGenerator::new(5);
        let mut random = |most: usize| (keys.next_key().0 >> 20) as usize % most;
        let mut empty = Vec::new();
        ProofNumberSearch::<Mark>::new(parameters, 1).save(&mut empty).expect("memory");
        let mut refused = 0;
        for round in 0..600 {
            let mut damaged = bytes.clone();
            match round % 3 {
                0 => damaged.truncate(random(bytes.len())),
                1 => damaged[random(bytes.len())] ^= 1 << random(8),
                _ => {
                    // Counts are the most dangerous: as large as can be.
                    let at = random(bytes.len() - 8);
                    damaged[at..at + 8].fill(0xFF);
                }
            }
            let mut solver = ProofNumberSearch::<Mark>::new(parameters, 1);
            if solver.load(&mut damaged.as_slice()).is_err() {
                refused += 1;
                let mut left = Vec::new();
                solver.save(&mut left).expect("memory");
                assert_eq!(left, empty);
            }
        }
        assert!(refused > 300, "{refused}");
    }
}

#[test]
fn a_search_that_is_stopped_ends_without_a_proof_and_can_go_on() {
    let grid = positions(1, 1, 4)[0];
    for depth_first in [0, 1] {
        let mut solver =
            ProofNumberSearch::new(ProofParameters { depth_first, tree: 16, ..small() }, 2);
        let (past, stop, limits) = (History::new(), Stop::new(), Limits::default());
        let task = Task { position: &grid, past: &past, heuristics: &Rules, limits, stop: &stop };
        stop.request();
        let info = solver.solve(&task, |_| ());
        assert!(info.proof.is_none() && info.turn.is_empty());
        assert!(info.proof_number > 0 && info.disproof_number > 0);
        let go_on = Stop::new();
        let info = solver.solve(&Task { stop: &go_on, ..task }, |_| ());
        assert_right(&info, &grid, &mut Everything::default());
    }
}
