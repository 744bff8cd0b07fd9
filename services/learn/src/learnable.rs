use arrayvec::ArrayVec;
use game::{Game, Position, Side, Steps};
use rand::Rng;

/// What shards and self-play must know of a game, besides [`Game`].
pub trait Learnable: Game {
    /// As shards and command lines name it.
    const NAME: &'static str;

    /// How many bytes a position at the start of a turn has in a shard.
    const POSITION_BYTES: usize;

    /// The reasons by which its rules end it, as [`game::Ended::reason`] names them. Shards keep their
    /// places in this list: new ones go to its end.
    const ENDINGS: &'static [&'static str];

    /// From which score on a side may count as lost, if the score stays there.
    const RESIGN_SCORE: i16;

    /// Writes a position at the start of a turn as [`Learnable::POSITION_BYTES`] bytes.
    fn write_position(position: &Self::Position, bytes: &mut Vec<u8>);

    /// Reads what [`Learnable::write_position`] has written; an error tells what is wrong.
    fn read_position(bytes: &[u8]) -> Result<Self::Position, String>;

    /// How many steps are left in the turn.
    fn steps_left(position: &Self::Position) -> Steps;

    /// A game that begins at a position.
    fn begin_at(position: &Self::Position) -> Self;

    /// The same game after the first steps of a turn, for an analysis of the rest of it; nothing, if
    /// these steps are not the beginning of a turn.
    fn inside(&self, steps: &[StepOf<Self>]) -> Option<Self>;

    /// The steps of an action; none, if it is a setup.
    fn steps(action: Self::Action) -> TurnSteps<Self>;

    /// Plays the steps of a whole turn, whose legality is not looked at.
    fn play_turn(position: &mut Self::Position, steps: &[StepOf<Self>]);

    /// A position from which a game may begin, by chance.
    fn random_opening(setups: Setups, rng: &mut impl Rng) -> Self::Position;
}

/// Which setups self-play begins with. Tzaar has no library: both are the same there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Setups {
    /// Most are of the library, the others random.
    #[default]
    Library,
    /// All are random: nothing is learned from a person's choice.
    Random,
}

/// The steps of a game's turns.
pub type StepOf<G> = <<G as Game>::Position as Position>::Step;

/// No game has turns of more steps.
pub const MOST_STEPS: usize = 4;

/// The steps of a turn, or the first ones of it.
pub type TurnSteps<G> = ArrayVec<StepOf<G>, MOST_STEPS>;

/// The side of a byte.
pub(crate) fn read_side(byte: u8) -> Result<Side, String> {
    let side = Side::ALL.get(usize::from(byte)).copied();
    side.ok_or_else(|| format!("{byte} is no side, expected 0 or 1"))
}
