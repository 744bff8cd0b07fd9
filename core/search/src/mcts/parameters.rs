use engine::{choice, parameters};

choice! {
    /// How an edge is selected.
    pub enum SelectionRule {
        /// By upper confidence bounds.
        Ucb1 = "ucb1",
        /// By upper confidence bounds that know the variance.
        UcbTuned = "ucb-tuned",
        /// By upper confidence bounds and priors.
        Puct = "puct",
    }
}

choice! {
    /// How the visits of a node weigh a simulation.
    pub enum RelativeUpdate {
        /// Not at all.
        Off = "off",
        /// By their logarithm.
        Logarithm = "logarithm",
        /// By their root.
        Root = "root",
    }
}

choice! {
    /// How threads share Monte-Carlo tree search.
    pub enum TreeParallel {
        /// They grow one tree.
        Tree = "tree",
        /// Each grows a tree; the trees are joined in the end.
        Root = "root",
        /// Each plays a playout of the same leaf.
        Leaf = "leaf",
        /// Each grows a tree; the trees are synchronised now and then.
        Islands = "islands",
    }
}

parameters! {
    /// How Monte-Carlo tree search works. Values run from -1 (lost) to 1 (won). What is 0 is switched off.
    pub struct MctsParameters {
        selection: SelectionRule = SelectionRule::Ucb1, "how an edge is selected";
        exploration: number(0..=10000 thousandths) = 200, "the exploration constant, in thousandths";
        exploration_decay: number(0..=1000000 thousandths) = 0, "decaying exploration: the constant is this by the square root of the visits, in thousandths, between 0.01 and 0.25 (Kozelek 2009, 4.3.3)";
        exploration_variance: number(0..=1000000 thousandths) = 0, "exploration by variance: the constant is the variance of a node times this, in thousandths, between 0.01 and 0.25 (Kozelek 2009, 4.3.3)";
        virtual_visits: number(0..=100 visits) = 5, "as how many visits with an even result an edge begins; 0: first play urgency counts instead";
        first_play_urgency: number(-1000..=10000 thousandths) = 1100, "what an edge without visits counts, in thousandths, if there are no virtual visits";
        first_play_reduction: number(0..=2000 thousandths) = 200, "in PUCT, how much less than its node an edge without visits counts, in thousandths, if it has no evaluation of its own", needs selection = SelectionRule::Puct;
        maturity: number(0..=10000 visits) = 5, "after how many visits a node is expanded";
        maturity_depth: number(0..=100 visits) = 1, "by how much more for each step of its depth";
        progressive_bias: number(0..=10000 thousandths) = 1000, "how much step knowledge counts, divided by the visits, in thousandths";
        tree_history: number(0..=10000 thousandths) = 1000, "how much the history of a step in the tree counts, divided by the root of the visits, in thousandths";
        transpositions: bool = true, "whether parents share a node of the same position at the same depth, and its value (UCT2)";
        child_cache: number(0..=1000000 visits) = 50, "from how many visits of a node on only its five best children are selected for a while; 0: never";
        rave: number(0..=1000000 visits) = 0, "RAVE: after how many visits of a node it counts as much as a half; 0: not at all";
        amaf: number(0..=100 percent) = 0, "all moves as first: how much it counts whatever the visits are, in percent";
        relative_update: RelativeUpdate = RelativeUpdate::Off, "whether a simulation counts more in a node with more visits: by their logarithm or their root";
        grandfather: number(0..=100 visits) = 0, "as how many visits an edge begins with the value of the same step one node earlier";
        progressive_widening: number(0..=10000 hundredths) = 0, "how many children are selected from: the root of the visits times this, in hundredths; 0: all";
        progressive_unpruning: number(0..=1000 children) = 0, "how many children are selected from at first; one more comes each time the visits have grown by 40 percent; 0: all";
        turn_samples: number(0..=1023 turns) = 0, "a tree of whole turns: how many random turns are the edges of a node; 0: a tree of steps";
        capture_edges: bool = false, "whether captures of several steps are edges of their own";
        proofs: bool = true, "whether wins that are seen or proved settle the nodes above";
        defence_edges: bool = false, "whether only defences are edges where the other side threatens to win";
        forced_win_visits: number(0..=1000000 visits) = 0, "after how many visits a forced win is looked for at the start of a turn; 0: never";
        forced_win_nodes: number(1..=1000000 positions) = 300, "how many positions such a look takes", needs forced_win_visits = 10;
        leaf_evaluation: number(0..=100 percent) = 0, "how much the evaluation of a leaf counts beside its playout, in percent; 100: there are no playouts";
        child_evaluation: bool = false, "whether every child is evaluated when a node is expanded";
        prior_temperature: number(1..=10000 hundredths) = 100, "in PUCT, how even the priors are, in hundredths", needs selection = SelectionRule::Puct;
        implicit_minimax: number(0..=100 percent) = 0, "how much the best evaluation below counts beside the mean, in percent";
        value_scale: number(1..=1000000 points) = 833, "the evaluation at which one side wins 73 percent, in points";
        parallel: TreeParallel = TreeParallel::Tree, "how threads share the work: one tree, a tree each that are joined in the end (root), several playouts of a leaf (leaf), a tree each that are synchronised now and then (islands)";
        virtual_loss: number(0..=100 losses) = 1, "as how many losses a thread below an edge counts";
        synchronisation: number(0..=100 percent) = 10, "how often a node is synchronised with the other islands, in percent of its visits";
        keep_tree: bool = true, "whether what is known of a position is kept for the next turn";
        early_stop: bool = true, "whether the search ends when the choice can no longer change";
    }
}
