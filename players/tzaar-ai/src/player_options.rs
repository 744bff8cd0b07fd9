engine::parameters! {
    /// How a player uses its search: all that is possible, unless it is told to be weaker or to
    /// choose at random.
    pub struct PlayerOptions {
        random_margin: number(0..=1000000 points) = 0, "a turn is chosen at random among those that are worse than the best by no more than this, in points of the evaluation";
        max_depth: number(0..=200 steps) = 0, "the most moves that it looks ahead; 0: no limit";
        time_percent: number(1..=100 percent) = 100, "how much of its time it uses, in percent";
        proof_stacks: number(0..=60 stacks) = 27, "with so many stacks or fewer, a proof is looked for before the search; 0: never";
        proof_percent: number(1..=100 percent) = 50, "how much of its time that may take, in percent", needs proof_stacks = 27;
    }
}
