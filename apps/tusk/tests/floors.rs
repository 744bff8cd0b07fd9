//! The floors of ARCHITECTURE.md: a crate uses crates of its own floor and of lower ones, and no thesis uses another.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// From the lowest to the highest.
const FLOORS: [&str; 7] = ["core", "rules", "players", "services", "theses", "studies", "apps"];

/// The crates of a floor by their folders.
fn crates_of(root: &Path, floor: &str) -> Vec<PathBuf> {
    let folder = root.join(floor);
    if folder.join("Cargo.toml").exists() {
        return vec![folder];
    }
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{floor}: {error}"));
    let folders = entries.map(|entry| entry.expect("a folder").path());
    folders.filter(|folder| folder.join("Cargo.toml").exists()).collect()
}

/// The name of a crate, and the crates of this workspace that it and its tests use.
fn manifest(folder: &Path) -> (String, Vec<String>) {
    let text = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    let table: toml::Table = text.parse().expect("a manifest in TOML");
    let name = table["package"]["name"].as_str().expect("a name").to_string();
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    let uses = kinds.into_iter().filter_map(|kind| table.get(kind)?.as_table());
    let uses = uses.flat_map(|uses| uses.keys().cloned()).collect();
    (name, uses)
}

#[test]
fn no_crate_uses_one_of_a_higher_floor_and_no_thesis_another() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut floors: BTreeMap<String, usize> = BTreeMap::new();
    let mut uses: Vec<(String, usize, Vec<String>)> = Vec::new();
    for (floor, name) in FLOORS.into_iter().enumerate() {
        for folder in crates_of(&root, name) {
            let (name, used) = manifest(&folder);
            floors.insert(name.clone(), floor);
            uses.push((name, floor, used));
        }
    }
    assert!(floors.len() > 20, "{floors:?}");
    let theses = FLOORS.iter().position(|&floor| floor == "theses").expect("the floor");
    for (name, floor, used) in uses {
        for used in used {
            let Some(&below) = floors.get(&used) else { continue };
            assert!(below <= floor, "{name} ({}) uses {used} ({})", FLOORS[floor], FLOORS[below]);
            assert!(floor != theses || below != theses, "{name} uses {used}: both are theses");
        }
    }
}
