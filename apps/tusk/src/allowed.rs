//! Which engines of a shared store may run here.
//!
//! Anybody who can write to a shared store can write any command and any file into a plan. So a worker runs the programs
//! and reads the files that its own command line names, and runs the engines of Tusk itself.

use anyhow::bail;
use arena::{Contestant, EngineSpec, Event};
use workbench::Catalogues;

/// Whether the engine of a contestant may run, if these are allowed: the engine itself, word for word, or all files that
/// it reads.
pub fn may_play(catalogues: &Catalogues, contestant: &Contestant, allowed: &[String]) -> bool {
    let Contestant { engine, options, .. } = contestant;
    match engine {
        EngineSpec::BuiltIn { name, settings } | EngineSpec::Process { name, settings } => {
            let is_named = options.is_empty() && is_named(engine, allowed);
            let set = settings.iter().map(|(parameter, value)| (parameter, value)).chain(options);
            let mut files =
                set.filter(|(parameter, _)| workbench::is_file_parameter(catalogues, parameter));
            let is_allowed = |file: &String| allowed.contains(file);
            is_named
                || (!workbench::is_file(name) || is_allowed(name))
                    && files.all(|(_, file)| is_allowed(file))
        }
        EngineSpec::Program { .. } => is_named(engine, allowed),
    }
}

fn is_named(engine: &EngineSpec, allowed: &[String]) -> bool {
    allowed.iter().any(|text| EngineSpec::named(text) == *engine)
}

/// The engines of an event that may not run, as they are named there.
pub fn others(catalogues: &Catalogues, event: &Event, allowed: &[String]) -> Vec<String> {
    let contestants = event.plan.contestants.iter();
    let others = contestants.filter(|contestant| !may_play(catalogues, contestant, allowed));
    others.map(|contestant| contestant.engine.to_string()).collect()
}

/// Refuses an event with engines that may not run.
pub fn refuse_others(
    catalogues: &Catalogues,
    event: &Event,
    allowed: &[String],
) -> anyhow::Result<()> {
    match others(catalogues, event, allowed).first() {
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
            may_play(&crate::catalogues::all(), &Contestant::new(engine), &allowed)
        };
        assert!(may("tusk max_depth=9", &[]) && may("process:zhong", &[]));
        assert!(!may("aei:./bot", &[]) && !may("getmove:./bot", &["aei:./bot"]));
        assert!(may("aei:./bot --fast", &["aei:./other", "aei:./bot --fast"]));
        assert!(!may("aei:./bot --fast; rm", &["aei:./bot --fast"]));
        assert!(!may("mine.toml", &[]) && may("mine.toml max_depth=9", &["mine.toml"]));
    }

    #[test]
    fn a_file_of_weights_is_read_only_if_it_is_allowed() {
        let may = |engine: &str, allowed: &[&str]| {
            let allowed: Vec<String> = allowed.iter().map(|text| text.to_string()).collect();
            may_play(&crate::catalogues::all(), &Contestant::new(engine), &allowed)
        };
        for kind in ["", "process:"] {
            for parameter in ["network", "model"] {
                let engine = format!("{kind}tusk threads=1 {parameter}=/etc/passwd");
                assert!(!may(&engine, &[]) && !may(&engine, &["tusk", "/etc/shadow"]), "{engine}");
                assert!(may(&engine, &["/etc/passwd"]) && may(&engine, &[&engine]), "{engine}");
            }
        }
        assert!(!may("mine.toml network=/etc/passwd", &["mine.toml"]));
        assert!(may("mine.toml network=my.network", &["mine.toml", "my.network"]));
        let mut contestant = Contestant::new("process:tusk");
        contestant.options.insert("network".to_string(), "/etc/passwd".to_string());
        assert!(!may_play(&crate::catalogues::all(), &contestant, &["process:tusk".to_string()]));
        assert!(may_play(&crate::catalogues::all(), &contestant, &["/etc/passwd".to_string()]));
    }
}
