//! What may run here of that which others have written into a store.
//!
//! Whoever can write to a shared store can write any command into a plan. So a worker runs what its own command line
//! names, and the engines of Tusk itself.

use anyhow::bail;
use arena::{Contestant, EngineSpec, Event};

/// Whether the engine of a contestant may run, if these are allowed: exactly so, or by the name of its file.
pub fn may_play(contestant: &Contestant, allowed: &[String]) -> bool {
    match &contestant.engine {
        EngineSpec::BuiltIn { name, .. } | EngineSpec::Process { name, .. } => {
            !workbench::is_file(name) || allowed.contains(name)
        }
        program => allowed.iter().any(|text| EngineSpec::named(text) == *program),
    }
}

/// The engines of an event that may not run, as they are named there.
pub fn others(event: &Event, allowed: &[String]) -> Vec<String> {
    let contestants = event.plan.contestants.iter();
    let others = contestants.filter(|contestant| !may_play(contestant, allowed));
    others.map(|contestant| contestant.engine.to_string()).collect()
}

/// Refuses an event with engines that may not run.
pub fn refuse_others(event: &Event, allowed: &[String]) -> anyhow::Result<()> {
    match others(event, allowed).first() {
        None => Ok(()),
        Some(engine) => bail!(
            "event {} of the shared store runs {engine:?}: if you trust that, add --allow {engine:?}",
            event.id
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_runs_only_if_it_is_allowed_word_for_word() {
        let may = |engine: &str, allowed: &[&str]| {
            let allowed: Vec<String> = allowed.iter().map(|text| text.to_string()).collect();
            may_play(&Contestant::new(engine), &allowed)
        };
        assert!(may("tusk max_depth=9", &[]) && may("process:zhong", &[]));
        assert!(!may("aei:./bot", &[]) && !may("getmove:./bot", &["aei:./bot"]));
        assert!(may("aei:./bot --fast", &["aei:./other", "aei:./bot --fast"]));
        assert!(!may("aei:./bot --fast; rm", &["aei:./bot --fast"]));
        assert!(!may("mine.toml", &[]) && may("mine.toml max_depth=9", &["mine.toml"]));
    }
}
