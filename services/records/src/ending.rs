//! How a game ended: what its source says, and what the rules do.

use game::{Game as _, Side};

use crate::record::Record;
use workbench::Reading;

/// What the source of a game says of its end.
pub struct Claim {
    pub winner: Option<Side>,
    pub reason: String,
}

/// A reason by arimaa.com's letter. Where several share a letter, it is read as the first of them.
///
/// What the letters mean is told at <http://arimaa.com/arimaa/forum/cgi/YaBB.cgi?board=siteIssues;action=display;num=1319678408>.
const REASONS: [(&str, &str); 19] = [
    ("g", "goal"),
    ("e", "elimination"),
    ("m", "immobilisation"),
    ("p", "repetition"),
    ("r", "resignation"),
    ("t", "late"),
    ("t", "hang"),
    ("i", "illegal"),
    ("f", "forfeit"),
    ("f", "start"),
    ("f", "crash"),
    ("f", "protocol"),
    ("s", "score"),
    ("s", "adjudication"),
    ("a", "abandoned"),
    ("a", "limit"),
    ("a", UNFINISHED),
    ("n", "draw"),
    ("", UNKNOWN),
];

/// Of a game that just stops.
const UNFINISHED: &str = "unfinished";

/// Of a game whose source tells the winner and no more.
pub const UNKNOWN: &str = "unknown";

/// The letter of a reason; what has none stands for itself, if it is short enough.
pub fn letter(reason: &str) -> &str {
    let known = REASONS.iter().find(|(_, name)| *name == reason);
    known.map_or(if reason.len() == 1 { reason } else { "" }, |(letter, _)| letter)
}

/// The reason of a letter, or of a whole word.
pub fn reason(letter: &str) -> &str {
    let known = REASONS.iter().find(|(known, _)| *known == letter);
    known.map_or(letter, |(_, name)| name)
}

impl Record {
    /// Sets how the game ended. Where the rules end it, they are right, and a source that names
    /// another winner is refused; where they do not, its word counts.
    pub fn settle<S: Reading>(
        &mut self,
        game: &S::Game,
        claim: Option<Claim>,
    ) -> Result<(), String> {
        let name = |side: Side| S::SIDES[side as usize];
        let (winner, reason) = match (game.ended(), claim) {
            (Some(ended), Some(claim)) if claim.winner != Some(ended.winner) => {
                let claimed = claim.winner.map_or("nobody", name);
                let outcome = ended.sentence;
                return Err(format!("the result says that {claimed} has won, but {outcome}"));
            }
            (Some(ended), _) => (Some(ended.winner), ended.reason.to_string()),
            (None, Some(claim)) if S::SEEN_ENDINGS.contains(&claim.reason.as_str()) => {
                let (reason, label) = (claim.reason, game.label());
                return Err(format!(
                    "the result says that the game ended by {reason}, but by the rules it goes on \
                     with {label}: are there turns missing?"
                ));
            }
            (None, Some(claim)) => (claim.winner, claim.reason),
            (None, None) => match game.setting_up() {
                None => (None, UNFINISHED.to_string()),
                Some(side) => {
                    let name = name(side);
                    return Err(format!(
                        "the record ends before {name} has set up, and nothing tells why"
                    ));
                }
            },
        };
        (self.winner, self.reason) = (winner, reason);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_read_as_what_is_written_by_it() {
        for (known, _) in REASONS {
            assert_eq!(letter(reason(known)), known);
        }
        assert_eq!((reason("x"), letter("x")), ("x", "x"));
        assert_eq!((letter("hang"), reason("t")), ("t", "late"));
        assert_eq!((letter("by magic"), reason("")), ("", "unknown"));
    }
}
