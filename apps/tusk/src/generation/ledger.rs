//! The ledger of a line of generations: what each came to.

use arena::EloEstimate;
use learn::generation::journal::{Gated, Journal, Played, Trained};
use learn::generation::{Settings, Step};
use plot::{Plot, Series};
use serde_json::{Value, json};

use crate::table::{Cell, Table};

/// What each generation came to, as far as it is known.
pub struct Ledger {
    rows: Vec<LedgerRow>,
    best: u16,
    done: u16,
}

/// What a generation came to.
pub struct LedgerRow {
    generation: u16,
    settings: Settings,
    played: Option<Played>,
    trained: Option<Trained>,
    gated: Option<Gated>,
    /// Elo of the best net before it, from generation 0 on.
    before: f64,
    /// Seconds of each step.
    seconds: [f64; 3],
    threads: usize,
}

impl Ledger {
    pub fn new(journal: &Journal) -> Ledger {
        let mut rows = Vec::new();
        let mut best_elo = 0.0;
        for generation in 1.. {
            let Some((_, settings)) = journal.begun(generation) else { break };
            let spent = Step::ALL.map(|step| journal.spent(generation, step));
            let row = LedgerRow {
                generation,
                settings: settings.clone(),
                played: journal.played(generation),
                trained: journal.trained(generation).cloned(),
                gated: journal.gated(generation),
                before: best_elo,
                seconds: spent.map(|(seconds, _)| seconds),
                threads: spent.iter().map(|&(_, threads)| threads).max().unwrap_or(0),
            };
            if row.is_accepted() == Some(true) {
                best_elo = row.cumulative().unwrap_or(best_elo);
            }
            rows.push(row);
        }
        let done = journal.done();
        Ledger { rows, best: journal.best_before(done + 1), done }
    }

    /// The rows, one for each generation that began.
    pub fn rows(&self) -> &[LedgerRow] {
        &self.rows
    }

    /// The row of a generation.
    pub fn row(&self, generation: u16) -> Option<&LedgerRow> {
        self.rows.iter().find(|row| row.generation == generation)
    }

    /// How many generations are done.
    pub fn done(&self) -> u16 {
        self.done
    }

    /// The generation of the best net.
    pub fn best(&self) -> u16 {
        self.best
    }

    /// The table, with the plot below it.
    pub fn markdown(&self) -> String {
        let columns = [
            "generation",
            "games",
            "positions",
            "nodes",
            "lambda",
            "decay",
            "trained on",
            "epochs",
            "validation",
            "gate nodes",
            "gate games",
            "score",
            "Elo",
            "error (95 %)",
            "best",
            "Elo from 0",
            "self-play s",
            "training s",
            "gate s",
            "threads",
        ];
        let title = format!("Generations, the best net is that of generation {}", self.best);
        let mut table = Table::new(&title, columns);
        self.rows.iter().for_each(|row| table.row(row.cells()));
        format!("# Ledger\n\n{}\n![Elo by generation](ledger.svg)\n", table.markdown())
    }

    /// Elo by generation.
    pub fn svg(&self) -> String {
        let place = |row: &LedgerRow| Some((f64::from(row.generation), row.cumulative()?));
        let nets = self.rows.iter().filter_map(place);
        let mut best = vec![(0.0, 0.0)];
        for row in self.rows.iter().filter(|row| row.gated.is_some()) {
            let elo = match row.is_accepted() {
                Some(true) => row.cumulative().unwrap_or(row.before),
                _ => row.before,
            };
            best.push((f64::from(row.generation), elo));
        }
        let series = |name: &str, points: Vec<(f64, f64)>, is_dashed| Series {
            name: name.to_string(),
            points,
            is_dashed,
        };
        let nets = std::iter::once((0.0, 0.0)).chain(nets).collect();
        let plot = Plot {
            title: "Elo by generation",
            axes: ["generation", "Elo, generation 0 is 0"],
            series: vec![
                series("net of the generation", nets, true),
                series("best net", best, false),
            ],
            ..Plot::default()
        };
        plot.svg()
    }
}

impl LedgerRow {
    fn estimate(&self) -> Option<EloEstimate> {
        self.gated?.pairs().estimate()
    }

    fn score(&self) -> Option<f64> {
        self.estimate().map(|estimate| estimate.score)
    }

    fn is_accepted(&self) -> Option<bool> {
        self.gated.map(|gated| gated.accepted)
    }

    fn gate_games(&self) -> Option<u64> {
        self.gated.map(|gated| gated.pairs().games())
    }

    /// The difference in Elo to the best net before. Half a point more for each side keeps it finite where one side has
    /// all points.
    fn elo(&self) -> Option<f64> {
        let games = self.gate_games()? as f64;
        let score = (self.score()? * games + 0.5) / (games + 1.0);
        Some(400.0 * (score / (1.0 - score)).log10())
    }

    fn error(&self) -> Option<f64> {
        self.estimate()?.elo?.error
    }

    /// The difference in Elo to generation 0.
    fn cumulative(&self) -> Option<f64> {
        Some(self.before + self.elo()?)
    }

    fn cells(&self) -> Vec<Cell> {
        let count = |count: Option<u64>| count.map_or(Cell::Missing, Cell::Count);
        let number = |number: Option<f64>, decimals| {
            number.map_or(Cell::Missing, |number| Cell::Number(number, decimals))
        };
        let Settings { nodes, lambda, decay, gate_nodes, .. } = self.settings;
        let verdict = self.is_accepted().map(|accepted| if accepted { "yes" } else { "no" });
        let mut cells = vec![
            Cell::Count(self.generation.into()),
            count(self.played.map(|played| played.games)),
            count(self.played.map(|played| played.positions)),
            Cell::Count(nodes),
            Cell::Number(lambda, 2),
            Cell::Number(decay, 2),
            count(self.trained.as_ref().map(|trained| trained.samples)),
            count(self.trained.as_ref().map(|trained| trained.epochs as u64)),
            number(self.trained.as_ref().map(|trained| trained.validation), 5),
            Cell::Count(gate_nodes),
            count(self.gate_games()),
            self.score().map_or(Cell::Missing, Cell::Share),
            number(self.elo(), 0),
            number(self.error(), 0),
            Cell::from(verdict.unwrap_or("-")),
            number(self.cumulative(), 0),
        ];
        cells.extend(self.seconds.map(|seconds| Cell::Number(seconds, 0)));
        cells.push(Cell::Count(self.threads as u64));
        cells
    }

    /// The row for programs.
    pub fn json(&self) -> Value {
        let [selfplay, training, gate] = self.seconds;
        json!({
            "generation": self.generation,
            "games": self.played.map(|played| played.games),
            "positions": self.played.map(|played| played.positions),
            "nodes": self.settings.nodes,
            "lambda": self.settings.lambda,
            "decay": self.settings.decay,
            "samples": self.trained.as_ref().map(|trained| trained.samples),
            "epochs": self.trained.as_ref().map(|trained| trained.epochs),
            "loss": self.trained.as_ref().map(|trained| trained.validation),
            "gate_nodes": self.settings.gate_nodes,
            "gate_games": self.gate_games(),
            "score": self.score(),
            "elo": self.elo(),
            "elo_error": self.error(),
            "llr": self.gated.map(|gated| gated.llr),
            "accepted": self.is_accepted(),
            "elo_from_0": self.cumulative(),
            "selfplay_seconds": selfplay,
            "training_seconds": training,
            "gate_seconds": gate,
            "threads": self.threads,
        })
    }

    /// The row in a sentence.
    pub fn sentence(&self) -> String {
        let elo = self.elo().unwrap_or(0.0);
        let error = self.error().map_or_else(String::new, |error| format!(" ± {error:.0}"));
        let verdict = match self.is_accepted() {
            Some(true) => "the best net from now on",
            _ => "not accepted",
        };
        format!(
            "generation {}: {:.1} % of {} games, {elo:+.0}{error} Elo, {verdict}",
            self.generation,
            100.0 * self.score().unwrap_or(0.5),
            self.gate_games().unwrap_or(0)
        )
    }
}
