//! What a position of Tzaar says at a glance.

use engine::EvaluationTrace;
use game::{BySide, Position as _};
use serde_json::{Map, Value, json};
use tzaar::{Fields, Kind, Outcome, Phase, Picture, Position, Side, Step, distinct_turns, side};

use super::Tzaar;
use crate::GameSpec;
use crate::reading::Content;
use crate::showing::{Facts, Lister, Showing, trace_json};

impl Showing for Tzaar {
    type Lister = DistinctTurns;
    type Tools = ();

    fn facts<'a>(
        content: &'a Content<Tzaar>,
        (): &mut (),
        evaluation: Option<EvaluationTrace>,
    ) -> Box<dyn Facts + 'a> {
        Box::new(Glance::of(content, evaluation))
    }
}

/// Lists distinct turns.
#[derive(Default)]
pub struct DistinctTurns;

impl Lister<Position> for DistinctTurns {
    fn count(&mut self, position: &Position) -> usize {
        distinct_turns(position).len()
    }

    fn after(&mut self, position: &Position) -> Vec<Position> {
        let after = distinct_turns(position).into_iter().map(|(_, after)| after);
        after.filter(|after| after.outcome().is_none()).collect()
    }
}

/// What a position says at a glance.
pub struct Glance<'a> {
    content: &'a Content<Tzaar>,
    position: Position,
    outcome: Option<Outcome>,
    steps: Vec<Step>,
    unique_turns: usize,
    /// The shortest turn that wins at once.
    win: Option<String>,
    /// The evaluation, if it was asked for.
    evaluation: Option<EvaluationTrace>,
}

impl Glance<'_> {
    pub fn of<'a>(content: &'a Content<Tzaar>, evaluation: Option<EvaluationTrace>) -> Glance<'a> {
        let position = *content.game.position();
        let outcome = content.game.outcome();
        let turns = distinct_turns(&position);
        let wins = |after: &Position| after.winner() == Some(position.side());
        let winning = turns.iter().filter(|(_, after)| wins(after)).map(|&(turn, _)| turn);
        let win = winning.min_by_key(|turn| turn.steps().count()).map(|turn| turn.to_string());
        Glance {
            content,
            position,
            outcome,
            steps: position.steps(),
            unique_turns: turns.len(),
            win,
            evaluation,
        }
    }

    fn count(&self, is_such: impl Fn(&Step) -> bool) -> usize {
        self.steps.iter().filter(|step| is_such(step)).count()
    }

    fn captures(&self) -> usize {
        self.count(|step| matches!(step, Step::Capture { .. }))
    }

    fn stackings(&self) -> usize {
        self.count(|step| matches!(step, Step::Stacking { .. }))
    }

    /// What a side could capture with one move.
    fn targets(&self, side: Side) -> Fields {
        let board = self.position.board();
        board.capturable() & board.of(!side)
    }

    /// Stacks with their fields, as a picture has them.
    fn told(&self, fields: Fields) -> Vec<String> {
        let told = |field| {
            let stack = self.position.board().stack_at(field)?;
            Some(format!("{field}:{stack}"))
        };
        fields.into_iter().filter_map(told).collect()
    }

    /// The stacks of a side, type by type.
    fn stacks(&self, side: Side) -> Vec<(Kind, Held)> {
        let board = self.position.board();
        let held = |kind| Held {
            count: board.count(side, kind),
            tallest: board.tallest(side, kind),
            zone: board.zone(side, kind),
            in_hand: self.position.in_hand(side, kind),
        };
        Kind::ALL.map(|kind| (kind, held(kind))).to_vec()
    }

    fn table(&self) -> Vec<String> {
        let is_placing = self.position.phase() == Phase::Placing;
        let heads = Kind::ALL.map(|kind| format!("{:>24}", format!("{}s", kind.name())));
        let mut lines = vec![format!("{:<6}{}", "", heads.concat())];
        for side in Side::ALL {
            let cells = self.stacks(side).into_iter().map(|(_, held)| {
                let Held { count, tallest, zone, in_hand } = held;
                let cell = match is_placing {
                    true => format!("{count}, {in_hand} in hand"),
                    false => format!("{count}, highest {tallest}, zone {zone}"),
                };
                format!("{cell:>24}")
            });
            let name = format!("{}:", side::name(side));
            lines.push(format!("{name:<6}{}", cells.collect::<String>()));
        }
        lines
    }

    /// What can be done now.
    fn moves(&self) -> Vec<String> {
        let turns = format!("{} distinct turns", self.unique_turns);
        if self.position.phase() == Phase::Placing {
            return vec![format!("Moves:  {} ways to place a piece", self.unique_turns)];
        }
        let moves = match self.stackings() {
            0 => format!("{} captures", self.captures()),
            stackings => format!("{} captures, {stackings} stackings", self.captures()),
        };
        let mut lines = vec![format!("Moves:  {moves}; {turns}")];
        let side = self.position.side();
        for (who, when) in [(side, "now"), (!side, "if it were its turn")] {
            let targets = self.told(self.targets(who));
            let targets =
                if targets.is_empty() { "nothing".to_string() } else { targets.join(" ") };
            lines.push(format!("{} can capture, {when}: {targets}", side::name(who)));
        }
        if let Some(win) = &self.win {
            lines.push(format!("{} wins with this turn: {win}", side::name(side)));
        }
        lines
    }
}

/// What a side has of a type.
#[derive(Clone, Copy)]
struct Held {
    count: usize,
    tallest: u8,
    /// How many of them the other side could capture with one move.
    zone: usize,
    in_hand: usize,
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Placing => "placing",
        Phase::Opening => "opening",
        Phase::First => "first",
        Phase::Second => "second",
    }
}

impl Facts for Glance<'_> {
    fn json(&self) -> Value {
        let letter = |side| side::letter(side).to_string();
        let stacks = |side| {
            let row = |(kind, held): (Kind, Held)| {
                let Held { count, tallest, zone, in_hand } = held;
                let row = json!({
                    "count": count, "tallest": tallest, "zone": zone, "in_hand": in_hand,
                });
                (kind.name().to_lowercase(), row)
            };
            Value::Object(self.stacks(side).into_iter().map(row).collect::<Map<_, _>>())
        };
        let side = self.position.side();
        let targets =
            BySide { first: self.targets(Side::First), second: self.targets(Side::Second) };
        let mut row = json!({
            "position": self.position.to_string(),
            "side": letter(side),
            "phase": phase(self.position.phase()),
            "winner": self.outcome.map(|outcome| letter(outcome.winner)),
            "reason": self.outcome.map(|outcome| outcome.reason.name()),
            "white": stacks(Side::First),
            "black": stacks(Side::Second),
            "can_capture": self.told(targets[side]),
            "opponent_can_capture": self.told(targets[!side]),
            "captures": self.captures(),
            "stackings": self.stackings(),
            "unique_turns": self.unique_turns,
            "win": self.win,
            "key": self.position.key().to_string(),
        });
        if let Some(trace) = &self.evaluation {
            row["eval"] = trace_json::<Tzaar>(trace);
        }
        row
    }

    fn tactics(&self) -> Vec<String> {
        self.moves()
    }

    fn text(&self) -> String {
        let picture = Picture(self.position).to_string();
        // Who moves is told below.
        let board = picture.split_once('\n').map_or("", |(_, board)| board);
        let mut lines = vec![board.to_string()];
        let name = side::name(self.position.side());
        let task = match self.position.phase() {
            Phase::Placing => "to place a piece",
            _ => "to move",
        };
        let label = match self.content.game.past().is_empty() {
            true => String::new(),
            false => format!(" ({})", self.content.game.label()),
        };
        lines.push(match self.outcome {
            Some(outcome) => format!("The game is over. {outcome}."),
            None => format!("{name} is {task}{label}."),
        });
        lines.extend(self.table());
        if self.outcome.is_none() {
            lines.extend(self.moves());
        }
        lines.extend(self.evaluation.iter().flat_map(|trace| trace.lines(Tzaar::SIDES)));
        lines.push(format!("Key:    {}", self.position.key()));
        lines.push(self.position.to_string());
        lines.join("\n") + "\n"
    }
}
