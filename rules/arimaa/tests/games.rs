//! Real games are replayed, and end as they are recorded to have ended.

use arimaa::{Army, Game, Reason, side};
use test_support::{Rows, engine_record};

/// Replays an archive in arimaa.com's format; returns how many games ended by the rules of the board.
fn replay_archive(table: &Rows) -> usize {
    let mut decided = 0;
    for row in &table.rows {
        let id = table.cell(row, "id");
        let record = table.cell(row, "movelist").replace("\\n", "\n");
        let game = Game::parse(&record, Army::Full).unwrap_or_else(|e| panic!("game {id}: {e}"));
        let reason = match table.cell(row, "termination") {
            "g" => Some(Reason::Goal),
            "e" => Some(Reason::Elimination),
            "m" => Some(Reason::Immobilisation),
            // Resigned, out of time, or an illegal move: the board does not tell.
            _ => None,
        };
        let winner = side::from_letter(table.cell(row, "result").chars().next().unwrap());
        if let Some(reason) = reason {
            let outcome = game.outcome().unwrap_or_else(|| panic!("game {id} is not over"));
            assert_eq!((Some(outcome.winner), outcome.reason), (winner, reason), "game {id}");
            decided += 1;
        } else {
            assert_eq!(game.outcome(), None, "game {id}");
        }
        assert_eq!(Game::parse(&game.to_string(), Army::Full).unwrap().position(), game.position());
    }
    decided
}

#[test]
fn the_games_of_self_play_end_as_recorded() {
    let table = Rows::own("arimaa/games.txt");
    assert_eq!(replay_archive(&table), table.rows.len());
}

mod shared_data {
    use super::*;

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn the_games_of_the_archive_end_as_recorded() {
        let decided = replay_archive(&Rows::shared("arimaa/archive/allgames202602.txt"));
        println!("{decided} games decided on the board");
        let older = replay_archive(&Rows::shared("arimaa/archive/allgames201111_sample.txt"));
        println!("{older} older games decided on the board");
        assert!(decided > 0 && older > 0);
    }

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn the_refused_turn_of_the_archive_is_named_with_the_reason() {
        let table = Rows::shared("arimaa/archive/allgames202602.txt");
        let illegal: Vec<_> =
            table.rows.iter().filter(|row| table.cell(row, "termination") == "i").collect();
        assert_eq!(illegal.len(), 1);
        let row = illegal[0];
        // The turn that was refused is not in the list of moves, but in the log of the game.
        let record = table.cell(row, "movelist").replace("\\n", "\n");
        let log = table.cell(row, "events").replace("\\n", "\n");
        let label = record.lines().last().unwrap().trim();
        let received = format!("move {label} received");
        let line = log.lines().rfind(|line| line.contains(&received)).unwrap();
        let steps = line.split_once("from").unwrap().1;
        let steps = steps.split_once('[').unwrap().1.trim_end_matches(']');
        let error = Game::parse(&format!("{record} {steps}"), Army::Full).unwrap_err().to_string();
        println!("game {}: {error}", table.cell(row, "id"));
        assert!(error.contains(&format!("turn {label}")), "{error}");
        assert!(error.contains("third time"), "{error}");
    }

    #[test]
    #[ignore = "needs TUSK_DATA"]
    fn the_games_of_the_engine_end_as_recorded() {
        let table = Rows::shared("arimaa/engine_games.tsv.gz");
        for (index, row) in table.rows.iter().enumerate() {
            let record = engine_record(table.cell(row, "movelist"));
            let game =
                Game::parse(&record, Army::Full).unwrap_or_else(|e| panic!("row {index}: {e}"));
            let outcome = game.outcome().unwrap_or_else(|| panic!("row {index} is not over"));
            let reason = match table.cell(row, "termination") {
                "goal" => Reason::Goal,
                "elim" => Reason::Elimination,
                "immo" => Reason::Immobilisation,
                other => panic!("row {index}: {other}"),
            };
            let winner = side::from_letter(table.cell(row, "winner").chars().next().unwrap());
            assert_eq!((Some(outcome.winner), outcome.reason), (winner, reason), "row {index}");
        }
        println!("{} games", table.rows.len());
    }
}
