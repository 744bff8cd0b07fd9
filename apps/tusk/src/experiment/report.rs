//! What an experiment has to say: text, tables and plots, as Markdown with pictures beside it or as JSON lines.

use std::fmt::Write as _;

use plot::Plot;
use serde_json::Value;

pub use crate::table::{Cell, Table};

/// The parts of a report, in the order of reading.
#[derive(Default)]
pub struct Report {
    parts: Vec<Part>,
}

enum Part {
    Heading(String),
    Text(String),
    Table(Table),
    /// A picture and what it shows.
    Picture {
        title: String,
        svg: String,
    },
}

impl Report {
    /// Begins a section.
    pub fn heading(&mut self, text: &str) {
        self.parts.push(Part::Heading(text.to_string()));
    }

    pub fn text(&mut self, text: impl Into<String>) {
        self.parts.push(Part::Text(text.into()));
    }

    pub fn table(&mut self, table: Table) {
        self.parts.push(Part::Table(table));
    }

    pub fn plot(&mut self, plot: &Plot) {
        let (title, svg) = (plot.title.to_string(), plot.svg());
        self.parts.push(Part::Picture { title, svg });
    }

    /// The pictures, each with the number that its name ends with.
    pub fn pictures(&self) -> impl Iterator<Item = (usize, &str)> {
        let svgs = self.parts.iter().filter_map(|part| match part {
            Part::Picture { svg, .. } => Some(svg.as_str()),
            _ => None,
        });
        (1..).zip(svgs)
    }

    /// All of it as Markdown; the pictures are called `name-1.svg` and so on.
    pub fn markdown(&self, name: &str) -> String {
        let mut out = String::new();
        let mut pictures = 0;
        for part in &self.parts {
            let _ = match part {
                Part::Heading(text) => writeln!(out, "## {text}\n"),
                Part::Text(text) => writeln!(out, "{text}\n"),
                Part::Table(table) => writeln!(out, "{}", table.markdown()),
                Part::Picture { title, .. } => {
                    pictures += 1;
                    writeln!(out, "![{title}]({name}-{pictures}.svg)\n")
                }
            };
        }
        out
    }

    /// A line for each row of each table.
    pub fn rows(&self, study: &str) -> Vec<Value> {
        let tables = self.parts.iter().filter_map(|part| match part {
            Part::Table(table) => Some(table),
            _ => None,
        });
        tables.flat_map(|table| table.objects(study)).collect()
    }

    /// Everything that the same seed gives again: all cells but the measured times.
    #[cfg(test)]
    pub fn counts(&self) -> Vec<String> {
        let tables = self.parts.iter().filter_map(|part| match part {
            Part::Table(table) => Some(table),
            _ => None,
        });
        let cells = tables.flat_map(Table::cells);
        cells.filter(|cell| !matches!(cell, Cell::Timed(..))).map(Cell::text).collect()
    }
}
