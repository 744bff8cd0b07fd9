//! The presets of the thesis: their names, their numbers, and how they fit a memory.

use majerech_2012::{SOLVER_PRESETS, apns, apns_df};
use search::ProofParameters;
use workbench::SolverPresets;

#[test]
fn a_preset_is_scaled_to_the_memory_with_its_marks() {
    for preset in SOLVER_PRESETS {
        for memory in [8, 64, 576, 4096] {
            let scaled = (preset.parameters)().scaled_to(memory);
            assert!(scaled.mebibytes() <= memory && scaled.mebibytes() + 3 > memory);
            assert!(scaled.gc_high as usize <= scaled.most_vertices());
            assert!(0 < scaled.gc_low && scaled.gc_low < scaled.gc_high);
        }
    }
}

#[test]
fn presets_have_names_and_stay_within_their_ranges() {
    let presets = SolverPresets::new(&[SOLVER_PRESETS]);
    for name in ["apns", "apns-df"] {
        let values = presets.parameters(name).expect("a preset");
        let mut set = ProofParameters::default();
        for (name, value) in values.values() {
            set.set(name, &value.to_string()).expect(name);
        }
        assert_eq!(set, values);
    }
    let (apns, df) = (apns(), apns_df());
    assert_eq!((apns.depth_first, apns.number_table, apns.proof_table), (0, 256, 64));
    assert_eq!((df.depth_first, df.number_table, df.proof_table, df.epsilon), (1, 256, 256, 90));
    assert!(df.keeps_tree() && !ProofParameters::default().keeps_tree());
    let refused = presets.parameters("other").expect_err("there is none of that name");
    assert_eq!(refused, "there is no such preset; there are: apns, apns-df");
}
