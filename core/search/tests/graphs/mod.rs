//! Games that are given as graphs, and their exact solution with every past kept apart.

use std::collections::HashMap;
use std::ops::ControlFlow;

use game::{History, Key, KeyGenerator, PackedStep, Position, Score, Side, Steps};
use search::{Evaluator, InitialProofNumbers, StepOrdering, Tactics, TurnStructure};

/// A game as data.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub places: Vec<Spot>,
}

/// A place of a graph. Where a turn starts, steps lead inside the turn or end it; inside, they end it.
#[derive(Clone, Debug)]
pub struct Spot {
    pub side: Side,
    pub starts: bool,
    pub winner: Option<Side>,
    pub edges: Vec<usize>,
}

impl Graph {
    /// Reads a line for each place: the side to move and its steps, `First: 1 2`, `.Second: 0` inside a
    /// turn, or who has won there, `Second wins`.
    pub fn read(text: &str) -> Graph {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let side = |name: &str| if name.ends_with("First") { Side::First } else { Side::Second };
        let places = lines.map(|line| match line.split_once(':') {
            Some((name, edges)) => Spot {
                side: side(name),
                starts: !name.starts_with('.'),
                winner: None,
                edges: edges
                    .split_whitespace()
                    .map(|edge| edge.parse().expect("a place"))
                    .collect(),
            },
            None => {
                let winner = side(line.strip_suffix(" wins").expect("who wins"));
                Spot { side: !winner, starts: true, winner: Some(winner), edges: Vec::new() }
            }
        });
        Graph { places: places.collect() }
    }

    /// As [`Graph::read`] reads it.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for Spot { side, starts, winner, edges } in &self.places {
            match winner {
                Some(winner) => text += &format!("{winner:?} wins\n"),
                None => {
                    let edges: Vec<String> = edges.iter().map(usize::to_string).collect();
                    let dot = if *starts { "" } else { "." };
                    text += &format!("{dot}{side:?}: {}\n", edges.join(" "));
                }
            }
        }
        text
    }

    /// A random one with few starts of turns, so that ways lead back to where they were.
    pub fn random(keys: &mut KeyGenerator) -> Graph {
        let mut below = |most: usize| (keys.next_key().0 >> 33) as usize % most;
        let (starts, insides) = (3 + below(4), below(5));
        let mut places = Vec::new();
        for index in 0..starts {
            let side = if index % 2 == 0 { Side::First } else { Side::Second };
            let winner = (index > 1 && below(4) == 0)
                .then(|| if below(2) == 0 { Side::First } else { Side::Second });
            places.push(Spot { side, starts: true, winner, edges: Vec::new() });
        }
        for _ in 0..insides {
            let side = if below(2) == 0 { Side::First } else { Side::Second };
            places.push(Spot { side, starts: false, winner: None, edges: Vec::new() });
        }
        for from in 0..places.len() {
            if places[from].winner.is_some() {
                continue;
            }
            for _ in 0..1 + below(3) {
                let to = below(places.len());
                let (Spot { side, starts, .. }, next) = (&places[from], &places[to]);
                let fits =
                    if next.starts { next.side != *side } else { *starts && next.side == *side };
                if fits && !places[from].edges.contains(&to) {
                    places[from].edges.push(to);
                }
            }
        }
        Graph { places }
    }

    pub fn at(&self, place: usize) -> At<'_> {
        At { graph: self, place, start: place }
    }
}

/// A position: a place, and where the turn began.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    pub graph: &'a Graph,
    pub place: usize,
    pub start: usize,
}

/// The step to a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct To(pub u16);

impl PackedStep for To {
    fn pack(self) -> u16 {
        self.0 + 1
    }

    fn unpack(bits: u16) -> Option<To> {
        bits.checked_sub(1).map(To)
    }
}

impl At<'_> {
    fn spot(&self) -> &Spot {
        &self.graph.places[self.place]
    }

    pub fn after(&self, step: To) -> Self {
        let mut after = *self;
        after.play(step);
        after
    }

    pub fn steps(&self) -> Vec<To> {
        self.spot().edges.iter().map(|&edge| To(edge as u16)).collect()
    }
}

impl Position for At<'_> {
    type Step = To;

    fn side(&self) -> Side {
        self.spot().side
    }

    fn turn_starts(&self) -> bool {
        self.spot().starts
    }

    fn for_each_step(&self, visit: impl FnMut(To) -> ControlFlow<()>) -> ControlFlow<()> {
        self.steps().into_iter().try_for_each(visit)
    }

    fn cost(&self, _: To) -> Steps {
        Steps(1)
    }

    fn is_idle(&self) -> bool {
        false
    }

    fn play(&mut self, To(place): To) {
        self.place = place.into();
        if self.spot().starts {
            self.start = self.place;
        }
    }

    fn key(&self) -> Key {
        let mut keys = KeyGenerator::new((self.place * 1000 + self.start) as u64);
        keys.next_key()
    }

    /// Not the key: a search that counts repetitions by keys finds none.
    fn repetition_key(&self) -> Key {
        self.key().disguised()
    }

    fn winner(&self) -> Option<Side> {
        self.spot().winner
    }
}

/// Nothing but the rules.
pub struct Rules;

impl<P: Position> Evaluator<P> for Rules {
    type State = ();
    type Cache = ();

    fn state(&self, _: &P) {}

    fn evaluate(&self, position: &P, (): &(), (): &mut ()) -> Score {
        Score((position.key().0 % 3000) as i32 - 1500)
    }
}

impl<P: Position> Tactics<P> for Rules {
    type Scratch = ();
}

impl<P: Position> StepOrdering<P> for Rules {}

impl<P: Position> TurnStructure<P> for Rules {
    const WHOLE_TURN: Steps = Steps(2);
}

impl<P: Position> InitialProofNumbers<P> for Rules {}

/// Who wins, by trying everything with every past apart.
#[derive(Default)]
pub struct Exact {
    known: HashMap<(usize, usize, Vec<u8>), Side>,
}

impl Exact {
    /// Who wins from a position when the places have come about so often.
    pub fn winner(&mut self, at: At, counts: &mut Vec<u8>) -> Side {
        if let Some(winner) = at.winner() {
            return winner;
        }
        let state = (at.place, at.start, counts.clone());
        if let Some(&winner) = self.known.get(&state) {
            return winner;
        }
        let side = at.side();
        let wins = mover_wins(at, counts, |after, counts| self.winner(after, counts));
        let winner = if wins { side } else { !side };
        self.known.insert(state, winner);
        winner
    }
}

/// Whether one of the steps that the rules allow leads to where the mover wins, as `winner` says.
fn mover_wins(
    at: At,
    counts: &mut Vec<u8>,
    mut winner: impl FnMut(At, &mut Vec<u8>) -> Side,
) -> bool {
    let side = at.side();
    at.steps().into_iter().any(|step| {
        let after = at.after(step);
        if !after.turn_starts() {
            return winner(after, counts) == side;
        }
        if counts[after.place] >= 2 && after.winner().is_none() {
            return false;
        }
        counts[after.place] += 1;
        let wins = winner(after, counts) == side;
        counts[after.place] -= 1;
        wins
    })
}

/// A search that remembers who wins a position, on whatever path that was found out: what a search with a
/// table does that does not care.
#[derive(Default)]
pub struct Naive {
    known: HashMap<(usize, usize), Side>,
}

impl Naive {
    /// Who wins, or so it thinks.
    pub fn winner(&mut self, at: At, counts: &mut Vec<u8>) -> Side {
        if let Some(winner) = at.winner() {
            return winner;
        }
        if let Some(&winner) = self.known.get(&(at.place, at.start)) {
            return winner;
        }
        let side = at.side();
        let wins = mover_wins(at, counts, |after, counts| self.winner(after, counts));
        let winner = if wins { side } else { !side };
        self.known.insert((at.place, at.start), winner);
        winner
    }
}

/// How often places have come about, as a search is told.
pub fn history(graph: &Graph, counts: &[u8]) -> History {
    let mut history = History::new();
    for (place, &count) in counts.iter().enumerate() {
        (0..count).for_each(|_| history.push(graph.at(place).repetition_key()));
    }
    history
}
