use engine::parameters;
use tzaar_ai::MoveOrdering;

use crate::{Algorithm, FirstNumbers};

parameters! {
    /// What can be set of WALTZ: its algorithm, and the constants of the tables in Veselý 2013, 4.1.
    pub struct WaltzParameters {
        ai: 42, 1..=42, "the number of its algorithm: 1 to 9, 20 to 25, 40 to 42; tusk tzaar --help lists them";
        stack_bonus: 6, 0..=1000, "move ordering: how much later a stacking comes (StackBonus, Table 4.2)";
        stack_count_mult: 3, 0..=1000, "and for each stack of the type that moves (StackCountMult, Table 4.3)";
        capture_count_mult: 20, 0..=1000, "how much later a capture comes for each stack of the captured type (CaptureCountMult, Table 4.4)";
        history_prune_mult: 20, 0..=1000, "how much sooner the first move of a turn comes for each cutoff (HistoryPruneMult, Table 4.5)";
        epsilon: 13, 0..=10000, "df-pn: ε of the 1 + ε trick in percent (Table 4.9); WALTZ has an eighth and adds one";
        estimate_loss: 10, 0..=1000, "df-pn, first numbers: A (Table 4.10)";
        estimate_win: 10, 0..=1000, "df-pn, first numbers: B (Table 4.11)";
        estimate_advantage: 50000000, 0..=2000000000, "df-pn, first numbers: T, the value from which a side is likely to win (Table 4.12)";
        weak_by_evaluation: 1, 0..=1, "df-pn: whether the weak sum depends on the evaluation (heuristic weak PNS) or not (weak PNS)";
        weak_share: 100, 0..=1000, "df-pn, weak sum: H in percent (Table 4.13)";
        weak_advantage: 1000000, 0..=2000000000, "df-pn, weak sum: T, the value from which a side is likely to win (Table 4.13)";
        widening: 5, 1..=1000, "df-pn, dynamic widening: J (Table 4.14)";
        sorted_proofs: 1, 0..=1, "df-pn: whether moves are sorted (Table 4.7)";
        whole_turns: 1, 0..=1, "df-pn: whether an edge is a whole turn, as in WALTZ, or a single move";
        table_bits: 0, 0..=25, "alpha-beta: a table of 2 to that power places for two positions each (Table 4.6; WALTZ has 19); 0: as the memory says";
        proof_table_bits: 0, 0..=25, "df-pn: the same (Table 4.8; WALTZ has 20)";
    }
}

impl WaltzParameters {
    /// The defaults with that algorithm.
    pub fn of(algorithm: Algorithm) -> WaltzParameters {
        WaltzParameters { ai: algorithm.number().into(), ..WaltzParameters::default() }
    }

    /// The algorithm, if there is one of that number.
    pub fn algorithm(&self) -> Option<Algorithm> {
        u8::try_from(self.ai).ok().and_then(Algorithm::from_number)
    }

    /// In which order moves are tried.
    pub fn ordering(&self) -> MoveOrdering {
        MoveOrdering {
            stack_bonus: self.stack_bonus,
            stack_count_mult: self.stack_count_mult,
            capture_count_mult: self.capture_count_mult,
        }
    }

    /// How proof-number search begins with a position.
    pub fn first_numbers(&self) -> FirstNumbers {
        FirstNumbers {
            loss: self.estimate_loss as u32,
            win: self.estimate_win as u32,
            advantage: self.estimate_advantage,
        }
    }
}
