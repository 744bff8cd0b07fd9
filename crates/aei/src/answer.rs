use std::fmt;
use std::time::Duration;

use arimaa::{Position, Step, Turn, side};
use game::{Proof, Score, Steps};
use search::{Report, Verdict};

/// What an engine sends: a line each.
///
/// ```
/// # use aei::{Answer, Log};
/// let answer = Answer::Log(Log::Warning, "unknown option \"style\"".to_string());
/// assert_eq!(answer.to_string(), "log Warning: unknown option \"style\"");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The first line: version 1 of the protocol.
    ProtocolVersion,
    /// Who answers: `name`, `author` or `version`, and the value.
    Id(&'static str, String),
    /// The session is open.
    AeiOk,
    /// All before is done.
    ReadyOk,
    /// What the search found: steps, a setup, or `resign`.
    BestMove(String),
    /// Something about the search.
    Info(Info),
    /// Something to be logged.
    Log(Log, String),
}

/// What is told of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Info {
    /// How the side to move stands.
    Score(Score),
    /// The depth that was completed.
    Depth(Steps),
    /// How many positions were entered.
    Nodes(u64),
    /// What both sides are expected to play.
    Pv(String),
    /// Since the search began.
    Time(Duration),
    /// A type of our own, and its value.
    Own(&'static str, String),
}

/// How grave a log line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Log {
    /// A message was refused.
    Error,
    /// Something is odd.
    Warning,
    /// For those who look for a fault.
    Debug,
    /// A line for people.
    Plain,
}

/// A controller wants a score in any case. A proof's is out of reach of any estimate, and better
/// the sooner the game is won or the later it is lost.
const PROVEN: i32 = 100_000;

impl Info {
    /// What a report of a search of this position says.
    pub fn of_report(report: &Report<Step>, position: &Position) -> Vec<Info> {
        let mut infos = vec![Info::Depth(report.depth)];
        infos.push(Info::Score(told_score(report.verdict)));
        if let Verdict::Proof(proof) = report.verdict {
            infos.push(Info::Own("proof", proof.to_string()));
        }
        infos.extend([
            Info::Nodes(report.nodes),
            Info::Time(report.time),
            Info::Pv(variation(&report.line, position)),
        ]);
        infos
    }
}

/// A verdict as a score, for those who want one in any case.
pub fn told_score(verdict: Verdict) -> Score {
    match verdict {
        Verdict::Score(score) => score,
        Verdict::Proof(Proof::Win(turns)) => Score(PROVEN - i32::from(turns.0)),
        Verdict::Proof(Proof::Loss(turns)) => Score(i32::from(turns.0) - PROVEN),
    }
}

/// The steps as turns; each but the first begins with its side: `Ee2n Ee3n s ed7s g Ee4n`.
fn variation(line: &[Step], position: &Position) -> String {
    let mut start = *position;
    let mut now = start;
    let mut turn = Turn::EMPTY;
    let mut turns = Vec::new();
    for &step in line {
        if now.try_play(step).is_err() {
            break;
        }
        if step != Step::PASS {
            turn = turn.then(step);
        }
        if now.side() != start.side() {
            turns.push((start, turn));
            (start, turn) = (now, Turn::EMPTY);
        }
    }
    if !turn.is_empty() {
        turns.push((start, turn));
    }
    let mut words = Vec::new();
    for (index, (start, turn)) in turns.iter().enumerate() {
        if index > 0 {
            words.push(side::letter(start.side()).to_string());
        }
        words.push(turn.notation(start.board()));
    }
    words.join(" ")
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Answer::ProtocolVersion => write!(f, "protocol-version 1"),
            Answer::Id(kind, value) => write!(f, "id {kind} {value}"),
            Answer::AeiOk => write!(f, "aeiok"),
            Answer::ReadyOk => write!(f, "readyok"),
            Answer::BestMove(steps) => write!(f, "bestmove {steps}"),
            Answer::Info(info) => write!(f, "info {info}"),
            Answer::Log(Log::Error, text) => write!(f, "log Error: {text}"),
            Answer::Log(Log::Warning, text) => write!(f, "log Warning: {text}"),
            Answer::Log(Log::Debug, text) => write!(f, "log Debug: {text}"),
            Answer::Log(Log::Plain, text) => write!(f, "log {text}"),
        }
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Info::Score(score) => write!(f, "score {}", score.0),
            Info::Depth(depth) => write!(f, "depth {depth}"),
            Info::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Info::Pv(line) => write!(f, "pv {line}"),
            Info::Time(time) => write!(f, "time {:.2}", time.as_secs_f64()),
            Info::Own(kind, value) => write!(f, "{kind} {value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use game::Turns;

    use super::*;

    const OPENING: &str = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";

    /// The steps of turns from the opening.
    fn steps(turns: &[&str]) -> Vec<Step> {
        let mut position: Position = OPENING.parse().unwrap();
        let mut steps = Vec::new();
        for text in turns {
            let turn = Turn::parse(text, &position).unwrap();
            steps.extend(turn.steps());
            if turn.cost() < Steps(4) {
                steps.push(Step::PASS);
            }
            position.try_play_turn(turn).unwrap();
        }
        steps
    }

    #[test]
    fn each_later_turn_of_a_variation_begins_with_its_side() {
        let line = steps(&["Ee2n Ee3n Ee4n Ee5n", "ed7s", "Hh2n Hh3n"]);
        let opening = OPENING.parse().unwrap();
        let told = "Ee2n Ee3n Ee4n Ee5n s ed7s g Hh2n Hh3n";
        assert_eq!(variation(&line, &opening), told);
        // The same without the last pass: the line ends inside a turn.
        assert_eq!(variation(&line[..line.len() - 1], &opening), told);
        assert_eq!(variation(&[], &opening), "");
    }

    #[test]
    fn a_report_tells_all_that_a_controller_may_show() {
        let mut report = Report {
            depth: Steps(5),
            verdict: Verdict::Score(Score(-12)),
            line: steps(&["Ee2n"]),
            nodes: 1234,
            time: Duration::from_millis(1567),
        };
        let told = |report: &Report<Step>| -> Vec<String> {
            let infos = Info::of_report(report, &OPENING.parse().unwrap());
            infos.into_iter().map(|info| Answer::Info(info).to_string()).collect()
        };
        assert_eq!(
            told(&report),
            ["info depth 5", "info score -12", "info nodes 1234", "info time 1.57", "info pv Ee2n"]
        );
        report.verdict = Verdict::Proof(Proof::Loss(Turns(2)));
        assert_eq!(told(&report)[1..3], ["info score -99998", "info proof loss in 2"]);
    }
}
