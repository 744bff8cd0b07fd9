use engine::parameters;

parameters! {
    /// How a proof-number search works. What is 0 is switched off.
    pub struct ProofParameters {
        depth_first: 1, 0..=1, "whether it is depth first with nothing but tables, instead of best first with the tree in memory";
        epsilon: 25, 0..=1000, "by how many percent more than the second best a step may take before another is looked at, depth first; Majerech 2012 settled on 90, but 25 solves more here (15 of 20 wins in 3 instead of 14, 3 million nodes; 2026-11)";
        sum: 1, 0..=3, "how the numbers of the turns that must all be answered are put together: added (0), the greatest and a share for each other (weak, 1), the same with what the estimate says of the side (2), the most promising ones added (3)";
        weak_share: 200, 0..=1000, "with sum = 1 or 2, how much each other one counts, in percent; 100 in the literature (Veselý 2013, 2.2.4; h of 2.2.5), but 30, 100, 200 and 500 solve 16, 19, 20 and 20 of 20 wins in 3 within 2 million nodes (2026-11)";
        weak_advantage: 1000, 0..=2000000000, "with sum = 2, the estimate from which a side is likely to win, in points of the estimate";
        widening: 10, 1..=1000, "with sum = 3, how many are added (J of Veselý 2013, 2.2.6)";
        estimate: 0, 0..=2, "whether the first numbers of a position come from its estimate (1) or from what the game knows of such positions (2), instead of being 1";
        estimate_loss: 1, 0..=100, "how much more is to be done where the side stands badly, for the one who needs a single turn (a of Veselý 2013, 2.2.2)";
        estimate_win: 1, 0..=100, "the same for the one who must answer every turn (b of Veselý 2013, 2.2.2)";
        estimate_advantage: 1000, 0..=2000000000, "the estimate from which a side is likely to win, in points of the estimate (t of Veselý 2013, 2.2.2)";
        wins: 1, 0..=1, "whether wins within a turn are seen without a search";
        defences: 2, 0..=2, "whether a threatened side without a defence has lost at once (1), and few defences are the only turns looked at where that takes long, depth first (2)";
        quiet: 4, 0..=1000, "how much more is to be done at first for a side that has ended its turn without a threat to win (0, 1, 4, 16 and 64: 13, 15, 15, 15 and 13 of 20 wins in 3 within 2 million nodes; 2026-11)";
        ordering: 1, 0..=1, "whether steps that look more promising are tried first";
        killers: 2, 0..=8, "how many steps that decided something are tried first in each place";
        number_table: 256, 0..=1048576, "the table of positions that are not decided, in MiB";
        proof_table: 64, 0..=1048576, "the table of positions that are decided, in MiB";
        tree: 256, 0..=1048576, "the tree of a best-first search, in MiB";
        replacement: 3, 0..=4, "what makes room in a full table: age (0), nothing (1), the less deep (2), the smaller subtree (3), the smaller one of a first level and anything of a second (4)";
        ageing: 2, 0..=255, "with replacement = 0, how long an entry is safe, in quarters of what the table holds";
        gc_high: 0, 0..=2000000000, "from how many vertices on the tree is pruned; at 0, when its memory is used up";
        gc_low: 0, 0..=2000000000, "to how many; at 0, to four fifths of that";
        lambda: 0, 0..=1, "whether a step given up is a vertex of its own, where the game has a way to say so";
    }
}

impl ProofParameters {
    /// Best first with the tree in memory, as in Majerech 2012: it knows nothing but the rules and an
    /// ordering.
    pub fn apns() -> ProofParameters {
        ProofParameters {
            depth_first: 0,
            epsilon: 90,
            sum: 0,
            wins: 0,
            defences: 0,
            quiet: 0,
            number_table: 256,
            proof_table: 64,
            gc_high: 2_000_000,
            gc_low: 1_600_000,
            lambda: 1,
            ..ProofParameters::default()
        }
    }

    /// Its depth-first sibling.
    pub fn apns_df() -> ProofParameters {
        ProofParameters { depth_first: 1, proof_table: 256, ..ProofParameters::apns() }
    }

    /// The presets by name.
    pub fn preset(name: &str) -> Option<ProofParameters> {
        match name {
            "apns" => Some(ProofParameters::apns()),
            "apns-df" => Some(ProofParameters::apns_df()),
            _ => None,
        }
    }
}
