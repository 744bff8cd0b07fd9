engine::parameters! {
    /// How a player uses its search: all that is possible, unless it is told to be weaker or to
    /// choose at random.
    pub struct PlayerOptions {
        random_margin: 0, 0..=2000, "a turn is chosen at random among those that are worse than the best by no more than this, in centi-rabbits";
        max_depth: 0, 0..=200, "the most steps that it looks ahead; 0: no limit";
        time_percent: 100, 1..=100, "how much of its time it uses, in percent";
        threat_search: 4, 0..=8, "how many turns a win by threats may take that is looked for before the search; 0: none is";
    }
}
