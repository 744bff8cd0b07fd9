//! `tusk experiment mobility`: bot_drake's analysis of what pieces can do, its speed, and what it is mapped to.

use std::ops::Range;
use std::time::Instant;

use anyhow::anyhow;
use arimaa::{Bitboard, Board, GOLD, Game, Kind, Piece, Position, Setup, Side, Square};
use arimaa_ai::{Distances, TurnMobility};
use game::{Game as _, Steps};
use hrebejk_2013::{DISTANCE_MAPS, FEATURES, Features};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use workbench::{Arimaa, Army, reading};

use crate::lab::Lab;
use crate::report::{Cell, Report, Table};
use crate::sets;
use crate::study::{Setting, Study};

/// What each piece can do within a turn: bot_drake's first two layers (Hřebejk 2013, chapters 3 and 4).
pub const STUDY: Study = Study {
    name: "mobility",
    title: "What each piece can do within a turn: bot_drake's first two layers",
    regenerates: "Hřebejk 2013, chapter 3 (correctness and speed of the analysis), Figure 4.1 and Tables 4.2 to 4.5",
    settings: &[
        Setting {
            name: "random_boards",
            quick: 40,
            full: 5_000_000,
            least: 1,
            about: "boards by chance: a third each of pieces placed anywhere, placed around a trap, and of random play; the thesis had 2 billion",
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
            about: "boards of these games that are compared; with --positions, all boards of the games there",
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

/// The most boards of a unit of work, and the least: what is interrupted loses no more than one for each thread.
const CHUNK: Range<usize> = 10..500;

/// The most boards by chance whose speed is measured.
const TIMED: u64 = 1_000;

fn run(lab: &Lab) -> anyhow::Result<Report> {
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
    let random = lab.number("random_boards");
    let by_chance = check_all(lab, "by chance", random as usize, |number| {
        random_board(lab.seed, number as u64)
    })?;
    let of_games = check_all(lab, "of games", played.len(), |number| played[number])?;
    let rows = [
        ("by chance", "about 2 billion", random, by_chance),
        ("of games", "the whole archive", played.len() as u64, of_games),
    ];
    for (name, thesis, boards, found) in rows {
        table.row([
            name.into(),
            thesis.into(),
            Cell::Count(boards),
            found.answers.into(),
            found.false_yes.into(),
            found.false_no.into(),
        ]);
    }
    let few = (0..random.min(TIMED)).map(|number| random_board(lab.seed, number));
    let both: Vec<Board> = few.chain(played).collect();
    report.table(table);
    speed(lab, &both, &mut report)?;
    figure(&mut report)?;
    listings(&mut report);
    Ok(report)
}

/// A board by chance, of any size: pieces that are placed one by one, as the thesis does it, anywhere or around a trap; or what random
/// play has come to.
fn random_board(seed: u64, number: u64) -> Board {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    match number % 3 {
        0 => placed(&mut rng, !Bitboard::EMPTY),
        1 => {
            let trap = Square::TRAPS[rng.random_range(0..4)].bit();
            placed(&mut rng, (0..3).fold(trap, |near, _| near | near.neighbours()))
        }
        _ => played_by_chance(&mut rng),
    }
}

/// Pieces on some of these squares, few or many. What stands on a trap without support is removed.
fn placed(rng: &mut ChaCha8Rng, squares: Bitboard) -> Board {
    let squares: Vec<Square> = squares.into_iter().collect();
    let chance = rng.random_range(1..=16);
    let mut board = Board::default();
    for side in Side::ALL {
        for kind in Kind::ALL {
            for _ in 0..kind.army() {
                let square = squares[rng.random_range(0..squares.len())];
                let is_free = board.piece_at(square).is_none();
                if is_free && rng.random_range(0..16) < chance {
                    board.put(Piece { side, kind }, square);
                }
            }
        }
    }
    for square in board.unsupported() {
        board.take(square);
    }
    board
}

/// Up to 200 turns of random play.
fn played_by_chance(rng: &mut ChaCha8Rng) -> Board {
    let mut game = Game::new();
    for side in Side::ALL {
        let is_set_up = game.set_up(Setup::random(side, rng)).is_ok();
        debug_assert!(is_set_up);
    }
    for _ in 0..rng.random_range(0..200) {
        let turn = game.random_turn(rng);
        if turn.is_none_or(|turn| game.try_play(turn).is_err()) {
            break;
        }
    }
    *game.position().board()
}

fn played_boards(lab: &Lab) -> anyhow::Result<Vec<Board>> {
    if let Some(pos) = lab.positions {
        return boards_of_file(pos);
    }
    let games = sets::games::<Arimaa>(lab, lab.count("games"), lab.number("nodes"))?;
    let mut boards = Vec::new();
    for game in &games {
        let stages: Vec<Game> = game.stages()?;
        boards.extend(stages.iter().map(|game| *game.position().board()));
    }
    Ok(sets::spread(&boards, lab.count("game_boards")))
}

/// All boards of the games of a file.
fn boards_of_file(pos: &str) -> anyhow::Result<Vec<Board>> {
    let mut boards = Vec::new();
    for entry in reading::read::<Arimaa>(pos, Army::Handicap)? {
        let content = entry.content.map_err(|fault| anyhow!("{}: {fault}", entry.place))?;
        let positions = content.game.actions().map(|(position, _)| *position.board());
        boards.extend(positions.chain([*content.game.position().board()]));
    }
    Ok(boards)
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

fn check_all(
    lab: &Lab,
    name: &str,
    count: usize,
    board: impl Fn(usize) -> Board + Sync,
) -> anyhow::Result<Compared> {
    let size = (count / 1_000).clamp(CHUNK.start, CHUNK.end);
    let chunks: Vec<Range<usize>> =
        (0..count).step_by(size).map(|first| first..count.min(first + size)).collect();
    let found = lab.each(
        &format!("boards {name}"),
        &chunks,
        |chunk| format!("{} to {}", chunk.start, chunk.end),
        |chunk| {
            let compared = chunk.clone().map(|number| check(&board(number)));
            Ok(compared.fold(Compared::default(), Compared::plus))
        },
    )?;
    Ok(found.into_iter().fold(Compared::default(), Compared::plus))
}

/// Compares all that is said of a board.
fn check(board: &Board) -> Compared {
    let begin = Instant::now();
    let found = TurnMobility::new(board);
    let analysis_seconds = begin.elapsed().as_secs_f64();
    let begin = Instant::now();
    let expected = TurnMobility::by_playing_out(board);
    let search_seconds = begin.elapsed().as_secs_f64();
    let mut compared = Compared { analysis_seconds, search_seconds, ..Compared::default() };
    let pieces = board.occupied().len() as u64;
    for steps in (1..=4).map(Steps) {
        for square in board.occupied() {
            compared.add(found.reach(square, steps), expected.reach(square, steps), 63);
            // A single step moves no enemy.
            if steps > Steps(1) {
                compared.add(found.displaced(square, steps), expected.displaced(square, steps), 63);
            }
        }
        if steps > Steps(1) {
            compared.add(found.captured(steps), expected.captured(steps), pieces);
        }
    }
    compared
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
            let few = boards.len().min(repeats).min(CHUNK.end);
            let begin = Instant::now();
            for board in boards.iter().take(few) {
                std::hint::black_box(TurnMobility::by_playing_out(board));
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
