//! Which games an event consists of.

use game::{BySide, KeyGenerator, Side};

use crate::{Contestant, Format, GameScore, Plan};

/// A game that is to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// Its number in the event.
    pub number: i64,
    /// The pair of games from one opening that it belongs to.
    pub pair: i64,
    /// Who plays: indices of contestants.
    pub players: BySide<usize>,
    /// The index of the opening.
    pub opening: usize,
    /// The seed of the players' random choices.
    pub seed: u64,
}

/// A game that was played: who, and who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredGame {
    /// The game's number.
    pub number: i64,
    /// Its pair.
    pub pair: i64,
    /// Who played.
    pub players: BySide<usize>,
    /// Who won, if it was finished.
    pub winner: Option<Side>,
    /// Whether the loser failed: it crashed, hung, was late or broke the rules or the protocol.
    pub by_failure: bool,
}

/// Which games of an event may be leased.
///
/// A store may hold rows that make no sense: a player that is not there, a player against itself. Nobody
/// leases these. And a worker may know only some of the engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Playable {
    /// All of them.
    All,
    /// Those between two different ones of these contestants, from one of so many openings.
    Between {
        /// Indices of contestants.
        players: Vec<usize>,
        /// How many openings there are.
        openings: usize,
    },
}

impl Playable {
    /// What holds of the row of such a game, in SQL.
    pub(crate) fn condition(&self) -> String {
        match self {
            Playable::All => "1 = 1".to_string(),
            Playable::Between { players, .. } if players.len() < 2 => "1 = 0".to_string(),
            Playable::Between { players, openings } => {
                let players: Vec<String> = players.iter().map(usize::to_string).collect();
                let players = players.join(", ");
                format!(
                    "first_player IN ({players}) AND second_player IN ({players}) \
                     AND first_player <> second_player AND opening >= 0 AND opening < {openings}"
                )
            }
        }
    }
}

impl ScoredGame {
    /// Whether these two played.
    pub fn is_between(&self, a: usize, b: usize) -> bool {
        let BySide { first, second } = self.players;
        (first, second) == (a, b) || (first, second) == (b, a)
    }

    /// How it ended for a contestant who played.
    pub fn of(&self, contestant: usize) -> GameScore {
        match self.winner {
            None => GameScore::Unfinished,
            Some(side) if self.players[side] == contestant => GameScore::Win,
            Some(_) => GameScore::Loss,
        }
    }
}

impl Plan {
    /// All games that are certain to be wanted, given what was played: every one but those of a
    /// knock-out's rounds to come.
    ///
    /// The numbers depend on nothing but the plan and the results, so that whoever asks gets the
    /// same games.
    pub fn pairings(&self, played: &[ScoredGame]) -> Vec<Pairing> {
        let meetings = match self.format {
            Format::RoundRobin => self.each_with_each(),
            Format::Gauntlet => (1..self.contestants.len()).map(|other| (0, other)).collect(),
            Format::SelfPlay => vec![(0, 0)],
            Format::KnockOut => return Bracket { plan: self, played }.pairings(),
        };
        // All meetings go on side by side: a table that is cut short is still a fair one.
        let mut pairings = Vec::new();
        for round in 0..self.games.div_ceil(2) {
            let first_pair = i64::from(round) * meetings.len() as i64;
            for (pair, &meeting) in (first_pair..).zip(&meetings) {
                let wanted = (self.games - 2 * round) as usize;
                pairings.extend(self.pair(pair, round as usize, meeting).take(wanted));
            }
        }
        pairings
    }

    /// The games between contestants of whom this holds.
    pub fn playable(&self, may_play: impl Fn(&Contestant) -> bool) -> Playable {
        if self.format == Format::SelfPlay {
            return Playable::All;
        }
        let players =
            (0..self.contestants.len()).filter(|&index| may_play(&self.contestants[index]));
        Playable::Between { players: players.collect(), openings: self.openings.len().max(1) }
    }

    /// Refuses a game that the plan cannot have: a player or an opening that is not there, or a player against
    /// itself.
    pub(crate) fn check(&self, game: &Pairing) -> Result<(), String> {
        if self.format == Format::SelfPlay {
            return Ok(());
        }
        let (count, BySide { first, second }) = (self.contestants.len(), game.players);
        if let Some(player) = [first, second].into_iter().find(|&player| player >= count) {
            // What is kept is a signed number.
            let player = player as i64;
            return Err(match count.checked_sub(1) {
                Some(last) => format!("there is no player {player}, only 0 to {last}"),
                None => format!("there is no player {player}: the event has no contestants"),
            });
        }
        if first == second {
            return Err(format!(
                "player {first} ({}) against itself",
                self.contestants[first].name
            ));
        }
        let openings = self.openings.len().max(1);
        if game.opening >= openings {
            return Err(format!(
                "there is no opening {}, only 0 to {}",
                game.opening as i64,
                openings - 1
            ));
        }
        Ok(())
    }

    fn each_with_each(&self) -> Vec<(usize, usize)> {
        let count = self.contestants.len();
        (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).collect()
    }

    /// Two games from the same opening with sides changed.
    fn pair(
        &self,
        pair: i64,
        round: usize,
        (a, b): (usize, usize),
    ) -> impl Iterator<Item = Pairing> {
        let opening = round % self.openings.len().max(1);
        let sides = [BySide { first: a, second: b }, BySide { first: b, second: a }];
        let games = (2 * pair + 1..).zip(sides);
        let seed = self.seed;
        games.map(move |(number, players)| {
            // Two equal engines that play by chance should not play the same game twice. Stores keep
            // signed numbers.
            let seed = KeyGenerator::new(seed.wrapping_add(number as u64)).next_key().0 >> 1;
            Pairing { number, pair, players, opening, seed }
        })
    }
}

/// A knock-out: who loses a meeting is out.
struct Bracket<'a> {
    plan: &'a Plan,
    played: &'a [ScoredGame],
}

/// A meeting that is tied goes on, pair by pair; after so many pairs whoever was named first is
/// through.
const MOST_PAIRS: i64 = 100;

impl Bracket<'_> {
    /// The games of all meetings whose two contestants are known.
    fn pairings(&self) -> Vec<Pairing> {
        let mut pairings = Vec::new();
        let mut meeting = 0;
        let mut slots = self.first_round();
        while slots.len() > 1 {
            let mut winners = Vec::new();
            for two in slots.chunks(2) {
                winners.push(match (two[0], two[1]) {
                    (Slot::Known(a), Slot::Known(b)) => {
                        let (games, winner) = self.meeting(meeting, (a.min(b), a.max(b)));
                        pairings.extend(games);
                        winner
                    }
                    (Slot::Known(a), Slot::Empty) => Slot::Known(a),
                    (Slot::Empty, slot) => slot,
                    _ => Slot::Open,
                });
                meeting += 1;
            }
            slots = winners;
        }
        pairings
    }

    /// The slots of the first round: the best two can only meet in the last, and where contestants
    /// are missing the best have no opponent.
    fn first_round(&self) -> Vec<Slot> {
        let count = self.plan.contestants.len();
        let mut order = vec![0];
        while order.len() < count {
            let size = 2 * order.len();
            order = order.iter().flat_map(|&seed| [seed, size - 1 - seed]).collect();
        }
        let slot = |&seed: &usize| if seed < count { Slot::Known(seed) } else { Slot::Empty };
        order.iter().map(slot).collect()
    }

    /// The games of a meeting so far, and who is through.
    fn meeting(&self, meeting: i64, two: (usize, usize)) -> (Vec<Pairing>, Slot) {
        let least = i64::from(self.plan.games.div_ceil(2)).max(1);
        let mut pairings = Vec::new();
        let mut lead = 0;
        for round in 0..MOST_PAIRS.max(least) {
            if round >= least && lead != 0 {
                break;
            }
            let pair: Vec<Pairing> = self
                .plan
                .pair(meeting * MOST_PAIRS.max(least) + round, round as usize, two)
                .collect();
            let scores = pair.iter().filter_map(|game| self.score(game));
            let (count, sum) = scores.fold((0, 0), |(count, sum), score| {
                let won = |contestant| i64::from(score.of(contestant) == GameScore::Win);
                (count + 1, sum + won(two.0) - won(two.1))
            });
            pairings.extend(&pair);
            lead += sum;
            if count < pair.len() && round + 1 >= least {
                return (pairings, Slot::Open);
            }
        }
        let is_complete = pairings.iter().all(|game| self.score(game).is_some());
        let winner = if lead >= 0 { two.0 } else { two.1 };
        (pairings, if is_complete { Slot::Known(winner) } else { Slot::Open })
    }

    fn score(&self, game: &Pairing) -> Option<&ScoredGame> {
        self.played.iter().find(|score| score.number == game.number)
    }
}

/// Who stands in a slot of the bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slot {
    /// This contestant.
    Known(usize),
    /// Nobody: the opponent is through.
    Empty,
    /// It is not known yet.
    Open,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Adjudication, TimeSettings, Unfinished};

    fn plan(format: Format, contestants: usize, games: u32) -> Plan {
        let contestant = |index| Contestant::new(&format!("e{index}"));
        Plan {
            game: "any".to_string(),
            contestants: (0..contestants).map(contestant).collect(),
            format,
            games,
            openings: vec!["a".into(), "b".into(), "c".into()],
            time: TimeSettings::default(),
            adjudication: Adjudication::default(),
            sprt: None,
            unfinished: Unfinished::Half,
            seed: 7,
        }
    }

    #[test]
    fn an_event_without_contestants_has_no_player() {
        let players = BySide { first: 0, second: 1 };
        let game = Pairing { number: 1, pair: 0, opening: 0, players, seed: 7 };
        let fault = plan(Format::RoundRobin, 0, 2).check(&game).unwrap_err();
        assert_eq!(fault, "there is no player 0: the event has no contestants");
        let fault = plan(Format::RoundRobin, 1, 2).check(&game).unwrap_err();
        assert_eq!(fault, "there is no player 1, only 0 to 0");
    }

    /// What becomes of games if whoever was named first always wins.
    fn in_order(pairings: &[Pairing]) -> Vec<ScoredGame> {
        let score = |game: &Pairing| ScoredGame {
            number: game.number,
            pair: game.pair,
            players: game.players,
            winner: Some(if game.players.first < game.players.second {
                Side::First
            } else {
                Side::Second
            }),
            by_failure: false,
        };
        pairings.iter().map(score).collect()
    }

    #[test]
    fn both_games_of_a_pair_have_the_opening_and_change_sides() {
        for format in [Format::RoundRobin, Format::Gauntlet] {
            let pairings = plan(format, 4, 6).pairings(&[]);
            for (index, both) in pairings.chunks(2).enumerate() {
                let [one, other] = both else { panic!("a pair has two games") };
                assert_eq!((one.pair, other.pair), (index as i64, index as i64));
                assert_eq!(one.opening, other.opening);
                assert_ne!(one.seed, other.seed);
                assert_eq!(one.players.first, other.players.second);
                assert_eq!(one.players.second, other.players.first);
            }
        }
    }

    #[test]
    fn each_meets_each_and_a_gauntlet_is_run_by_the_first() {
        let count =
            |format, contestants, games| plan(format, contestants, games).pairings(&[]).len();
        assert_eq!(count(Format::RoundRobin, 2, 7), 7);
        assert_eq!(count(Format::RoundRobin, 5, 4), 40);
        assert_eq!(count(Format::Gauntlet, 5, 4), 16);
        let numbers = plan(Format::RoundRobin, 5, 3).pairings(&[]);
        let mut seen: Vec<i64> = numbers.iter().map(|game| game.number).collect();
        seen.dedup();
        assert_eq!(seen.len(), 30);
    }

    #[test]
    fn a_knock_out_goes_on_as_results_come_in() {
        let plan = plan(Format::KnockOut, 6, 2);
        let first = plan.pairings(&[]);
        // 0 and 1 wait for the winners of 3-4 and 2-5.
        let players: Vec<_> =
            first.iter().map(|game| game.players.first.min(game.players.second)).collect();
        assert_eq!(players, [3, 3, 2, 2]);
        let mut played = in_order(&first);
        let second = plan.pairings(&played);
        assert_eq!(second.len(), 8);
        assert!(first.iter().all(|game| second.contains(game)));
        played = in_order(&second);
        let last = plan.pairings(&played);
        assert_eq!(last.len(), 10);
        let finalists: Vec<_> = last.iter().filter(|game| !second.contains(game)).collect();
        assert!(finalists.iter().all(|game| game.players.first + game.players.second == 1));
        assert_eq!(plan.pairings(&in_order(&last)), last);
    }

    #[test]
    fn a_tie_goes_on() {
        let plan = plan(Format::KnockOut, 2, 2);
        let mut played = Vec::new();
        for pairs in 1..4 {
            let pairings = plan.pairings(&played);
            assert_eq!(pairings.len(), 2 * pairs);
            // Gold wins both: one point each.
            let score = |game: &Pairing| ScoredGame {
                number: game.number,
                pair: game.pair,
                players: game.players,
                winner: Some(Side::First),
                by_failure: false,
            };
            played = pairings.iter().map(score).collect();
        }
        let pairings = plan.pairings(&played);
        played.extend(in_order(&pairings[6..]));
        assert_eq!(plan.pairings(&played), pairings);
    }
}
