//! The search on a small game whose every position can be solved by trying everything.

mod heaps;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use game::{History, Key, PackedStep, Position, Proof, Score, Side, Steps};
use heaps::{Heaps, Ignorance, Take, all_heaps, solve};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use search::{
    AlphaBeta, Evaluator, HistoryRule, Info, Killers, Limits, NullMove, Parallel, Parameters,
    PlayedMove, Razoring, StepOrdering, Stop, Tactics, Task, TurnChooser, TurnStructure, Verdict,
};

impl StepOrdering<Heaps> for Ignorance {}

impl TurnStructure<Heaps> for Ignorance {
    const WHOLE_TURN: Steps = Steps(2);

    fn undoes(&self, _: &Heaps, _: Take, _: Take) -> bool {
        false
    }

    fn follows(&self, _: &Heaps, first: Take, second: Take) -> bool {
        matches!((first, second), (Take::Stones { heap: a, .. }, Take::Stones { heap: b, .. }) if a == b)
            || second == Take::Nothing
    }
}

fn verdict(info: &Info<Take>) -> Verdict {
    info.verdict().expect("alpha-beta says how good a position is")
}

fn search(heaps: &Heaps, parameters: Parameters, limits: Limits) -> Info<Take> {
    search_by(&mut AlphaBeta::new(parameters, 1), heaps, limits)
}

fn search_by(alphabeta: &mut AlphaBeta<Take>, heaps: &Heaps, limits: Limits) -> Info<Take> {
    let (past, stop) = (History::new(), Stop::new());
    let task = Task { position: heaps, past: &past, heuristics: &Ignorance, limits, stop: &stop };
    alphabeta.search(&task, |_| ()).expect("a report")
}

#[test]
fn results_and_their_lengths_are_those_found_by_trying_everything() {
    for heaps in all_heaps(9) {
        let report = search(&heaps, Parameters::default(), Limits::depth(Steps(24)));
        let expected = solve(&heaps);
        match (verdict(&report), expected) {
            // A win is proved by any way to it; a loss is delayed as long as can be.
            (Verdict::Proof(Proof::Win(turns)), Proof::Win(least)) => assert!(turns >= least),
            (Verdict::Proof(proof), expected) => assert_eq!(proof, expected, "{:?}", heaps.stones),
            (Verdict::Score(score), _) => panic!("{:?}: {score}", heaps.stones),
        }
    }
}

#[test]
fn a_lost_side_plays_the_line_that_takes_longest() {
    let mut lost = 0;
    for heaps in all_heaps(9) {
        let Proof::Loss(turns) = solve(&heaps) else { continue };
        let report = search(&heaps, Parameters::default(), Limits::depth(Steps(24)));
        let after = report.pv()[..2].iter().fold(heaps, |heaps, &step| heaps.after(step));
        assert_eq!(solve(&after), Proof::Win(turns), "{:?}", heaps.stones);
        lost += 1;
    }
    assert!(lost > 5, "{lost}");
}

#[test]
fn every_switch_leaves_the_results_as_they_are() {
    // All but the one that overlooks turns of two steps that have nothing to do with each other: see below.
    let switches = Parameters::DECLARED.iter();
    for declared in switches.filter(|declared| declared.name != "step_combos") {
        let (least, most) = declared.range().expect("a number");
        for value in [least, most] {
            let mut parameters = Parameters::default();
            parameters.set(declared.name, &value.to_string()).expect("within its range");
            for heaps in all_heaps(4) {
                let report = search(&heaps, parameters, Limits::depth(Steps(12)));
                let wins = matches!(verdict(&report), Verdict::Proof(Proof::Win(_)));
                let expected = matches!(solve(&heaps), Proof::Win(_));
                assert_eq!(wins, expected, "{:?}, {} = {value}", heaps.stones, declared.name);
            }
        }
    }
}

/// Alpha-beta with nothing left out or searched less deep, on one step after the other.
fn plain() -> Parameters {
    Parameters {
        pvs: false,
        killers: Killers::Off,
        aspiration: 0,
        null_move: NullMove::Off,
        lmr: false,
        futility: false,
        defences: 0,
        ..Parameters::default()
    }
}

#[test]
fn a_table_that_narrows_wide_windows_changes_no_result_nor_its_length() {
    for pvs in [false, true] {
        let parameters =
            Parameters { pvs, hash_windows: true, history: HistoryRule::DoubledFirst, ..plain() };
        for heaps in all_heaps(9) {
            let report = search(&heaps, parameters, Limits::depth(Steps(24)));
            match (verdict(&report), solve(&heaps)) {
                (Verdict::Proof(Proof::Win(turns)), Proof::Win(least)) => assert!(turns >= least),
                (found, expected) => {
                    assert_eq!(found, Verdict::Proof(expected), "{:?}", heaps.stones);
                }
            }
            // The turn that was searched for is there from beginning to end.
            assert!(report.pv().len() >= 2, "{:?}", heaps.stones);
        }
    }
}

#[test]
fn a_value_between_two_others_is_found_and_what_lies_beyond_is_told_as_beyond() {
    let score = |report: &Info<Take>| match verdict(report) {
        Verdict::Score(score) => score,
        Verdict::Proof(proof) => panic!("{proof}"),
    };
    let heaps = Heaps::new([30, 25]);
    let limits = Limits::depth(Steps(5));
    let Score(value) = score(&search(&heaps, plain(), limits));
    let (past, stop) = (History::new(), Stop::new());
    let task = Task { position: &heaps, past: &past, heuristics: &Ignorance, limits, stop: &stop };
    for (least, most) in
        [(value, value), (value - 1, value + 2), (value + 1, value + 1), (-9, value - 1)]
    {
        let mut alphabeta = AlphaBeta::new(plain(), 1);
        let report = alphabeta.search_between(&task, Score(least), Score(most)).expect("a report");
        let found = score(&report).0;
        match (value < least, value > most) {
            (true, _) => assert!(found < least && report.pv().is_empty()),
            (_, true) => assert!(found > most),
            _ => assert_eq!(found, value),
        }
    }
}

#[test]
fn iterations_begin_and_end_where_they_are_told_to() {
    let heaps = Heaps::new([30, 25]);
    let (past, stop, limits) = (History::new(), Stop::new(), Limits::depth(Steps(12)));
    let task = Task { position: &heaps, past: &past, heuristics: &Ignorance, limits, stop: &stop };
    let parameters = Parameters { first_depth: 3, ..Parameters::default() };
    let mut told = Vec::new();
    let report = AlphaBeta::new(parameters, 1).search_while(&task, |report| {
        told.push(report.depth.0);
        if report.depth < Steps(6) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!(told, [3, 4, 5, 6]);
    assert_eq!(report.map(|report| report.depth), Some(Steps(6)));
}

#[test]
fn the_same_search_enters_the_same_nodes() {
    let heaps = Heaps::new([30, 25]);
    let report = || {
        let report = search(&heaps, Parameters::default(), Limits::depth(Steps(12)));
        (report.nodes, report.lines)
    };
    let first = report();
    assert!(first.0 > 100, "{}", first.0);
    assert_eq!(first, report());
}

/// ABDADA and Lazy SMP.
fn ways_to_share() -> [Parameters; 2] {
    [Parallel::Abdada, Parallel::LazySmp]
        .map(|parallel| Parameters { parallel, ..Parameters::default() })
}

#[test]
fn several_threads_come_to_the_same_results() {
    for parameters in ways_to_share() {
        for heaps in all_heaps(9) {
            let mut alphabeta = AlphaBeta::new(parameters, 1);
            alphabeta.threads = 3;
            let report = search_by(&mut alphabeta, &heaps, Limits::depth(Steps(24)));
            let is_win = matches!(verdict(&report), Verdict::Proof(Proof::Win(_)));
            assert_eq!(is_win, matches!(solve(&heaps), Proof::Win(_)), "{:?}", heaps.stones);
        }
    }
}

#[test]
fn whichever_thread_completes_them_the_depths_told_rise_to_the_last() {
    let heaps = Heaps::new([30, 25]);
    let (past, stop, limits) = (History::new(), Stop::new(), Limits::depth(Steps(12)));
    let task = Task { position: &heaps, past: &past, heuristics: &Ignorance, limits, stop: &stop };
    for round in 0..20 {
        let mut alphabeta = AlphaBeta::new(ways_to_share()[round % 2], 1);
        alphabeta.threads = 3;
        let mut told = Vec::new();
        let report = alphabeta.search(&task, |report| told.push(report.depth));
        assert!(told.is_sorted_by(|one, next| one < next), "{told:?}");
        assert_eq!(told.last(), Some(&Steps(12)));
        assert!(report.is_some_and(|report| report.depth == Steps(12) && !report.pv().is_empty()));
    }
}

#[test]
fn no_result_is_claimed_where_steps_were_left_out() {
    // Without turns that take from both heaps, many positions look lost that are won.
    let mut claims = 0;
    for parameters in [(true, Razoring::Off), (false, Razoring::Combos), (true, Razoring::Combos)]
        .map(|(step_combos, razoring)| Parameters {
            step_combos,
            razoring,
            razoring_margin: 0,
            ..Parameters::default()
        })
    {
        for heaps in all_heaps(9) {
            let mut alphabeta = AlphaBeta::new(parameters, 1);
            for depth in 1..=16 {
                let info = search_by(&mut alphabeta, &heaps, Limits::depth(Steps(depth)));
                let Verdict::Proof(proof) = verdict(&info) else { continue };
                let is_win = matches!(solve(&heaps), Proof::Win(_));
                assert_eq!(matches!(proof, Proof::Win(_)), is_win, "{:?}: {proof}", heaps.stones);
                claims += 1;
            }
        }
    }
    assert!(claims > 100, "{claims}");
}

/// Counts the nodes that the threads of a search enter.
#[derive(Default)]
struct Counting(AtomicU64);

impl Evaluator<Heaps> for Counting {
    type State = ();
    type Cache = ();

    fn state(&self, _: &Heaps) {}

    fn advance(&self, _: PlayedMove<Heaps>, (): &(), (): &mut ()) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn evaluate(&self, heaps: &Heaps, (): &(), (): &mut ()) -> Score {
        Ignorance.evaluate(heaps, &(), &mut ())
    }
}

impl Tactics<Heaps> for Counting {
    type Scratch = ();
}

impl StepOrdering<Heaps> for Counting {}

impl TurnStructure<Heaps> for Counting {
    const WHOLE_TURN: Steps = Steps(2);
}

#[test]
fn the_nodes_of_all_threads_are_counted_and_the_limit_is_for_all_together() {
    let heaps = Heaps::new([60, 55]);
    let abdada = [1, 2, 3].map(|threads| (threads, Parallel::Abdada));
    for (threads, parallel) in
        abdada.into_iter().chain([2, 3].map(|threads| (threads, Parallel::LazySmp)))
    {
        // Without a table there is work for all threads.
        let parameters =
            Parameters { transposition_table: false, parallel, ..Parameters::default() };
        for limit in [None, Some(100_000)] {
            let depth = if limit.is_some() { Steps(40) } else { Steps(7) };
            let limits = Limits { nodes: limit, ..Limits::depth(depth) };
            let (past, stop, counting) = (History::new(), Stop::new(), Counting::default());
            let task =
                Task { position: &heaps, past: &past, heuristics: &counting, limits, stop: &stop };
            let mut alphabeta = AlphaBeta::new(parameters, 1);
            alphabeta.threads = threads;
            let info = alphabeta.search(&task, |_| ()).expect("an iteration");
            assert_eq!(info.nodes, counting.0.into_inner(), "{threads} threads");
            if let Some(limit) = limit {
                // Each thread tells of its nodes, and looks at the limit, after 1024 of them.
                let most = limit + 2 * 1024 * threads as u64;
                assert!((limit..=most).contains(&info.nodes), "{threads}: {}", info.nodes);
            }
        }
    }
}

/// A walk among a few spots. A turn is one step to another spot; who leaves for the exit loses. Its key
/// counts the turns and never comes about again, unlike the spot, which the rule of repetition counts.
#[derive(Clone, Copy, Debug)]
struct Walk {
    spots: u8,
    spot: u8,
    turns: u8,
    side: Side,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct To(u8);

const EXIT: u8 = 9;

impl PackedStep for To {
    fn pack(self) -> u16 {
        u16::from(self.0) + 1
    }

    fn unpack(bits: u16) -> Option<To> {
        bits.checked_sub(1).map(|spot| To(spot as u8))
    }
}

impl Position for Walk {
    type Step = To;

    fn side(&self) -> Side {
        self.side
    }

    fn turn_starts(&self) -> bool {
        true
    }

    fn for_each_step(&self, visit: impl FnMut(To) -> ControlFlow<()>) -> ControlFlow<()> {
        let others = (0..self.spots).filter(|&spot| spot != self.spot);
        others.chain([EXIT]).map(To).try_for_each(visit)
    }

    fn cost(&self, _: To) -> Steps {
        Steps(1)
    }

    fn is_idle(&self) -> bool {
        false
    }

    fn play(&mut self, To(spot): To) {
        *self = Walk { spot, turns: self.turns + 1, side: !self.side, ..*self };
    }

    fn key(&self) -> Key {
        let turns = u64::from(self.turns) << 8;
        game::KeyGenerator::new(self.repetition_key().0 ^ turns).next_key()
    }

    fn repetition_key(&self) -> Key {
        Key(u64::from(self.spot) << 1 | self.side as u64)
    }

    fn winner(&self) -> Option<Side> {
        (self.spot == EXIT).then_some(self.side)
    }
}

impl Evaluator<Walk> for Ignorance {
    type State = ();
    type Cache = ();

    fn state(&self, _: &Walk) {}

    fn evaluate(&self, _: &Walk, (): &(), (): &mut ()) -> Score {
        Score(0)
    }
}

impl Tactics<Walk> for Ignorance {
    type Scratch = ();
}

impl StepOrdering<Walk> for Ignorance {}

impl TurnStructure<Walk> for Ignorance {
    const WHOLE_TURN: Steps = Steps(1);
}

#[test]
fn repetition_is_asked_by_the_repetition_key() {
    let start = Walk { spots: 2, spot: 0, turns: 0, side: Side::First };
    let (mut past, stop) = (History::new(), Stop::new());
    past.push(start.repetition_key());
    let limits = Limits::depth(Steps(8));
    let task = Task { position: &start, past: &past, heuristics: &Ignorance, limits, stop: &stop };
    let info = AlphaBeta::new(Parameters::default(), 1).search(&task, |_| ()).expect("a verdict");
    // To and fro, to and fro: then the other side would repeat a position for the third time, and must leave.
    assert!(matches!(info.verdict(), Some(Verdict::Proof(Proof::Win(_)))), "{info:?}");
}

#[test]
fn no_turn_is_chosen_at_random_that_repeats_a_position_for_the_third_time() {
    let start = Walk { spots: 4, spot: 0, turns: 0, side: Side::First };
    let (mut past, stop) = (History::new(), Stop::new());
    let mut forbidden = start;
    forbidden.play(To(1));
    (0..2).for_each(|_| past.push(forbidden.repetition_key()));
    let limits = Limits::depth(Steps(2));
    let task = Task { position: &start, past: &past, heuristics: &Ignorance, limits, stop: &stop };
    let mut chosen = [0; 4];
    for seed in 0..40 {
        let mut alphabeta = AlphaBeta::new(Parameters::default(), 1);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let info = TurnChooser::new(&mut alphabeta, task).choose(10, &mut rng, |_| ());
        let &To(spot) = info.as_ref().and_then(Info::best).expect("a turn");
        chosen[usize::from(spot)] += 1;
    }
    assert!(chosen[1] == 0 && chosen[2] > 0 && chosen[3] > 0, "{chosen:?}");
}

/// All lines that there are, the best first.
fn all_lines(heaps: &Heaps, parameters: Parameters, threads: usize) -> Info<Take> {
    let (past, stop, limits) = (History::new(), Stop::new(), Limits::depth(Steps(24)));
    let task = Task { position: heaps, past: &past, heuristics: &Ignorance, limits, stop: &stop };
    let mut alphabeta = AlphaBeta::new(parameters, 1);
    alphabeta.threads = threads;
    let mut chooser = TurnChooser::new(&mut alphabeta, task);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let info = chooser.choose(0, &mut rng, |_| ()).expect("a report");
    chooser.add_lines(info, usize::MAX, limits, &mut rng)
}

#[test]
fn lines_lead_to_different_boards_and_each_is_worth_what_its_board_is() {
    for (threads, most) in [(1, 6), (2, 3)] {
        for heaps in all_heaps(most) {
            let mut boards: Vec<[u8; 2]> = Vec::new();
            for first in heaps.steps() {
                let inside = heaps.after(first);
                boards.extend(inside.steps().into_iter().map(|step| inside.after(step).stones));
            }
            boards.sort();
            boards.dedup();
            let info = all_lines(&heaps, Parameters::default(), threads);
            let mut found = Vec::new();
            for line in &info.lines {
                let after = line.pv[..2].iter().fold(heaps, |heaps, &step| heaps.after(step));
                found.push(after.stones);
                // Other lines are searched as deep as the best, which may not be deep enough for a proof.
                if let Some(Verdict::Proof(proof)) = line.verdict {
                    let wins = matches!(proof, Proof::Win(_));
                    let expected = matches!(solve(&after), Proof::Loss(_));
                    assert_eq!(wins, expected, "{:?} to {:?}", heaps.stones, after.stones);
                }
            }
            let scores: Vec<_> =
                info.lines.iter().map(|line| line.verdict.map(Verdict::as_score)).collect();
            assert!(scores.is_sorted_by(|one, next| one >= next), "{scores:?}");
            found.sort();
            assert_eq!(found, boards, "{:?}", heaps.stones);
        }
    }
}
