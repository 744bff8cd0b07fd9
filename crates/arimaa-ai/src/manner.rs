use game::Steps;
use search::Limits;

engine::parameters! {
    /// What a player makes of its search: all that is possible, unless it is told to be weaker or to
    /// play by chance.
    pub struct Manner {
        margin: 0, 0..=2000, "how much worse than the best a turn may be that is chosen by chance, in centi-rabbits";
        reach: 0, 0..=200, "how many steps it looks ahead at most; 0 is as many as there is time for";
        effort: 100, 1..=100, "how much of its time it takes, in percent";
        attack: 4, 0..=8, "how many turns a win by threats may take that is looked for before the search";
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
