//! What a study says about the positions that it has searched.

use std::process::{Command, Output};

const ENDGAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../positions/tzaar/endgames.txt");

fn study(name: &str, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tusk"));
    command.args(["experiment", name, "--quick", "--positions", ENDGAMES]).args(more);
    command.env("TUSK_CONFIG", "").output().expect("tusk runs")
}

#[test]
fn a_study_of_named_positions_names_them() {
    let few = ["--set", "positions=2", "--set", "proof_nodes=1000"];
    let output = study("dfpn-tzaar", &few);
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(report.contains("endgames.txt"), "{report}");
    assert!(!report.contains("games of the engine with itself"), "{report}");
}

#[test]
fn a_study_that_searches_no_named_positions_refuses_them() {
    let output = study("branching", &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--positions"));
}
