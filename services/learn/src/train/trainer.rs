use std::path::Path;
use std::time::Instant;

use guard::{in_order, read_file};
use network::{FloatNetwork, InputShape, Network, NetworkHead};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::adam::{self, Moments, Pace};
use super::gradient::{LossSum, Objective, accumulate, predict};
use super::sample::Seen;
use super::{Label, SampleSet};

/// How a net is trained.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// How often the trainer goes through all samples.
    pub epochs: usize,
    /// After how many epochs without a better validation it stops.
    pub patience: usize,
    /// How many samples a step of Adam looks at.
    pub batch: usize,
    /// The highest learning rate: it is reached after a warm-up, and falls with the cosine.
    pub learning_rate: f32,
    /// How much the score counts, beside the result.
    pub lambda: f32,
    /// The score at which the odds to win are `e` to 1.
    pub scale: f32,
    /// The seed of all choices by chance.
    pub seed: u64,
}

/// What came of an epoch.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct EpochRow {
    /// Its number, from 1.
    pub epoch: usize,
    /// The mean loss of the samples that train, while they did.
    pub loss: f64,
    /// The mean loss of those that validate, after it.
    pub validation: f64,
    /// How long it took.
    pub seconds: f64,
}

/// Mean losses of the samples that validate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Losses {
    /// Of the best net, in floating point.
    pub float: f64,
    /// Of the same net in whole numbers.
    pub quantised: f64,
    /// Of the guess that the chances are always even.
    pub even: f64,
}

/// Each batch is cut into so many chunks, whose gradients are summed in order: the result is the same for
/// any number of threads, and there is work for so many.
const CHUNKS: usize = 16;

/// The learning rate grows through this part of all steps, at most through one epoch.
const WARM_UP: f64 = 0.05;

/// What the learning rate falls to.
const LAST_RATE: f64 = 0.01;

/// Trains a net with `H` hidden units for each perspective.
pub struct Trainer<'a, const H: usize> {
    samples: &'a SampleSet,
    training: Vec<u32>,
    validation: Vec<u32>,
    settings: Settings,
    threads: usize,
    gradients: Vec<FloatNetwork<H>>,
    pub(super) progress: Progress<H>,
}

/// All that a checkpoint keeps.
pub(super) struct Progress<const H: usize> {
    pub(super) net: FloatNetwork<H>,
    pub(super) moments: Moments<H>,
    /// Steps of Adam so far.
    pub(super) steps: u64,
    pub(super) history: Vec<EpochRow>,
    /// The net after the epoch with the best validation.
    pub(super) best: FloatNetwork<H>,
}

impl<'a, const H: usize> Trainer<'a, H> {
    /// A trainer that begins with a net that says nothing: the chances are even.
    pub fn new(samples: &'a SampleSet, settings: Settings, threads: usize) -> Trainer<'a, H> {
        let (training, validation) = samples.split();
        let rows = samples.inputs() + samples.factors().count();
        let zeros = FloatNetwork::zeros(rows, samples.buckets());
        let mut net: FloatNetwork<H> = zeros.clone();
        let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
        let occurrences = samples.occurrences(&training);
        let active = occurrences.iter().sum::<u64>() as f32 / 4.0 / training.len().max(1) as f32;
        let range = 1.0 / active.max(1.0).sqrt();
        for (row, count) in net.rows.iter_mut().zip(occurrences) {
            // What never occurs would stay noise.
            if count > 0 {
                row.fill_with(|| rng.random_range(-range..range));
            }
        }
        let moments = Moments { first: zeros.clone(), second: zeros.clone() };
        let best = net.clone();
        Trainer {
            samples,
            training,
            validation,
            settings,
            threads: threads.max(1),
            gradients: vec![zeros; CHUNKS],
            progress: Progress { net, moments, steps: 0, history: Vec::new(), best },
        }
    }

    /// Begins with a net that was trained before. Units that have no weights get random ones, and say nothing yet.
    pub fn begin_with(&mut self, net: FloatNetwork<H>) {
        let random = std::mem::replace(&mut self.progress.net, net);
        let net = &mut self.progress.net;
        net.rows.resize(random.rows.len(), [0.0; H]);
        for unit in 0..H {
            if !is_idle(net, unit) {
                continue;
            }
            for (row, random) in net.rows.iter_mut().zip(&random.rows) {
                row[unit] = random[unit];
            }
        }
        self.progress.best = net.clone();
    }

    /// How it trains.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// A CRC-32 of what the samples are to teach.
    pub(super) fn labels_checksum(&self) -> u32 {
        let mut checksum = crc32fast::Hasher::new();
        for label in self.samples.labels() {
            // No score and no result is as far from 0 as its kind goes.
            checksum.update(&label.score.unwrap_or(i16::MIN).to_le_bytes());
            checksum.update(&label.result.unwrap_or(i8::MIN).to_le_bytes());
            // Nothing is added to the net. Checkpoints once told what was.
            checksum.update(&0i16.to_le_bytes());
        }
        checksum.finalize()
    }

    /// How many samples train, and how many validate.
    pub fn counts(&self) -> (usize, usize) {
        (self.training.len(), self.validation.len())
    }

    /// The epochs so far.
    pub fn history(&self) -> &[EpochRow] {
        &self.progress.history
    }

    /// How many batches an epoch has.
    pub fn batches(&self) -> usize {
        self.training.len().div_ceil(self.settings.batch)
    }

    /// The epoch with the best validation.
    pub fn best(&self) -> Option<&EpochRow> {
        self.history().iter().min_by(|one, other| one.validation.total_cmp(&other.validation))
    }

    /// Whether all epochs are done, or validation has not become better for long.
    pub fn is_finished(&self) -> bool {
        let done = self.history().len();
        let waited = self.best().map_or(0, |best| done - best.epoch);
        done >= self.settings.epochs || waited >= self.settings.patience
    }

    /// Goes through all samples once, by chance in order and mirrored or not; calls `on_batch` after each
    /// batch.
    pub fn run_epoch(&mut self, mut on_batch: impl FnMut()) -> EpochRow {
        let begin = Instant::now();
        let epoch = self.history().len() + 1;
        let mut rng = ChaCha8Rng::seed_from_u64(self.settings.seed);
        // The epochs have streams of their own, so that one that is resumed is the same.
        rng.set_stream(epoch as u64);
        let mut order: Vec<(u32, bool)> =
            self.training.iter().map(|&sample| (sample, rng.random())).collect();
        order.shuffle(&mut rng);
        let mut total = LossSum::default();
        for batch in order.chunks(self.settings.batch) {
            total.add(self.step(batch));
            on_batch();
        }
        let validation = self.validation_loss();
        let is_best = self.best().is_none_or(|best| validation < best.validation);
        if is_best {
            self.progress.best = self.progress.net.clone();
        }
        let seconds = begin.elapsed().as_secs_f64();
        let row = EpochRow { epoch, loss: total.mean(), validation, seconds };
        self.progress.history.push(row);
        row
    }

    fn objective(&self) -> Objective {
        Objective { lambda: self.settings.lambda, scale: self.settings.scale }
    }

    /// A step of Adam.
    fn step(&mut self, batch: &[(u32, bool)]) -> LossSum {
        let objective = self.objective();
        let Trainer { samples, gradients, progress, threads, .. } = self;
        let net = &*samples.factors().folded(&progress.net);
        let chunks = batch.chunks(batch.len().div_ceil(CHUNKS)).zip(gradients.iter_mut());
        let sums = in_order(
            "train",
            *threads,
            chunks,
            || (),
            |(), (chunk, gradient)| {
                let sum = accumulate(net, samples, chunk, objective, gradient);
                samples.factors().share(gradient);
                sum
            },
        );
        let mut total = LossSum::default();
        sums.into_iter().for_each(|sum| total.add(sum));
        self.progress.steps += 1;
        let pace = Pace {
            learning_rate: self.learning_rate(self.progress.steps),
            weight: total.weight.max(f64::MIN_POSITIVE) as f32,
            step: self.progress.steps,
        };
        let Progress { net, moments, .. } = &mut self.progress;
        adam::step(net, moments, &mut self.gradients, pace, self.threads);
        total
    }

    /// The learning rate of a step, from 1.
    fn learning_rate(&self, step: u64) -> f32 {
        let all = (self.settings.epochs * self.batches()).max(1) as f64;
        let warm_up = (all * WARM_UP).min(self.batches() as f64).max(1.0);
        let step = step as f64;
        let part = if step < warm_up {
            step / warm_up
        } else {
            let way = ((step - warm_up) / (all - warm_up).max(1.0)).min(1.0);
            LAST_RATE + (1.0 - LAST_RATE) * 0.5 * (1.0 + (std::f64::consts::PI * way).cos())
        };
        (f64::from(self.settings.learning_rate) * part) as f32
    }

    fn validation_loss(&self) -> f64 {
        self.loss_of(&self.samples.factors().folded(&self.progress.net))
    }

    /// The mean loss of a net for the samples that validate.
    fn loss_of(&self, net: &FloatNetwork<H>) -> f64 {
        let objective = self.objective();
        let size = self.validation.len().div_ceil(CHUNKS).max(1);
        let sums = in_order(
            "train",
            self.threads,
            self.validation.chunks(size),
            || (),
            |(), chunk| {
                let mut sum = LossSum::default();
                predict(net, self.samples, chunk, |label, output| {
                    sum.add(objective.loss(label, output));
                });
                sum
            },
        );
        let mut total = LossSum::default();
        sums.into_iter().for_each(|sum| total.add(sum));
        total.mean()
    }

    /// The best net in whole numbers.
    pub fn finish(&self, head: NetworkHead) -> Network<H> {
        self.best_net().quantised(head)
    }

    /// The best net. Where no sample was of a bucket, it has the output weights of the nearest bucket that has some.
    pub fn best_net(&self) -> FloatNetwork<H> {
        let mut net = self.samples.factors().folded(&self.progress.best).into_owned();
        let mut is_trained = vec![false; net.outputs.len()];
        for &sample in &self.training {
            is_trained[usize::from(self.samples.labels()[sample as usize].bucket)] = true;
        }
        for bucket in (0..is_trained.len()).filter(|&bucket| !is_trained[bucket]) {
            let trained = (0..is_trained.len()).filter(|&other| is_trained[other]);
            if let Some(nearest) = trained.min_by_key(|other| other.abs_diff(bucket)) {
                net.outputs[bucket] = net.outputs[nearest];
                net.output_bias[bucket] = net.output_bias[nearest];
            }
        }
        net
    }

    /// What rounding costs, and what training has gained.
    pub fn losses(&self, network: &Network<H>) -> Losses {
        let objective = self.objective();
        let (mut quantised, mut even) = (LossSum::default(), LossSum::default());
        for_each_score(network, self.samples, &self.validation, |label, _, score| {
            quantised.add(objective.loss(label, score as f32 / objective.scale));
            even.add(objective.loss(label, 0.0));
        });
        let float = self.loss_of(&self.samples.factors().folded(&self.progress.best));
        Losses { float, quantised: quantised.mean(), even: even.mean() }
    }

    /// Calls `visit` with the label, the number of active features and the net's score of each sample that
    /// validates.
    pub(super) fn for_each_validation(
        &self,
        network: &Network<H>,
        visit: impl FnMut(&Label, usize, i32),
    ) {
        for_each_score(network, self.samples, &self.validation, visit);
    }
}

/// Whether a hidden unit has no weights.
fn is_idle<const H: usize>(net: &FloatNetwork<H>, unit: usize) -> bool {
    net.bias[unit] == 0.0 && net.rows.iter().all(|row| row[unit] == 0.0)
}

/// A net with `N` hidden units in place of `H`: added units have no weights. None, if one that has weights
/// would be left out.
pub fn resized<const H: usize, const N: usize>(net: &FloatNetwork<H>) -> Option<FloatNetwork<N>> {
    let units = |from: &[f32; H]| -> [f32; N] {
        std::array::from_fn(|unit| from.get(unit).copied().unwrap_or(0.0))
    };
    let fits = (N..H).all(|unit| is_idle(net, unit));
    fits.then(|| FloatNetwork {
        rows: net.rows.iter().map(units).collect(),
        bias: units(&net.bias),
        outputs: net.outputs.iter().map(|sides| sides.each_ref().map(units)).collect(),
        output_bias: net.output_bias.clone(),
    })
}

/// The `T` trained hidden units of a net's file, or why they cannot be had.
pub fn net_to_begin_with<const T: usize, const H: usize>(
    path: &Path,
    shape: InputShape,
) -> Result<FloatNetwork<T>, String> {
    let at = |fault: String| format!("{}: {fault}", path.display());
    let bytes = read_file(path).map_err(|error| at(error.to_string()))?;
    let network = Network::<H>::parse(shape, &bytes).map_err(|error| at(error.to_string()))?;
    let net = resized(&FloatNetwork::of(&network));
    net.ok_or_else(|| at(format!("it has more than {T} hidden units that were trained")))
}

/// The numbers of hidden units that a net of `all` units can train; the others stay empty.
pub fn trainable_units(all: usize) -> Vec<usize> {
    [64, 128].into_iter().filter(|&units| units < all).chain([all]).collect()
}

/// What a net in whole numbers says of samples.
pub(super) fn for_each_score<const H: usize>(
    network: &Network<H>,
    samples: &SampleSet,
    chosen: &[u32],
    mut visit: impl FnMut(&Label, usize, i32),
) {
    let mut seen = Seen::nothing();
    for &sample in chosen {
        samples.see(sample as usize, false, &mut seen);
        let label = &samples.labels()[sample as usize];
        let [mover, other] = seen.perspectives().map(|features| network.accumulator(features));
        let score = network.evaluate(&mover, &other, label.bucket.into());
        visit(label, seen.perspectives()[0].len(), score);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use network::{InputShape, Inputs};

    use super::super::Factors;
    use super::*;

    /// A game of eight squares with two kinds of pieces: own ones are the features below 16.
    pub(crate) struct Toy;

    pub(crate) const SHAPE: InputShape =
        InputShape { model: "toy", name: "toy", version: 1, count: 32, buckets: 3 };

    impl Inputs for Toy {
        type Position = Vec<u16>;

        const SHAPE: InputShape = SHAPE;

        fn for_each_feature(position: &Vec<u16>, visit: impl FnMut(u16)) {
            position.iter().copied().for_each(visit);
        }

        fn bucket(_: &Vec<u16>, _: usize) -> usize {
            1
        }

        fn seen_by_other(feature: u16) -> u16 {
            feature ^ 16
        }

        fn mirrored(feature: u16) -> u16 {
            feature ^ 7
        }
    }

    /// Positions in which a pair of own pieces on the same square is worth a lot, and one of the enemy costs
    /// as much: no sum over single pieces tells.
    pub(crate) fn toy_samples(count: u64) -> SampleSet {
        let mut samples = SampleSet::new::<Toy>();
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for game in 0..count {
            let mut features: Vec<u16> = (0..32).filter(|_| rng.random_range(0..4) == 0).collect();
            features.truncate(20);
            let pairs = |from: u16| {
                let has = |feature: u16| features.contains(&feature);
                (from..from + 8).filter(|&square| has(square) && has(square + 8)).count() as i16
            };
            let score = 300 * (pairs(0) - pairs(16));
            let label = Label { game, weight: 1.0, score: Some(score), bucket: 1, result: None };
            samples.push_with(label, |all| all.extend(&features));
        }
        samples
    }

    pub(crate) const SETTINGS: Settings = Settings {
        epochs: 12,
        patience: 12,
        batch: 512,
        learning_rate: 0.01,
        lambda: 1.0,
        scale: 300.0,
        seed: 1,
    };

    fn head() -> NetworkHead {
        NetworkHead { shape: SHAPE, scale: 300 }
    }

    #[test]
    fn what_no_sum_over_pieces_tells_is_learnt() {
        let samples = toy_samples(20_000);
        let mut trainer = Trainer::<64>::new(&samples, SETTINGS, 2);
        while !trainer.is_finished() {
            trainer.run_epoch(|| ());
        }
        let network = trainer.finish(head());
        let losses = trainer.losses(&network);
        assert!(losses.float < 0.1 * losses.even, "{losses:?}");
        assert!(losses.quantised < 1.2 * losses.float, "{losses:?}");
        let best = trainer.best().expect("epochs were run");
        assert_eq!(best.validation, losses.float);
    }

    #[test]
    fn buckets_without_samples_say_what_the_nearest_says() {
        let samples = toy_samples(2_000);
        let mut trainer = Trainer::<64>::new(&samples, Settings { epochs: 1, ..SETTINGS }, 1);
        trainer.run_epoch(|| ());
        let network = trainer.finish(head());
        let (mover, other) = (network.accumulator(&[1, 9, 20]), network.accumulator(&[17, 25, 4]));
        let scores = [0, 1, 2].map(|bucket| network.evaluate(&mover, &other, bucket));
        assert_ne!(scores[1], 0);
        assert_eq!(scores, [scores[1]; 3]);
    }

    #[test]
    fn a_net_of_fewer_units_says_the_same_with_more_and_learns_on() {
        let samples = toy_samples(2_000);
        let mut small = Trainer::<64>::new(&samples, SETTINGS, 1);
        small.run_epoch(|| ());
        let net = small.best_net();
        let wide: FloatNetwork<128> = resized(&net).expect("more units");
        let loss = |network: &Network<128>| {
            Trainer::<128>::new(&samples, SETTINGS, 1).losses(network).quantised
        };
        assert_eq!(small.losses(&small.finish(head())).quantised, loss(&wide.quantised(head())));
        assert_eq!(resized::<128, 64>(&wide), Some(net));
        let mut trainer = Trainer::<128>::new(&samples, SETTINGS, 1);
        trainer.begin_with(wide);
        trainer.run_epoch(|| ());
        let grown = trainer.best_net();
        assert_eq!(resized::<128, 64>(&grown), None, "the new units have learnt");
        let used = grown.outputs[1][0][64..].iter().filter(|&&weight| weight != 0.0).count();
        assert!(used > 32, "{used} of the new units say something");
    }

    #[test]
    fn features_that_never_occur_are_valued_by_their_factors() {
        // Pieces are worth 150, wherever they stand; none stands on the first square or its mirror image.
        let all = toy_samples(4_000);
        let factors = Factors::new(32, 2, |feature| vec![feature / 16]);
        let worth = |samples: SampleSet| {
            let mut samples = samples;
            for game in 0..4_000 {
                let own: Vec<u16> =
                    all.features(game).iter().copied().filter(|&it| it % 8 % 7 != 0).collect();
                let count = |side| own.iter().filter(|&&it| it / 16 == side).count() as i16;
                let score = Some(150 * (count(0) - count(1)));
                let label = Label { score, ..all.labels()[game] };
                samples.push_with(label, |features| features.extend(&own));
            }
            let mut trainer = Trainer::<64>::new(&samples, SETTINGS, 1);
            while !trainer.is_finished() {
                trainer.run_epoch(|| ());
            }
            let net = trainer.best_net();
            assert_eq!(net.rows.len(), 32);
            let output = |own: &[u16], enemy: &[u16]| {
                let seen_by_other: Vec<u16> = own.iter().chain(enemy).map(|it| it ^ 16).collect();
                net.evaluate(&[own, enemy].concat(), &seen_by_other, 1)
            };
            // A piece on the first square that is worth something.
            output(&[1, 2, 0], &[19, 20]) - output(&[1, 2], &[19, 20])
        };
        let (alone, shared) =
            (worth(SampleSet::new::<Toy>()), worth(SampleSet::new::<Toy>().with_factors(factors)));
        assert_eq!(alone, 0.0);
        assert!(shared > 0.1, "{shared}");
    }

    #[test]
    fn the_number_of_threads_does_not_change_the_net() {
        let samples = toy_samples(3_000);
        let trained = |threads| {
            let mut trainer = Trainer::<64>::new(&samples, SETTINGS, threads);
            for _ in 0..2 {
                trainer.run_epoch(|| ());
            }
            trainer.progress.net
        };
        assert!(trained(1) == trained(3));
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let samples = toy_samples(50);
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let net = FloatNetwork::<64>::filled(32, 3, || rng.random_range(-0.3..0.3));
        let objective = Objective { lambda: 1.0, scale: 300.0 };
        let chosen: Vec<(u32, bool)> = (0..50).map(|sample| (sample, false)).collect();
        let mut gradient = FloatNetwork::zeros(32, 3);
        accumulate(&net, &samples, &chosen, objective, &mut gradient);
        let loss = |net: &FloatNetwork<64>| {
            let mut ignored = FloatNetwork::zeros(32, 3);
            accumulate(net, &samples, &chosen, objective, &mut ignored).loss
        };
        const BY: f32 = 0.01;
        type Place = fn(&mut FloatNetwork<64>) -> &mut f32;
        let places: [Place; 5] = [
            |net| &mut net.rows[3][17],
            |net| &mut net.rows[20][40],
            |net| &mut net.bias[5],
            |net| &mut net.outputs[1][1][9],
            |net| &mut net.output_bias[1],
        ];
        for place in places {
            let (mut above, mut below) = (net.clone(), net.clone());
            *place(&mut above) += BY;
            *place(&mut below) -= BY;
            let slope = (loss(&above) - loss(&below)) / f64::from(2.0 * BY);
            let computed = f64::from(*place(&mut gradient));
            assert!((slope - computed).abs() < 0.02 * slope.abs() + 1e-4, "{slope} {computed}");
        }
    }
}
