use std::time::Duration;

use game::Proof;

/// What a proof-number search knows so far, or in the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Findings<Step> {
    /// Who wins, in the eyes of the side to move; nothing, as long as it is not proved.
    pub proof: Option<Proof>,
    /// The steps of a turn that wins, if the side to move does.
    pub turn: Vec<Step>,
    /// Whether the proof leaves out turns of the loser since they would repeat a position for the third
    /// time, counted from here.
    pub by_repetition: bool,
    /// The proof number: how many positions are to be proved at least before the side to move has won.
    pub proof_number: u32,
    /// The disproof number: the same for the other side.
    pub disproof_number: u32,
    /// How many positions were entered.
    pub nodes: u64,
    /// How many vertices the tree has, if there is one.
    pub vertices: u64,
    /// Since the search began.
    pub time: Duration,
}
