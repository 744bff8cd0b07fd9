//! Ratings of all who took part in a tournament.

use std::fmt;

use super::normal::{WITHIN_95, below};
use super::strengths::{Results, Strengths};
use super::{Crosstable, Entrant, elo};

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
