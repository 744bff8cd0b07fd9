use search::ProofParameters;
use workbench::SolverPreset;

use crate::method::method;

/// The presets of the thesis.
pub static SOLVER_PRESETS: &[SolverPreset] = &[
    SolverPreset {
        name: "apns",
        about: "APNS (Majerech 2012), best first with the tree in memory",
        parameters: apns,
        arimaa: Some(method),
    },
    SolverPreset {
        name: "apns-df",
        about: "the same, depth first with a tree under garbage collection",
        parameters: apns_df,
        arimaa: Some(method),
    },
];

/// Best first with the tree in memory: without heuristics but an ordering of steps.
pub fn apns() -> ProofParameters {
    ProofParameters {
        depth_first: 0,
        epsilon: 90,
        sum: 0,
        wins: 0,
        defences: 0,
        quiet: 0,
        ordering: 2,
        killer_hits: 1,
        number_table: 256,
        proof_table: 64,
        gc_high: 2_000_000,
        gc_low: 1_600_000,
        lambda: 1,
        ..ProofParameters::default()
    }
}

/// The same, depth first, with a tree under garbage collection.
pub fn apns_df() -> ProofParameters {
    ProofParameters { depth_first: 1, keep_tree: 1, proof_table: 256, ..apns() }
}
