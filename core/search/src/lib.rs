//! Searches for games whose turn takes several steps, for any [`game::Position`].
//!
//! [`AlphaBeta`] says how good a position is, [`ProofNumberSearch`] who wins it for certain. They know nothing of a
//! game but what its position and some heuristics tell: the small traits [`Evaluator`], [`Tactics`],
//! [`StepOrdering`], [`TurnStructure`] and [`InitialProofNumbers`].

mod alphabeta;
mod defences;
pub mod hash_table;
mod heuristics;
mod mcts;
mod network_evaluation;
mod parameters;
mod presets;
mod proof_number;
mod transposition_table;
mod turn_chooser;
mod turn_list;
mod value;

pub use crate::alphabeta::{AlphaBeta, Task};
pub use crate::hash_table::prefetch;
pub use crate::heuristics::{
    AlphaBetaHeuristics, Evaluator, ForcedWin, ForcedWinLimits, ForcedWinLook, InitialProofNumbers,
    OrderedStep, PlayedMove, ProofNumberHeuristics, StepOrdering, Tactics, TurnStructure,
};
pub use crate::mcts::{
    Mcts, MctsHeuristics, MctsParameters, Mean, PlayoutRequest, Playouts, RelativeUpdate,
    SelectionRule, StepHistory, StepKnowledge, StepPlayout, TreeHeuristics, TreeParallel,
    play_steps,
};
pub use crate::network_evaluation::NetworkEvaluation;
pub use crate::parameters::{HistoryRule, Killers, NullMove, Parallel, Parameters, Razoring};
pub use crate::presets::{PLAIN, is_switch};
pub use crate::proof_number::{
    ChildView, DfPn, Pns, ProofInfo, ProofNumberSearch, ProofParameters, VertexView,
};
pub use crate::transposition_table::TranspositionTable;
pub use crate::turn_chooser::TurnChooser;
pub use crate::turn_list::TurnList;
pub use engine::{Info, Limits, Stop, Verdict};
