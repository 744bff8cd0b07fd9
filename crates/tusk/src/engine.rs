//! The engines by their names, and how a command line asks for one.

use std::time::{SystemTime, UNIX_EPOCH};

use aei::Thinker;
use anyhow::bail;

use crate::random::Random;
use crate::thinking::Tusk;

/// The names of all engines.
const NAMES: &[&str] = &["tusk", "random"];

/// The engine of that name.
fn engine(name: &str) -> Option<Box<dyn Thinker>> {
    match name {
        "tusk" => Some(Box::new(Tusk::new())),
        "random" => Some(Box::new(Random::new(0))),
        _ => None,
    }
}

/// What a verb that plays takes.
#[derive(clap::Args)]
pub struct Choice {
    /// The engine that plays
    #[arg(long = "engine", value_name = "E", default_value = "tusk", value_parser = known)]
    name: String,

    /// The seed of its random choices [default: another one each time]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

fn known(name: &str) -> Result<String, String> {
    match engine(name) {
        Some(_) => Ok(name.to_string()),
        None => Err(format!("there is no such engine; there are: {}", NAMES.join(", "))),
    }
}

impl Choice {
    /// The engine's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The engine, ready to play.
    pub fn start(&self) -> anyhow::Result<Box<dyn Thinker>> {
        let Some(mut engine) = engine(&self.name) else {
            bail!("there is no engine {:?}; there are: {}", self.name, NAMES.join(", "));
        };
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seed = self.seed.unwrap_or_else(|| now().as_nanos() as u64);
        match engine.set_option("seed", &seed.to_string()) {
            Err(fault) => bail!("--seed {seed}: {fault}"),
            Ok(false) if self.seed.is_some() => {
                bail!("--seed: {} makes no random choices", self.name)
            }
            Ok(_) => Ok(engine),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_an_engine() {
        assert!(NAMES.iter().all(|name| engine(name).is_some()));
    }
}
