//! `tusk check-proof`: replays proofs with the rules alone.

use std::io::{BufWriter, Write};
use std::time::Instant;

use arimaa::{Hunt, Position};
use game::{Notation, Proof};
use proof::{Document, Header, ReadError};
use serde_json::{Value, json};

use workbench::GameName;
use workbench::reading::{self, Location};

use crate::Exit;
use crate::output::standard;
use crate::show::refuse_at;

/// Replays proofs with none of the solver's code.
///
/// Each turn of the loser must have an answer, and each turn of the winner must be legal and what its text says:
/// the pieces that move, and no captures that do not happen. A proof that takes another number of turns than it
/// says is not valid either. A file holds one proof or more, as
/// `tusk solve --proof` writes them; it may be gzipped. The exit status is 1 if a proof is not valid, or
/// cannot be read.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  tusk check-proof positions/proofs/goal.txt")]
pub struct Arguments {
    /// Files of proofs, folders of such files, or -
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let mut printer = Printer {
        json: arguments.json,
        out: BufWriter::new(standard()),
        proofs: 0,
        valid: 0,
        refused: 0,
    };
    for file in &arguments.files {
        match reading::sources_of(file, "proofs, each of which begins with \"tusk proof 1\"")? {
            None => printer.refuse(file, 1, "there is no such file")?,
            Some(sources) => {
                for source in sources {
                    let file = source.file.as_deref().unwrap_or(file);
                    match &source.text {
                        Ok(text) => check_file(file, text, &mut printer)?,
                        Err((line, fault)) => printer.refuse(file, *line, fault)?,
                    }
                }
            }
        }
    }
    printer.finish(begin.elapsed().as_secs_f64())
}

fn check_file<W: Write>(file: &str, text: &str, printer: &mut Printer<W>) -> anyhow::Result<()> {
    let texts = proof::texts(text);
    if texts.is_empty() {
        let fault =
            "there is nothing here: expected proofs, each of which begins with \"tusk proof 1\"";
        return printer.refuse(file, 1, fault);
    }
    for &(before, text) in &texts {
        match checked(text) {
            Ok(row) => {
                let place = match texts.len() {
                    1 => file.to_string(),
                    _ => format!("{file}:{}", before + 1),
                };
                printer.print(&place, &row)?;
            }
            Err(ReadError { line, kind }) => {
                printer.refuse(file, before + line, &kind.to_string())?;
            }
        }
    }
    Ok(())
}

/// What a proof claims, and what is wrong with it.
struct Row {
    position: String,
    target: String,
    result: Proof,
    fault: Option<String>,
}

fn checked(text: &str) -> Result<Row, ReadError> {
    let header = Header::read(text)?;
    // What is hunted is part of the position: it is another game by the same rules.
    let fault = match header.target.starts_with("capture:") {
        _ if header.game == GameName::Tzaar.word() => fault::<tzaar::Position>(text)?,
        true => fault::<Hunt>(text)?,
        false => fault::<Position>(text)?,
    };
    Ok(Row { position: header.position, target: header.target, result: header.result, fault })
}

fn fault<P: Notation>(text: &str) -> Result<Option<String>, ReadError> {
    let (document, checked) = Document::<P>::check_text(text)?;
    Ok(checked.err().map(|fault| fault.text(&document.position)))
}

impl Row {
    fn json(&self) -> Value {
        let (result, turns) = match self.result {
            Proof::Win(turns) => ("win", turns),
            Proof::Loss(turns) => ("loss", turns),
        };
        let mut row = json!({
            "position": self.position,
            "target": self.target,
            "result": result,
            "turns": turns.0,
            "valid": self.fault.is_none(),
        });
        if let Some(fault) = &self.fault {
            row["error"] = json!(fault);
        }
        row
    }

    fn text(&self) -> String {
        let target = match self.target.as_str() {
            "win" => String::new(),
            target => format!(" {target}"),
        };
        let verdict = match &self.fault {
            None => "valid".to_string(),
            Some(fault) => format!("not valid: {fault}"),
        };
        format!("{}{target}, {}: {verdict}", self.position, self.result)
    }
}

struct Printer<W> {
    json: bool,
    out: W,
    proofs: u64,
    valid: u64,
    refused: u64,
}

impl<W: Write> Printer<W> {
    fn print(&mut self, place: &str, row: &Row) -> anyhow::Result<()> {
        self.proofs += 1;
        self.valid += u64::from(row.fault.is_none());
        match self.json {
            true => writeln!(self.out, "{}", row.json())?,
            false => writeln!(self.out, "{place}: {}", row.text())?,
        }
        Ok(())
    }

    fn refuse(&mut self, file: &str, line: usize, fault: &str) -> anyhow::Result<()> {
        self.refused += 1;
        let place = Location { file: Some(file.to_string()), line };
        refuse_at(&place, fault, self.json, &mut self.out)
    }

    fn finish(mut self, seconds: f64) -> anyhow::Result<Exit> {
        let Printer { proofs, valid, refused, .. } = self;
        if self.json {
            let summary = json!({
                "summary": true,
                "proofs": proofs,
                "valid": valid,
                "seconds": seconds,
                "refused": refused,
            });
            writeln!(self.out, "{summary}")?;
        } else {
            let plural = if proofs == 1 { "" } else { "s" };
            writeln!(self.out, "{valid} of {proofs} proof{plural} valid, in {seconds:.3} s")?;
            if refused > 0 {
                writeln!(self.out, "{refused} refused")?;
            }
        }
        self.out.flush()?;
        let all_well = refused == 0 && valid == proofs;
        Ok(if all_well { Exit::Done } else { Exit::Refused })
    }
}
