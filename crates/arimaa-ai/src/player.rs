use std::time::{Duration, Instant};

use arimaa::{Game, Position, Step, Turn, WHOLE_TURN};
use game::{History, Proof, Steps, Turns};
use rand::Rng;
use rand::seq::SliceRandom;
use search::{AlphaBeta, Knowledge, Limits, Parameters, Report, Stop, Task, Verdict};

use crate::{Attack, Conditions, Effort, Estimate, ForcedWin, Manner, Memory, Sense, Tactician};

/// An alpha-beta player.
#[derive(Debug)]
pub struct Player {
    /// What it makes of its search.
    pub manner: Manner,
    search: AlphaBeta<Step>,
    sense: Sense,
    tactician: Tactician,
    /// What the attack of a turn knows.
    memory: Memory,
}

/// A turn that was chosen, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The turn.
    pub turn: Turn,
    /// What the search has found.
    pub report: Report<Step>,
}

impl Player {
    /// A player whose table has that many MiB.
    pub fn new(
        estimate: Estimate,
        parameters: Parameters,
        mebibytes: usize,
        threads: usize,
    ) -> Player {
        let mut search = AlphaBeta::new(parameters, mebibytes);
        search.threads = threads;
        let (manner, sense) = (Manner::default(), Sense { estimate });
        Player {
            manner,
            search,
            sense,
            tactician: Tactician::new(),
            memory: Memory::new(MEMORY_OF_ATTACK),
        }
    }

    /// Forgets what it has found in earlier positions.
    pub fn forget(&mut self) {
        self.search.clear();
    }

    /// Chooses a turn in a game that goes on; nothing if it was stopped before it had found one.
    /// Chance has a say only where the manner leaves it a margin.
    pub fn choose(
        &mut self,
        game: &Game,
        limits: Limits,
        stop: &Stop,
        rng: &mut impl Rng,
        mut tell: impl FnMut(&Report<Step>),
    ) -> Option<Choice> {
        let limits = self.manner.limits(limits);
        let mut quest =
            Quest { past: game.history(), limits, stop, begin: Instant::now(), nodes: 0 };
        if self.manner.attack >= 2
            && let Some(choice) = self.attack(game, &mut quest)
        {
            tell(&choice.report);
            return Some(choice);
        }
        let position = game.position();
        let first_limits = self.first_limits(quest.left());
        let found = self.ask(&mut quest, position, first_limits, tell)?;
        let mut report = match found.verdict {
            Verdict::Proof(Proof::Win(_)) => found,
            _ => self.whole_turn(&mut quest, position, found, rng),
        };
        (report.nodes, report.time) = (quest.nodes, quest.begin.elapsed());
        let turn = first_turn(position, &report.line);
        quest.allows(position, turn).then_some(Choice { turn, report })
    }

    /// The limits of the search that comes first: it leaves time for a choice by chance.
    fn first_limits(&self, limits: Limits) -> Limits {
        if self.manner.margin == 0 {
            return limits;
        }
        Limits {
            nodes: limits.nodes.map(|nodes| nodes.div_ceil(2)),
            soft: limits.soft.map(|time| time / 2),
            hard: limits.hard.map(|time| time / 2),
            ..limits
        }
    }

    /// Searches a position, at the start of the turn or inside.
    fn ask(
        &mut self,
        quest: &mut Quest,
        position: &Position,
        limits: Limits,
        tell: impl FnMut(&Report<Step>),
    ) -> Option<Report<Step>> {
        let Quest { past, stop, .. } = *quest;
        let task = Task { position, past, knowledge: &self.sense, limits, stop };
        let report = self.search.search(&task, tell)?;
        quest.nodes += report.nodes;
        Some(report)
    }

    /// Goes on from what was found to the end of the turn: by other steps that are good enough,
    /// where there is a margin, and by another search where the line ends before the turn does.
    fn whole_turn(
        &mut self,
        quest: &mut Quest,
        position: &Position,
        found: Report<Step>,
        rng: &mut impl Rng,
    ) -> Report<Step> {
        let depth = found.depth;
        let mut margin = self.manner.margin;
        let mut played = Vec::new();
        let mut inside = *position;
        // What is best in the position inside the turn, as far as one knows.
        let mut best = found;
        while inside.side() == position.side() {
            if best.line.is_empty() {
                let limits = quest.rest(quest.limits.depth);
                match self.ask(quest, &inside, limits, |_| ()) {
                    Some(report) if !report.line.is_empty() => best = report,
                    _ => break,
                }
            }
            if let Some(other) = self.good_enough(quest, &inside, &best, margin, rng) {
                margin -= (score(best.verdict) - score(other.verdict)).max(0);
                best = other;
            }
            let step = best.line.remove(0);
            best.depth.0 = best.depth.0.saturating_sub(inside.cost(step).0);
            inside.play_unchecked(step);
            played.push(step);
        }
        played.append(&mut best.line);
        Report { line: played, depth, ..best }
    }

    /// Randomized alpha-beta (seed 003, 2.1.3), step by step: of all steps whose value is within the
    /// margin of the best one's, each is as likely. Steps are looked at in random order until one
    /// is good enough, so that the others need no value; nothing, if that is the best one.
    fn good_enough(
        &mut self,
        quest: &mut Quest,
        position: &Position,
        best: &Report<Step>,
        margin: i32,
        rng: &mut impl Rng,
    ) -> Option<Report<Step>> {
        if margin == 0 || matches!(best.verdict, Verdict::Proof(_)) {
            return None;
        }
        let mut steps = position.steps();
        steps.shuffle(rng);
        for step in steps.into_iter().take_while(|step| Some(step) != best.line.first()) {
            if quest.is_over() {
                break;
            }
            match self.after_step(quest, position, step, best.depth) {
                Some(report) if score(report.verdict) >= score(best.verdict) - margin => {
                    return Some(report);
                }
                _ => continue,
            }
        }
        None
    }

    /// What a position is worth if this step is played, as deep as the others; nothing if it may not
    /// be played or there is no time to tell.
    fn after_step(
        &mut self,
        quest: &mut Quest,
        position: &Position,
        step: Step,
        depth: Steps,
    ) -> Option<Report<Step>> {
        let mut after = *position;
        after.play_unchecked(step);
        let inside = after.side() == position.side();
        if inside && after.is_unchanged() || !inside && quest.past.count(after.key()) >= 2 {
            return None;
        }
        let rest = Steps(depth.0.saturating_sub(position.cost(step).0));
        let mut report = match rest {
            Steps(0) => self.look(&after),
            _ => {
                let limits = quest.rest(Some(rest));
                self.ask(quest, &after, limits, |_| ())?
            }
        };
        if !inside {
            report.verdict = turned(report.verdict);
        }
        let complete = report.depth >= rest || matches!(report.verdict, Verdict::Proof(_));
        report.line.insert(0, step);
        complete.then_some(Report { depth, ..report })
    }

    /// What is seen of a position without a search.
    fn look(&self, position: &Position) -> Report<Step> {
        let verdict = match position.turn_starts() && self.sense.wins(position) {
            true => Verdict::Proof(Proof::Win(Turns(1))),
            false => Verdict::Score(self.sense.evaluate(position)),
        };
        Report { depth: Steps(0), verdict, line: Vec::new(), nodes: 0, time: Duration::ZERO }
    }

    /// A turn that wins by force, found by a look of its own at threats alone.
    fn attack(&mut self, game: &Game, quest: &mut Quest) -> Option<Choice> {
        let position = game.position();
        if !position.turn_starts() || self.sense.wins(position) {
            return None;
        }
        let is_allowed = |key| quest.past.count(key) < 2;
        // Most of the time: a win that is there is worth more than a deeper search, and where threats
        // lead nowhere, that is mostly seen soon.
        let time = quest.limits.soft.or(quest.limits.hard).unwrap_or(Duration::MAX) / 3 * 2;
        let must_stop = || quest.stop.is_requested() || quest.begin.elapsed() > time;
        let nodes = match quest.limits {
            Limits { nodes: Some(nodes), .. } => nodes / 2,
            Limits { hard: Some(_), .. } => u64::MAX,
            _ => NODES_OF_ATTACK,
        };
        let conditions = Conditions { is_allowed: &is_allowed, must_stop: &must_stop, nodes };
        self.memory.forget();
        let (tactician, memory) = (&mut self.tactician, &self.memory);
        let mut attack =
            Attack::new(position.side(), tactician, memory, conditions, Effort::THREATS);
        let win = attack.search(position.board(), Turns(self.manner.attack as u16));
        quest.nodes += attack.nodes;
        let ForcedWin { turn, turns } = win?;
        let report = Report {
            depth: WHOLE_TURN,
            verdict: Verdict::Proof(Proof::Win(turns)),
            line: turn.steps().collect(),
            nodes: quest.nodes,
            time: quest.begin.elapsed(),
        };
        Some(Choice { turn, report })
    }
}

/// How many boards an attack may look at where neither time nor nodes are limited.
const NODES_OF_ATTACK: u64 = 200_000;

/// What it may remember, in MiB.
const MEMORY_OF_ATTACK: usize = 4;

/// The choice of a turn on its way.
struct Quest<'a> {
    past: &'a History,
    limits: Limits,
    stop: &'a Stop,
    begin: Instant,
    /// How many positions were entered so far.
    nodes: u64,
}

impl Quest<'_> {
    /// What is left of the limits.
    fn left(&self) -> Limits {
        let Limits { depth, nodes, soft, hard } = self.limits;
        let elapsed = self.begin.elapsed();
        Limits {
            depth,
            nodes: nodes.map(|nodes| nodes.saturating_sub(self.nodes)),
            soft: soft.map(|time| time.saturating_sub(elapsed)),
            hard: hard.map(|time| time.saturating_sub(elapsed)),
        }
    }

    /// What is left of the limits for a search of that depth.
    fn rest(&self, depth: Option<Steps>) -> Limits {
        Limits { depth, soft: None, ..self.left() }
    }

    fn is_over(&self) -> bool {
        let Limits { nodes, hard, .. } = self.rest(None);
        nodes == Some(0) || hard == Some(Duration::ZERO) || self.stop.is_requested()
    }

    /// Whether the turn may be played: it changes the board, and not to one that was there twice. A line
    /// that was cut off may end where the turn must not.
    fn allows(&self, position: &Position, turn: Turn) -> bool {
        let mut after = *position;
        after.play_turn_unchecked(turn);
        after.board() != position.board() && self.past.count(after.repetition_key()) < 2
    }
}

/// A verdict as a number to compare; a proof is beyond all estimates.
fn score(verdict: Verdict) -> i32 {
    match verdict {
        Verdict::Score(score) => score.0,
        Verdict::Proof(Proof::Win(_)) => i32::MAX / 4,
        Verdict::Proof(Proof::Loss(_)) => i32::MIN / 4,
    }
}

/// The verdict in the eyes of the other side.
fn turned(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Score(score) => Verdict::Score(-score),
        Verdict::Proof(proof) => Verdict::Proof(-proof),
    }
}

/// The steps of a line that belong to the turn of the position.
pub fn first_turn(position: &Position, line: &[Step]) -> Turn {
    let mut after = *position;
    let mut turn = Turn::EMPTY;
    for &step in line {
        if step == Step::PASS {
            break;
        }
        turn = turn.then(step);
        after.play_unchecked(step);
        if after.side() != position.side() {
            break;
        }
    }
    turn
}
