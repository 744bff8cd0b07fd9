//! Who played whom, and how it ended.

use std::collections::BTreeMap;

use super::{GameScore, Tally};

/// A row of a crosstable: who takes part, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Contestant(pub(super) usize);

/// Counts of games by contestant and opponent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crosstable {
    names: Vec<String>,
    /// From the view of the first of the two, who has the lower number.
    meetings: BTreeMap<(Contestant, Contestant), Tally>,
}

impl Crosstable {
    /// The contestant of this name, who is entered if there is none yet.
    pub fn enter(&mut self, name: &str) -> Contestant {
        self.find(name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            Contestant(self.names.len() - 1)
        })
    }

    /// The contestant of this name.
    pub fn find(&self, name: &str) -> Option<Contestant> {
        self.names.iter().position(|known| known == name).map(Contestant)
    }

    /// All contestants, in the order in which they were entered.
    pub fn contestants(&self) -> impl Iterator<Item = Contestant> + use<> {
        (0..self.names.len()).map(Contestant)
    }

    /// The name of a contestant.
    pub fn name(&self, contestant: Contestant) -> &str {
        &self.names[contestant.0]
    }

    /// Counts a game between two contestants, from the first one's view.
    ///
    /// # Panics
    ///
    /// If a contestant meets itself, which says nothing of anybody's strength.
    pub fn add(&mut self, a: Contestant, b: Contestant, score: GameScore) {
        let mut tally = Tally::default();
        tally.add(score);
        self.add_all(a, b, tally);
    }

    /// Counts games between two contestants, from the first one's view.
    ///
    /// # Panics
    ///
    /// If a contestant meets itself, which says nothing of anybody's strength.
    pub fn add_all(&mut self, a: Contestant, b: Contestant, tally: Tally) {
        assert_ne!(a, b, "{} plays against itself", self.name(a));
        let (pair, tally) = if a < b { ((a, b), tally) } else { ((b, a), tally.swapped()) };
        self.meetings.entry(pair).or_default().add_all(tally);
    }

    /// The games between two contestants, from the first one's view.
    pub fn between(&self, a: Contestant, b: Contestant) -> Tally {
        let meeting = |pair| self.meetings.get(&pair).copied().unwrap_or_default();
        if a < b { meeting((a, b)) } else { meeting((b, a)).swapped() }
    }

    /// All games of a contestant.
    pub fn total(&self, contestant: Contestant) -> Tally {
        let mut total = Tally::default();
        for opponent in self.contestants().filter(|&opponent| opponent != contestant) {
            total.add_all(self.between(contestant, opponent));
        }
        total
    }

    /// The contestants in groups that have met, directly or through others. Nothing compares
    /// those of different groups.
    pub fn groups(&self) -> Vec<Vec<Contestant>> {
        let mut groups: Vec<Vec<Contestant>> = Vec::new();
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
        from: Contestant,
        step: impl Fn(Contestant, Contestant) -> bool,
    ) -> Vec<Contestant> {
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
}
