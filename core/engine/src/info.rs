use std::time::Duration;

use game::{Proof, Score, Steps};

/// What an engine knows of a position so far, or in the end: the one thing that all engines report.
///
/// `Move` is what a principal variation consists of: turns for those who use an engine, steps inside
/// a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info<Move> {
    /// The best line first; several where several were asked for.
    pub lines: Vec<Line<Move>>,
    /// The depth that was completed, in steps.
    pub depth: Steps,
    /// How many positions were entered, by all threads together.
    pub nodes: u64,
    /// How often the position was visited, by a search that counts visits.
    pub visits: Option<u64>,
    /// How full the transposition table is, in thousandths, where there is one.
    pub hash_full: Option<u16>,
    /// What a search that keeps a tree has counted.
    pub tree: Option<TreeStatistics>,
    /// Since the analysis began.
    pub time: Duration,
}

/// What a search that keeps a tree has counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TreeStatistics {
    /// How many playouts were played.
    pub playouts: u64,
    /// How many nodes the tree has.
    pub nodes: u64,
    /// How many nodes were expanded.
    pub expanded: u64,
    /// How many nodes had to make room for others.
    pub recycled: u64,
    /// The mean depth of a leaf, in hundredths of steps.
    pub mean_depth: u32,
}

/// A principal variation and what it is worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<Move> {
    /// How the side to move stands if it is played; none, where the engine does not say.
    pub verdict: Option<Verdict>,
    /// How often it was visited, by a search that counts visits.
    pub visits: Option<u64>,
    /// How likely the side to move wins, in hundredths of a percent, by a search that counts visits.
    pub win_ratio: Option<u16>,
    /// What both sides are expected to play.
    pub pv: Vec<Move>,
}

/// How the side to move stands: by estimate, or for certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// An estimate.
    Score(Score),
    /// A certain result.
    Proof(Proof),
}

impl<Move> Info<Move> {
    /// An answer that was found without a search: one line, and nothing was counted.
    pub fn without_search(verdict: Option<Verdict>, pv: Vec<Move>) -> Info<Move> {
        Info {
            lines: vec![Line { verdict, visits: None, win_ratio: None, pv }],
            depth: Steps(0),
            nodes: 0,
            visits: None,
            hash_full: None,
            tree: None,
            time: Duration::ZERO,
        }
    }

    /// What to play: the beginning of the best line.
    pub fn best(&self) -> Option<&Move> {
        self.pv().first()
    }

    /// The principal variation of the best line.
    pub fn pv(&self) -> &[Move] {
        self.lines.first().map_or(&[], |line| &line.pv)
    }

    /// How the side to move stands by the best line.
    pub fn verdict(&self) -> Option<Verdict> {
        self.lines.first()?.verdict
    }

    /// The same, of an analysis that had entered so many positions and taken so much time before.
    pub fn after(&self, nodes: u64, time: Duration) -> Info<Move>
    where
        Move: Clone,
    {
        Info { nodes: self.nodes + nodes, time: self.time + time, ..self.clone() }
    }

    /// Whether the side to move should resign that is asked to do so below a chance to win, in percent; 0: never.
    pub fn is_hopeless(&self, percent: i32) -> bool {
        let is_lost = matches!(self.verdict(), Some(Verdict::Proof(Proof::Loss(_))));
        let ratio = self.lines.first().and_then(|line| line.win_ratio);
        percent > 0 && (is_lost || ratio.is_some_and(|ratio| i32::from(ratio) < 100 * percent))
    }

    /// How many positions were entered in a second.
    pub fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-9)
    }

    /// The same with each variation told in other words: steps as turns.
    pub fn with_variations<Other>(&self, told: impl Fn(&[Move]) -> Vec<Other>) -> Info<Other> {
        let Info { depth, nodes, visits, hash_full, tree, time, .. } = *self;
        let line = |line: &Line<Move>| Line {
            verdict: line.verdict,
            visits: line.visits,
            win_ratio: line.win_ratio,
            pv: told(&line.pv),
        };
        let lines = self.lines.iter().map(line).collect();
        Info { lines, depth, nodes, visits, hash_full, tree, time }
    }
}

impl Verdict {
    /// The score, if it is no proof.
    pub fn score(self) -> Option<Score> {
        match self {
            Verdict::Score(score) => Some(score),
            Verdict::Proof(_) => None,
        }
    }

    /// The proof, if it is one.
    pub fn proof(self) -> Option<Proof> {
        match self {
            Verdict::Score(_) => None,
            Verdict::Proof(proof) => Some(proof),
        }
    }

    /// A number in any case, for those who want one: a proof's is out of reach of any estimate, and
    /// better the sooner the game is won or the later it is lost.
    pub fn as_score(self) -> Score {
        const PROVEN: i32 = 100_000;
        match self {
            Verdict::Score(score) => score,
            Verdict::Proof(Proof::Win(turns)) => Score(PROVEN - i32::from(turns.0)),
            Verdict::Proof(Proof::Loss(turns)) => Score(i32::from(turns.0) - PROVEN),
        }
    }
}

impl std::ops::Neg for Verdict {
    type Output = Verdict;

    /// The same in the eyes of the other side.
    fn neg(self) -> Verdict {
        match self {
            Verdict::Score(score) => Verdict::Score(-score),
            Verdict::Proof(proof) => Verdict::Proof(-proof),
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Verdict::Score(score) => score.fmt(f),
            Verdict::Proof(proof) => proof.fmt(f),
        }
    }
}
