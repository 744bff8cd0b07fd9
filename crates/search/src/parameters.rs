use engine::parameters;

parameters! {
    /// How alpha-beta searches. What is 0 is switched off.
    pub struct Parameters {
        deepening: 1, 0..=1, "whether a search to a given depth begins with shallower ones";
        deepening_from: 1, 1..=40, "the depth of the first of them";
        scout: 1, 0..=1, "whether later steps are first asked only whether they are better";
        table: 1, 0..=1, "whether positions that were searched are remembered";
        table_step: 1, 0..=1, "whether the step that was best there is tried first";
        table_windows: 0, 0..=1, "whether what was found there narrows a wide window too, so that it is sooner done but lines may end early";
        leaf_table: 1, 0..=1, "whether that holds for positions without depth left as well";
        two_big: 0, 0..=1, "whether what took the most nodes is kept, instead of the deepest";
        killers: 2, 0..=2, "which steps that refuted a sibling are tried early: those of the same ply (1), or of the same place inside the turn (2)";
        ordering: 1, 0..=1, "whether steps that look more promising are tried first";
        history: 1, 0..=2, "whether steps that were good elsewhere are tried early (1), or first steps of a turn only, twice as much for each step of depth (2; Veselý 2013, 3.6)";
        history_weight: 20, 1..=1000, "with history = 2, how much more promising a step is that was good at no depth";
        combo_order: 0, 0..=9999, "how much more promising a step is that belongs together with the one before it";
        aspiration: 60, 0..=1000000, "half the width of the first window of an iteration, in points of the estimate";
        null_move: 1, 0..=1, "whether a turn given up is tried where even that may be good enough";
        null_reduction: 4, 1..=12, "by how many steps, besides the turn, a given-up turn is searched less deep";
        late_steps: 1, 0..=1, "whether steps late in the order are searched less deep at first";
        late_from: 4, 1..=30, "from which place in the order steps are late";
        late_steps_growth: 0, 0..=1000, "by how many hundredths of a step that grows with the logarithms of the depth and of the place in the order, times each other; 0: by one or two more for the last ones";
        futility: 1, 0..=1, "whether steps are left out near the leaves where the estimate is far below";
        futility_margin: 150, 0..=1000000, "how far below, in points of the estimate for each step of depth";
        futility_depth: 2, 1..=20, "how near the leaves that is, in steps of depth";
        razoring: 0, 0..=2, "whether turns are left out that lower the estimate (1), or step combos inside a turn as well (2)";
        razoring_margin: 200, 0..=1000000, "by how much they must lower it, in points of the estimate";
        wins: 1, 0..=1, "whether wins within a turn are seen without a search";
        undone_steps: 1, 0..=1, "whether a step that takes back the one before it is left out";
        step_combos: 0, 0..=1, "whether turns are left out whose first two steps do not belong together";
        reversible: 0, 0..=9999, "what a turn costs that the enemy can take back with no more steps, in points of the estimate; 9999 leaves it out";
        defences: 4, 0..=20, "from which depth on only the turns are searched that stop a threat to win; below, it is asked whether there is one";
        threat_extension: 4, 0..=4, "by how many steps such a turn is searched deeper";
        quiescence: 0, 0..=4, "how many turns of captures are looked at where the depth is used up";
        own_defeats: 0, 0..=1, "whether a turn that loses by itself counts as a shorter loss than one after which the enemy wins with its next";
        resistance: 1, 0..=1, "whether a lost position is searched until the length of the loss is exact";
    }
}
