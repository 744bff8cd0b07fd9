use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use game::Key;

use super::decided::Decided;
use super::numbers::Numbers;
use super::path::Path;
use super::table::{Cost, Replacement, Table};
use crate::ProofParameters;

/// What is known of positions: of those that are not decided, how much is to be done, on any path; and
/// of the others who wins, on every path or on the one that it was proved on.
#[derive(Debug)]
pub(crate) struct Tables {
    numbers: Table,
    proofs: Table,
    /// Whether some proof holds on one path only: as a rule, there is none to be looked for.
    any_by_path: AtomicBool,
}

impl Tables {
    pub(crate) fn new(parameters: &ProofParameters) -> Tables {
        let mut tables = Tables {
            numbers: Table::new(parameters.number_table as usize),
            proofs: Table::new(parameters.proof_table as usize),
            any_by_path: AtomicBool::new(false),
        };
        tables.adopt(parameters);
        tables
    }

    /// Goes on with what other parameters say of replacement.
    pub(crate) fn adopt(&mut self, parameters: &ProofParameters) {
        let replacement = match parameters.replacement {
            0 => Replacement::Newer { ageing: parameters.ageing as u8 },
            1 => Replacement::Older,
            2 => Replacement::Deeper,
            3 => Replacement::Greater,
            _ => Replacement::TwoLevel,
        };
        (self.numbers.replacement, self.proofs.replacement) = (replacement, replacement);
    }

    /// How much memory they take.
    pub(crate) fn bytes(&self) -> usize {
        self.numbers.bytes() + self.proofs.bytes()
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.numbers.clear();
        self.proofs.clear();
        *self.any_by_path.get_mut() = false;
    }

    /// Brings near what is known of a position.
    #[inline]
    pub(crate) fn prefetch(&self, path: &Path, key: Key) {
        self.proofs.prefetch(path.on_every_path(key));
        self.numbers.prefetch(key);
    }

    /// Who wins a position on a path with that sum, if it was proved.
    #[inline]
    pub(crate) fn decided(&self, path: &Path, key: Key, sum: u64) -> Option<Decided> {
        let said = self.proofs.get(path.on_every_path(key));
        if let Some(decided) = said.and_then(|bits| Decided::from_bits(bits, false)) {
            return Some(decided);
        }
        if !self.any_by_path.load(Ordering::Relaxed) {
            return None;
        }
        let said = self.proofs.get(path.on_this_path(key, sum))?;
        Decided::from_bits(said, true)
    }

    /// Keeps who wins a position, and says what is best known of it: a proof on every path is better
    /// than one on this, and a short one better than a long one.
    pub(crate) fn decide(
        &self,
        path: &Path,
        key: Key,
        sum: u64,
        decided: Decided,
        cost: Cost,
    ) -> Decided {
        if let Some(known) = self.decided(path, key, sum)
            && !decided.beats(&known)
        {
            return known;
        }
        let under = if decided.by_path {
            self.any_by_path.store(true, Ordering::Relaxed);
            path.on_this_path(key, sum)
        } else {
            path.on_every_path(key)
        };
        self.proofs.put(under, decided.bits(), cost);
        decided
    }

    /// How much is to be done for a position that was searched before.
    #[inline]
    pub(crate) fn numbers(&self, key: Key) -> Option<Numbers> {
        self.numbers.get(key).and_then(Numbers::from_bits)
    }

    /// Keeps how much is to be done for a position.
    #[inline]
    pub(crate) fn put_numbers(&self, key: Key, numbers: Numbers, cost: Cost) {
        self.numbers.put(key, numbers.bits(), cost);
    }

    /// Writes everything out.
    pub(crate) fn save(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&[u8::from(self.any_by_path.load(Ordering::Relaxed))])?;
        self.numbers.save(out)?;
        self.proofs.save(out)
    }

    /// Reads what [`Tables::save`] has written, in the place of what was known.
    pub(crate) fn load(&mut self, input: &mut impl Read) -> io::Result<()> {
        self.clear();
        let mut any_by_path = [0];
        input.read_exact(&mut any_by_path)?;
        *self.any_by_path.get_mut() = any_by_path[0] != 0;
        self.numbers.load(input, |said| Numbers::from_bits(said).is_some())?;
        self.proofs.load(input, |said| Decided::from_bits(said, false).is_some())
    }
}
