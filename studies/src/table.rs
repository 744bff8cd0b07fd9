//! Tables in Markdown and as JSON.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

/// A table.
pub struct Table {
    /// The caption, such as a table of a thesis with our figures beside its own.
    title: String,
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table of that caption and these columns, without rows.
    pub fn new<'a>(title: &str, columns: impl IntoIterator<Item = &'a str>) -> Table {
        let columns = columns.into_iter().map(str::to_string).collect();
        Table { title: title.to_string(), columns, rows: Vec::new() }
    }

    /// Adds a row, which has a cell for each column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let row: Vec<Cell> = cells.into_iter().collect();
        debug_assert_eq!(row.len(), self.columns.len(), "{}", self.title);
        self.rows.push(row);
    }

    /// All cells, row by row.
    #[cfg(test)]
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.rows.iter().flatten()
    }

    /// The table in Markdown.
    pub fn markdown(&self) -> String {
        let mut out = format!("**{}**\n\n| {} |\n|", self.title, self.columns.join(" | "));
        for column in 0..self.columns.len() {
            let is_text = self.rows.iter().all(|row| matches!(row[column], Cell::Text(_)));
            out += if is_text { " :--- |" } else { " ---: |" };
        }
        out.push('\n');
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(Cell::text).collect();
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
        out
    }

    /// An object for each row.
    pub fn objects(&self, study: &str) -> impl Iterator<Item = Value> {
        self.rows.iter().map(move |row| {
            let mut object = Map::new();
            object.insert("study".to_string(), json!(study));
            object.insert("table".to_string(), json!(self.title));
            for (column, cell) in self.columns.iter().zip(row) {
                object.insert(column.clone(), cell.json());
            }
            Value::Object(object)
        })
    }
}

/// What stands in a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A count.
    Count(u64),
    /// A number, and how many decimals are shown.
    Number(f64, usize),
    /// A share of 1, shown in percent.
    Share(f64),
    /// A time as a ratio within the run, or what depends on times: what the same seed does not give again.
    Timed(f64),
    /// Nothing is known.
    Missing,
}

impl Cell {
    /// How many times the figure of a thesis ours is.
    pub fn ratio(ours: f64, thesis: f64) -> Cell {
        match thesis == 0.0 {
            true => Cell::Missing,
            false => Cell::Number(ours / thesis, 2),
        }
    }

    /// How much less the second is than the first.
    pub fn saved(before: f64, after: f64) -> Cell {
        match before == 0.0 {
            true => Cell::Missing,
            false => Cell::Share(1.0 - after / before),
        }
    }

    /// How many times the other time ours is.
    pub fn timed_ratio(ours: f64, other: f64) -> Cell {
        if other > 0.0 { Cell::Timed(ours / other) } else { Cell::Missing }
    }

    /// The cell for people.
    pub fn text(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Count(count) => grouped(*count),
            Cell::Number(number, decimals) => format!("{number:.decimals$}"),
            Cell::Share(share) => match share.abs() {
                0.1.. => format!("{:.0} %", 100.0 * share),
                _ => format!("{:.1} %", 100.0 * share),
            },
            Cell::Timed(time) => format!("{time:.2}"),
            Cell::Missing => "-".to_string(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Cell::Text(text) => json!(text),
            Cell::Count(count) => json!(count),
            Cell::Number(number, _) | Cell::Share(number) | Cell::Timed(number) => json!(number),
            Cell::Missing => Value::Null,
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_string())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Cell {
        Cell::Count(count)
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Cell {
        Cell::Count(count as u64)
    }
}

/// 1234567 as 1,234,567.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_written_for_people_and_for_programs() {
        let mut table = Table::new("Table 1", ["name", "thesis", "ours", "ratio"]);
        table.row([
            Cell::from("nodes"),
            Cell::Count(1_000),
            Cell::Count(1_234_567),
            Cell::ratio(2.0, 4.0),
        ]);
        let expected = "**Table 1**\n\n| name | thesis | ours | ratio |\n| :--- | ---: | ---: | ---: |\n\
                        | nodes | 1,000 | 1,234,567 | 0.50 |\n";
        assert_eq!(table.markdown(), expected);
        let rows: Vec<Value> = table.objects("study").collect();
        assert_eq!(rows[0]["ours"], json!(1_234_567));
        assert_eq!(rows[0]["table"], json!("Table 1"));
    }

    #[test]
    fn shares_and_ratios_of_nothing_are_missing() {
        assert_eq!(Cell::ratio(1.0, 0.0), Cell::Missing);
        assert_eq!(Cell::saved(0.0, 1.0), Cell::Missing);
        assert_eq!(Cell::saved(200.0, 50.0), Cell::Share(0.75));
        assert_eq!(Cell::Share(0.016).text(), "1.6 %");
    }
}
