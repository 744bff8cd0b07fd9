use game::Side;
use serde::{Deserialize, Serialize};

use crate::Ply;

/// When a game ends before the rules end it: never, unless asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// After so many turns of each side nobody has won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<u32>,
    /// Whoever sees itself so far behind loses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ScoreThreshold>,
    /// Whoever is so far ahead in the eyes of both wins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agree: Option<ScoreThreshold>,
}

/// How clear a game must be to be decided by the players' own scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreThreshold {
    /// At least this score, for or against.
    pub score: i32,
    /// In so many turns in a row.
    pub turns: u32,
}

impl Adjudication {
    /// Who has won by the scores told so far, when it is this side's turn.
    pub fn winner(&self, plies: &[Ply], to_move: Side) -> Option<Side> {
        let mover = !to_move;
        let resigns = self.resign.is_some_and(|threshold| threshold.holds(plies, 0, -1));
        if resigns {
            return Some(to_move);
        }
        let threshold = self.agree?;
        let agreed = |sign| threshold.holds(plies, 0, sign) && threshold.holds(plies, 1, -sign);
        [(1, mover), (-1, to_move)].into_iter().find(|&(sign, _)| agreed(sign)).map(|(_, won)| won)
    }
}

impl ScoreThreshold {
    /// So far ahead or behind, for so long; none if either is nothing.
    pub fn new(score: i32, turns: u32) -> Option<ScoreThreshold> {
        (score > 0 && turns > 0).then_some(ScoreThreshold { score, turns })
    }

    /// Whether the last turns of a side, the mover's if `skip` is 0 and the other's if it is 1, all
    /// were so good (`sign` 1) or so bad (-1) in its own eyes.
    fn holds(&self, plies: &[Ply], skip: usize, sign: i64) -> bool {
        let told = plies.iter().rev().skip(skip).step_by(2).take(self.turns as usize);
        let is_clear = |ply: &Ply| {
            ply.score.is_some_and(|score| i64::from(score) * sign >= i64::from(self.score))
        };
        told.clone().count() == self.turns as usize && told.into_iter().all(is_clear)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plies(scores: &[i32]) -> Vec<Ply> {
        let ply = |&score| Ply { score: Some(score), ..Ply::default() };
        scores.iter().map(ply).collect()
    }

    const CLEAR: Option<ScoreThreshold> = Some(ScoreThreshold { score: 500, turns: 2 });

    #[test]
    fn nothing_is_decided_unless_asked_for() {
        let scores = plies(&[9000, -9000, 9000, -9000]);
        assert_eq!(Adjudication::default().winner(&scores, Side::First), None);
    }

    #[test]
    fn whoever_is_far_behind_in_its_own_eyes_for_long_enough_resigns() {
        let rule = Adjudication { resign: CLEAR, ..Adjudication::default() };
        assert_eq!(rule.winner(&plies(&[0, -600, 0, -500]), Side::First), Some(Side::First));
        assert_eq!(rule.winner(&plies(&[0, -600, 0, -499]), Side::First), None);
        assert_eq!(rule.winner(&plies(&[0, -600]), Side::First), None);
    }

    #[test]
    fn both_must_agree() {
        let rule = Adjudication { agree: CLEAR, ..Adjudication::default() };
        let agreed = plies(&[600, -700, 500, -500]);
        assert_eq!(rule.winner(&agreed, Side::First), Some(Side::First));
        assert_eq!(rule.winner(&agreed[..3], Side::Second), None);
        assert_eq!(
            rule.winner(&plies(&[0, 600, -700, 500, -500]), Side::Second),
            Some(Side::Second)
        );
        assert_eq!(rule.winner(&plies(&[600, 700, 500, 500]), Side::First), None);
        let unspoken = vec![Ply::default(); 4];
        assert_eq!(rule.winner(&unspoken, Side::First), None);
    }
}
