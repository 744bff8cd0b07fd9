use std::fmt;
use std::time::Duration;

use arimaa::{Action, Game, side};
use engine::{Info, Line, TreeStatistics};
use game::{Score, Steps};

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
    Info(InfoLine),
    /// Something to be logged.
    Log(Log, String),
}

/// What is told of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InfoLine {
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

impl InfoLine {
    /// The lines that tell what an engine knows of the position of a game.
    pub fn of(info: &Info<Action>, game: &Game) -> Vec<InfoLine> {
        let mut lines = vec![InfoLine::Depth(info.depth)];
        if let Some(verdict) = info.verdict() {
            // A controller wants a score in any case.
            lines.push(InfoLine::Score(verdict.as_score()));
            lines.extend(verdict.proof().map(|proof| InfoLine::Own("proof", proof.to_string())));
        }
        lines.extend([
            InfoLine::Nodes(info.nodes),
            InfoLine::Time(info.time),
            InfoLine::Pv(variation(game, info.pv())),
        ]);
        if info.lines.len() > 1 {
            let numbered = (1..).zip(&info.lines);
            let told = numbered.map(|(number, line)| numbered_line(number, line, game));
            lines.extend(told.map(|text| InfoLine::Own("multipv", text)));
        }
        lines.extend(info.visits.map(|visits| InfoLine::Own("visits", visits.to_string())));
        let ratio = info.lines.first().and_then(|line| line.win_ratio);
        lines.extend(ratio.map(|ratio| InfoLine::Own("winratio", win_ratio(ratio))));
        if let Some(tree) = &info.tree {
            let told = tree_statistics(tree, info.time);
            lines.extend(told.map(|text| InfoLine::Own("stat", text)));
        }
        lines
    }
}

/// A ratio in hundredths of a percent as a number from 0 to 1.
fn win_ratio(ratio: u16) -> String {
    format!("{:.4}", f64::from(ratio) / 10_000.0)
}

/// What a search with a tree has counted, in the words of Akimot (Kozelek 2009, A.5).
fn tree_statistics(tree: &TreeStatistics, time: Duration) -> [String; 6] {
    let seconds = time.as_secs_f64().max(1e-9);
    [
        format!("{} playouts", tree.playouts),
        format!("{:.0} playouts per second", tree.playouts as f64 / seconds),
        format!("{} nodes in the tree", tree.nodes),
        format!("{} nodes expanded", tree.expanded),
        format!("{} nodes pruned", tree.recycled),
        format!("{:.2} average descends in playout", f64::from(tree.mean_depth) / 100.0),
    ]
}

/// One of several lines: `2 score -12 pv Ee2n`, and what is proved of it before its turns.
fn numbered_line(number: usize, line: &Line<Action>, game: &Game) -> String {
    let score = line.verdict.map_or(String::new(), |it| format!(" score {}", it.as_score().0));
    let proof = line.verdict.and_then(|verdict| verdict.proof());
    let proof = proof.map_or(String::new(), |proof| format!(" proof {proof}"));
    let visits = line.visits.map_or(String::new(), |visits| format!(" visits {visits}"));
    let ratio =
        line.win_ratio.map_or(String::new(), |ratio| format!(" winratio {}", win_ratio(ratio)));
    format!("{number}{score}{proof}{visits}{ratio} pv {}", variation(game, &line.pv))
}

/// Turns as text; each but the first begins with its side: `Ee2n Ee3n s ed7s g Ee4n`.
fn variation(game: &Game, turns: &[Action]) -> String {
    let mut side = game.position().side();
    let mut words = Vec::new();
    for (index, turn) in game::notations(game, turns).into_iter().enumerate() {
        if index > 0 {
            words.push(side::letter(side).to_string());
        }
        words.push(turn);
        side = !side;
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

impl fmt::Display for InfoLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            InfoLine::Score(score) => write!(f, "score {}", score.0),
            InfoLine::Depth(depth) => write!(f, "depth {depth}"),
            InfoLine::Nodes(nodes) => write!(f, "nodes {nodes}"),
            InfoLine::Pv(line) => write!(f, "pv {line}"),
            InfoLine::Time(time) => write!(f, "time {:.2}", time.as_secs_f64()),
            InfoLine::Own(kind, value) => write!(f, "{kind} {value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use arimaa::{Position, Turn};
    use engine::Verdict;
    use game::{Proof, Turns};

    use super::*;

    const OPENING: &str = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";

    fn opening() -> Game {
        Game::from_position(OPENING.parse().unwrap())
    }

    fn actions(turns: &[&str]) -> Vec<Action> {
        let mut position: Position = OPENING.parse().unwrap();
        let mut actions = Vec::new();
        for text in turns {
            let turn = Turn::parse(text, &position).unwrap();
            position.try_play_turn(turn).unwrap();
            actions.push(Action::Turn(turn));
        }
        actions
    }

    #[test]
    fn each_later_turn_of_a_variation_begins_with_its_side() {
        let pv = actions(&["Ee2n Ee3n Ee4n Ee5n", "ed7s", "Hh2n Hh3n"]);
        let told = "Ee2n Ee3n Ee4n Ee5n s ed7s g Hh2n Hh3n";
        assert_eq!(variation(&opening(), &pv), told);
        assert_eq!(variation(&opening(), &[]), "");
    }

    #[test]
    fn an_info_tells_all_that_a_controller_may_show() {
        let score = Verdict::Score(Score(-12));
        let mut info = Info {
            depth: Steps(5),
            nodes: 1234,
            time: Duration::from_millis(1567),
            ..Info::without_search(Some(score), actions(&["Ee2n"]))
        };
        let told = |info: &Info<Action>| -> Vec<String> {
            let lines = InfoLine::of(info, &opening());
            lines.into_iter().map(|line| Answer::Info(line).to_string()).collect()
        };
        assert_eq!(
            told(&info),
            ["info depth 5", "info score -12", "info nodes 1234", "info time 1.57", "info pv Ee2n"]
        );
        info.lines[0].verdict = Some(Verdict::Proof(Proof::Loss(Turns(2))));
        assert_eq!(told(&info)[1..3], ["info score -99998", "info proof loss in 2"]);
        info.lines[0].verdict = Some(score);
        info.lines.push(Line {
            verdict: Some(Verdict::Proof(Proof::Loss(Turns(2)))),
            visits: None,
            win_ratio: None,
            pv: actions(&["Hh2n", "ed7s"]),
        });
        assert_eq!(
            told(&info)[5..],
            [
                "info multipv 1 score -12 pv Ee2n",
                "info multipv 2 score -99998 proof loss in 2 pv Hh2n s ed7s"
            ]
        );
    }

    #[test]
    fn a_search_with_a_tree_tells_its_visits_and_what_it_has_counted() {
        let found = Info::without_search(Some(Verdict::Score(Score(7))), actions(&["Ee2n"]));
        let mut info = Info { time: Duration::from_secs(2), visits: Some(20), ..found };
        info.lines[0].win_ratio = Some(4361);
        info.tree = Some(TreeStatistics {
            playouts: 500,
            nodes: 30,
            expanded: 4,
            recycled: 3,
            mean_depth: 676,
        });
        let lines = InfoLine::of(&info, &opening());
        let told: Vec<String> = lines.iter().skip(5).map(InfoLine::to_string).collect();
        assert_eq!(
            told,
            [
                "visits 20",
                "winratio 0.4361",
                "stat 500 playouts",
                "stat 250 playouts per second",
                "stat 30 nodes in the tree",
                "stat 4 nodes expanded",
                "stat 3 nodes pruned",
                "stat 6.76 average descends in playout",
            ]
        );
    }
}
