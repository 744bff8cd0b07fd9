use engine::parameters;

parameters! {
    /// How alpha-beta searches. What is 0 is switched off.
    pub struct Parameters {
        iterative_deepening: 1, 0..=1, "whether a search to a given depth begins with shallower iterations";
        first_depth: 1, 1..=40, "the depth of the first iteration, in steps";
        aspiration: 60, 0..=1000000, "aspiration windows: half the width of the first window of an iteration, in points of the evaluation";
        pvs: 1, 0..=1, "principal variation search: whether later steps are first searched with a null window";
        transposition_table: 1, 0..=1, "whether searched positions are stored in the transposition table";
        hash_step: 1, 0..=1, "whether the best step from the transposition table is searched first";
        hash_windows: 0, 0..=1, "whether table entries also cut off or narrow open windows; faster, but principal variations may end early";
        hash_leaves: 1, 0..=1, "whether positions without depth left are stored in the table too";
        two_big: 0, 0..=1, "whether the table keeps what took the most nodes, instead of what was searched deepest (Veselý 2013, 2.1.5)";
        killers: 2, 0..=3, "killer steps: those of the same ply (1), of the same turn and number of steps used (2), or of the same ply, where the one with fewer cutoffs gives way to a new one (3; Zhong 2005, 5.2.2)";
        ordering: 1, 0..=1, "whether steps are ordered by what is known of the game";
        learned_ordering: 0, 0..=100, "how much the likelihood of a step, as learned from games, counts in the order of steps: its logarithm in hundredths, times this";
        learned_depth: 2, 1..=40, "from which depth on, in steps, the likelihood of steps is asked for";
        history: 1, 0..=3, "history heuristic: for all steps (1); doubled for each step of depth, for first steps of a turn (2; Veselý 2013, 3.6) or for all (3; Zhong 2005, 5.2.3)";
        history_scale: 20, 0..=1000, "with history = 2 or 3, how much it counts beside the ordering score (HistoryPruneMult of Veselý 2013, 3.6)";
        continuation_history: 0, 0..=1, "whether the history heuristic also knows which step has caused cutoffs after which step of the same turn";
        combo_ordering: 0, 0..=9999, "how much the ordering score of a step rises if it continues the step before it";
        null_move: 1, 0..=2, "null move pruning: whether giving up a whole turn is tried first (1), or the rest of a turn as well (2)";
        null_move_reduction: 4, 0..=12, "by how many steps, besides the turn, the search after a null move is reduced";
        null_move_eager: 0, 0..=1, "whether a null move is tried at every depth and in open windows, whatever the evaluation (Zhong 2005, 5.3)";
        lmr: 1, 0..=1, "late move reductions: whether quiet steps late in the order are first searched less deep";
        lmr_from: 4, 1..=30, "how many steps are searched before the first one is reduced";
        lmr_growth: 0, 0..=1000, "how fast reductions grow with the logarithms of depth and move number, in hundredths; 0: fixed reductions of 1 to 3";
        lmr_history: 0, 0..=100000, "how much history makes a reduction smaller by one step, or larger where it is negative; 0: it does not count";
        capture_moves: 0, 0..=1, "whether captures are searched right after the hash step and without reduction, as moves of several steps";
        futility: 1, 0..=1, "futility pruning: whether quiet steps are left out near the leaves where the evaluation is far below alpha";
        futility_margin: 150, 0..=1000000, "how far below, in points of the evaluation for each step of depth";
        futility_depth: 2, 1..=20, "up to which depth, in steps";
        reverse_futility: 0, 0..=1, "reverse futility pruning: whether a position near the leaves is left that is evaluated far above beta";
        reverse_futility_margin: 60, 0..=1000000, "how far above, in points of the evaluation for each step of depth";
        reverse_futility_depth: 4, 1..=20, "up to which depth, in steps";
        late_move_pruning: 0, 0..=30, "late move pruning: after how many steps for each step of depth the quiet ones are left out near the leaves; 0: none is";
        late_move_pruning_depth: 3, 1..=20, "up to which depth, in steps";
        learned_pruning: 0, 0..=10000, "learned pruning: how much less likely than the likeliest, in hundredths of a logarithm for each step of depth, a quiet step is that is left out near the leaves; 0: none is";
        learned_pruning_depth: 4, 1..=20, "up to which depth, in steps";
        internal_iterative_reduction: 0, 0..=20, "from which depth on, in steps, a position without a hash step is searched one step less deep; 0: none is";
        razoring: 0, 0..=2, "razoring (Zhong 2005, 5.5): whether turns are left out that lower the evaluation (1), or step combos inside a turn as well (2)";
        razoring_margin: 200, 0..=1000000, "by how much they must lower it, in points of the evaluation";
        step_combos: 0, 0..=1, "whether turns are left out whose first two steps do not belong together (Zhong 2005, 4.3)";
        reversible: 0, 0..=9999, "what a turn costs that the enemy can take back with no more steps, in points of the evaluation (Zhong 2005, 4.4)";
        reversible_equal: 1, 0..=1, "whether a turn also counts as reversible where the enemy takes as many steps as it has used (3:3, 4:4), or only where it takes fewer (3:1, 4:2)";
        undone_steps: 1, 0..=1, "whether a step is left out that takes back the step before it";
        wins: 1, 0..=1, "whether wins within a turn are seen without a search";
        defences: 4, 0..=20, "from which depth on only turns are searched that stop a threat to win; below, only whether there is one is asked";
        threat_extension: 4, 0..=4, "by how many steps such turns are extended";
        verification: 0, 0..=100, "verification: the share of the time, or of the nodes, that a look for a forced win of the enemy may take after a turn that seems best, in percent; it needs the transposition table";
        quiescence: 0, 0..=4, "quiescence search: how many turns of captures are searched beyond the depth";
        own_defeats: 0, 0..=1, "whether a turn that loses by itself counts as a shorter loss than one after which the enemy wins";
        parallel: 0, 0..=1, "how threads share the work: ABDADA (0), where all search the same iteration and put off what another is searching, or Lazy SMP (1), where each searches iterations of its own and all vote for the turn";
        resistance: 1, 0..=1, "whether a lost position is searched until the length of the loss is exact";
    }
}
