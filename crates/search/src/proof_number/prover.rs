use std::io::{self, Read, Write};

use game::{PackedStep, Position};

use super::dfpn::DfPn;
use super::findings::Findings;
use super::pns::Pns;
use crate::{Knowledge, ProofParameters, Task};

/// One of the proof-number searches, as the parameters say.
#[derive(Debug)]
pub enum Prover<Step> {
    /// Best first, with the tree in memory.
    BestFirst(Pns<Step>),
    /// Depth first, with tables only.
    DepthFirst(DfPn<Step>),
}

impl<Step: PackedStep + Send + Sync> Prover<Step> {
    /// A search that knows nothing yet, on so many threads if it is depth first, else on one.
    pub fn new(parameters: ProofParameters, threads: usize) -> Prover<Step> {
        if parameters.depth_first == 0 {
            return Prover::BestFirst(Pns::new(parameters));
        }
        let mut dfpn = DfPn::new(parameters);
        dfpn.threads = threads;
        Prover::DepthFirst(dfpn)
    }

    /// Searches until a proof, a limit or a stop; `tell` hears now and then how far it has come.
    pub fn solve<P, K>(
        &mut self,
        task: &Task<P, K>,
        tell: impl FnMut(&Findings<Step>),
    ) -> Findings<Step>
    where
        P: Position<Step = Step> + Sync,
        K: Knowledge<P>,
    {
        match self {
            Prover::BestFirst(pns) => pns.solve(task, tell),
            Prover::DepthFirst(dfpn) => dfpn.solve(task, tell),
        }
    }

    /// The steps of a turn that wins: [`Pns::winning_turn`], [`DfPn::winning_turn`].
    pub fn winning_turn<P, K>(&mut self, task: &Task<P, K>) -> Option<Vec<Step>>
    where
        P: Position<Step = Step> + Sync,
        K: Knowledge<P>,
    {
        match self {
            Prover::BestFirst(pns) => pns.winning_turn(task),
            Prover::DepthFirst(dfpn) => dfpn.winning_turn(task),
        }
    }

    /// Forgets what earlier searches have found.
    pub fn clear(&mut self) {
        match self {
            Prover::BestFirst(pns) => pns.clear(),
            Prover::DepthFirst(dfpn) => dfpn.clear(),
        }
    }

    /// How much memory the tables, and the tree if there is one, take.
    pub fn bytes(&self) -> usize {
        match self {
            Prover::BestFirst(pns) => pns.bytes(),
            Prover::DepthFirst(dfpn) => dfpn.bytes(),
        }
    }

    /// Writes out what is known: the bare state, without a header or a checksum.
    pub fn save(&self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Prover::BestFirst(pns) => pns.save(out),
            Prover::DepthFirst(dfpn) => dfpn.save(out),
        }
    }

    /// Reads what [`Prover::save`] has written; a depth-first search can go on with what a best-first one
    /// has saved, but not the other way round. After an error, nothing is known.
    pub fn load(&mut self, input: &mut impl Read) -> io::Result<()> {
        match self {
            Prover::BestFirst(pns) => pns.load(input),
            Prover::DepthFirst(dfpn) => dfpn.load(input),
        }
    }
}
