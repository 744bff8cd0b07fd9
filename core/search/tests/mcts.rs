//! Monte-Carlo tree search on a small game whose every position can be solved by trying everything.

mod heaps;

use std::time::Duration;

use game::{History, Position as _, Proof, Steps};
use heaps::{Heaps, Ignorance, Take, all_heaps, solve};
use search::{
    Info, Limits, Mcts, MctsParameters, PlayoutRequest, Playouts, StepKnowledge, StepPlayout, Stop,
    Task, TreeParallel, TurnStructure, Verdict, play_steps,
};

impl TurnStructure<Heaps> for Ignorance {
    const WHOLE_TURN: Steps = Steps(2);
}

impl StepKnowledge<Heaps> for Ignorance {
    fn step_knowledge(&self, _: &Heaps, step: Take, _: Option<Take>) -> f32 {
        if step == Take::Nothing { -0.5 } else { 0.0 }
    }
}

impl Playouts<Heaps> for Ignorance {
    type Scratch = Vec<Take>;

    fn playout(
        &self,
        request: PlayoutRequest<Heaps>,
        random: &mut fastrand::Rng,
        steps: &mut Vec<Take>,
        played: impl FnMut(&Heaps, Take),
    ) -> f32 {
        let to_the_end = StepPlayout { least_turns: 100, most_turns: 100, best_of: 2 };
        play_steps(to_the_end, request, random, steps, self, played, |_| 0.0)
    }
}

fn search(mcts: &mut Mcts, heaps: &Heaps, nodes: u64, seed: u64) -> Info<Take> {
    search_within(mcts, heaps, Limits { nodes: Some(nodes), ..Limits::default() }, seed)
}

fn search_within(mcts: &mut Mcts, heaps: &Heaps, limits: Limits, seed: u64) -> Info<Take> {
    let (past, stop) = (History::new(), Stop::new());
    let task = Task { position: heaps, past: &past, heuristics: &Ignorance, limits, stop: &stop };
    mcts.search(&task, seed, |_| ()).expect("a report")
}

/// Settings that each switch something on.
fn settings() -> Vec<(String, MctsParameters)> {
    let mut all = vec![("defaults".to_string(), MctsParameters::default())];
    for declared in MctsParameters::DECLARED {
        let (least, most) = declared.range().expect("a number");
        for value in [least, most.min(3), most] {
            let mut parameters = MctsParameters::default();
            parameters.set(declared.name, &value.to_string()).expect("within its range");
            all.push((format!("{} = {value}", declared.name), parameters));
        }
    }
    all
}

#[test]
fn what_is_proved_is_what_trying_everything_finds() {
    let mut proved = 0;
    for heaps in all_heaps(7) {
        let mut mcts = Mcts::new(MctsParameters::default(), 8, 1);
        let info = search(&mut mcts, &heaps, 30_000, 1);
        let Some(Verdict::Proof(proof)) = info.verdict() else { continue };
        proved += 1;
        let expected = solve(&heaps);
        assert_eq!(
            matches!(proof, Proof::Win(_)),
            matches!(expected, Proof::Win(_)),
            "{:?}",
            heaps.stones
        );
        if let Proof::Win(_) = proof {
            // The turn that is played wins.
            let after = info.pv()[..2].iter().fold(heaps, |heaps, &step| heaps.after(step));
            assert!(matches!(solve(&after), Proof::Loss(_)), "{:?}", heaps.stones);
        }
    }
    assert!(proved > 25, "{proved}");
}

#[test]
fn no_setting_proves_what_is_wrong_or_plays_what_is_not_legal() {
    let (mut proved, mut all) = (0, 0);
    for (name, parameters) in settings() {
        for heaps in all_heaps(4) {
            let mut mcts = Mcts::new(parameters, 8, 1);
            let info = search(&mut mcts, &heaps, 2_000, 2);
            all += 1;
            assert!(heaps.after_turn(&info.pv()[..2]).is_some(), "{name}: {:?}", info.pv());
            if let Some(Verdict::Proof(proof)) = info.verdict() {
                proved += 1;
                let expected = matches!(solve(&heaps), Proof::Win(_));
                let is_win = matches!(proof, Proof::Win(_));
                assert_eq!(is_win, expected, "{name}: {:?}", heaps.stones);
            }
        }
    }
    assert!(proved * 10 > all * 9, "{proved} of {all}");
}

#[test]
fn without_proofs_the_best_turn_is_visited_most() {
    let parameters =
        MctsParameters { proofs: false, early_stop: false, ..MctsParameters::default() };
    let (mut right, mut all) = (0, 0);
    for heaps in all_heaps(5) {
        if !matches!(solve(&heaps), Proof::Win(_)) {
            continue;
        }
        let info = search(&mut Mcts::new(parameters, 8, 1), &heaps, 20_000, 3);
        let after = info.pv()[..2].iter().fold(heaps, |heaps, &step| heaps.after(step));
        right += usize::from(matches!(solve(&after), Proof::Loss(_)));
        all += 1;
    }
    assert!(right * 10 >= all * 9, "{right} of {all}");
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let heaps = Heaps::new([30, 25]);
    let report = |seed| {
        let info = search(&mut Mcts::new(MctsParameters::default(), 8, 1), &heaps, 5_000, seed);
        (info.nodes, info.lines, info.tree)
    };
    assert_eq!(report(1), report(1));
    assert_ne!(report(1), report(2));
}

#[test]
fn several_threads_of_every_kind_prove_what_is_right() {
    for parallel in
        [TreeParallel::Tree, TreeParallel::Root, TreeParallel::Leaf, TreeParallel::Islands]
    {
        for heaps in all_heaps(4) {
            let parameters = MctsParameters { parallel, ..MctsParameters::default() };
            let info = search(&mut Mcts::new(parameters, 16, 3), &heaps, 4_000, 4);
            assert!(heaps.after_turn(&info.pv()[..2]).is_some());
            if let Some(Verdict::Proof(proof)) = info.verdict() {
                let is_win = matches!(proof, Proof::Win(_));
                assert_eq!(is_win, matches!(solve(&heaps), Proof::Win(_)), "{parallel:?}");
            }
        }
    }
}

#[test]
fn a_tree_that_is_full_forgets_and_the_search_goes_on() {
    let heaps = Heaps::new([200, 201]);
    let parameters = MctsParameters {
        maturity: 0,
        maturity_depth: 0,
        early_stop: false,
        ..MctsParameters::default()
    };
    let info = search(&mut Mcts::new(parameters, 8, 1), &heaps, 400_000, 5);
    let tree = info.tree.expect("a tree");
    assert!(tree.recycled > 10_000, "{tree:?}");
    assert_eq!(tree.playouts, 400_000);
    // All visits are still known at the root.
    assert_eq!(info.visits, Some(400_000));
}

#[test]
fn the_next_turn_begins_with_what_is_known_of_it() {
    let heaps = Heaps::new([30, 25]);
    let parameters = MctsParameters { early_stop: false, ..MctsParameters::default() };
    let mut mcts = Mcts::new(parameters, 8, 1);
    let info = search(&mut mcts, &heaps, 20_000, 6);
    let after = info.pv()[..4].iter().fold(heaps, |heaps, &step| heaps.after(step));
    let known = search(&mut mcts, &after, 1_000, 7).visits;
    assert!(known > Some(1_000), "{known:?}");
    mcts.clear();
    assert_eq!(search(&mut mcts, &after, 1_000, 7).visits, Some(1_000));
}

#[test]
fn several_lines_lead_to_different_boards_and_the_best_comes_first() {
    let heaps = Heaps::new([30, 25]);
    let mut mcts = Mcts::new(MctsParameters::default(), 8, 1);
    mcts.lines = 4;
    let info = search(&mut mcts, &heaps, 20_000, 8);
    let boards: Vec<Heaps> = info
        .lines
        .iter()
        .map(|line| line.pv[..2].iter().fold(heaps, |heaps, &step| heaps.after(step)))
        .collect();
    assert_eq!(boards.len(), 4);
    for (index, board) in boards.iter().enumerate() {
        assert!(!boards[..index].contains(board), "{board:?} comes twice");
    }
    let visits: Vec<_> = info.lines.iter().map(|line| line.visits).collect();
    assert!(visits.is_sorted_by(|one, next| one >= next), "{visits:?}");
}

#[test]
fn a_search_ends_early_when_the_choice_can_no_longer_change() {
    // Whoever takes the last two stones of a heap wins at once: there is nothing to think about.
    let heaps = Heaps::new([40, 2]);
    let parameters = MctsParameters { proofs: false, ..MctsParameters::default() };
    let with = search(&mut Mcts::new(parameters, 8, 1), &heaps, 50_000, 9).nodes;
    let parameters = MctsParameters { early_stop: false, ..parameters };
    let without = search(&mut Mcts::new(parameters, 8, 1), &heaps, 50_000, 9).nodes;
    assert_eq!(without, 50_000);
    assert!(with < without, "{with}");
}

#[test]
fn a_search_with_a_tree_that_was_kept_takes_its_time() {
    let heaps = Heaps::new([60, 55]);
    let mut mcts = Mcts::new(MctsParameters::default(), 8, 1);
    let info = search(&mut mcts, &heaps, 20_000, 11);
    let after = info.pv()[..2].iter().fold(heaps, |heaps, &step| heaps.after(step));
    let limits = Limits::time(Duration::from_millis(50));
    let info = search_within(&mut mcts, &after, limits, 12);
    // The turn that was best in the tree before is not the answer to everything.
    assert!(info.nodes >= 1024, "{}", info.nodes);
}

#[test]
fn the_top_of_a_tree_is_told_with_visits_and_values() {
    let heaps = Heaps::new([30, 25]);
    let parameters = MctsParameters { early_stop: false, ..MctsParameters::default() };
    let mut mcts = Mcts::new(parameters, 8, 1);
    search(&mut mcts, &heaps, 5_000, 10);
    let top = mcts.top(&heaps, |_, steps| format!("{steps:?}"));
    assert!(top[0].starts_with("visits 5000, value "), "{}", top[0]);
    assert!(top.len() > 4 && top[1].starts_with("  ["), "{top:?}");
}

#[test]
fn a_tree_is_looked_at_a_node_at_a_time() {
    let heaps = Heaps::new([30, 25]);
    let parameters =
        MctsParameters { early_stop: false, proofs: false, ..MctsParameters::default() };
    let mut mcts = Mcts::new(parameters, 8, 1);
    assert_eq!(mcts.look(&heaps, &[], 0, 9), None);
    search(&mut mcts, &heaps, 5_000, 10);
    let root = mcts.look(&heaps, &[], 0, usize::MAX).expect("the root");
    assert_eq!((root.node.visits, root.node.prior), (5_000, None));
    assert_eq!(root.node.children, root.children.len());
    let visits: u64 = root.children.iter().map(|(_, node)| node.visits).sum();
    assert!((4_900..=5_000).contains(&visits), "{visits}");
    assert!(root.children.iter().all(|(_, node)| node.prior.is_some()));
    // Some of the moves, and the position after one of them in the eyes of its own mover.
    let some = mcts.look(&heaps, &[], 1, 2).expect("the root");
    assert_eq!(some.children, root.children[1..3]);
    let (best, node) = &root.children[0];
    let after = best.iter().fold(heaps, |heaps, &step| heaps.after(step));
    let below = mcts.look(&heaps, std::slice::from_ref(best), 0, 1).expect("the best move");
    let sign = if after.side() == heaps.side() { 1.0 } else { -1.0 };
    assert_eq!((below.mover, below.node.visits), (after.side(), node.visits));
    assert_eq!((below.node.value, below.node.children), (sign * node.value, node.children));
    // What is no move of the tree, and a tree of another position.
    assert_eq!(mcts.look(&heaps, &[vec![best[0]; 9]], 0, 9), None);
    assert_eq!(mcts.look(&after, &[], 0, 9), None);
}

#[test]
fn threads_go_beyond_the_limit_of_nodes_by_one_iteration_each_at_most() {
    let parameters =
        MctsParameters { proofs: false, early_stop: false, ..MctsParameters::default() };
    let (threads, limit) = (4, 300);
    for seed in 0..50 {
        let mut mcts = Mcts::new(parameters, 8, threads);
        let nodes = search(&mut mcts, &Heaps::new([30, 25]), limit, seed).nodes;
        assert!((limit..limit + threads as u64).contains(&nodes), "{nodes}");
    }
}
