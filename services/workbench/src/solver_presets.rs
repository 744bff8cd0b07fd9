//! Named ways to solve: sets of parameters of proof-number search, some with a search of their own.

use search::ProofParameters;

use crate::{Arimaa, Method, SearchPlan};

/// A named set of parameters of proof-number search.
#[derive(Debug)]
pub struct SolverPreset {
    /// By which it is asked for.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// The parameters.
    pub parameters: fn() -> ProofParameters,
    /// The search of its own in Arimaa, if it has one.
    pub arimaa: Option<MakeMethod>,
}

/// Makes the search of a plan on so many threads, where the parameters of the plan ask for it. They alone decide: whoever
/// goes on with a kept search knows its parameters, but not the preset that it began with.
pub type MakeMethod = fn(&SearchPlan, usize) -> Option<Box<dyn Method<Arimaa>>>;

/// The presets of the solver: a value that a program puts together from the lists of its crates.
#[derive(Clone, Debug, Default)]
pub struct SolverPresets(Vec<&'static SolverPreset>);

impl SolverPresets {
    /// The presets of several lists, in their order.
    pub fn new(lists: &[&'static [SolverPreset]]) -> SolverPresets {
        SolverPresets(lists.iter().copied().flatten().collect())
    }

    /// All presets.
    pub fn iter(&self) -> impl Iterator<Item = &'static SolverPreset> {
        self.0.iter().copied()
    }

    /// The names of all presets, with commas between them.
    pub fn names(&self) -> String {
        let names: Vec<&str> = self.iter().map(|preset| preset.name).collect();
        names.join(", ")
    }

    /// The parameters of the preset of that name.
    ///
    /// # Errors
    ///
    /// Lists the presets, if none has that name.
    pub fn parameters(&self, name: &str) -> Result<ProofParameters, String> {
        match self.iter().find(|preset| preset.name == name) {
            Some(preset) => Ok((preset.parameters)()),
            None => Err(format!("there is no such preset; there are: {}", self.names())),
        }
    }

    /// The search in Arimaa that the parameters of a plan ask for, if that is the own one of a preset.
    pub(crate) fn arimaa(
        &self,
        plan: &SearchPlan,
        threads: usize,
    ) -> Option<Box<dyn Method<Arimaa>>> {
        self.iter().find_map(|preset| (preset.arimaa?)(plan, threads))
    }
}
