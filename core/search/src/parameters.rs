use engine::{choice, parameters};

choice! {
    /// Which killer steps are tried early.
    pub enum Killers {
        /// None.
        Off = "off",
        /// Those of the same ply.
        Ply = "ply",
        /// Those of the same turn and number of steps used.
        Turn = "turn",
        /// Those of the same ply; the one with fewer cutoffs gives way to a new one (Zhong 2005, 5.2.2).
        Hits = "hits",
    }
}

choice! {
    /// How steps that have caused cutoffs rise in the order.
    pub enum HistoryRule {
        /// They do not.
        Off = "off",
        /// All steps alike.
        Steps = "steps",
        /// First steps of a turn, doubled for each step of depth (Veselý 2013, 3.6).
        DoubledFirst = "doubled-first",
        /// All steps, doubled for each step of depth (Zhong 2005, 5.2.3).
        Doubled = "doubled",
    }
}

choice! {
    /// Where a null move is tried.
    pub enum NullMove {
        /// Nowhere.
        Off = "off",
        /// At the starts of turns.
        Turns = "turns",
        /// Inside turns as well.
        Anywhere = "anywhere",
    }
}

choice! {
    /// What razoring leaves out (Zhong 2005, 5.5).
    pub enum Razoring {
        /// Nothing.
        Off = "off",
        /// Turns that lower the evaluation.
        Turns = "turns",
        /// Step combos inside a turn as well.
        Combos = "combos",
    }
}

choice! {
    /// How threads share alpha-beta.
    pub enum Parallel {
        /// All search the same iteration and put off what another one is searching.
        Abdada = "abdada",
        /// Each searches iterations of its own, and all vote for the turn.
        LazySmp = "lazy-smp",
    }
}

parameters! {
    /// How alpha-beta searches. What is 0 is switched off.
    pub struct Parameters {
        iterative_deepening: bool = true, "whether a search to a given depth begins with shallower iterations";
        first_depth: number(1..=40 steps) = 1, "the depth of the first iteration, in steps";
        aspiration: number(0..=1000000 points) = 60, "aspiration windows: half the width of the first window of an iteration, in points of the evaluation";
        pvs: bool = true, "principal variation search: whether later steps are first searched with a null window";
        transposition_table: bool = true, "whether searched positions are stored in the transposition table";
        hash_step: bool = true, "whether the best step from the transposition table is searched first", needs transposition_table = true;
        hash_windows: bool = false, "whether table entries also cut off or narrow open windows; faster, but principal variations may end early", needs transposition_table = true;
        hash_leaves: bool = true, "whether positions without depth left are stored in the table too", needs transposition_table = true;
        two_big: bool = false, "whether the table keeps what took the most nodes, instead of what was searched deepest (Veselý 2013, 2.1.5)", needs transposition_table = true;
        killers: Killers = Killers::Turn, "which killer steps are tried early: those of the same ply, of the same turn and number of steps used, or of the same ply, where the one with fewer cutoffs gives way to a new one (hits; Zhong 2005, 5.2.2)";
        ordering: bool = true, "whether steps are ordered by what is known of the game";
        learned_ordering: number(0..=100) = 0, "how much the likelihood of a step, as learned from games, counts in the order of steps: its logarithm in hundredths, times this";
        learned_depth: number(1..=40 steps) = 2, "from which depth on, in steps, the likelihood of steps is asked for", needs learned_ordering = 50;
        history: HistoryRule = HistoryRule::Steps, "history heuristic: for all steps; doubled for each step of depth, for first steps of a turn (doubled-first; Veselý 2013, 3.6) or for all (doubled; Zhong 2005, 5.2.3)";
        history_scale: number(0..=1000) = 20, "with doubled history, how much it counts beside the ordering score (HistoryPruneMult of Veselý 2013, 3.6)", needs history = HistoryRule::Doubled;
        continuation_history: bool = false, "whether the history heuristic also knows which step has caused cutoffs after which step of the same turn";
        combo_ordering: number(0..=9999 points) = 0, "how much the ordering score of a step rises if it continues the step before it";
        null_move: NullMove = NullMove::Turns, "null move pruning: whether giving up a whole turn is tried first, or the rest of a turn as well";
        null_move_reduction: number(0..=12 steps) = 4, "by how many steps, besides the turn, the search after a null move is reduced", needs null_move = NullMove::Turns;
        null_move_eager: bool = false, "whether a null move is tried at every depth and in open windows, whatever the evaluation (Zhong 2005, 5.3)", needs null_move = NullMove::Turns;
        lmr: bool = true, "late move reductions: whether quiet steps late in the order are first searched less deep";
        lmr_from: number(1..=30 steps) = 4, "how many steps are searched before the first one is reduced", needs lmr = true;
        lmr_growth: number(0..=1000 hundredths) = 0, "how fast reductions grow with the logarithms of depth and move number, in hundredths; 0: fixed reductions of 1 to 3", needs lmr = true;
        lmr_history: number(0..=100000) = 0, "how much history makes a reduction smaller by one step, or larger where it is negative; 0: it does not count", needs lmr = true;
        lmr_pv: number(0..=9 steps) = 0, "by how many steps reductions are smaller in an open window", needs lmr = true;
        capture_moves: bool = false, "whether captures are searched right after the hash step and without reduction, as moves of several steps";
        futility: bool = true, "futility pruning: whether quiet steps are left out near the leaves where the evaluation is far below alpha";
        futility_margin: number(0..=1000000 points) = 150, "how far below, in points of the evaluation for each step of depth", needs futility = true;
        futility_depth: number(1..=20 steps) = 2, "up to which depth, in steps", needs futility = true;
        reverse_futility: bool = false, "reverse futility pruning: whether a position near the leaves is left that is evaluated far above beta";
        reverse_futility_margin: number(0..=1000000 points) = 60, "how far above, in points of the evaluation for each step of depth", needs reverse_futility = true;
        reverse_futility_depth: number(1..=20 steps) = 4, "up to which depth, in steps", needs reverse_futility = true;
        late_move_pruning: number(0..=30 steps) = 0, "late move pruning: after how many steps for each step of depth the quiet ones are left out near the leaves; 0: none is";
        late_move_pruning_depth: number(1..=20 steps) = 3, "up to which depth, in steps", needs late_move_pruning = 6;
        learned_pruning: number(0..=10000 hundredths) = 0, "learned pruning: how much less likely than the likeliest, in hundredths of a logarithm for each step of depth, a quiet step is that is left out near the leaves; 0: none is";
        learned_pruning_depth: number(1..=20 steps) = 4, "up to which depth, in steps", needs learned_pruning = 50;
        internal_iterative_reduction: number(0..=20 steps) = 0, "from which depth on, in steps, a position without a hash step is searched one step less deep; 0: none is";
        razoring: Razoring = Razoring::Off, "razoring (Zhong 2005, 5.5): whether turns are left out that lower the evaluation, or step combos inside a turn as well";
        razoring_margin: number(0..=1000000 points) = 200, "by how much they must lower it, in points of the evaluation", needs razoring = Razoring::Turns;
        step_combos: bool = false, "whether turns are left out whose first two steps do not belong together (Zhong 2005, 4.3)";
        reversible: number(0..=9999 points) = 0, "what a turn costs that the enemy can take back with no more steps, in points of the evaluation (Zhong 2005, 4.4)";
        reversible_equal: bool = true, "whether a turn also counts as reversible where the enemy takes as many steps as it has used (3:3, 4:4), or only where it takes fewer (3:1, 4:2)", needs reversible = 9999;
        undone_steps: bool = true, "whether a step is left out that takes back the step before it";
        wins: bool = true, "whether wins within a turn are seen without a search";
        defences: number(0..=20 steps) = 4, "from which depth on only turns are searched that stop a threat to win; below, only whether there is one is asked";
        threat_extension: number(0..=4 steps) = 4, "by how many steps such turns are extended", needs defences = 4;
        verification: number(0..=100 percent) = 0, "verification: the share of the time, or of the nodes, that a look for a forced win of the enemy may take after a turn that seems best, in percent; it needs the transposition table", needs transposition_table = true;
        quiescence: number(0..=4 turns) = 0, "quiescence search: how many turns of captures are searched beyond the depth";
        own_defeats: bool = false, "whether a turn that loses by itself counts as a shorter loss than one after which the enemy wins";
        parallel: Parallel = Parallel::Abdada, "how threads share the work: ABDADA, where all search the same iteration and put off what another is searching, or Lazy SMP, where each searches iterations of its own and all vote for the turn";
        resistance: bool = true, "whether a lost position is searched until the length of the loss is exact";
    }
}
