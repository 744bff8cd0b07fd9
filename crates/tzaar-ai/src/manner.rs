use game::Steps;
use search::Limits;

engine::parameters! {
    /// What a player makes of its searches: all that is possible, unless it is told to be weaker or to
    /// play by chance.
    pub struct Manner {
        margin: 0, 0..=1000000, "how much worse than the best a turn may be that is chosen by chance, in points of the estimate";
        reach: 0, 0..=200, "how many moves it looks ahead at most; 0 is as many as there is time for";
        effort: 100, 1..=100, "how much of its time it takes, in percent";
        proof_stacks: 27, 0..=60, "from how many stacks down it looks for a proof before it searches for a good turn; 0 is never";
        proof_effort: 50, 1..=100, "how much of its time that may take, in percent";
    }
}

impl Manner {
    /// The limits of a search that has been given these.
    pub fn limits(&self, given: Limits) -> Limits {
        let reach = (self.reach > 0).then_some(Steps(self.reach as u8));
        let limits = given.share(self.effort as u32);
        Limits { depth: reach.into_iter().chain(given.depth).min(), ..limits }
    }
}
