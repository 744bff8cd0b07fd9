use std::time::Duration;

use game::{Score, Steps};
use search::{Parameters, ProofParameters};

use super::schedule::FIRST_DEPTH;
use super::{Waltz, WaltzParameters};

/// The searches of WALTZ, by the numbers that it gives them (Veselý 2013, A.3.5 and A.3.6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
#[allow(missing_docs, reason = "Algorithm::about tells")]
pub enum Algorithm {
    FixedDepth = 1,
    Deepening = 2,
    TableMove = 3,
    Ordered = 4,
    WithoutTable = 5,
    Randomized = 6,
    NegaScout = 7,
    History = 8,
    AlphaBeta = 9,
    DfPn = 20,
    Epsilon = 21,
    Weak = 22,
    EvaluationBased = 23,
    WeakEvaluation = 24,
    Widening = 25,
    Beginner = 40,
    Intermediate = 41,
    #[default]
    Expert = 42,
}

/// What an algorithm does in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Plan {
    pub(super) waltz: Waltz,
    /// What proof-number search is tried with before alpha-beta, if it is.
    pub(super) proof: Option<ProofParameters>,
    pub(super) parameters: Parameters,
    /// The depth beyond which alpha-beta does not go.
    pub(super) most: Option<Steps>,
    /// How much worse than the best a turn may be that is chosen by chance.
    pub(super) margin: i32,
}

/// Above so many stacks the expert plays by chance.
const OPENING: usize = 55;

/// With so many stacks or fewer it looks for a proof.
const ENDGAME: usize = 23;

/// Within this margin WALTZ plays by chance, and the beginner within a wider one.
const MARGIN: i32 = 20;
const MARGIN_OF_BEGINNER: i32 = 5_000;

impl Algorithm {
    /// All of them, by their numbers.
    pub const ALL: [Algorithm; 18] = [
        Algorithm::FixedDepth,
        Algorithm::Deepening,
        Algorithm::TableMove,
        Algorithm::Ordered,
        Algorithm::WithoutTable,
        Algorithm::Randomized,
        Algorithm::NegaScout,
        Algorithm::History,
        Algorithm::AlphaBeta,
        Algorithm::DfPn,
        Algorithm::Epsilon,
        Algorithm::Weak,
        Algorithm::EvaluationBased,
        Algorithm::WeakEvaluation,
        Algorithm::Widening,
        Algorithm::Beginner,
        Algorithm::Intermediate,
        Algorithm::Expert,
    ];

    /// The one with that number.
    ///
    /// ```
    /// use tzaar_ai::waltz::Algorithm;
    /// assert_eq!(Algorithm::from_number(42), Some(Algorithm::Expert));
    /// assert_eq!(Algorithm::from_number(10), None);
    /// ```
    pub fn from_number(number: u8) -> Option<Algorithm> {
        Algorithm::ALL.into_iter().find(|algorithm| algorithm.number() == number)
    }

    /// Its number.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// What it is, in a line.
    pub fn about(self) -> &'static str {
        match self {
            Algorithm::FixedDepth => "alpha-beta with a table, to a depth of 5 moves",
            Algorithm::Deepening => "alpha-beta with a table, ever deeper",
            Algorithm::TableMove => "the same, the table's move first",
            Algorithm::Ordered => "the same, other moves in a good order",
            Algorithm::WithoutTable => "ever deeper in a good order, without a table",
            Algorithm::Randomized => "4, by chance among turns that are nearly as good (margin 20)",
            Algorithm::NegaScout => "4 with NegaScout",
            Algorithm::History => "4 with the history heuristic",
            Algorithm::AlphaBeta => "4 with both",
            Algorithm::DfPn => "df-pn for half of the time, then 9 unless it has proved a win",
            Algorithm::Epsilon => "20 with the 1 + ε trick",
            Algorithm::Weak => "20 with numbers put together by heuristic weak PNS",
            Algorithm::EvaluationBased => "20 with first numbers from the evaluation",
            Algorithm::WeakEvaluation => "21, 22 and 23 together",
            Algorithm::Widening => "21 and 23 with dynamic widening",
            Algorithm::Beginner => "a beginner: 6 to a depth of 4 moves, margin 5000, stacks only",
            Algorithm::Intermediate => "intermediate: 6 to a depth of 5 moves",
            Algorithm::Expert => "the expert: 6 above 55 stacks, 24 from 23 on, else 9",
        }
    }

    /// How it looks for proofs with these constants, if it does: depth first, with tables of the default size or of
    /// `proof_table_bits`.
    pub fn proof_parameters(self, constants: &WaltzParameters) -> Option<ProofParameters> {
        self.plan(0, constants).proof
    }

    /// What it does with so many stacks on the board, and these constants.
    pub(super) fn plan(self, stacks: usize, constants: &WaltzParameters) -> Plan {
        let with_constants =
            |parameters| Parameters { history_scale: constants.history_prune_mult, ..parameters };
        let plan = |parameters| Plan {
            waltz: Waltz { is_beginner: false, first_numbers: constants.first_numbers() },
            proof: None,
            parameters: with_constants(parameters),
            most: None,
            margin: 0,
        };
        let by_proof = |parameters| Plan { proof: Some(parameters), ..plan(full()) };
        let (df_pn, epsilon) = (df_pn(constants), constants.epsilon);
        let weak = 1 + constants.weak_by_evaluation;
        match self {
            Algorithm::FixedDepth => Plan {
                most: Some(Steps(5)),
                ..plan(Parameters { iterative_deepening: false, ..with_table() })
            },
            Algorithm::Deepening => plan(with_table()),
            Algorithm::TableMove => plan(Parameters { hash_step: true, ..with_table() }),
            Algorithm::Ordered => plan(ordered()),
            Algorithm::WithoutTable => plan(Parameters {
                transposition_table: false,
                hash_windows: false,
                hash_step: false,
                ..ordered()
            }),
            Algorithm::Randomized => Plan { margin: MARGIN, ..plan(ordered()) },
            Algorithm::NegaScout => plan(Parameters { pvs: true, ..ordered() }),
            Algorithm::History => {
                plan(Parameters { history: search::HistoryRule::DoubledFirst, ..ordered() })
            }
            Algorithm::AlphaBeta => plan(full()),
            Algorithm::DfPn => by_proof(df_pn),
            Algorithm::Epsilon => by_proof(ProofParameters { epsilon, ..df_pn }),
            Algorithm::Weak => by_proof(ProofParameters { sum: weak, ..df_pn }),
            Algorithm::EvaluationBased => by_proof(ProofParameters { estimate: 2, ..df_pn }),
            Algorithm::WeakEvaluation => {
                by_proof(ProofParameters { sum: weak, epsilon, estimate: 2, ..df_pn })
            }
            Algorithm::Widening => {
                by_proof(ProofParameters { sum: 3, epsilon, estimate: 2, ..df_pn })
            }
            Algorithm::Beginner => Plan {
                waltz: Waltz::beginner(),
                most: Some(Steps(4)),
                margin: MARGIN_OF_BEGINNER,
                ..plan(Parameters { wins: false, ..ordered() })
            },
            Algorithm::Intermediate => {
                Plan { most: Some(Steps(5)), ..Algorithm::Randomized.plan(stacks, constants) }
            }
            Algorithm::Expert if stacks > OPENING => Algorithm::Randomized.plan(stacks, constants),
            Algorithm::Expert if stacks > ENDGAME => Algorithm::AlphaBeta.plan(stacks, constants),
            Algorithm::Expert => Algorithm::WeakEvaluation.plan(stacks, constants),
        }
    }
}

/// A strength to play at (Veselý 2013, 3.7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// What it is called.
    pub name: &'static str,
    /// How it searches.
    pub algorithm: Algorithm,
    /// How long it may take for a turn.
    pub time: Duration,
}

/// All levels, the weakest first.
pub const LEVELS: [Level; 4] = {
    let time = Duration::from_secs(30);
    [
        Level { name: "beginner", algorithm: Algorithm::Beginner, time },
        Level { name: "intermediate", algorithm: Algorithm::Intermediate, time },
        Level { name: "expert", algorithm: Algorithm::Expert, time },
        Level { name: "unbeatable", algorithm: Algorithm::Expert, time: Duration::from_secs(300) },
    ]
};

/// Alpha-beta with nothing but a table: nothing is left out or searched less deep.
///
/// What is there besides, a win within a turn is seen without a search, by all but the beginner.
fn with_table() -> Parameters {
    Parameters {
        first_depth: FIRST_DEPTH.into(),
        pvs: false,
        hash_step: false,
        hash_windows: true,
        hash_leaves: false,
        two_big: true,
        killers: search::Killers::Off,
        ordering: false,
        history: search::HistoryRule::Off,
        aspiration: 0,
        null_move: search::NullMove::Off,
        lmr: false,
        futility: false,
        undone_steps: false,
        defences: 0,
        threat_extension: 0,
        own_defeats: true,
        // The last iteration that was not lost says what to play: none is needed after it.
        resistance: false,
        ..Parameters::default()
    }
}

/// With moves in a good order, the table's first.
fn ordered() -> Parameters {
    Parameters { hash_step: true, ordering: true, ..with_table() }
}

/// With NegaScout and the history heuristic.
fn full() -> Parameters {
    Parameters { pvs: true, history: search::HistoryRule::DoubledFirst, ..ordered() }
}

/// Depth-first proof-number search over whole turns as it is, with the constants of what is added to it.
fn df_pn(constants: &WaltzParameters) -> ProofParameters {
    let Score(weak_advantage) = Waltz::brought_nearer(constants.weak_advantage);
    ProofParameters {
        depth_first: 1,
        epsilon: 0,
        sum: 0,
        weak_share: constants.weak_share,
        weak_advantage,
        widening: constants.widening,
        estimate: 0,
        // A win is seen when it is played. With a static test, df-pn knows what the evaluation tells the others.
        wins: 0,
        defences: 0,
        quiet: 0,
        ordering: constants.sorted_proofs,
        killers: 0,
        whole_turns: constants.whole_turns,
        // Two entries a place.
        table_bits: constants.proof_table_bits + i32::from(constants.proof_table_bits > 0),
        // "Two big" (2.1.5): what is new is kept in any case, beside what took most.
        replacement: 4,
        ..ProofParameters::default()
    }
}
