//! A document as text.

use std::fmt::Write;
use std::ops::ControlFlow;

use game::{History, Notation};

use crate::reader::{FIRST_LINE, LAST_LINE};
use crate::turns::{FinisherSearch, TurnWalk};
use crate::{Document, NodeId, Repetition, StrategyNode};

pub(crate) fn write<P: Notation>(document: &Document<P>) -> String {
    let mut text = header(document);
    let mut writer = Writer {
        document,
        text: &mut text,
        labels: vec![Label::None; document.strategy.nodes.len()],
        last_label: 0,
        turns: TurnWalk::new(),
        finishing: FinisherSearch::new(),
    };
    writer.find_shared();
    writer.write_tree();
    text + LAST_LINE + "\n"
}

fn header<P: Notation>(document: &Document<P>) -> String {
    let Document { position, past, result, repetition, .. } = document;
    let mut lines = vec![
        FIRST_LINE.to_string(),
        format!("game {}", P::GAME),
        format!("position {}", position.position_text()),
    ];
    lines.extend(past.iter().map(|past| format!("past {} {}", past.count, past.position)));
    lines.push(format!("target {}", position.target_text()));
    lines.push(format!("result {result}"));
    lines.push(format!("repetition {}", repetition.name()));
    lines.join("\n") + "\n"
}

impl Repetition {
    /// The word for it in a text.
    pub fn name(self) -> &'static str {
        match self {
            Repetition::Independent => "independent",
            Repetition::Relied => "relied on",
        }
    }
}

/// What a node is referred to by.
#[derive(Clone, Copy, PartialEq)]
enum Label {
    None,
    /// It is led to by several others, and not written yet.
    Wanted,
    Number(u32),
}

struct Writer<'a, P: Notation> {
    document: &'a Document<P>,
    text: &'a mut String,
    labels: Vec<Label>,
    last_label: u32,
    turns: TurnWalk<P>,
    finishing: FinisherSearch,
}

/// What is still to be written, the last first.
enum WriteTask<P: Notation> {
    StrategyNode(NodeId, P, usize),
    /// A turn of the loser: the answer of that number.
    AnsweredTurn(NodeId, usize, P, usize),
}

impl<P: Notation> Writer<'_, P> {
    fn find_shared(&mut self) {
        let mut met = vec![false; self.labels.len()];
        let nexts = self.document.strategy.nodes.iter().flat_map(StrategyNode::nexts);
        for id in nexts.chain(self.document.strategy.root) {
            let index = id.0 as usize;
            if index < met.len() && std::mem::replace(&mut met[index], true) {
                self.labels[index] = Label::Wanted;
            }
        }
    }

    fn line(&mut self, depth: usize, mark: &str, rest: &str) {
        let gap = if rest.is_empty() { "" } else { " " };
        let _ = writeln!(self.text, "{:depth$}{mark}{gap}{rest}", "");
    }

    fn write_tree(&mut self) {
        let start = self.document.strategy.root;
        let mut tasks: Vec<WriteTask<P>> = start
            .map(|root| WriteTask::StrategyNode(root, self.document.position.clone(), 0))
            .into_iter()
            .collect();
        while let Some(task) = tasks.pop() {
            match task {
                WriteTask::StrategyNode(id, position, depth) => {
                    self.write_node(id, position, depth, &mut tasks)
                }
                WriteTask::AnsweredTurn(id, index, position, depth) => {
                    let strategy = &self.document.strategy;
                    let Some(StrategyNode::Defence { answers, .. }) = strategy.node(id) else {
                        continue;
                    };
                    let answer = &answers[index];
                    self.line(depth, "<", &position.turn_text(&answer.turn));
                    let after = replayed(position, &answer.turn);
                    tasks.push(WriteTask::StrategyNode(answer.next, after, depth + 1));
                }
            }
        }
    }

    fn write_node(&mut self, id: NodeId, position: P, depth: usize, tasks: &mut Vec<WriteTask<P>>) {
        let document = self.document;
        let Some(node) = document.strategy.node(id) else { return };
        match &mut self.labels[id.0 as usize] {
            Label::None => (),
            Label::Number(number) => {
                let reference = format!("={number}");
                return self.line(depth, &reference, "");
            }
            label => {
                self.last_label += 1;
                *label = Label::Number(self.last_label);
                let definition = format!("#{}", self.last_label);
                self.line(depth, &definition, "");
            }
        }
        match node {
            StrategyNode::Attack { turn, next } => {
                self.line(depth, ">", &position.turn_text(turn));
                let after = replayed(position, turn);
                tasks.extend(next.map(|next| WriteTask::StrategyNode(next, after, depth + 1)));
            }
            StrategyNode::Defence { finishers, answers } => {
                for text in self.finisher_texts(&position, finishers) {
                    self.line(depth, "!", &text);
                }
                if finishers.is_empty() && answers.is_empty() {
                    self.line(depth, ".", "");
                }
                let indices = (0..answers.len()).rev();
                tasks.extend(
                    indices
                        .map(|index| WriteTask::AnsweredTurn(id, index, position.clone(), depth)),
                );
            }
        }
    }

    /// The finishers as text, each told on the first board that allows it. Where none of these texts holds, since
    /// other pieces have come to the same squares, a finisher is told once more.
    fn finisher_texts(&mut self, position: &P, finishers: &[Vec<P::Step>]) -> Vec<String> {
        let mut texts: Vec<Vec<String>> = vec![Vec::new(); finishers.len()];
        if finishers.is_empty() {
            return Vec::new();
        }
        let (history, finishing) = (History::new(), &mut self.finishing);
        let _ = self.turns.for_each(position, |_, after| {
            for (texts, finisher) in texts.iter_mut().zip(finishers) {
                if texts.is_empty() && after.after_turn(finisher).is_some() {
                    texts.push(after.finisher_text(finisher));
                }
            }
            let tells =
                |index: usize| texts[index].iter().any(|text| after.tells(&finishers[index], text));
            if finishing.find_fitting(after, &history, finishers, &tells).is_none()
                && let Some(index) = finishing.find_any(after, &history, finishers)
            {
                texts[index].push(after.finisher_text(&finishers[index]));
            }
            ControlFlow::Continue(())
        });
        texts.into_iter().flatten().collect()
    }
}

/// The position after a turn; whoever writes nonsense gets nonsense.
fn replayed<P: Notation>(mut position: P, turn: &[P::Step]) -> P {
    turn.iter().for_each(|&step| position.play(step));
    position
}
