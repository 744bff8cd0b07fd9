//! A toy whose rules are a drawing: places, and ways between them.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use game::{History, Key, Notation, PackedStep, Position, Side, Steps};

/// A place of the drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub side: Side,
    /// Whether a turn starts there, or goes on.
    pub starts: bool,
    pub winner: Option<Side>,
    pub ways: Vec<u16>,
}

/// A place, and the drawing it is on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Toy {
    pub places: Rc<Vec<Place>>,
    pub at: u16,
}

/// A way, by the place that it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Way(pub u16);

impl PackedStep for Way {
    fn pack(self) -> u16 {
        self.0 + 1
    }

    fn unpack(bits: u16) -> Option<Way> {
        bits.checked_sub(1).map(Way)
    }
}

impl Toy {
    /// The drawing with one place a line: its number, A or B to move (a or b inside a turn, + or -
    /// if A or B has won), and where it leads.
    pub fn draw(lines: &str) -> Toy {
        let places = lines.lines().map(str::trim).filter(|line| !line.is_empty());
        let places = places.enumerate().map(|(index, line)| {
            let mut words = line.split_whitespace();
            assert_eq!(words.next().unwrap(), index.to_string());
            let mark = words.next().unwrap();
            Place {
                side: if mark.contains(['A', 'a']) { Side::First } else { Side::Second },
                starts: mark.contains(['A', 'B']),
                winner: match mark.chars().last().unwrap() {
                    '+' => Some(Side::First),
                    '-' => Some(Side::Second),
                    _ => None,
                },
                ways: words.map(|word| word.parse().unwrap()).collect(),
            }
        });
        Toy { places: Rc::new(places.collect()), at: 0 }
    }

    pub fn at(&self, at: u16) -> Toy {
        Toy { at, ..self.clone() }
    }

    fn place(&self) -> &Place {
        &self.places[self.at as usize]
    }

    /// Every distinct turn, with where it leads.
    pub fn turns(&self) -> Vec<(Vec<Way>, Toy)> {
        let mut ends: HashMap<u16, Vec<Way>> = HashMap::new();
        let mut open = vec![(Vec::new(), self.at)];
        while let Some((turn, at)) = open.pop() {
            for &to in &self.places[at as usize].ways {
                let mut longer = turn.clone();
                longer.push(Way(to));
                match self.places[to as usize].starts {
                    true => drop(ends.insert(to, longer)),
                    false => open.push((longer, to)),
                }
            }
        }
        let mut ends: Vec<_> = ends.into_iter().collect();
        ends.sort_by_key(|(at, _)| *at);
        ends.into_iter().map(|(at, turn)| (turn, self.at(at))).collect()
    }
}

impl Position for Toy {
    type Step = Way;

    fn side(&self) -> Side {
        self.place().side
    }

    fn turn_starts(&self) -> bool {
        self.place().starts
    }

    fn for_each_step(&self, mut visit: impl FnMut(Way) -> ControlFlow<()>) -> ControlFlow<()> {
        self.place().ways.iter().try_for_each(|&to| visit(Way(to)))
    }

    fn cost(&self, _: Way) -> Steps {
        Steps(1)
    }

    fn is_idle(&self) -> bool {
        false
    }

    fn play(&mut self, step: Way) {
        self.at = step.0;
    }

    fn key(&self) -> Key {
        Key(self.at.into())
    }

    fn winner(&self) -> Option<Side> {
        self.place().winner.filter(|_| self.turn_starts())
    }
}

thread_local! {
    /// The drawing that texts are about.
    pub static DRAWING: std::cell::RefCell<Option<Toy>> = const { std::cell::RefCell::new(None) };
}

impl Notation for Toy {
    const GAME: &'static str = "toy";

    fn read(position: &str, target: &str) -> Result<Toy, String> {
        let toy = DRAWING.with_borrow(|toy| toy.clone()).unwrap();
        let at = Toy::past_key(position)?.0 as u16;
        (target == "win").then(|| toy.at(at)).ok_or("the target is to win".to_string())
    }

    fn position_text(&self) -> String {
        self.at.to_string()
    }

    fn target_text(&self) -> String {
        "win".to_string()
    }

    fn past_key(text: &str) -> Result<Key, String> {
        let places = DRAWING.with_borrow(|toy| toy.as_ref().unwrap().places.len());
        let at = text.parse().ok().filter(|&at: &usize| at < places);
        at.map(|at| Key(at as u64)).ok_or_else(|| "there is no such place".to_string())
    }

    fn read_turn(text: &str, _: Side) -> Result<Vec<Way>, String> {
        let way = |word: &str| word.parse().map(Way).map_err(|_| format!("{word:?} is no place"));
        text.split('-').map(way).collect()
    }

    fn turn_text(&self, turn: &[Way]) -> String {
        turn.iter().map(|way| way.0.to_string()).collect::<Vec<String>>().join("-")
    }

    fn finisher_text(&self, turn: &[Way]) -> String {
        self.turn_text(turn)
    }
}

/// For each place where a turn starts: in how many turns of its own First wins, if it does, however the
/// other repeats.
pub fn distances(toy: &Toy) -> Vec<Option<u32>> {
    let places = toy.places.len();
    let mut distances: Vec<Option<u32>> = (0..places)
        .map(|at| (toy.at(at as u16).winner() == Some(Side::First)).then_some(0))
        .collect();
    let turns: Vec<Vec<u16>> = (0..places)
        .map(|at| toy.at(at as u16).turns().iter().map(|(_, end)| end.at).collect())
        .collect();
    // The places that are won in `most` turns, for more and more turns.
    for most in 0..=places as u32 {
        for side in [Side::First, Side::Second] {
            for at in 0..places {
                let place = &toy.places[at];
                let open = distances[at].is_none() && place.winner.is_none() && place.starts;
                if !open || place.side != side {
                    continue;
                }
                let below =
                    |end: &u16, most| distances[*end as usize].is_some_and(|turns| turns <= most);
                let won = match side {
                    Side::First => most > 0 && turns[at].iter().any(|end| below(end, most - 1)),
                    Side::Second => {
                        !turns[at].is_empty() && turns[at].iter().all(|end| below(end, most))
                    }
                };
                if won {
                    distances[at] = Some(most);
                }
            }
        }
    }
    distances
}

/// In how many turns of its own First wins with repetition as it is, if it does.
pub fn distance_with_past(toy: &Toy, past: &mut History) -> Option<u32> {
    match toy.winner() {
        Some(Side::First) => return Some(0),
        Some(Side::Second) => return None,
        None => (),
    }
    let turns = toy.turns();
    if turns.is_empty() {
        return None;
    }
    let allowed: Vec<&Toy> =
        turns.iter().map(|(_, end)| end).filter(|end| past.count(end.key()) < 2).collect();
    let after: Vec<Option<u32>> = allowed
        .iter()
        .map(|end| {
            past.push(end.key());
            let distance = distance_with_past(end, past);
            past.pop(end.key());
            distance
        })
        .collect();
    match toy.side() {
        Side::First => after.into_iter().flatten().min().map(|turns| turns + 1),
        Side::Second if after.iter().all(Option::is_some) => {
            Some(after.into_iter().flatten().max().unwrap_or(0))
        }
        Side::Second => None,
    }
}
