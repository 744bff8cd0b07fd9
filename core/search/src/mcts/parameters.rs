use engine::parameters;

parameters! {
    /// How Monte-Carlo tree search works. Values run from -1 (lost) to 1 (won). What is 0 is switched off.
    pub struct MctsParameters {
        selection: 0, 0..=2, "how an edge is selected: UCB1 (0), UCB-tuned (1) or PUCT (2)";
        exploration: 200, 0..=10000, "the exploration constant, in thousandths";
        exploration_decay: 0, 0..=1000000, "decaying exploration: the constant is this by the square root of the visits, in thousandths, between 0.01 and 0.25 (Kozelek 2009, 4.3.3)";
        exploration_variance: 0, 0..=1000000, "exploration by variance: the constant is the variance of a node times this, in thousandths, between 0.01 and 0.25 (Kozelek 2009, 4.3.3)";
        virtual_visits: 5, 0..=100, "as how many visits with an even result an edge begins; 0: first play urgency counts instead";
        first_play_urgency: 1100, -1000..=10000, "what an edge without visits counts, in thousandths, if there are no virtual visits";
        first_play_reduction: 200, 0..=2000, "in PUCT, how much less than its node an edge without visits counts, in thousandths, if it has no evaluation of its own";
        maturity: 5, 0..=10000, "after how many visits a node is expanded";
        maturity_depth: 1, 0..=100, "by how much more for each step of its depth";
        progressive_bias: 1000, 0..=10000, "how much step knowledge counts, divided by the visits, in thousandths";
        tree_history: 1000, 0..=10000, "how much the history of a step in the tree counts, divided by the root of the visits, in thousandths";
        transpositions: 1, 0..=1, "whether parents share a node of the same position at the same depth, and its value (UCT2)";
        child_cache: 50, 0..=1000000, "from how many visits of a node on only its five best children are selected for a while; 0: never";
        rave: 0, 0..=1000000, "RAVE: after how many visits of a node it counts as much as a half; 0: not at all";
        amaf: 0, 0..=100, "all moves as first: how much it counts whatever the visits are, in percent";
        relative_update: 0, 0..=2, "whether a simulation counts more in a node with more visits: by their logarithm (1) or their root (2)";
        grandfather: 0, 0..=100, "as how many visits an edge begins with the value of the same step one node earlier";
        progressive_widening: 0, 0..=10000, "how many children are selected from: the root of the visits times this, in hundredths; 0: all";
        progressive_unpruning: 0, 0..=1000, "how many children are selected from at first; one more comes each time the visits have grown by 40 percent; 0: all";
        turn_samples: 0, 0..=1023, "a tree of whole turns: how many random turns are the edges of a node; 0: a tree of steps";
        capture_edges: 0, 0..=1, "whether captures of several steps are edges of their own";
        proofs: 1, 0..=1, "whether wins that are seen or proved settle the nodes above";
        defence_edges: 0, 0..=1, "whether only defences are edges where the other side threatens to win";
        forced_win_visits: 0, 0..=1000000, "after how many visits a forced win is looked for at the start of a turn; 0: never";
        forced_win_nodes: 300, 1..=1000000, "how many positions such a look takes";
        leaf_evaluation: 0, 0..=100, "how much the evaluation of a leaf counts beside its playout, in percent; 100: there are no playouts";
        child_evaluation: 0, 0..=1, "whether every child is evaluated when a node is expanded";
        prior_temperature: 100, 1..=10000, "in PUCT, how even the priors are, in hundredths";
        implicit_minimax: 0, 0..=100, "how much the best evaluation below counts beside the mean, in percent";
        value_scale: 833, 1..=1000000, "the evaluation at which one side wins 73 percent, in points";
        parallel: 0, 0..=3, "how threads share the work: one tree (0), a tree each that are joined in the end (root, 1), several playouts of a leaf (2), a tree each that are synchronised now and then (islands, 3)";
        virtual_loss: 1, 0..=100, "as how many losses a thread below an edge counts";
        synchronisation: 10, 0..=100, "how often a node is synchronised with the other islands, in percent of its visits";
        keep_tree: 1, 0..=1, "whether what is known of a position is kept for the next turn";
        early_stop: 1, 0..=1, "whether the search ends when the choice can no longer change";
    }
}
