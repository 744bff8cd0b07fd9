use std::io::{self, Read, Write};
use std::time::Instant;

use game::{PackedStep, Position, Proof};

use super::diving::{Counted, Diving};
use super::findings::Findings;
use super::tables::Tables;
use crate::defences::Defences;
use crate::{Knowledge, ProofParameters, Task};

/// Depth-first proof-number search: the tree is searched in the order of a best-first search, or nearly,
/// but all that is kept of it is in tables.
#[derive(Debug)]
pub struct DfPn<Step> {
    /// How it searches. The sizes of tables are those that it began with.
    pub parameters: ProofParameters,
    /// How many threads share the work.
    pub threads: usize,
    tables: Tables,
    defences: Defences<Step>,
}

impl<Step: PackedStep + Send + Sync> DfPn<Step> {
    /// A search that knows nothing yet.
    pub fn new(parameters: ProofParameters) -> DfPn<Step> {
        let tables = Tables::new(&parameters);
        DfPn { parameters, threads: 1, tables, defences: Defences::new() }
    }

    /// Forgets what earlier searches have found.
    pub fn clear(&mut self) {
        self.tables.clear();
    }

    /// How much memory the tables take.
    pub fn bytes(&self) -> usize {
        self.tables.bytes()
    }

    /// Searches until a proof, a limit or a stop; `tell` hears now and then how far it has come.
    ///
    /// What was found out before, of this position or others, is used.
    pub fn solve<P, K>(
        &mut self,
        task: &Task<P, K>,
        tell: impl FnMut(&Findings<Step>),
    ) -> Findings<Step>
    where
        P: Position<Step = Step> + Sync,
        K: Knowledge<P>,
    {
        self.tables.adopt(&self.parameters);
        let diving = Diving {
            parameters: &self.parameters,
            tables: &self.tables,
            defences: &self.defences,
            threads: self.threads,
            begin: Instant::now(),
        };
        let Counted { dive, nodes } = diving.dive(task, tell);
        diving.findings(task, dive, nodes)
    }

    /// The steps of a turn that wins, for a position whose mover is known or suspected to win; nothing,
    /// if it does not or a limit is reached before that is known. The past of the task holds all turns
    /// so far.
    ///
    /// What the tables have lost is searched again. As long as they have lost nothing, who follows the
    /// answers needs fewer turns each time.
    pub fn winning_turn<P, K>(&mut self, task: &Task<P, K>) -> Option<Vec<Step>>
    where
        P: Position<Step = Step> + Sync,
        K: Knowledge<P>,
    {
        let findings = self.solve(task, |_| ());
        let wins = matches!(findings.proof, Some(Proof::Win(_)));
        (wins && !findings.turn.is_empty()).then_some(findings.turn)
    }

    /// Writes out what is known, to be read by [`DfPn::load`].
    pub fn save(&self, out: &mut impl Write) -> io::Result<()> {
        self.tables.save(out)
    }

    /// Reads what [`DfPn::save`] has written, perhaps with other parameters, in the place of what was
    /// known. After an error, nothing is known.
    pub fn load(&mut self, input: &mut impl Read) -> io::Result<()> {
        let result = self.tables.load(input);
        if result.is_err() {
            self.tables.clear();
        }
        result
    }
}
