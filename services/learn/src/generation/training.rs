//! The training of a generation.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use guard::read_file;
use network::{InputShape, Inputs, NetworkHead};

use super::{Event, GenerationError, Settings, Watcher, replace_file};
use crate::train::{self, Subject, Trainer, net_to_begin_with, read_shards, resized};
use crate::{Inside, Returns, Selection};

/// What a net is trained on, and how.
pub struct Course<'a> {
    /// How the generation is made.
    pub settings: &'a Settings,
    /// Its number.
    pub generation: u16,
    /// The games of its window.
    pub games: Vec<GamesOfGeneration>,
    /// The file of the net whose weights it begins with; none: random weights.
    pub first_net: Option<PathBuf>,
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

/// Trains a net with `H` hidden units, or goes on with it; as many units learn as the settings say.
pub(super) fn train<S: Subject, const H: usize>(
    subject: &S,
    course: &Course,
    watcher: &mut (dyn Watcher + Send),
) -> Result<TrainedNet, GenerationError> {
    match course.settings.hidden {
        64 if H > 64 => train_units::<S, 64, H>(subject, course, watcher),
        128 if H > 128 => train_units::<S, 128, H>(subject, course, watcher),
        _ => train_units::<S, H, H>(subject, course, watcher),
    }
}

fn train_units<S: Subject, const T: usize, const H: usize>(
    subject: &S,
    course: &Course,
    watcher: &mut (dyn Watcher + Send),
) -> Result<TrainedNet, GenerationError> {
    let buckets = course.settings.buckets;
    let mut samples = S::no_samples(buckets);
    for games in &course.games {
        let most_per_game = Some(course.settings.per_game as usize).filter(|&most| most > 0);
        let (decay, scale) = (course.settings.decay as f32, course.settings.scale.into());
        let selection = Selection {
            inside: Inside::Included,
            most_per_game,
            proofs_only: games.is_untrained,
            returns: (decay > 0.0).then_some(Returns { decay, scale }),
        };
        read_shards(subject, &games.folder, selection, &mut samples)?;
    }
    let mut trainer = Trainer::<T>::new(&samples, course.training(), course.threads);
    let (training, validation) = trainer.counts();
    if training == 0 || validation == 0 {
        let fault = format!(
            "generation {}: {training} positions train and {validation} validate: it needs more games (--games)",
            course.generation
        );
        return Err(GenerationError::Refused(fault));
    }
    if let Some(path) = &course.first_net {
        let shape = InputShape { buckets, ..S::Inputs::SHAPE };
        let net = net_to_begin_with::<T, H>(path, shape).map_err(GenerationError::Refused)?;
        trainer.begin_with(net);
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
        shape: InputShape { buckets, ..S::Inputs::SHAPE },
        scale: course.settings.scale.into(),
    };
    let net = resized::<T, H>(&trainer.best_net()).expect("no more units than the net has");
    Ok(TrainedNet {
        bytes: net.quantised(head).to_bytes(),
        samples: (training + validation) as u64,
        epochs: trainer.history().len(),
        validation: trainer.best().map_or(0.0, |best| best.validation),
    })
}

impl Course<'_> {
    fn training(&self) -> train::Settings {
        let settings = self.settings;
        train::Settings {
            epochs: settings.epochs as usize,
            patience: settings.patience as usize,
            batch: settings.batch as usize,
            learning_rate: settings.learning_rate as f32,
            lambda: settings.lambda as f32,
            scale: settings.scale.into(),
            seed: settings.seed.wrapping_add(self.generation.into()),
        }
    }
}

/// Removes what a training has kept to go on, if it is there.
pub(super) fn forget(checkpoint: &Path) -> Result<(), GenerationError> {
    match fs::remove_file(checkpoint) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(GenerationError::file(checkpoint, error))
        }
        _ => Ok(()),
    }
}
