//! `tusk experiment mobility`: bot_drake's analysis of what pieces can do, its speed, and what it is mapped to.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::Instant;

use arimaa::{Bitboard, Board, GOLD, Game, Kind, Mobility, Position, Side, Square, Step};
use arimaa_ai::drake::{DISTANCE_MAPS, Distances, FEATURES, Features, TurnMobility};
use game::{Game as _, Steps};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use workbench::Arimaa;

use super::lab::Lab;
use super::report::{Cell, Report, Table};
use super::sets;
use super::study::{Setting, Study};

pub const STUDY: Study = Study {
    name: "mobility",
    title: "What each piece can do within a turn: bot_drake's first two layers",
    regenerates: "Hřebejk 2013, chapter 3 (correctness and speed of the analysis), Figure 4.1 and Tables 4.2 to 4.5",
    settings: &[
        Setting {
            name: "random_boards",
            quick: 40,
            full: 20_000,
            least: 1,
            about: "boards with pieces placed by chance; the thesis had 2 billion",
        },
        Setting {
            name: "games",
            quick: 3,
            full: 500,
            least: 1,
            about: "games of the engine with itself; the thesis had all games of the archive",
        },
        Setting {
            name: "game_boards",
            quick: 20,
            full: 5_000,
            least: 1,
            about: "boards of these games that are compared",
        },
        Setting {
            name: "nodes",
            quick: 500,
            full: 3_000,
            least: 50,
            about: "nodes for a turn of these games",
        },
        Setting {
            name: "repeats",
            quick: 5_000,
            full: 200_000,
            least: 10,
            about: "boards that are analysed for the speed",
        },
    ],
    run,
};

/// Boards of a unit of work.
const CHUNK: usize = 10;

fn run(lab: &Lab) -> anyhow::Result<Report> {
    let random = random_boards(lab);
    let played = played_boards(lab)?;
    let mut report = Report::default();
    report.heading("Correctness");
    report.text(
        "For each piece, number of steps and square: whether the piece can get there, whether the enemy can bring it there, and whether it can be \
         captured. The analysis is compared with a search that plays all turns of both sides.",
    );
    let columns =
        ["boards", "thesis", "ours", "answers compared", "wrongly said yes", "wrongly said no"];
    let mut table =
        Table::new("Hřebejk 2013, 3.7: the analysis beside a search of all turns", columns);
    let mut both = Vec::new();
    let sources =
        [("by chance", "about 2 billion", random), ("of games", "the whole archive", played)];
    for (name, thesis, boards) in sources {
        let found = check_all(lab, name, &boards)?;
        table.row([
            name.into(),
            thesis.into(),
            boards.len().into(),
            found.answers.into(),
            found.false_yes.into(),
            found.false_no.into(),
        ]);
        both.extend(boards);
    }
    report.table(table);
    speed(lab, &both, &mut report)?;
    figure(&mut report)?;
    listings(&mut report);
    Ok(report)
}

/// As the thesis makes them: pieces are placed one by one on squares by chance, not all of them, and what stands on a trap
/// without support is removed.
fn random_boards(lab: &Lab) -> Vec<Board> {
    let army = [
        (Kind::Elephant, 1),
        (Kind::Camel, 1),
        (Kind::Horse, 2),
        (Kind::Dog, 2),
        (Kind::Cat, 2),
        (Kind::Rabbit, 8),
    ];
    let squares: Vec<Square> = Square::all().collect();
    let mut board_of = |number: u64| {
        let mut rng = ChaCha8Rng::seed_from_u64(lab.seed);
        rng.set_stream(number);
        let mut board = Board::default();
        for side in Side::ALL {
            for (kind, most) in army {
                for _ in 0..most {
                    let square = squares[rng.random_range(0..squares.len())];
                    let is_free = board.piece_at(square).is_none();
                    if is_free && rng.random_range(0..4) > 0 {
                        board.put(arimaa::Piece { side, kind }, square);
                    }
                }
            }
        }
        for square in board.unsupported() {
            board.take(square);
        }
        board
    };
    (0..lab.number("random_boards")).map(&mut board_of).collect()
}

fn played_boards(lab: &Lab) -> anyhow::Result<Vec<Board>> {
    let games = sets::games::<Arimaa>(lab, lab.count("games"), lab.number("nodes"))?;
    let mut boards = Vec::new();
    for game in &games {
        let stages: Vec<Game> = game.stages()?;
        boards.extend(stages.iter().map(|game| *game.position().board()));
    }
    Ok(sets::spread(&boards, lab.count("game_boards")))
}

/// What a comparison has found.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Compared {
    answers: u64,
    false_yes: u64,
    false_no: u64,
    /// What both took.
    analysis_seconds: f64,
    search_seconds: f64,
}

impl Compared {
    fn plus(self, other: Compared) -> Compared {
        Compared {
            answers: self.answers + other.answers,
            false_yes: self.false_yes + other.false_yes,
            false_no: self.false_no + other.false_no,
            analysis_seconds: self.analysis_seconds + other.analysis_seconds,
            search_seconds: self.search_seconds + other.search_seconds,
        }
    }

    fn add(&mut self, found: Bitboard, expected: Bitboard, asked: u64) {
        self.answers += asked;
        self.false_yes += (found & !expected).len() as u64;
        self.false_no += (expected & !found).len() as u64;
    }
}

fn check_all(lab: &Lab, name: &str, boards: &[Board]) -> anyhow::Result<Compared> {
    let chunks: Vec<(usize, &[Board])> = boards.chunks(CHUNK).enumerate().collect();
    let what = format!("boards {name}");
    let found = lab.each(
        &what,
        &chunks,
        |(number, _)| number.to_string(),
        |(_, boards)| Ok(boards.iter().map(check).fold(Compared::default(), Compared::plus)),
    )?;
    Ok(found.into_iter().fold(Compared::default(), Compared::plus))
}

/// Compares all that is said of a board.
fn check(board: &Board) -> Compared {
    let begin = Instant::now();
    let found = TurnMobility::new(board);
    let analysis_seconds = begin.elapsed().as_secs_f64();
    let begin = Instant::now();
    let expected = Reached::of(board);
    let search_seconds = begin.elapsed().as_secs_f64();
    let mut compared = Compared { analysis_seconds, search_seconds, ..Compared::default() };
    for steps in 1..=4u8 {
        let index = usize::from(steps) - 1;
        for (square, _) in board.pieces() {
            let others = !square.bit();
            let reach = expected.own[index][square.index()] & others;
            compared.add(found.reach(square, Steps(steps)), reach, 63);
            // A single step moves no enemy.
            if steps > 1 {
                let moved = expected.moved[index][square.index()] & others;
                compared.add(found.displaced(square, Steps(steps)), moved, 63);
            }
        }
        if steps > 1 {
            let pieces = board.occupied().len() as u64;
            compared.add(found.captured(Steps(steps)), expected.captured[index], pieces);
        }
    }
    compared
}

/// What turns do, by the steps less one and by where a piece stood before the turn: where its own side takes it, where the enemy
/// takes it, and which enemies are captured.
struct Reached {
    own: [[Bitboard; 64]; 4],
    moved: [[Bitboard; 64]; 4],
    captured: [Bitboard; 4],
}

/// A board within a turn, and the pieces that have moved: where they stand and where they stood.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    board: Board,
    moved: Vec<(Square, Square)>,
}

impl State {
    fn origin(&self, square: Square) -> Square {
        let found = self.moved.iter().find(|(now, _)| *now == square);
        found.map_or(square, |&(_, origin)| origin)
    }

    fn after(&self, step: Step) -> State {
        let mut next = self.clone();
        for (from, to) in step.moves() {
            let origin = next.origin(from);
            next.moved.retain(|&(now, _)| now != from);
            next.moved.push((to, origin));
        }
        next.board = self.board.after(step);
        let occupied = next.board.occupied();
        next.moved.retain(|&(now, _)| occupied.has(now));
        next.moved.sort();
        next
    }
}

impl Reached {
    fn of(board: &Board) -> Reached {
        let none = [Bitboard::EMPTY; 64];
        let mut reached =
            Reached { own: [none; 4], moved: [none; 4], captured: [Bitboard::EMPTY; 4] };
        Side::ALL.into_iter().for_each(|side| reached.play_out(board, side));
        // What fewer steps do, more can.
        for steps in 1..4 {
            for square in 0..64 {
                let fewer = (reached.own[steps - 1][square], reached.moved[steps - 1][square]);
                reached.own[steps][square] |= fewer.0;
                reached.moved[steps][square] |= fewer.1;
            }
            let fewer = reached.captured[steps - 1];
            reached.captured[steps] |= fewer;
        }
        reached
    }

    fn play_out(&mut self, board: &Board, side: Side) {
        let mut layers: [Vec<State>; 5] = Default::default();
        let mut seen = HashSet::new();
        layers[0].push(State { board: *board, moved: Vec::new() });
        for used in 0..4 {
            for state in std::mem::take(&mut layers[used]) {
                for step in steps(&state.board, side) {
                    let now = used + usize::from(step.cost().0);
                    if now > 4 {
                        continue;
                    }
                    self.note(&state, step, side, now);
                    if now < 4 {
                        let after = state.after(step);
                        if seen.insert((now, after.clone())) {
                            layers[now].push(after);
                        }
                    }
                }
            }
        }
    }

    /// Notes what a step has done, as the last one of so many.
    fn note(&mut self, before: &State, step: Step, side: Side, steps: usize) {
        let after = before.board.after(step);
        for (from, to) in step.moves() {
            let origin = before.origin(from).index();
            let is_own = before.board.of(side).has(from);
            if !is_own {
                self.moved[steps - 1][origin] |= to.bit();
            } else if after.of(side).has(to) {
                self.own[steps - 1][origin] |= to.bit();
            }
        }
        for square in before.board.of(!side) {
            let now = step.moves().find(|&(from, _)| from == square).map_or(square, |(_, to)| to);
            if !after.of(!side).has(now) {
                self.captured[steps - 1] |= before.origin(square).bit();
            }
        }
    }
}

fn steps(board: &Board, side: Side) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut visit = |step: Step| {
        steps.push(step);
        ControlFlow::Continue(())
    };
    let mobility = Mobility::new(board, side);
    let _ = mobility.for_each_single(&mut visit);
    let _ = mobility.for_each_push_and_pull(&mut visit);
    steps
}

/// How fast the analysis is, beside a search of all turns and with the second layer.
fn speed(lab: &Lab, boards: &[Board], report: &mut Report) -> anyhow::Result<()> {
    let repeats = lab.count("repeats");
    let measured: Vec<[f64; 3]> = lab.each(
        "speed",
        &[repeats],
        |repeats| repeats.to_string(),
        |&repeats| {
            let of = |work: &dyn Fn(&Board) -> u64| {
                let begin = Instant::now();
                let sum: u64 = boards.iter().cycle().take(repeats).map(work).sum();
                std::hint::black_box(sum);
                begin.elapsed().as_secs_f64() / repeats as f64
            };
            let first = of(&|board| TurnMobility::new(board).captured(Steps(4)).len() as u64);
            let second = of(&|board| Features::new(board, GOLD).iter().count() as u64);
            let few = boards.len().min(repeats).min(CHUNK);
            let begin = Instant::now();
            for board in boards.iter().take(few) {
                std::hint::black_box(Reached::of(board).captured[3]);
            }
            Ok([first, second, begin.elapsed().as_secs_f64() / few.max(1) as f64])
        },
    )?;
    let [first, second, search] = measured.first().copied().unwrap_or([1.0; 3]);
    let title = "Hřebejk 2013, chapters 3 and 5.6: speed, as multiples of the analysis";
    let mut table =
        Table::new(title, ["what", "thesis", "time of a board by that of the analysis"]);
    table.row(["the analysis".into(), "-".into(), Cell::timed_ratio(first, first)]);
    let told = "120,000 evaluations a second on four cores";
    table.row([
        "the analysis and all features".into(),
        told.into(),
        Cell::timed_ratio(second, first),
    ]);
    table.row(["a search of all turns".into(), "-".into(), Cell::timed_ratio(search, first)]);
    report.heading("Speed");
    report.table(table);
    Ok(())
}

/// A board like that of Figure 4.1: a gold horse on g4, and a silver elephant on e3.
const FIGURE_POSITION: &str =
    "g [rr rr rr dc  cd  h         E     m    Hh    e    DCM CD RRRHRRRR]";

fn figure(report: &mut Report) -> anyhow::Result<()> {
    let position: Position = FIGURE_POSITION.parse()?;
    let board = position.board();
    let distances = Distances::new(board, &TurnMobility::new(board));
    let horse = board.pieces().find(|(square, _)| square.to_string() == "g4");
    let Some((square, _)) = horse else { return Ok(()) };
    let files = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let title = "Hřebejk 2013, Figure 4.1: steps that the gold horse on g4 needs to each square (15: out of reach)";
    let mut table = Table::new(title, ["rank"].into_iter().chain(files));
    let matrix = &distances.at(square).matrix;
    for rank in (1..=8usize).rev() {
        let cells = files.iter().map(|file| {
            let name = format!("{file}{rank}");
            let square = Square::all().find(|square| square.to_string() == name);
            square.map_or(Cell::Missing, |square| Cell::Count(matrix.at(square).into()))
        });
        table.row([Cell::from(rank)].into_iter().chain(cells));
    }
    report.heading("Distances");
    report.text(format!(
        "The board of the figure is not told in full; this one is like it.\n\n```text\n{}\n```",
        Game::from_position(position).picture()
    ));
    report.table(table);
    Ok(())
}

/// Table 4.2 of the thesis, a row for each distance: fear, support, protection with and without the turn, danger, mobility.
const THESIS_MAPS: [[u8; 16]; 6] = [
    [90, 70, 55, 45, 37, 29, 25, 21, 18, 15, 12, 10, 9, 8, 7, 6],
    [0, 26, 23, 20, 17, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1, 0],
    [255, 200, 182, 166, 150, 120, 105, 90, 82, 69, 56, 44, 32, 21, 10, 0],
    [255, 180, 162, 120, 105, 90, 83, 69, 56, 44, 32, 21, 10, 5, 1, 0],
    [30, 26, 23, 20, 17, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1, 0],
    [0, 255, 200, 160, 125, 95, 75, 60, 50, 34, 24, 16, 12, 7, 3, 0],
];

fn listings(report: &mut Report) {
    report.heading("What distances are mapped to, and the features");
    let names: Vec<String> =
        DISTANCE_MAPS.iter().map(|map| format!("{}: thesis, ours", map.name)).collect();
    let columns = ["distance"].into_iter().chain(names.iter().map(String::as_str));
    let mut table = Table::new("Hřebejk 2013, Table 4.2: what a distance is mapped to", columns);
    for distance in 0..16 {
        let pairs = DISTANCE_MAPS.iter().zip(THESIS_MAPS).map(|(ours, thesis)| {
            format!("{}, {}", thesis[distance], ours.values[distance]).into()
        });
        table.row([Cell::from(distance)].into_iter().chain(pairs));
    }
    report.table(table);
    let title = "Hřebejk 2013, Tables 4.3 to 4.5: the features and their parameters; those of the thesis are the first three kinds";
    let mut table = Table::new(title, ["feature", "number", "parameter", "most", "quantitative"]);
    for kind in &FEATURES {
        for (number, parameter) in (1usize..).zip(kind.parameters) {
            table.row([
                kind.name.into(),
                number.into(),
                parameter.name.into(),
                Cell::Count(parameter.most.into()),
                if parameter.is_quantitative { "yes" } else { "no" }.into(),
            ]);
        }
    }
    report.table(table);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_analysis_says_what_a_search_of_all_turns_finds() {
        let position: Position = FIGURE_POSITION.parse().unwrap();
        let found = check(position.board());
        assert!(found.answers > 10_000);
        assert_eq!((found.false_yes, found.false_no), (0, 0));
    }

    #[test]
    fn distances_are_mapped_as_in_the_thesis() {
        assert_eq!(DISTANCE_MAPS.map(|map| map.values), THESIS_MAPS);
    }
}
