//! What engines find, as objects for programs and as chances for people.

use engine::{Line, Verdict};
use game::{Game, Proof, Turns, notations};
use serde_json::{Value, json};

use crate::Interactive;

/// A line whose turns are text.
pub fn written_line<G: Game>(game: &G, line: &Line<G::Action>) -> Line<String> {
    let Line { verdict, visits, win_ratio, ref pv } = *line;
    Line { verdict, visits, win_ratio, pv: notations(game, pv) }
}

/// A line as an object.
pub fn line_json(line: &Line<String>) -> Value {
    let mut row = json!({
        "turn": line.pv.first(),
        "score": score_json(line.verdict),
        "proof": proof_json(line.verdict),
        "pv": line.pv,
    });
    add_visits(&mut row, line);
    row
}

/// Adds the visits of a line and its chance to win, by a search that counts visits.
pub fn add_visits<Move>(row: &mut Value, line: &Line<Move>) {
    if let Some(visits) = line.visits {
        row["visits"] = json!(visits);
    }
    if let Some(ratio) = line.win_ratio {
        row["win_ratio"] = json!(f64::from(ratio) / 10_000.0);
    }
}

/// An estimate as a number; null beside a proof.
pub fn score_json(verdict: Option<Verdict>) -> Value {
    json!(verdict.and_then(Verdict::score).map(|score| score.0))
}

/// A proof as an object; null beside an estimate.
pub fn proof_json(verdict: Option<Verdict>) -> Value {
    match verdict.and_then(Verdict::proof) {
        None => Value::Null,
        Some(Proof::Win(turns)) => json!({"result": "win", "turns": turns.0}),
        Some(Proof::Loss(turns)) => json!({"result": "loss", "turns": turns.0}),
    }
}

/// What a turn is worth for who has played it, given what the next position is worth for the other side.
pub fn worth(next: Verdict) -> Verdict {
    match -next {
        // The turn itself is one of the winner's.
        Verdict::Proof(Proof::Win(turns)) => Verdict::Proof(Proof::Win(Turns(turns.0 + 1))),
        other => other,
    }
}

/// What a proof counts as, and the most that a score does.
const MOST_POINTS: i32 = 2000;

/// A verdict as points that can be subtracted.
pub fn points(verdict: Verdict) -> i32 {
    verdict.as_score().0.clamp(-MOST_POINTS, MOST_POINTS)
}

/// The chance to win at a verdict.
pub fn chance<S: Interactive>(verdict: Verdict) -> f64 {
    match verdict {
        Verdict::Proof(Proof::Win(_)) => 1.0,
        Verdict::Proof(Proof::Loss(_)) => 0.0,
        Verdict::Score(score) => 1.0 / (1.0 + (-f64::from(score.0) / S::CHANCE_SCALE).exp()),
    }
}

/// How accurate a turn was that has lost so much of the chances to win, in percent: the formula of Lichess, which
/// people know from chess (<https://lichess.org/page/accuracy>).
pub fn accuracy(chance_lost: f64) -> f64 {
    (103.1668 * (-4.354 * chance_lost).exp() - 3.1669).clamp(0.0, 100.0)
}

#[cfg(test)]
mod tests {
    use game::Score;

    use super::*;

    #[test]
    fn the_turn_that_begins_a_win_counts_among_the_winners_own() {
        let proof = |proof| Verdict::Proof(proof);
        assert_eq!(worth(proof(Proof::Loss(Turns(0)))), proof(Proof::Win(Turns(1))));
        assert_eq!(worth(proof(Proof::Win(Turns(2)))), proof(Proof::Loss(Turns(2))));
        assert_eq!(worth(Verdict::Score(Score(30))), Verdict::Score(Score(-30)));
    }

    #[test]
    fn points_are_bounded_and_nothing_lost_is_all_right() {
        assert_eq!(points(Verdict::Proof(Proof::Win(Turns(3)))), MOST_POINTS);
        assert_eq!(points(Verdict::Score(Score(-5000))), -MOST_POINTS);
        assert!(accuracy(0.0) > 99.9 && accuracy(1.0) < 1.0);
    }
}
