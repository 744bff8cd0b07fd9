//! What lets a training go on where it was.
//!
//! A checkpoint is `TUSKCHKP`, the length of the head in four bytes, the head as JSON, the numbers of four
//! nets (present, both moments, best) as little-endian `f32`, and a CRC-32 of all that.

use network::FloatNetwork;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{EpochRow, Settings, Trainer};

const MAGIC: &[u8; 8] = b"TUSKCHKP";

/// Why a training cannot go on from a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CheckpointError {
    /// It is no checkpoint.
    #[error("this is no checkpoint: it does not begin with `TUSKCHKP`")]
    Magic,
    /// Its bytes are not those that were written.
    #[error("the checkpoint is damaged or truncated")]
    Damaged,
    /// It is of another training.
    #[error("the checkpoint is of another training: {0}")]
    Other(String),
}

#[derive(Serialize, Deserialize)]
struct Head {
    hidden: usize,
    inputs: usize,
    buckets: usize,
    /// Samples that train and that validate.
    samples: (usize, usize),
    /// A CRC-32 of their scores and results.
    labels: u32,
    settings: Settings,
    steps: u64,
    history: Vec<EpochRow>,
}

impl<const H: usize> Trainer<'_, H> {
    fn head(&self) -> Head {
        Head {
            hidden: H,
            inputs: self.progress.net.rows.len(),
            buckets: self.progress.net.outputs.len(),
            samples: self.counts(),
            labels: self.labels_checksum(),
            settings: *self.settings(),
            steps: self.progress.steps,
            history: self.progress.history.clone(),
        }
    }

    /// All that is needed to go on.
    pub fn checkpoint(&self) -> Vec<u8> {
        let head = serde_json::to_vec(&self.head()).expect("plain numbers");
        let mut bytes = MAGIC.to_vec();
        bytes.extend((head.len() as u32).to_le_bytes());
        bytes.extend(head);
        let super::trainer::Progress { net, moments, best, .. } = &self.progress;
        for net in [net, &moments.first, &moments.second, best] {
            bytes.extend(numbers(net).flat_map(|number| number.to_le_bytes()));
        }
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// Goes on from a checkpoint of the same samples and settings; the number of epochs and the patience may
    /// be others.
    pub fn resume(&mut self, bytes: &[u8]) -> Result<(), CheckpointError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(CheckpointError::Magic)?;
        let (_, checksum) = bytes.split_last_chunk::<4>().ok_or(CheckpointError::Damaged)?;
        let content = &bytes[..bytes.len() - 4];
        if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
            return Err(CheckpointError::Damaged);
        }
        let (length, rest) = rest.split_first_chunk::<4>().ok_or(CheckpointError::Damaged)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (head, rest) = rest.split_at_checked(length).ok_or(CheckpointError::Damaged)?;
        let head: Head = serde_json::from_slice(head).map_err(|_| CheckpointError::Damaged)?;
        self.check(&head)?;
        let (floats, _) = rest[..rest.len() - 4].as_chunks();
        let mut floats = floats.iter().map(|&bytes| f32::from_le_bytes(bytes));
        let progress = &mut self.progress;
        let moments = &mut progress.moments;
        for net in [&mut progress.net, &mut moments.first, &mut moments.second, &mut progress.best]
        {
            *net = FloatNetwork::filled(head.inputs, head.buckets, || {
                floats.next().unwrap_or_default()
            });
        }
        (progress.steps, progress.history) = (head.steps, head.history);
        Ok(())
    }

    fn check(&self, head: &Head) -> Result<(), CheckpointError> {
        let own = self.head();
        let Settings { epochs, patience, .. } = own.settings;
        let settings = Settings { epochs, patience, ..head.settings };
        let other = |what: &str, found: String, expected: String| {
            Err(CheckpointError::Other(format!("{what} {found}, expected {expected}")))
        };
        let shape = |head: &Head| [head.hidden, head.inputs, head.buckets];
        if shape(head) != shape(&own) {
            let [found, expected] = [shape(head), shape(&own)].map(|shape| format!("{shape:?}"));
            return other("hidden units, inputs and buckets are", found, expected);
        }
        if head.samples != own.samples {
            let [found, expected] = [head.samples, own.samples].map(|counts| format!("{counts:?}"));
            return other("samples that train and validate are", found, expected);
        }
        if head.labels != own.labels {
            let [found, expected] = [head.labels, own.labels].map(|sum| format!("{sum:08x}"));
            return other("the checksum of scores and results is", found, expected);
        }
        if settings != own.settings {
            let [found, expected] = [settings, own.settings].map(|set| format!("{set:?}"));
            return other("the settings are", found, expected);
        }
        Ok(())
    }
}

/// The numbers of a net in the order of [`FloatNetwork::filled`].
fn numbers<const H: usize>(net: &FloatNetwork<H>) -> impl Iterator<Item = f32> {
    let rows = net.rows.iter().flatten().chain(&net.bias);
    let outputs = net.outputs.iter().flatten().flatten().chain(&net.output_bias);
    rows.chain(outputs).copied()
}

#[cfg(test)]
mod tests {
    use super::super::trainer::tests::{SETTINGS, toy_samples};
    use super::*;

    #[test]
    fn a_training_that_is_resumed_comes_to_the_same_net() {
        let samples = toy_samples(3_000);
        let mut whole = Trainer::<64>::new(&samples, SETTINGS, 1);
        whole.run_epoch(|| ());
        let checkpoint = whole.checkpoint();
        whole.run_epoch(|| ());
        let mut resumed = Trainer::<64>::new(&samples, SETTINGS, 2);
        resumed.resume(&checkpoint).expect("a checkpoint");
        resumed.run_epoch(|| ());
        assert!(resumed.progress.net == whole.progress.net);
        assert!(resumed.progress.best == whole.progress.best);
        assert_eq!(resumed.history()[0], whole.history()[0]);
    }

    #[test]
    fn a_checkpoint_of_another_training_is_refused() {
        let samples = toy_samples(500);
        let trainer = Trainer::<64>::new(&samples, SETTINGS, 1);
        let checkpoint = trainer.checkpoint();
        let fault = |settings: Settings, bytes: &[u8]| {
            let mut other = Trainer::<64>::new(&samples, settings, 1);
            other.resume(bytes).map_err(|error| error.to_string())
        };
        let other = Settings { batch: 7, ..SETTINGS };
        assert!(fault(other, &checkpoint).expect_err("other settings").contains("batch: 7"));
        assert_eq!(fault(Settings { epochs: 99, ..SETTINGS }, &checkpoint), Ok(()));
        let damaged = Err(CheckpointError::Damaged.to_string());
        assert_eq!(fault(SETTINGS, &checkpoint[..checkpoint.len() - 9]), damaged);
        let mut altered = checkpoint.clone();
        altered[5000] ^= 1;
        assert_eq!(fault(SETTINGS, &altered), damaged);
        assert_eq!(fault(SETTINGS, b"text"), Err(CheckpointError::Magic.to_string()));
    }
}
