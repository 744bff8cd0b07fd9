use arimaa::{Army, Board, GOLD, Kind, SILVER, Setup, Side, Square, side};
use rand::{Rng, RngExt};

/// A library of setups.
const SETUPS: &str = include_str!("../../../positions/setups.txt");

/// Chooses a setup for the side by chance, the better ones more often. Silver replies to what it sees
/// of Gold's: its elephant goes to the side of Gold's camel, and its own camel, if it is on a wing, away
/// from Gold's elephant.
///
/// ```
/// # use arimaa::{Board, GOLD};
/// # use rand::SeedableRng;
/// # use rand_chacha::ChaCha8Rng;
/// let mut rng = ChaCha8Rng::seed_from_u64(1);
/// let setup = arimaa_ai::choose_setup(GOLD, &Board::EMPTY, &mut rng);
/// assert_eq!(setup.board().of(GOLD).len(), 16);
/// ```
pub fn choose_setup(side: Side, opponent: &Board, rng: &mut impl Rng) -> Setup {
    let rows: Vec<Row> = SETUPS.lines().filter_map(Row::read).collect();
    let chosen = weighted(&rows, rng);
    let setups = [false, true].map(|turned| chosen.map(|row| row.setup(side, turned)));
    let setups: Vec<Setup> = setups.into_iter().flatten().flatten().collect();
    let best = setups.iter().map(|setup| facing(setup.board(), opponent)).max();
    let good: Vec<&Setup> =
        setups.iter().filter(|setup| Some(facing(setup.board(), opponent)) == best).collect();
    match good.is_empty() {
        true => Setup::random(side, rng),
        false => *good[rng.random_range(0..good.len())],
    }
}

/// The setups of the library for a side, the better ones first; none of them is mirrored.
pub fn setup_library(side: Side) -> Vec<Setup> {
    let mut rows: Vec<Row> = SETUPS.lines().filter_map(Row::read).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.weight));
    rows.iter().filter_map(|row| row.setup(side, false)).collect()
}

/// A line of the library.
#[derive(Clone, Copy)]
struct Row {
    weight: u32,
    front: &'static str,
    back: &'static str,
}

impl Row {
    fn read(line: &'static str) -> Option<Row> {
        let mut words = line.split_whitespace();
        let weight = words.next()?.parse().ok()?;
        Some(Row { weight, front: words.next()?, back: words.next()? })
    }

    /// The setup of that side, with left and right changed if `turned`.
    fn setup(&self, side: Side, turned: bool) -> Option<Setup> {
        let (front, back) = if side == GOLD { (2, 1) } else { (7, 8) };
        let columns: Vec<char> =
            if turned { ('a'..='h').rev().collect() } else { ('a'..='h').collect() };
        let place = |row: &str, number: u8| {
            let letters = row.chars().map(|letter| match side {
                GOLD => letter,
                _ => letter.to_ascii_lowercase(),
            });
            let words =
                letters.zip(&columns).map(|(letter, column)| format!("{letter}{column}{number} "));
            words.collect::<String>()
        };
        let text = place(self.front, front) + &place(self.back, back);
        Setup::parse(&text, side, Army::Full).ok()
    }
}

fn weighted<'a>(rows: &'a [Row], rng: &mut impl Rng) -> Option<&'a Row> {
    let all: u32 = rows.iter().map(|row| row.weight).sum();
    let mut left = rng.random_range(0..all.max(1));
    rows.iter().find(|row| {
        let found = left < row.weight;
        left = left.saturating_sub(row.weight);
        found
    })
}

/// How well a setup faces the other one: the elephant near the other's camel, the camel far from the
/// other's elephant.
fn facing(setup: &Board, opponent: &Board) -> i32 {
    let column = |board: &Board, whose: Side, kind: Kind| {
        let square: Option<Square> = (board.kind(kind) & board.of(whose)).first();
        square.map(|square| square.column() as i32)
    };
    let own = if side::home(GOLD).meets(setup.occupied()) { GOLD } else { SILVER };
    let distance = |ours: Kind, theirs: Kind| {
        Some((column(setup, own, ours)? - column(opponent, !own, theirs)?).abs())
    };
    let hunt = distance(Kind::Elephant, Kind::Camel).unwrap_or(0);
    let flight = distance(Kind::Camel, Kind::Elephant).unwrap_or(0);
    flight - hunt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_library_is_a_setup_for_both_sides() {
        let lines = SETUPS.lines().filter(|line| !line.starts_with('#'));
        for line in lines {
            let row = Row::read(line).unwrap_or_else(|| panic!("{line}"));
            for side in Side::ALL {
                for turned in [false, true] {
                    assert!(row.setup(side, turned).is_some(), "{line}");
                }
            }
        }
    }
}
