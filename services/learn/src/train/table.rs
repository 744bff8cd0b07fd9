use network::Inputs;
use thiserror::Error;

use super::{SampleSet, Subject};

/// Why a table cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {fault}")]
pub struct TableError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: String,
}

/// Adds the positions of a tab-separated table to a set, and says how many there were.
///
/// Its header names the columns. `position` must be there; `score` (for the mover), `result` or `won` (1 if the
/// mover won, 0 if not), `game` (a number or a name) and `steps` (left in the turn) may be. A dash or an empty cell says nothing. Without
/// games, each row is a game of its own.
pub fn read_table<S: Subject>(
    subject: &S,
    text: &str,
    samples: &mut SampleSet,
) -> Result<usize, TableError>
where
    S::Inputs: Inputs,
{
    let mut lines = (1..).zip(text.lines());
    let fault = |line, fault: String| TableError { line, fault };
    let (_, header) = lines.next().ok_or_else(|| fault(1, "the table is empty".into()))?;
    let column =
        |names: &[&str]| header.split('\t').position(|column| names.contains(&column.trim()));
    let (score, result) = (column(&["score"]), column(&["result", "won"]));
    let (position, game) = (column(&["position"]), column(&["game"]));
    let steps = column(&["steps"]);
    if position.is_none() {
        return Err(fault(1, "the header has no column `position`".into()));
    }
    let mut count = 0;
    for (line, row) in lines.filter(|(_, row)| !row.trim().is_empty()) {
        let cells: Vec<&str> = row.split('\t').collect();
        let cell = |column: Option<usize>| {
            let cell = *cells.get(column?)?;
            (!matches!(cell.trim(), "" | "-")).then_some(cell)
        };
        let text = cell(position).ok_or_else(|| fault(line, "the row has no position".into()))?;
        let mut position = subject.parse(text).map_err(|error| fault(line, error))?;
        let wrong = |column: &str, found: &str| {
            fault(line, format!("column {column}: found {found:?}, expected a whole number"))
        };
        if let Some(text) = cell(steps) {
            let left = text.trim().parse().ok().and_then(|left| subject.inside(&position, left));
            position = left.ok_or_else(|| {
                let what = "expected the steps left in the turn, from 1 to those of a whole turn";
                fault(line, format!("column steps: found {text:?}, {what}"))
            })?;
        }
        let score = cell(score).map(|text| {
            let score: i64 = text.trim().parse().map_err(|_| wrong("score", text))?;
            Ok(score.clamp((-i16::MAX).into(), i16::MAX.into()) as i16)
        });
        let result = cell(result).map(|text| match text.trim() {
            "1" => Ok(1),
            "0" | "-1" => Ok(-1),
            _ => Err(wrong("result", text)),
        });
        let game = match cell(game) {
            Some(text) => text.trim().parse().unwrap_or_else(|_| number_of(text)),
            None => line as u64,
        };
        subject.add(samples, &position, (score.transpose()?, result.transpose()?), game);
        count += 1;
    }
    Ok(count)
}

/// A number for a name.
fn number_of(text: &str) -> u64 {
    crc32fast::hash(text.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::ArimaaSubject;

    const ROW: &str = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";

    fn read(text: &str) -> Result<SampleSet, String> {
        let mut samples = SampleSet::new::<<ArimaaSubject as Subject>::Inputs>();
        let read = read_table(&ArimaaSubject, text, &mut samples);
        read.map(|_| samples).map_err(|error| error.to_string())
    }

    #[test]
    fn rows_become_samples() {
        let text = format!("game\tposition\twon\tscore\n7\t{ROW}\t0\t-12\nx\t{ROW}\t-\t\n");
        let samples = read(&text).expect("a table");
        let labels = samples.labels();
        assert_eq!(samples.len(), 2);
        assert_eq!(samples.features(0).len(), 32);
        let first = (labels[0].game, labels[0].score, labels[0].result, labels[0].bucket);
        assert_eq!(first, (7, Some(-12), Some(-1), 3));
        assert_eq!((labels[1].score, labels[1].result), (None, None));
        // What tells nothing is not learnt from.
        let (training, validation) = samples.split();
        assert_eq!(training.len() + validation.len(), 1);
    }

    #[test]
    fn a_fault_names_its_line() {
        assert_eq!(read("a\tb\n").unwrap_err(), "line 1: the header has no column `position`");
        let text = format!("position\tscore\n{ROW}\t1\n{ROW}\tmany\n");
        let fault = "line 3: column score: found \"many\", expected a whole number";
        assert_eq!(read(&text).unwrap_err(), fault);
        let text = format!("position\tsteps\n{ROW}\t9\n");
        assert!(
            read(&text).unwrap_err().starts_with("line 2: column steps: found \"9\", expected")
        );
        assert!(read("position\nnothing\n").unwrap_err().starts_with("line 2: "));
    }
}
