//! Proof-number search on games that are graphs, where ways lead back to where they were, and on a game
//! of two marks a turn; both solved by trying everything.

mod graphs;

use game::{KeyGenerator, Position, Proof, Side};
use graphs::{At, Exact, Graph, Rules, To, history};
use search::{DfPn, Findings, Limits, ProofParameters, Stop, Task};

/// Small tables: what they lose is searched again.
fn small() -> ProofParameters {
    ProofParameters { number_table: 1, proof_table: 1, tree: 1, ..ProofParameters::default() }
}

fn winner(findings: &Findings<To>, side: Side) -> Option<Side> {
    findings.proof.map(|proof| match proof {
        Proof::Win(_) => side,
        Proof::Loss(_) => !side,
    })
}

fn solve(dfpn: &mut DfPn<To>, at: &At, counts: &[u8]) -> Findings<To> {
    let (past, stop) = (history(at.graph, counts), Stop::new());
    let limits = Limits { nodes: Some(10_000_000), ..Limits::default() };
    let task = Task { position: at, past: &past, knowledge: &Rules, limits, stop: &stop };
    dfpn.solve(&task, |_| ())
}

/// Plays against every reply, from a position whose mover wins; tells how many turns it took at most.
fn follow(dfpn: &mut DfPn<To>, exact: &mut Exact, at: At, counts: &mut Vec<u8>) {
    let side = at.side();
    let turn = solve(dfpn, &at, counts).turn;
    assert!(!turn.is_empty(), "no turn at {} with {counts:?} in {:?}", at.place, at.graph);
    let after = turn.iter().fold(at, |at, &step| at.after(step));
    assert!(after.turn_starts());
    if let Some(winner) = after.winner() {
        assert_eq!(winner, side);
        return;
    }
    counts[after.place] += 1;
    assert!(counts[after.place] <= 2, "a third time");
    assert_eq!(exact.winner(after, counts), side, "{turn:?} in {:?}", at.graph);
    for reply in replies(after) {
        let next = reply.iter().fold(after, |at, &step| at.after(step));
        if next.winner().is_none() && counts[next.place] < 2 {
            counts[next.place] += 1;
            follow(dfpn, exact, next, counts);
            counts[next.place] -= 1;
        }
    }
    counts[after.place] -= 1;
}

/// All turns, legal or repeating.
fn replies(at: At) -> Vec<Vec<To>> {
    let mut turns = Vec::new();
    for first in at.steps() {
        let inside = at.after(first);
        if inside.turn_starts() {
            turns.push(vec![first]);
        } else {
            turns.extend(inside.steps().into_iter().map(|second| vec![first, second]));
        }
    }
    turns
}

#[test]
fn graphs_with_cycles_are_decided_as_by_trying_everything() {
    let mut keys = KeyGenerator::new(7);
    let (mut by_repetition, mut wins) = (0, 0);
    for round in 0..3000 {
        let graph = Graph::random(&mut keys);
        let mut exact = Exact::new(&graph);
        let mut parameters = small();
        parameters.sum = round % 4;
        parameters.estimate = round / 4 % 2;
        parameters.replacement = round / 8 % 5;
        let mut dfpn = DfPn::new(parameters);
        let mut counts = vec![0; graph.places.len()];
        // A past that forbids something, now and then.
        if round % 3 == 0 {
            let often = keys.next_key().0;
            counts.iter_mut().enumerate().for_each(|(place, count)| {
                *count =
                    (often >> (2 * place) & 3).min(2) as u8 * u8::from(graph.places[place].starts);
            });
        }
        counts[0] = counts[0].max(1);
        let at = graph.at(0);
        let expected = exact.winner(at, &mut counts);
        let findings = solve(&mut dfpn, &at, &counts);
        assert_eq!(winner(&findings, at.side()), Some(expected), "{round}: {graph:?} {counts:?}");
        by_repetition += u32::from(findings.by_repetition);
        if expected == at.side() {
            wins += 1;
            follow(&mut dfpn, &mut exact, at, &mut counts);
        }
    }
    assert!(by_repetition > 20 && wins > 500, "{by_repetition} by repetition, {wins} wins");
}
