//! Who played whom, and the ratings that make the results likeliest.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Index, IndexMut};

use super::elo;
use super::elo::{GameScore, Tally, WITHIN_95, below};

/// A row of a crosstable: who takes part, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entrant(pub(super) usize);

/// Counts of games by contestant and opponent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crosstable {
    names: Vec<String>,
    /// From the view of the first of the two, who has the lower number.
    meetings: BTreeMap<(Entrant, Entrant), Tally>,
}

impl Crosstable {
    /// The contestant of this name, who is entered if there is none yet.
    pub fn enter(&mut self, name: &str) -> Entrant {
        self.find(name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            Entrant(self.names.len() - 1)
        })
    }

    /// The contestant of this name.
    pub fn find(&self, name: &str) -> Option<Entrant> {
        self.names.iter().position(|known| known == name).map(Entrant)
    }

    /// All contestants, in the order in which they were entered.
    pub fn contestants(&self) -> impl Iterator<Item = Entrant> + use<> {
        (0..self.names.len()).map(Entrant)
    }

    /// The name of a contestant.
    pub fn name(&self, contestant: Entrant) -> &str {
        &self.names[contestant.0]
    }

    /// Counts a game between two contestants, from the first one's view.
    ///
    /// # Panics
    ///
    /// If a contestant meets itself, which says nothing of anybody's strength.
    pub fn add(&mut self, a: Entrant, b: Entrant, score: GameScore) {
        let mut tally = Tally::default();
        tally.add(score);
        self.add_all(a, b, tally);
    }

    /// Counts games between two contestants, from the first one's view.
    ///
    /// # Panics
    ///
    /// If a contestant meets itself, which says nothing of anybody's strength.
    pub fn add_all(&mut self, a: Entrant, b: Entrant, tally: Tally) {
        assert_ne!(a, b, "{} plays against itself", self.name(a));
        let (pair, tally) = if a < b { ((a, b), tally) } else { ((b, a), tally.swapped()) };
        self.meetings.entry(pair).or_default().add_all(tally);
    }

    /// The games between two contestants, from the first one's view.
    pub fn between(&self, a: Entrant, b: Entrant) -> Tally {
        let meeting = |pair| self.meetings.get(&pair).copied().unwrap_or_default();
        if a < b { meeting((a, b)) } else { meeting((b, a)).swapped() }
    }

    /// All games of a contestant.
    pub fn total(&self, contestant: Entrant) -> Tally {
        let mut total = Tally::default();
        for opponent in self.contestants().filter(|&opponent| opponent != contestant) {
            total.add_all(self.between(contestant, opponent));
        }
        total
    }

    /// The contestants in groups that have met, directly or through others. Nothing compares
    /// those of different groups.
    pub fn groups(&self) -> Vec<Vec<Entrant>> {
        let mut groups: Vec<Vec<Entrant>> = Vec::new();
        for contestant in self.contestants() {
            if !groups.iter().flatten().any(|&known| known == contestant) {
                groups.push(self.reached(contestant, |a, b| self.between(a, b).games() > 0));
            }
        }
        groups
    }

    /// Everybody to whom steps lead from here, in order.
    pub(super) fn reached(
        &self,
        from: Entrant,
        step: impl Fn(Entrant, Entrant) -> bool,
    ) -> Vec<Entrant> {
        let mut reached = vec![from];
        let mut done = 0;
        while let Some(&at) = reached.get(done) {
            done += 1;
            for next in self.contestants() {
                if next != at && !reached.contains(&next) && step(at, next) {
                    reached.push(next);
                }
            }
        }
        reached.sort();
        reached
    }
}

/// What ratings are measured from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Anchor {
    /// The mean rating is 0.
    #[default]
    Mean,
    /// This contestant has this rating.
    At(Entrant, f64),
}

/// What is believed before the games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prior {
    /// Half an unfinished game between any two who met: weak, and enough to give who won or lost
    /// everything a rating with bounds. A match of 10 : 0 makes 645 Elo.
    #[default]
    HalfGame,
    /// Nothing: the plain maximum likelihood, as Ordo has it.
    None,
}

/// The rating of a contestant.
#[derive(Clone, Debug, PartialEq)]
pub struct Rating {
    /// Who.
    pub contestant: Entrant,
    /// Its name.
    pub name: String,
    /// The rating.
    pub elo: f64,
    /// The truth is within this distance in 95 % of cases, measured from the anchor (whose own error is
    /// 0); none for who met nobody.
    pub error: Option<f64>,
    /// How many games it played.
    pub games: u64,
    /// Its points.
    pub points: f64,
    /// Its group, counted from 0. Ratings of different groups cannot be compared.
    pub group: usize,
    /// The likelihood that it is stronger than the next of its group.
    pub los: Option<f64>,
}

/// Ratings of all who took part, by group and from the strongest on.
///
/// The model is Bradley's and Terry's: who is rated 400 Elo higher wins with odds of ten to one. An
/// unfinished game counts as half a win and half a loss, which makes errors a little too large. The
/// errors come from the Fisher information.
pub struct Ratings {
    rows: Vec<Rating>,
    groups: Vec<Group>,
}

/// Ratings that do not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RatingsError {
    /// Between these two, points went one way only.
    #[error(
        "between {0} and {1}, directly and through others, points went one way only: without a prior \
         the difference of their ratings has no bounds"
    )]
    NoBounds(String, String),
}

/// Those who met.
struct Group {
    number: usize,
    members: Vec<Entrant>,
    strengths: Strengths,
}

impl Ratings {
    /// The ratings that make the results of a crosstable likeliest.
    ///
    /// Groups that never met are rated apart: the anchor counts in its own, the others have a mean
    /// of 0.
    pub fn of(table: &Crosstable, anchor: Anchor, prior: Prior) -> Result<Ratings, RatingsError> {
        let mut groups = Vec::new();
        for members in table.groups() {
            if prior == Prior::None {
                bounded(table, &members)?;
            }
            let strengths = results(table, &members, prior).strengths();
            groups.push(Group { number: groups.len(), members, strengths });
        }
        let rows = groups.iter().flat_map(|group| group.ratings(table, anchor)).collect();
        Ok(Ratings { rows, groups })
    }

    /// The ratings, by group and from the strongest on.
    pub fn rows(&self) -> &[Rating] {
        &self.rows
    }

    /// How many groups there are that never met.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// The likelihood that `a` is stronger than `b`; none if nothing compares them.
    pub fn los(&self, a: Entrant, b: Entrant) -> Option<f64> {
        self.groups.iter().find_map(|group| group.los(group.place(a)?, group.place(b)?))
    }
}

impl Group {
    fn place(&self, contestant: Entrant) -> Option<usize> {
        self.members.binary_search(&contestant).ok()
    }

    /// The ratings from the strongest on.
    fn ratings(&self, table: &Crosstable, anchor: Anchor) -> Vec<Rating> {
        let value = |place: usize| self.strengths.values[place];
        let mut order: Vec<usize> = (0..self.members.len()).collect();
        order.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
        let next = order.iter().skip(1).copied().map(Some).chain([None]);
        let ranks = order.iter().copied().zip(next);
        ranks.map(|(place, next)| self.rating(place, next, table, anchor)).collect()
    }

    fn rating(
        &self,
        place: usize,
        next: Option<usize>,
        table: &Crosstable,
        anchor: Anchor,
    ) -> Rating {
        let contestant = self.members[place];
        let total = table.total(contestant);
        let (elo, variance) = self.measured(place, anchor);
        let error = WITHIN_95 * variance.sqrt() * elo::PER_NAT;
        Rating {
            contestant,
            name: table.name(contestant).to_owned(),
            elo,
            error: (self.members.len() > 1).then_some(error),
            games: total.games(),
            points: total.points(),
            group: self.number,
            los: next.and_then(|next| self.los(place, next)),
        }
    }

    /// The rating, and its variance in natural units, from the anchor if it is of this group.
    fn measured(&self, place: usize, anchor: Anchor) -> (f64, f64) {
        let strengths = &self.strengths;
        match self.anchored(anchor) {
            Some((at, base)) => {
                let above = strengths.values[place] - strengths.values[at];
                (base + above * elo::PER_NAT, strengths.variance_between(place, at))
            }
            None => (strengths.values[place] * elo::PER_NAT, strengths.variance(place)),
        }
    }

    /// The place of the anchor and its rating, if it is of this group.
    fn anchored(&self, anchor: Anchor) -> Option<(usize, f64)> {
        match anchor {
            Anchor::Mean => None,
            Anchor::At(contestant, elo) => self.place(contestant).map(|place| (place, elo)),
        }
    }

    fn los(&self, a: usize, b: usize) -> Option<f64> {
        let difference = self.strengths.values[a] - self.strengths.values[b];
        (a != b).then(|| below(difference / self.strengths.variance_between(a, b).sqrt()))
    }
}

fn results(table: &Crosstable, members: &[Entrant], prior: Prior) -> Results {
    let virtual_points = match prior {
        Prior::HalfGame => 0.25,
        Prior::None => 0.0,
    };
    Results::new(members.len(), |a, b| {
        let tally = table.between(members[a], members[b]);
        if tally.games() > 0 { tally.points() + virtual_points } else { 0.0 }
    })
}

/// Ratings have bounds if everybody scored against everybody, directly or through others (Ford 1957).
fn bounded(table: &Crosstable, members: &[Entrant]) -> Result<(), RatingsError> {
    let scored = |a, b| table.between(a, b).points() > 0.0;
    let below = table.reached(members[0], scored);
    let above = table.reached(members[0], |a, b| scored(b, a));
    let apart = members.iter().find(|member| !below.contains(member) || !above.contains(member));
    match apart {
        Some(&member) => {
            let [a, b] = [members[0], member].map(|member| table.name(member).to_owned());
            Err(RatingsError::NoBounds(a, b))
        }
        None => Ok(()),
    }
}

impl fmt::Display for Ratings {
    /// A table, from the strongest on; groups that never met are tables of their own.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let width = self.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(4);
        if self.groups() > 1 {
            writeln!(f, "{} groups never met: their ratings cannot be compared", self.groups())?;
        }
        for group in 0..self.groups() {
            writeln!(f, "{:width$}    elo  error  games  score    los", "name")?;
            for row in self.rows.iter().filter(|row| row.group == group) {
                let error = row.error.map_or_else(|| "-".to_owned(), |error| format!("{error:.0}"));
                let score =
                    if row.games == 0 { 0.0 } else { 100.0 * row.points / row.games as f64 };
                let los = row.los.map_or_else(String::new, |los| format!("{:5.1} %", 100.0 * los));
                let Rating { name, elo, games, .. } = row;
                writeln!(
                    f,
                    "{name:width$}  {elo:5.0}  {error:>5}  {games:5}  {score:4.0} %  {los}"
                )?;
            }
        }
        Ok(())
    }
}

/// Results of a group, everybody in it compared with everybody through some others.
pub struct Results {
    /// Points of the row's player against the column's.
    points: Matrix,
    size: usize,
}

/// Strengths in natural units, 0 in the mean: who is stronger by x wins with odds of eˣ to one.
pub struct Strengths {
    pub values: Vec<f64>,
    /// The covariance of their errors: the inverse of the Fisher information, within the strengths
    /// whose mean is 0.
    covariance: Matrix,
}

impl Results {
    pub fn new(size: usize, points: impl Fn(usize, usize) -> f64) -> Results {
        let mut matrix = Matrix::filled(size, 0.0);
        for row in 0..size {
            for column in (0..size).filter(|&column| column != row) {
                matrix[(row, column)] = points(row, column);
            }
        }
        Results { points: matrix, size }
    }

    /// The strengths under which the results are likeliest, by Newton's method. The logarithm of the
    /// likelihood is concave: a step that does not make the results likelier was only too long.
    pub fn strengths(&self) -> Strengths {
        let mut values = vec![0.0; self.size];
        let mut likelihood = self.log_likelihood(&values);
        for _ in 0..STEPS {
            let mut step = self.covariance(&values).times(&self.gradient(&values));
            let reached = loop {
                let next: Vec<f64> = values.iter().zip(&step).map(|(a, b)| a + b).collect();
                if self.log_likelihood(&next) >= likelihood || longest(&step) < CLOSE {
                    break next;
                }
                step.iter_mut().for_each(|part| *part /= 2.0);
            };
            values = reached;
            likelihood = self.log_likelihood(&values);
            if longest(&step) < CLOSE {
                break;
            }
        }
        Strengths { covariance: self.covariance(&values), values }
    }

    fn log_likelihood(&self, values: &[f64]) -> f64 {
        // ln (1 / (1 + e⁻ˣ)), without an overflow.
        let log_chance = |x: f64| x.min(0.0) - (-x.abs()).exp().ln_1p();
        self.pairs().map(|(a, b)| self.points[(a, b)] * log_chance(values[a] - values[b])).sum()
    }

    fn gradient(&self, values: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.size];
        for (a, b) in self.pairs() {
            let games = self.points[(a, b)] + self.points[(b, a)];
            gradient[a] += self.points[(a, b)] - games * chance(values[a] - values[b]);
        }
        gradient
    }

    /// The inverse of the information about the strengths. It says nothing of their mean, which is
    /// held at 0 by a term that acts on the mean alone and is taken off again.
    fn covariance(&self, values: &[f64]) -> Matrix {
        let of_mean = 1.0 / self.size as f64;
        let mut information = Matrix::filled(self.size, of_mean);
        for (a, b) in self.pairs() {
            let games = self.points[(a, b)] + self.points[(b, a)];
            let difference = values[a] - values[b];
            let part = games * chance(difference) * chance(-difference);
            information[(a, a)] += part;
            information[(a, b)] -= part;
        }
        let mut covariance = information.inverse();
        for a in 0..self.size {
            for b in 0..self.size {
                covariance[(a, b)] -= of_mean;
            }
        }
        covariance
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let size = self.size;
        (0..size).flat_map(move |a| (0..size).filter(move |&b| b != a).map(move |b| (a, b)))
    }
}

impl Strengths {
    /// The variance of a strength, measured from the mean.
    pub fn variance(&self, a: usize) -> f64 {
        self.covariance[(a, a)].max(0.0)
    }

    /// The variance of the difference of two strengths.
    pub fn variance_between(&self, a: usize, b: usize) -> f64 {
        let covariance = &self.covariance;
        (covariance[(a, a)] + covariance[(b, b)] - 2.0 * covariance[(a, b)]).max(0.0)
    }
}

/// More than Newton's method takes.
const STEPS: usize = 100;

/// When a step is too short to matter: a millionth of an Elo is 6e-9.
const CLOSE: f64 = 1e-10;

fn chance(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

fn longest(step: &[f64]) -> f64 {
    step.iter().fold(0.0, |longest, part| part.abs().max(longest))
}

/// A square matrix.
#[derive(Clone, Debug)]
pub struct Matrix {
    size: usize,
    entries: Vec<f64>,
}

impl Matrix {
    /// A matrix all of whose entries are this.
    pub fn filled(size: usize, entry: f64) -> Matrix {
        Matrix { size, entries: vec![entry; size * size] }
    }

    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        let rows = self.entries.chunks(self.size);
        rows.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
    }

    /// The inverse of a symmetric and positive definite matrix, by Gauss and Jordan; such a matrix
    /// needs no exchange of rows.
    pub fn inverse(mut self) -> Matrix {
        for pivot in 0..self.size {
            let divisor = self[(pivot, pivot)];
            self[(pivot, pivot)] = 1.0;
            for column in 0..self.size {
                self[(pivot, column)] /= divisor;
            }
            for row in (0..self.size).filter(|&row| row != pivot) {
                let factor = std::mem::take(&mut self[(row, pivot)]);
                for column in 0..self.size {
                    self[(row, column)] -= factor * self[(pivot, column)];
                }
            }
        }
        self
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.entries[row * self.size + column]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.entries[row * self.size + column]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_counts_for_both_and_twice_for_nobody() {
        let mut table = Crosstable::default();
        let [a, b, c] = ["a", "b", "c"].map(|name| table.enter(name));
        table.add(b, a, GameScore::Win);
        table.add(a, b, GameScore::Unfinished);
        table.add(c, a, GameScore::Loss);
        assert_eq!(table.enter("b"), b);
        assert_eq!(table.between(a, b), Tally { wins: 0, losses: 1, unfinished: 1 });
        assert_eq!(table.between(b, a), Tally { wins: 1, losses: 0, unfinished: 1 });
        assert_eq!(table.between(b, c), Tally::default());
        assert_eq!(table.total(a), Tally { wins: 1, losses: 1, unfinished: 1 });
    }

    #[test]
    fn groups_are_those_who_met_through_others() {
        let mut table = Crosstable::default();
        let [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map(|name| table.enter(name));
        table.add(a, d, GameScore::Win);
        table.add(e, d, GameScore::Win);
        table.add(b, c, GameScore::Loss);
        assert_eq!(table.groups(), [vec![a, d, e], vec![b, c]]);
    }

    #[test]
    fn an_inverse_undoes_its_matrix() {
        let mut matrix = Matrix::filled(3, 1.0);
        for (place, entry) in [((0, 0), 4.0), ((1, 1), 3.0), ((2, 2), 2.0)] {
            matrix[place] = entry;
        }
        let vector = [1.0, -2.0, 5.0];
        let back = matrix.clone().inverse().times(&matrix.times(&vector));
        assert!(back.iter().zip(vector).all(|(a, b)| (a - b).abs() < 1e-12), "{back:?}");
    }
}
