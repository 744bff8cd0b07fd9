engine::parameters! {
    /// How a player uses its search: all that is possible, unless it is told to be weaker or to
    /// choose at random.
    pub struct PlayerOptions {
        random_margin: 0, 0..=1000000, "a turn is chosen at random among those that are worse than the best by no more than this, in points of the evaluation";
        max_depth: 0, 0..=200, "the most moves that it looks ahead; 0: no limit";
        time_percent: 100, 1..=100, "how much of its time it uses, in percent";
        proof_stacks: 27, 0..=60, "with so many stacks or fewer, a proof is looked for before the search; 0: never";
        proof_percent: 50, 1..=100, "how much of its time that may take, in percent";
    }
}
