//! What a position of Arimaa says at a glance.

use arimaa::{
    Form, GOLD, Kind, Mobility, Outcome, Picture, Piece, Position, SILVER, Side, TurnGenerator,
    side,
};
use arimaa_ai::ThreatGenerator;
use engine::EvaluationTrace;
use game::BySide;
use serde_json::{Value, json};

use super::Arimaa;
use super::threats::{self, SideThreats};
use crate::GameSpec;
use crate::reading::Content;
use crate::showing::{Facts, Lister, Showing, trace_json};

impl Showing for Arimaa {
    type Lister = TurnGenerator;
    type Tools = Tools;

    fn facts<'a>(
        content: &'a Content<Arimaa>,
        tools: &mut Tools,
        evaluation: Option<EvaluationTrace>,
    ) -> Box<dyn Facts + 'a> {
        Box::new(Glance::of(content, tools, evaluation))
    }
}

impl Lister<Position> for TurnGenerator {
    fn count(&mut self, position: &Position) -> usize {
        self.distinct(position.board(), position.side()).len()
    }

    fn after(&mut self, position: &Position) -> Vec<Position> {
        let turns = self.distinct(position.board(), position.side());
        let after = turns.iter().map(|reached| {
            let mut after = *position;
            after.play_turn_unchecked(reached.turn);
            after
        });
        after.filter(|after| after.outcome().is_none()).collect()
    }
}

/// What a position says at a glance.
pub struct Glance<'a> {
    content: &'a Content<Arimaa>,
    position: Position,
    outcome: Option<Outcome>,
    singles: usize,
    pushes: usize,
    pulls: usize,
    unique_turns: usize,
    tactics: BySide<SideThreats>,
    /// How many turns parry the threat to win, if there is one.
    defences: Option<usize>,
    /// How many turns make such a threat.
    threats: usize,
    /// The evaluation, if it was asked for.
    evaluation: Option<EvaluationTrace>,
}

/// What is needed for the facts of any position.
#[derive(Default)]
pub struct Tools {
    generator: TurnGenerator,
    threats: ThreatGenerator,
}

impl Glance<'_> {
    pub fn of<'a>(
        content: &'a Content<Arimaa>,
        tools: &mut Tools,
        evaluation: Option<EvaluationTrace>,
    ) -> Glance<'a> {
        let position = *content.game.position();
        let outcome = content.game.outcome();
        let (board, side) = (position.board(), position.side());
        let steps = position.steps();
        let count = |form| steps.iter().filter(|step| step.form() == form).count();
        let tactics =
            BySide { first: SideThreats::of(board, GOLD), second: SideThreats::of(board, SILVER) };
        let threatened = tactics[!side].goal.or(tactics[!side].elimination).is_some();
        Glance {
            content,
            position,
            outcome,
            singles: count(Form::Single),
            pushes: count(Form::Push),
            pulls: count(Form::Pull),
            unique_turns: tools.generator.distinct(board, side).len(),
            defences: threatened.then(|| tools.threats.defences(board, side).len()),
            threats: tools.threats.threats(board, side).len(),
            tactics,
            evaluation,
        }
    }

    fn frozen(&self, side: Side) -> Vec<String> {
        let mobility = Mobility::new(self.position.board(), side);
        (mobility.own & !mobility.free)
            .into_iter()
            .filter_map(|square| {
                let piece = self.position.board().piece_at(square)?;
                Some(format!("{}{square}", piece.letter()))
            })
            .collect()
    }

    /// The letters of a side's pieces, the strongest first.
    fn army(&self, side: Side) -> String {
        let pieces = Kind::ALL.into_iter().rev().map(|kind| Piece { side, kind });
        pieces
            .flat_map(|piece| {
                std::iter::repeat_n(piece.letter(), self.position.board().piece(piece).len())
            })
            .collect()
    }

    /// What the sides could win or capture, and what can be done about it.
    fn threats(&self) -> Vec<String> {
        let side = self.position.side();
        let mut lines = Vec::new();
        for (who, when) in [(side, "now"), (!side, "if it were its turn")] {
            let found = self.tactics[who].lines(self.position.board());
            if !found.is_empty() {
                lines.push(format!("{}, {when}:", side::name(who)));
                lines.extend(found.iter().map(|line| format!("        {line}")));
            }
        }
        if let Some(defences) = self.defences {
            lines.push(format!("Turns that prevent a win: {defences} of {}", self.unique_turns));
        }
        if self.threats > 0 {
            lines.push(format!("Turns that threaten to win: {}", self.threats));
        }
        lines
    }
}

impl Facts for Glance<'_> {
    fn json(&self) -> Value {
        let mut row = json!({
            "position": self.position.to_string(),
            "side": side::letter(self.position.side()).to_string(),
            "winner": self.outcome.map(|outcome| side::letter(outcome.winner).to_string()),
            "reason": self.outcome.map(|outcome| outcome.reason.name()),
            "gold": self.army(GOLD),
            "silver": self.army(SILVER),
            "gold_frozen": self.frozen(GOLD),
            "silver_frozen": self.frozen(SILVER),
            "singles": self.singles,
            "pushes": self.pushes,
            "pulls": self.pulls,
            "unique_turns": self.unique_turns,
            "key": self.position.key().to_string(),
            "defences": self.defences,
            "threats": self.threats,
        });
        for (name, value) in threats::fields(&self.position, &self.tactics, None) {
            row[name] = value;
        }
        if let Some(trace) = &self.evaluation {
            row["eval"] = trace_json::<Arimaa>(trace);
        }
        row
    }

    fn tactics(&self) -> Vec<String> {
        self.threats()
    }

    fn text(&self) -> String {
        let content = self.content;
        let board = *self.position.board();
        let picture = Picture { number: None, side: None, board };
        let mut lines = vec![picture.to_string(), String::new()];
        let name = side::name(self.position.side());
        let label = match &content.label {
            Some(label) => format!(" ({label})"),
            None if content.game.actions().next().is_some() => {
                format!(" ({})", content.game.label())
            }
            None => String::new(),
        };
        lines.push(match self.outcome {
            Some(outcome) => format!("The game is over. {outcome}."),
            None => format!("{name} is to move{label}."),
        });
        for side in Side::ALL {
            let frozen = self.frozen(side);
            let frozen = match frozen.is_empty() {
                true => String::new(),
                false => format!(", frozen: {}", frozen.join(" ")),
            };
            lines.push(format!(
                "{:<8}{}{frozen}",
                format!("{}:", side::name(side)),
                self.army(side)
            ));
        }
        if self.outcome.is_none() {
            lines.push(format!(
                "Steps:  {} single, {} pushes, {} pulls; {} distinct turns",
                self.singles, self.pushes, self.pulls, self.unique_turns
            ));
            lines.extend(self.threats());
        }
        lines.extend(self.evaluation.iter().flat_map(|trace| trace.lines(Arimaa::SIDES)));
        lines.push(format!("Key:    {}", self.position.key()));
        lines.push(self.position.to_string());
        lines.join("\n") + "\n"
    }
}
