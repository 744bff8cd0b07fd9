//! The training of a generation.

use std::fs;
use std::path::{Path, PathBuf};

use engine::{Verdict, read_file};
use network::{Inputs, NetworkHead};

use super::{Event, GenerationError, Settings, Watcher, replace_file};
use crate::train::{self, SampleSet, Subject, Trainer};
use crate::{Inside, Samples};

/// What a net is trained on, and how.
pub struct Course<'a> {
    /// How the generation is made.
    pub settings: &'a Settings,
    /// Its number.
    pub generation: u16,
    /// The games of its window.
    pub games: Vec<GamesOfGeneration>,
    /// Where the training keeps what it needs to go on.
    pub checkpoint: PathBuf,
    /// How many threads train.
    pub threads: usize,
}

/// The shards of a generation.
pub struct GamesOfGeneration {
    /// Where they are.
    pub folder: PathBuf,
    /// Whether the net that played them was untrained: its scores say nothing, but its proofs do.
    pub is_untrained: bool,
}

/// A net that was trained.
pub struct TrainedNet {
    /// Its file.
    pub bytes: Vec<u8>,
    /// The positions that it was trained on, and those that validated it.
    pub samples: u64,
    /// The epochs of the training.
    pub epochs: usize,
    /// The least validation loss.
    pub validation: f64,
}

/// Trains a net, or goes on with it.
pub(super) fn train<S: Subject, const H: usize>(
    subject: &S,
    course: &Course,
    watcher: &mut (dyn Watcher + Send),
) -> Result<TrainedNet, GenerationError> {
    let mut samples = SampleSet::new::<S::Inputs>();
    for games in &course.games {
        read(subject, games, &mut samples)?;
    }
    let mut trainer = Trainer::<H>::new(&samples, course.training(), course.threads);
    let (training, validation) = trainer.counts();
    if training == 0 || validation == 0 {
        let fault = format!(
            "generation {}: {training} positions train and {validation} validate: it needs more games (--games)",
            course.generation
        );
        return Err(GenerationError::Refused(fault));
    }
    // A checkpoint of another training, or none, is no reason to stop: the training begins anew.
    if let Ok(bytes) = read_file(&course.checkpoint) {
        let _ = trainer.resume(&bytes);
    }
    while !trainer.is_finished() {
        watcher.tell(Event::EpochBegins { batches: trainer.batches() });
        let row = trainer.run_epoch(|| watcher.tell(Event::Batch));
        replace_file(&course.checkpoint, &trainer.checkpoint())?;
        watcher.tell(Event::Epoch(&row));
    }
    let head = NetworkHead {
        shape: S::Inputs::SHAPE,
        baseline: S::BASELINE.to_string(),
        scale: course.settings.scale.into(),
    };
    Ok(TrainedNet {
        bytes: trainer.finish(head).to_bytes(),
        samples: (training + validation) as u64,
        epochs: trainer.history().len(),
        validation: trainer.best().map_or(0.0, |best| best.validation),
    })
}

/// Adds the positions of a generation.
fn read<S: Subject>(
    subject: &S,
    games: &GamesOfGeneration,
    samples: &mut SampleSet,
) -> Result<(), GenerationError> {
    for sample in Samples::<S::Game>::open(&games.folder, Inside::Included)? {
        let sample = sample?;
        let is_label = |verdict| !games.is_untrained || matches!(verdict, Verdict::Proof(_));
        let score = sample.score.filter(|score| is_label(score.verdict())).map(|score| score.0);
        let result = (sample.result != 0).then_some(sample.result);
        subject.add(samples, &sample.position, (score, result), sample.game.0);
    }
    Ok(())
}

impl Course<'_> {
    fn training(&self) -> train::Settings {
        let settings = self.settings;
        train::Settings {
            epochs: settings.epochs as usize,
            patience: settings.patience as usize,
            batch: settings.batch as usize,
            learning_rate: settings.learning_rate,
            lambda: settings.lambda,
            scale: settings.scale.into(),
            seed: settings.seed.wrapping_add(self.generation.into()),
        }
    }

    /// Removes what was kept to go on.
    pub(super) fn forget(&self) -> Result<(), GenerationError> {
        remove(&self.checkpoint)
    }
}

fn remove(path: &Path) -> Result<(), GenerationError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(GenerationError::file(path, error))
        }
        _ => Ok(()),
    }
}
