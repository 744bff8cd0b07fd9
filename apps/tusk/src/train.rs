//! `tusk train`: a net that evaluates positions, from positions with scores and results.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use guard::read_file;
use learn::train::{
    Agreement, ArimaaSubject, EpochRow, Report, SampleSet, Settings, Subject, Trainer,
    TzaarSubject, fit_scale, net_to_begin_with, read_shards, read_table, resized, trainable_units,
    untrained,
};
use learn::{Inside, Returns, Selection};
use network::{FloatNetwork, InputShape, Inputs, NetworkHead};
use serde_json::json;
use workbench::reading::sources_of;
use workbench::{GameName, WrongUse};

use crate::checkpoint::checkpoint_of;
use crate::numbers::{share, threads};
use crate::output::{Claim, say, standard, write_file};
use crate::{Exit, progress};

/// Trains a net from positions with scores and results, and writes a report.
///
/// `--set network=MODEL` makes an engine use the net in place of Tusk's own evaluation. One game in twenty is
/// left out of training and validates: the net of the epoch with the least validation loss is written. After each
/// epoch, MODEL.checkpoint keeps what --resume needs.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tusk train games/ --out arimaa.network --epochs 30 --report report.html\n  tusk train labels.tsv.gz --out arimaa.network --judge judged.tsv.gz --json"
)]
pub struct Arguments {
    /// Shards, folders of them, or tables of positions: tab-separated, with the columns position, score, result (1 if the mover won,
    /// else 0) and game; they may be gzipped
    #[arg(required_unless_present = "untrained", value_name = "DIR")]
    data: Vec<String>,

    /// The file of the net
    #[arg(long, value_name = "MODEL")]
    out: PathBuf,

    /// How often to go through all positions, at most
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,

    /// Stop after so many epochs without a better validation
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..))]
    patience: u32,

    /// How many threads train; the net does not depend on it [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// The seed of all choices by chance
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// How much a score counts against the result of the game, from 0 to 1
    #[arg(long, value_name = "L", default_value_t = 0.7, value_parser = share::<f32>)]
    lambda: f32,

    /// The score at which the odds to win are e to 1 [default: as results and scores say]
    #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(u16).range(1..))]
    scale: Option<u16>,

    /// The highest learning rate
    #[arg(long, value_name = "RATE", default_value_t = 0.001, value_parser = share::<f32>)]
    learning_rate: f32,

    /// How many positions a step of the optimiser looks at
    #[arg(long, value_name = "N", default_value_t = 16384, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,

    /// A table with the columns position and score: the report says how well the net agrees
    #[arg(long, value_name = "FILE")]
    judge: Vec<String>,

    /// Write a page with plots: loss, calibration, agreement
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Leave out what stands inside the turns of shards and was not searched itself
    #[arg(long)]
    searched_only: bool,

    /// Replace the scores of shards by those of TD(λ): later searches of the game count, each turn by this factor, and its
    /// result at the end; it needs --scale
    #[arg(long, value_name = "D", value_parser = share::<f32>, requires = "scale")]
    decay: Option<f32>,

    /// Take at most N random positions of each game of shards
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    per_game: Option<u32>,

    /// Leave out positions whose score is further from 0 than this, and those that were proved
    #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(i16).range(1..))]
    max_score: Option<i16>,

    /// Every net counts alone; command lines of once said so
    #[arg(long, hide = true)]
    without_baseline: bool,

    /// Begin with the weights of this net, instead of random ones
    #[arg(long, value_name = "MODEL", conflicts_with = "resume")]
    from: Option<PathBuf>,

    /// How many buckets the net has: 4 or 16 in Arimaa, 8 in Tzaar [default: 4, 8]
    #[arg(long, value_name = "N")]
    buckets: Option<usize>,

    /// How many hidden units are trained: 64, 128 or as many as the game's nets have; the others stay empty [default: all]
    #[arg(long, value_name = "N")]
    hidden: Option<usize>,

    /// Write a net of random weights: the beginning of a line that learns from nothing
    #[arg(long, conflicts_with_all = ["data", "from", "resume", "judge", "report"])]
    untrained: bool,

    /// Go on where MODEL.checkpoint is
    #[arg(long)]
    resume: bool,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments, game: Option<GameName>) -> anyhow::Result<Exit> {
    match game.unwrap_or_default() {
        GameName::Arimaa => {
            const HIDDEN: usize = arimaa_ai::network_evaluation::HIDDEN;
            begin::<ArimaaSubject, HIDDEN>(arguments)
        }
        GameName::Tzaar => {
            const HIDDEN: usize = tzaar_ai::network_evaluation::HIDDEN;
            begin::<TzaarSubject, HIDDEN>(arguments)
        }
    }
}

fn begin<S: Subject + Default, const H: usize>(arguments: &Arguments) -> anyhow::Result<Exit> {
    if arguments.without_baseline {
        say!("--without-baseline can be left out: every net counts alone");
    }
    if arguments.untrained {
        let scale = arguments.scale.map_or(USUAL_SCALE as i32, i32::from);
        let network = untrained::<H>(arguments.shape::<S::Inputs>()?, scale, arguments.seed);
        write_file(&arguments.out, network.to_bytes())?;
        return Ok(Exit::Done);
    }
    train_units::<_, H>(arguments, &S::default())
}

/// Trains as many of the `H` hidden units as the command line says.
fn train_units<S: Subject, const H: usize>(
    arguments: &Arguments,
    subject: &S,
) -> anyhow::Result<Exit> {
    match arguments.hidden.unwrap_or(H) {
        64 if H >= 64 => train::<S, 64, H>(arguments, subject),
        128 if H >= 128 => train::<S, 128, H>(arguments, subject),
        hidden if hidden == H => train::<S, H, H>(arguments, subject),
        hidden => {
            let fault = format!("expected {}", one_of(&trainable_units(H)));
            Err(WrongUse::value("--hidden <N>", &hidden.to_string(), &fault).into())
        }
    }
}

impl Arguments {
    /// The inputs of the net, with its number of buckets.
    fn shape<I: Inputs>(&self) -> Result<InputShape, WrongUse> {
        let buckets = self.buckets.unwrap_or(I::SHAPE.buckets);
        if !I::BUCKETS.contains(&buckets) {
            let fault = format!("expected {}", one_of(I::BUCKETS));
            return Err(WrongUse::value("--buckets <N>", &buckets.to_string(), &fault));
        }
        Ok(InputShape { buckets, ..I::SHAPE })
    }

    fn inside(&self) -> Inside {
        if self.searched_only { Inside::LeftOut } else { Inside::Included }
    }

    /// The positions of shards that the net is trained on, and their labels.
    fn selection(&self) -> Selection {
        let returns = self.decay.zip(self.scale);
        Selection {
            inside: self.inside(),
            most_per_game: self.per_game.map(|most| most as usize),
            proofs_only: false,
            returns: returns.map(|(decay, scale)| Returns { decay, scale: f32::from(scale) }),
        }
    }

    fn settings(&self, samples: &SampleSet) -> Settings {
        let fitted = || fit_scale(samples.labels()).unwrap_or(USUAL_SCALE);
        Settings {
            epochs: self.epochs as usize,
            patience: self.patience as usize,
            batch: self.batch as usize,
            learning_rate: self.learning_rate,
            lambda: self.lambda,
            scale: self.scale.map_or_else(fitted, f32::from),
            seed: self.seed,
        }
    }
}

/// Numbers as a message lists them: 64, 128 or 256.
fn one_of(numbers: &[usize]) -> String {
    let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
    match numbers.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => numbers.concat(),
    }
}

/// The scale, where results say nothing.
const USUAL_SCALE: f32 = 300.0;

/// Trains `T` hidden units of a net that has `H` of them in its file.
fn train<S: Subject, const T: usize, const H: usize>(
    arguments: &Arguments,
    subject: &S,
) -> anyhow::Result<Exit> {
    let shape = arguments.shape::<S::Inputs>()?;
    for path in [Some(&arguments.out), arguments.report.as_ref()].into_iter().flatten() {
        check_folder(path)?;
    }
    let _claim = Claim::on(&arguments.out)?;
    let mut samples = S::no_samples(shape.buckets);
    for path in &arguments.data {
        read(subject, path, arguments.selection(), &mut samples)?;
    }
    if let Some(most) = arguments.max_score {
        samples.forget_beyond(most);
    }
    let mut judges = Vec::new();
    for path in &arguments.judge {
        let mut judged = S::no_samples(shape.buckets);
        read(subject, path, arguments.inside().into(), &mut judged)?;
        judges.push((path, judged));
    }
    let settings = arguments.settings(&samples);
    let mut trainer = Trainer::<T>::new(&samples, settings, threads(arguments.threads));
    let (training, validation) = trainer.counts();
    if training == 0 || validation == 0 {
        bail!(
            "{training} positions are left to train and {validation} to validate: positions of more games \
             are needed, each with a score or a result"
        );
    }
    if let Some(path) = &arguments.from {
        let net = net_to_begin_with::<T, H>(path, shape).map_err(anyhow::Error::msg)?;
        trainer.begin_with(net);
    }
    let checkpoint = checkpoint_of(&arguments.out);
    if arguments.resume {
        let name = || checkpoint.display().to_string();
        let bytes = read_file(&checkpoint).with_context(name)?;
        trainer.resume(&bytes).with_context(name)?;
    }
    let teller = Teller { json: arguments.json, positions: training };
    teller.begin(&trainer)?;
    while !trainer.is_finished() {
        let bar = progress::bar(trainer.batches(), "batches");
        let row = trainer.run_epoch(|| bar.inc(1));
        bar.finish_and_clear();
        write_file(&checkpoint, trainer.checkpoint())?;
        teller.epoch(&row)?;
    }
    let head = NetworkHead { shape, scale: settings.scale as i32 };
    let network = trainer.finish(head);
    let widened: Option<FloatNetwork<H>> = resized(&trainer.best_net());
    let widened = widened.context("more hidden units than the net has")?;
    write_file(&arguments.out, widened.quantised(network.head().clone()).to_bytes())?;
    let losses = trainer.losses(&network);
    let agreements: Vec<Agreement> =
        judges.iter().map(|(path, judged)| Agreement::with(path, judged, &network)).collect();
    if let Some(path) = &arguments.report {
        let report = Report::new(&trainer, &network, &losses, &agreements);
        write_file(path, report.html())?;
    }
    teller.end(&trainer, &losses, &agreements)?;
    Ok(Exit::Done)
}

/// Adds the positions of a shard or a table, or of all shards in a folder, else of all tables in it.
fn read<S: Subject>(
    subject: &S,
    path: &str,
    selection: Selection,
    samples: &mut SampleSet,
) -> anyhow::Result<()> {
    let place = Path::new(path);
    let is_shard = |file: &Path| file.extension().is_some_and(|extension| extension == "shard");
    let has_shards = match place.is_dir() {
        true => !learn::shard_files(place)?.is_empty(),
        false => is_shard(place),
    };
    if has_shards {
        return Ok(read_shards(subject, place, selection, samples)?);
    }
    let Some(sources) = sources_of(path, "a table of positions")? else {
        bail!("{path}: there is no such file or folder");
    };
    for source in sources {
        let place = |line| source.place(line).to_string();
        let text = source
            .text
            .as_ref()
            .map_err(|(line, fault)| anyhow::Error::msg(fault.clone()).context(place(*line)))?;
        read_table(subject, text, samples)
            .map_err(|error| anyhow::Error::msg(error.fault).context(place(error.line)))?;
    }
    Ok(())
}

/// What will be written must have a folder, before hours of training.
fn check_folder(path: &Path) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    std::fs::metadata(folder).with_context(|| path.display().to_string())?;
    Ok(())
}

/// Says how the training goes.
struct Teller {
    json: bool,
    positions: usize,
}

impl Teller {
    fn begin<const H: usize>(&self, trainer: &Trainer<H>) -> anyhow::Result<()> {
        if !self.json {
            let (training, validation) = trainer.counts();
            let scale = trainer.settings().scale;
            let mut out = standard();
            writeln!(out, "{training} positions train, {validation} validate; scale {scale}")?;
        }
        Ok(())
    }

    fn epoch(&self, row: &EpochRow) -> anyhow::Result<()> {
        let mut out = standard();
        let EpochRow { epoch, loss, validation, seconds } = row;
        let rate = self.positions as f64 / seconds;
        if self.json {
            let row = json!({
                "epoch": epoch,
                "loss": loss,
                "validation": validation,
                "seconds": seconds,
                "positions_per_second": rate,
            });
            writeln!(out, "{row}")?;
        } else {
            writeln!(
                out,
                "epoch {epoch:>3}: loss {loss:.6}, validation {validation:.6}, {seconds:.1} s, \
                 {rate:.0} positions a second"
            )?;
        }
        Ok(())
    }

    fn end<const H: usize>(
        &self,
        trainer: &Trainer<H>,
        losses: &learn::train::Losses,
        agreements: &[Agreement],
    ) -> anyhow::Result<()> {
        let mut out = standard();
        let (training, validation) = trainer.counts();
        let best = trainer.best().map_or(0, |best| best.epoch);
        if self.json {
            let agreement = agreements.iter().map(|agreement| {
                json!({
                    "judge": agreement.judge,
                    "positions": agreement.positions,
                    "pearson": agreement.net.pearson,
                    "spearman": agreement.net.spearman,
                })
            });
            let summary = json!({
                "summary": true,
                "positions": training + validation,
                "epochs": trainer.history().len(),
                "best_epoch": best,
                "validation": losses.float,
                "validation_quantised": losses.quantised,
                "validation_even": losses.even,
                "scale": trainer.settings().scale as i32,
                "agreement": agreement.collect::<Vec<_>>(),
            });
            writeln!(out, "{summary}")?;
            return Ok(());
        }
        writeln!(
            out,
            "validation {:.6} (epoch {best}), in whole numbers {:.6}, even chances {:.6}",
            losses.float, losses.quantised, losses.even
        )?;
        for Agreement { judge, positions, net } in agreements {
            writeln!(
                out,
                "{judge}, {positions} positions: correlation {:.4}, of ranks {:.4}",
                net.pearson, net.spearman
            )?;
        }
        Ok(())
    }
}
