//! The turns of Arimaa: repetitions, step combos, and what pruning leaves (Zhong 2005, chapter 4).

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::LazyLock;

use arimaa::{Board, Game, Mobility, Position, Side, Step, Turn, TurnGenerator};
use arimaa_ai::combo::follows;
use arimaa_ai::reversal::is_reversible;
use game::{Key, Steps};
use plot::{Plot, Series};
use workbench::Arimaa;

use crate::experiment::lab::Lab;
use crate::experiment::report::{Cell, Report, Table};
use crate::experiment::sets;

/// The kinds of a turn by its step combos.
const KINDS: [&str; 5] = ["A(4)", "B(3+1)", "C(2+2)", "D(2+1+1)", "E(1+1+1+1)"];

/// Turns of the same length, or a longer and a shorter one, that lead to the same board.
const TYPES: [(u8, u8); 10] =
    [(2, 0), (2, 2), (3, 1), (3, 2), (3, 3), (4, 0), (4, 1), (4, 2), (4, 3), (4, 4)];

pub fn run(lab: &Lab, report: &mut Report) -> anyhow::Result<()> {
    let games = sets::games::<Arimaa>(lab, lab.count("arimaa_games"), lab.number("nodes"))?;
    let mut stages: Vec<Vec<Game>> = Vec::new();
    for game in &games {
        stages.push(game.stages()?);
    }
    let positions = sets::turns_of_the_final(&stages, lab.count("positions"));
    let sample = lab.count("sample");
    let counted = lab.each(
        "positions",
        &positions,
        |(label, position)| format!("{label} {position} {sample}"),
        |(_, position)| Ok(Counts::of(position, sample)),
    )?;
    report.heading("Arimaa");
    report.text(
        "The games of the 2005 final are not at hand: games of the engine with itself take their place, and the \
         positions are taken at the same turns of one of them.",
    );
    let sum = counted.iter().fold(Counts::default(), |sum, counts| sum.plus(counts));
    report.table(shares(&sum));
    report.table(repetitions(&sum));
    let played: Vec<[u64; 5]> = stages.iter().map(|game| played_kinds(game)).collect();
    let all = played.iter().fold([0; 5], |sum, one| std::array::from_fn(|k| sum[k] + one[k]));
    report.table(played_table(&played, &all));
    report.table(proportions(&sum));
    report.plot(&kinds_plot(&all, &sum));
    report.table(pruning(&positions, &counted, &sum));
    Ok(())
}

/// What is counted of the turns of a position.
#[derive(Clone, Default, serde::Serialize, serde::Deserialize)]
struct Counts {
    /// Sequences of steps, each order by itself.
    legal: u64,
    legal_short: u64,
    distinct: u64,
    distinct_short: u64,
    /// By a sample of the legal turns, and by one of the distinct turns.
    legal_kinds: [u64; 5],
    distinct_kinds: [u64; 5],
    /// What is left if the first two steps must belong together.
    legal_pruned: u64,
    distinct_pruned: u64,
    /// Turns that the enemy takes back with fewer steps, and with as many.
    reversed_faster: u64,
    reversed: u64,
    repetitions: [u64; TYPES.len()],
}

impl Counts {
    fn of(position: &Position, sample: usize) -> Counts {
        let (board, side) = (position.board(), position.side());
        let mut counts = Counts { repetitions: repetition_types(board, side), ..Counts::default() };
        for_each_turn(position, Turn::EMPTY, &mut |turn, _| {
            counts.legal += 1;
            counts.legal_short += u64::from(turn.cost() < Steps(4));
        });
        counts.sample_kinds(position, sample);
        counts.prune(position);
        let mut generator = TurnGenerator::new();
        let distinct = generator.distinct(board, side);
        let each = every(distinct.len() as u64, sample);
        for reached in distinct {
            let (turn, cost) = (reached.turn, reached.turn.cost());
            counts.distinct += 1;
            counts.distinct_short += u64::from(cost < Steps(4));
            if counts.distinct % each == each / 2 {
                counts.distinct_kinds[kind(board, side, turn)] += 1;
            }
            if let Some(after) = board.try_play_turn(side, turn) {
                let fewer = Steps(cost.0.saturating_sub(1));
                counts.reversed_faster += u64::from(is_reversible(board, &after, side, fewer));
                counts.reversed += u64::from(is_reversible(board, &after, side, cost));
            }
        }
        // So that a position with more turns counts more.
        counts.legal_kinds = scaled(counts.legal_kinds, counts.legal);
        counts.distinct_kinds = scaled(counts.distinct_kinds, counts.distinct);
        counts
    }

    /// Every so many legal turns, in the order of the generator.
    fn sample_kinds(&mut self, position: &Position, sample: usize) {
        let each = every(self.legal, sample);
        let mut number = 0;
        for_each_turn(position, Turn::EMPTY, &mut |turn, _| {
            if number % each == each / 2 {
                self.legal_kinds[kind(position.board(), position.side(), turn)] += 1;
            }
            number += 1;
        });
    }

    /// As Zhong's generator does (4.3.3): after two steps, those that are no combo go no further.
    fn prune(&mut self, position: &Position) {
        let mut boards: HashSet<Key> = HashSet::new();
        let start = position.board().key();
        for_each_turn(position, Turn::EMPTY, &mut |turn, after| {
            let mut steps = turn.steps();
            if let (Some(first), Some(second)) = (steps.next(), steps.next())
                && first.cost() == Steps(1)
                && !follows(position, first, second)
            {
                return;
            }
            self.legal_pruned += 1;
            let key = after.board().key();
            if key != start {
                boards.insert(key);
            }
        });
        self.distinct_pruned = boards.len() as u64;
    }

    fn plus(&self, other: &Counts) -> Counts {
        Counts {
            legal: self.legal + other.legal,
            legal_short: self.legal_short + other.legal_short,
            distinct: self.distinct + other.distinct,
            distinct_short: self.distinct_short + other.distinct_short,
            legal_kinds: std::array::from_fn(|k| self.legal_kinds[k] + other.legal_kinds[k]),
            distinct_kinds: std::array::from_fn(|k| {
                self.distinct_kinds[k] + other.distinct_kinds[k]
            }),
            legal_pruned: self.legal_pruned + other.legal_pruned,
            distinct_pruned: self.distinct_pruned + other.distinct_pruned,
            reversed_faster: self.reversed_faster + other.reversed_faster,
            reversed: self.reversed + other.reversed,
            repetitions: std::array::from_fn(|k| self.repetitions[k] + other.repetitions[k]),
        }
    }
}

/// The kinds of a sample as those of all.
fn scaled(kinds: [u64; 5], all: u64) -> [u64; 5] {
    let sampled: u64 = kinds.iter().sum();
    kinds.map(|count| count * all / sampled.max(1))
}

/// Every how many of all are looked at, for a sample of that size.
fn every(all: u64, sample: usize) -> u64 {
    (all / sample as u64).max(1)
}

/// Every sequence of steps that is a turn, with the position after it.
fn for_each_turn(position: &Position, turn: Turn, visit: &mut impl FnMut(Turn, &Position)) {
    let _ = position.for_each_step(|step| {
        if step != Step::PASS {
            let mut after = *position;
            after.play_unchecked(step);
            let turn = turn.then(step);
            visit(turn, &after);
            if !after.turn_starts() {
                for_each_turn(&after, turn, visit);
            }
        }
        ControlFlow::Continue(())
    });
}

/// Layers of boards by the steps used. A step that comes to a board that is known already is a repetition: of the steps
/// used now, and of those used then.
fn repetition_types(board: &Board, side: Side) -> [u64; TYPES.len()] {
    let mut known: HashMap<Key, u8> = HashMap::from([(board.key(), 0)]);
    let mut layers: Vec<Vec<Board>> = vec![vec![*board]];
    let mut counts = [0; TYPES.len()];
    for used in 1..=4u8 {
        let mut layer = Vec::new();
        let mut reach = |after: Board| {
            match known.get(&after.key()) {
                Some(&before) => {
                    if let Some(index) = TYPES.iter().position(|&pair| pair == (used, before)) {
                        counts[index] += 1;
                    }
                }
                None => {
                    known.insert(after.key(), used);
                    layer.push(after);
                }
            }
            ControlFlow::Continue(())
        };
        for before in &layers[usize::from(used) - 1] {
            let _ =
                Mobility::new(before, side).for_each_single(&mut |step| reach(before.after(step)));
        }
        if used >= 2 {
            for before in &layers[usize::from(used) - 2] {
                let mobility = Mobility::new(before, side);
                let _ = mobility.for_each_push_and_pull(&mut |step| reach(before.after(step)));
            }
        }
        layers.push(layer);
    }
    counts
}

/// The kind of a turn: how many steps its combos have (Zhong 2005, Figure 4.5 and Table 4.2).
fn kind(board: &Board, side: Side, turn: Turn) -> usize {
    let mut sizes = combos(board, side, turn);
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    match sizes[..] {
        [_] => 0,
        [3, 1] | [1, 1] => 1,
        [2, 2] | [2, 1] => 2,
        [2, 1, 1] | [1, 1, 1] => 3,
        _ => 4,
    }
}

/// How many steps each combo of a turn has. The combos are the smallest groups of steps that can be played in any order of
/// the groups and lead to the same board.
fn combos(board: &Board, side: Side, turn: Turn) -> Vec<u8> {
    let steps: Vec<Step> = turn.steps().filter(|&step| step != Step::PASS).collect();
    let end = board.try_play_turn(side, turn);
    let is_free = |groups: &&Vec<usize>| {
        ORDERS[count(groups)].iter().all(|order| {
            let reordered = order.iter().flat_map(|&group| {
                let of_group = move |&(_, own): &(&Step, &usize)| *own == group;
                steps.iter().zip(groups.iter()).filter(of_group).map(|(step, _)| *step)
            });
            play(board, side, reordered) == end
        })
    };
    let Some(groups) = GROUPINGS[steps.len()].iter().find(is_free) else { return Vec::new() };
    let mut sizes = vec![0; count(groups)];
    for (step, &group) in steps.iter().zip(groups) {
        sizes[group] += step.cost().0;
    }
    sizes
}

/// How many groups there are.
fn count(groups: &[usize]) -> usize {
    groups.iter().max().map_or(0, |last| last + 1)
}

/// The ways to put up to four steps into groups, by their number, with the most groups first.
static GROUPINGS: LazyLock<[Vec<Vec<usize>>; 5]> = LazyLock::new(|| {
    std::array::from_fn(|steps| {
        let mut all = groupings(steps);
        all.sort_by_key(|groups| Reverse(count(groups)));
        all
    })
});

/// The orders of up to four groups, by their number.
static ORDERS: LazyLock<[Vec<Vec<usize>>; 5]> = LazyLock::new(|| std::array::from_fn(orders));

fn play(board: &Board, side: Side, steps: impl Iterator<Item = Step>) -> Option<Board> {
    let mut board = *board;
    for step in steps {
        if !board.allows(side, step) {
            return None;
        }
        board = board.after(step);
    }
    Some(board)
}

/// All ways to put so many things into groups: for each thing the number of its group.
fn groupings(count: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..count {
        let more = |groups: &Vec<usize>| {
            let next = groups.iter().max().map_or(0, |last| last + 1);
            let groups = groups.clone();
            (0..=next).map(move |group| [&groups[..], &[group]].concat())
        };
        all = all.iter().flat_map(more).collect();
    }
    all
}

/// All orders of so many things.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for next in 0..count {
        let more = |order: &Vec<usize>| {
            let order = order.clone();
            (0..=order.len()).map(move |place| [&order[..place], &[next], &order[place..]].concat())
        };
        all = all.iter().flat_map(more).collect();
    }
    all
}

/// The kinds of the turns that were played in a game.
fn played_kinds(stages: &[Game]) -> [u64; 5] {
    let mut kinds = [0; 5];
    let Some(last) = stages.last() else { return kinds };
    for (before, turn) in last.played_turns() {
        kinds[kind(before.board(), before.side(), turn)] += 1;
    }
    kinds
}

fn share(part: u64, all: u64) -> f64 {
    part as f64 / all.max(1) as f64
}

fn shares(sum: &Counts) -> Table {
    let title = "Zhong 2005, 4.2 to 4.4: shares told in the text";
    let mut table = Table::new(title, ["share", "thesis", "ours", "ratio"]);
    let rows = [
        ("distinct turns of all legal ones", 0.07, share(sum.distinct, sum.legal)),
        (
            "turns of fewer than four steps, of the distinct ones",
            0.1,
            share(sum.distinct_short, sum.distinct),
        ),
    ];
    for (name, thesis, ours) in rows {
        table.row([name.into(), Cell::Share(thesis), Cell::Share(ours), Cell::ratio(ours, thesis)]);
    }
    let short = share(sum.legal_short, sum.legal);
    table.row([
        "the same, of the legal ones".into(),
        Cell::Missing,
        Cell::Share(short),
        Cell::Missing,
    ]);
    let faster = share(sum.reversed_faster, sum.distinct);
    let name = "turns that the enemy takes back with fewer steps";
    table.row([name.into(), "below 1 %".into(), Cell::Share(faster), Cell::Missing]);
    let as_many = share(sum.reversed, sum.distinct);
    let name = "turns that the enemy takes back with as many";
    table.row([name.into(), "below 1 %".into(), Cell::Share(as_many), Cell::Missing]);
    table
}

/// Table 4.1, summed over its three positions; 3:2 is not in it.
const THESIS_REPETITIONS: [u64; TYPES.len()] =
    [45, 759, 1_089, 0, 13_025, 23, 5, 14_611, 5, 135_616];

fn repetitions(sum: &Counts) -> Table {
    let title =
        "Zhong 2005, Table 4.1: turns of so many steps that come to a board of fewer or as many";
    let mut table = Table::new(
        title,
        ["type", "thesis", "share", "ours", "share of ours", "ratio of the shares"],
    );
    let all = [&THESIS_REPETITIONS, &sum.repetitions].map(|counts| counts.iter().sum::<u64>());
    for (index, (used, before)) in TYPES.iter().enumerate() {
        let counts = [THESIS_REPETITIONS[index], sum.repetitions[index]];
        let [thesis, ours] = [0, 1].map(|who| share(counts[who], all[who]));
        table.row([
            format!("{used}:{before}").into(),
            counts[0].into(),
            Cell::Share(thesis),
            counts[1].into(),
            Cell::Share(ours),
            Cell::ratio(ours, thesis),
        ]);
    }
    table
}

/// The last row of Table 4.3.
const THESIS_PLAYED: [f64; 5] = [0.34, 0.29, 0.14, 0.21, 0.02];

/// The sums of Table 4.4.
const THESIS_LEGAL: [f64; 5] = [0.16, 0.17, 0.01, 0.24, 0.42];
const THESIS_DISTINCT: [f64; 5] = [0.17, 0.11, 0.04, 0.37, 0.31];

fn kind_shares(kinds: &[u64; 5]) -> [f64; 5] {
    let all = kinds.iter().sum();
    kinds.map(|count| share(count, all))
}

fn played_table(games: &[[u64; 5]], all: &[u64; 5]) -> Table {
    let title = "Zhong 2005, Table 4.3: the kinds of the turns that were played";
    let mut table = Table::new(title, ["games"].into_iter().chain(KINDS));
    let row = |name: String, shares: [f64; 5]| {
        [Cell::from(name)].into_iter().chain(shares.map(Cell::Share)).collect::<Vec<_>>()
    };
    table.row(row("thesis, three games of people".to_string(), THESIS_PLAYED));
    for (number, kinds) in (1..).zip(games) {
        table.row(row(format!("ours, game {number}"), kind_shares(kinds)));
    }
    let ours = kind_shares(all);
    table.row(row("ours, all".to_string(), ours));
    let ratios = (0..5).map(|k| Cell::ratio(ours[k], THESIS_PLAYED[k]));
    table.row([Cell::from("ratio")].into_iter().chain(ratios));
    table
}

fn proportions(sum: &Counts) -> Table {
    let title = "Zhong 2005, Table 4.4: the kinds of all turns";
    let columns = [
        "kind",
        "thesis, legal",
        "ours, legal",
        "ratio",
        "thesis, distinct",
        "ours, distinct",
        "ratio of the distinct",
    ];
    let mut table = Table::new(title, columns);
    let (legal, distinct) = (kind_shares(&sum.legal_kinds), kind_shares(&sum.distinct_kinds));
    for k in 0..5 {
        table.row([
            KINDS[k].into(),
            Cell::Share(THESIS_LEGAL[k]),
            Cell::Share(legal[k]),
            Cell::ratio(legal[k], THESIS_LEGAL[k]),
            Cell::Share(THESIS_DISTINCT[k]),
            Cell::Share(distinct[k]),
            Cell::ratio(distinct[k], THESIS_DISTINCT[k]),
        ]);
    }
    table
}

fn kinds_plot<'a>(played: &[u64; 5], sum: &Counts) -> Plot<'a> {
    let series = |name: &str, shares: [f64; 5], is_dashed| Series {
        name: name.to_string(),
        points: (0..5).map(|k| (k as f64, 100.0 * shares[k])).collect(),
        is_dashed,
    };
    Plot {
        title: "The kinds of turns: played, and all distinct ones",
        axes: ["step combos", "share in percent"],
        series: vec![
            series("played, thesis", THESIS_PLAYED, true),
            series("played, ours", kind_shares(played), false),
            series("distinct, thesis", THESIS_DISTINCT, true),
            series("distinct, ours", kind_shares(&sum.distinct_kinds), false),
        ],
        labels: KINDS.map(str::to_string).to_vec(),
        ..Plot::default()
    }
}

fn pruning(positions: &[(String, Position)], counted: &[Counts], sum: &Counts) -> Table {
    let title = "Zhong 2005, Table 4.5: turns before and after those are left out whose first two steps do not belong together";
    let columns =
        ["position", "legal", "after", "saved", "distinct", "distinct after", "distinct saved"];
    let mut table = Table::new(title, columns);
    let mut row = |name: &str, counts: [u64; 4]| {
        let [legal, pruned, distinct, left] = counts;
        table.row([
            name.into(),
            legal.into(),
            pruned.into(),
            Cell::saved(legal as f64, pruned as f64),
            distinct.into(),
            left.into(),
            Cell::saved(distinct as f64, left as f64),
        ]);
    };
    let of = |counts: &Counts| {
        [counts.legal, counts.legal_pruned, counts.distinct, counts.distinct_pruned]
    };
    row("thesis, six positions", [2_727_486, 333_765, 149_956, 79_785]);
    for ((label, _), counts) in positions.iter().zip(counted) {
        row(&format!("ours, {label}"), of(counts));
    }
    row("ours, all", of(sum));
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(position: &str, turn: &str) -> &'static str {
        let game = Game::from_position(position.parse().unwrap());
        let board = game.position().board();
        let arimaa::Action::Turn(turn) = game::Game::parse_action(&game, turn).unwrap() else {
            panic!("no turn")
        };
        KINDS[kind(board, game.position().side(), turn)]
    }

    #[test]
    fn step_combos_are_as_the_thesis_tells_them() {
        let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
        assert_eq!(kind_of(start, "Ee2n Ee3n Ee4n Ee5n"), "A(4)");
        assert_eq!(kind_of(start, "Ee2n Ha2n Ee3n Ee4n"), "B(3+1)");
        assert_eq!(kind_of(start, "Ee2n Ha2n Ee3n Ha3n"), "C(2+2)");
        assert_eq!(kind_of(start, "Ee2n Ee3n Ha2n Hh2n"), "D(2+1+1)");
        assert_eq!(kind_of(start, "Ha2n Hh2n Md2n Ee2n"), "E(1+1+1+1)");
        // A rabbit follows where a piece has left.
        assert_eq!(kind_of(start, "Ha2n Ra1n Ee2n Md2n"), "D(2+1+1)");
        // Fewer steps: Table 4.2.
        assert_eq!(kind_of(start, "Ee2n"), "A(4)");
        assert_eq!(kind_of(start, "Ee2n Ha2n"), "B(3+1)");
        assert_eq!(kind_of(start, "Ee2n Ee3n Ha2n"), "C(2+2)");
    }

    #[test]
    fn what_is_left_out_makes_the_turns_fewer() {
        let position: Position =
            "s [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse().unwrap();
        let counts = Counts::of(&position, 500);
        assert!(counts.distinct_kinds.iter().sum::<u64>() >= 500);
        assert!(counts.distinct_pruned <= counts.distinct && counts.legal_pruned <= counts.legal);
        assert!(counts.reversed_faster <= counts.reversed);
        assert!(counts.legal_kinds.iter().sum::<u64>() >= 500);
    }
}
