//! The evaluation and the learners of Hřebejk 2013: bot_drake.
