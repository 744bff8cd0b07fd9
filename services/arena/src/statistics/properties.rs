//! What holds for all results.

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

fn sprt(elo0: f64, elo1: f64, scale: Scale) -> Sprt {
    let hypotheses = Hypotheses::new(elo0, elo1, scale).expect("in order");
    Sprt { hypotheses, risks: Risks::new(0.05, 0.05).expect("risks") }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * (1.0 + a.abs().max(b.abs()))
}

/// Whether `b` is `a` times the sign, with the same error.
fn is_times(b: Option<Measured>, sign: f64, a: Option<Measured>) -> bool {
    let error = |measured: Option<Measured>| measured.and_then(|measured| measured.error);
    let alike = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) => near(a, b),
        (a, b) => a == b,
    };
    alike(a.map(|a| sign * a.value), b.map(|b| b.value)) && alike(error(a), error(b))
}

fn tally(counts: [u64; 3]) -> Tally {
    let [wins, losses, unfinished] = counts;
    Tally { wins, losses, unfinished }
}

/// Counts from none at all to many.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), 1..20_u64, 1..2000_u64, 1..1_000_000_u64]
}

/// Counts beyond what digits suffice for.
fn any_count() -> impl Strategy<Value = u64> {
    prop_oneof![count(), 1..1_000_000_000_000_u64]
}

fn sample() -> impl Strategy<Value = Sample> {
    prop_oneof![
        [any_count(), any_count(), any_count()].prop_map(|counts| tally(counts).sample()),
        [any_count(), any_count(), any_count(), any_count(), any_count()]
            .prop_map(|counts| Pairs(counts).sample()),
    ]
}

fn scale() -> impl Strategy<Value = Scale> {
    prop_oneof![Just(Scale::Logistic), Just(Scale::Normalized)]
}

proptest! {
    #[test]
    fn exchanging_the_players_negates_the_estimate(
        games in [count(), count(), count()],
        pairs in [count(), count(), count(), count(), count()],
    ) {
        let games = tally(games);
        let pairs = Pairs(pairs);
        for (a, b) in [
            (games.estimate(), games.swapped().estimate()),
            (pairs.estimate(), pairs.swapped().estimate()),
        ] {
            let Some((a, b)) = a.zip(b) else { continue };
            prop_assert!(near(a.score, 1.0 - b.score) && near(a.los, 1.0 - b.los), "{a:?} {b:?}");
            prop_assert!(is_times(b.elo, -1.0, a.elo), "{a:?} {b:?}");
            prop_assert!(is_times(b.nelo, -1.0, a.nelo), "{a:?} {b:?}");
        }
    }

    #[test]
    fn exchanging_the_players_and_the_hypotheses_negates_the_llr(
        pairs in [0..5000_u64, 0..5000_u64, 0..5000_u64, 0..5000_u64, 0..5000_u64],
        elo0 in -50.0..50.0, more in 0.1..50.0, scale in scale(),
    ) {
        let a = sprt(elo0, elo0 + more, scale).llr(&Pairs(pairs).sample());
        let b = sprt(-elo0 - more, -elo0, scale).llr(&Pairs(pairs).swapped().sample());
        prop_assert!(near(a, -b), "{a} {b}");
    }

    #[test]
    fn no_number_is_infinite_or_undefined(
        sample in sample(), elo0 in -1000.0..999.0, more in 0.01..1.0, scale in scale(),
    ) {
        let sprt = sprt(elo0, elo0 + more * (1000.0 - elo0), scale);
        prop_assert!(sprt.llr(&sample).is_finite() && sprt.approximate_llr(&sample).is_finite());
        let expected = sprt.expected_games(&sample);
        let shortest = expected.under_h0.min(expected.under_h1);
        prop_assert!(shortest > 0.0 && expected.halfway.is_finite(), "{expected:?}");
        let Some(estimate) = EloEstimate::of(&sample) else { return Ok(()) };
        prop_assert!((0.0..=1.0).contains(&estimate.score) && (0.0..=1.0).contains(&estimate.los));
        for measured in [estimate.elo, estimate.nelo].into_iter().flatten() {
            prop_assert!(measured.value.is_finite(), "{estimate:?}");
            prop_assert!(measured.error.is_none_or(f64::is_finite), "{estimate:?}");
        }
    }

    #[test]
    fn the_llr_exists_without_an_approximation(
        pairs in [0..5000_u64, 0..5000_u64, 0..5000_u64, 0..5000_u64, 0..5000_u64],
        elo0 in -1000.0..999.0, more in 0.01..1.0, scale in scale(),
    ) {
        let sprt = sprt(elo0, elo0 + more * (1000.0 - elo0), scale);
        let sample = Pairs(pairs).sample();
        prop_assert!(sample.games() == 0.0 || sprt.exact_llr(&sample).is_some());
    }

    #[test]
    fn results_beyond_a_hypothesis_speak_for_it(
        games in [1..3000_u64, 1..3000_u64, 1..3000_u64], away in 0.5..50.0, apart in 0.5..50.0,
    ) {
        let EloEstimate { elo, nelo, .. } = tally(games).estimate().expect("games");
        for (scale, measured) in [(Scale::Logistic, elo), (Scale::Normalized, nelo)] {
            let elo = measured.expect("some of each").value;
            if elo.abs() > Hypotheses::MOST - 100.0 {
                continue;
            }
            let above = sprt(elo + away, elo + away + apart, scale).llr(&tally(games).sample());
            let under = sprt(elo - away - apart, elo - away, scale).llr(&tally(games).sample());
            prop_assert!(above < 0.0 && under > 0.0, "{above} {under}");
        }
    }

    /// Pairs as frequent as the products of their games' frequencies say what the games say.
    #[test]
    fn pairs_of_independent_games_are_two_games_each(
        counts in [1..60_u64, 1..60_u64, 1..60_u64], elo0 in -5.0..0.0, scale in scale(),
    ) {
        let [wins, losses, unfinished] = counts;
        let pairs = Pairs([
            losses * losses,
            2 * losses * unfinished,
            2 * losses * wins + unfinished * unfinished,
            2 * wins * unfinished,
            wins * wins,
        ]);
        let twice = 2 * (wins + losses + unfinished);
        let games = tally(counts.map(|count| count * twice));
        prop_assert_eq!(games.games(), pairs.games());
        let of_games = games.estimate().expect("games");
        let of_pairs = pairs.estimate().expect("games");
        prop_assert!(near(of_games.los, of_pairs.los) && near(of_games.score, of_pairs.score));
        prop_assert!(is_times(of_pairs.elo, 1.0, of_games.elo), "{of_pairs:?} {of_games:?}");
        prop_assert!(is_times(of_pairs.nelo, 1.0, of_games.nelo), "{of_pairs:?} {of_games:?}");
        let sprt = sprt(elo0, elo0 + 5.0, scale);
        let llrs = [games.sample(), pairs.sample()].map(|sample| sprt.approximate_llr(&sample));
        prop_assert!(near(llrs[0], llrs[1]), "{llrs:?}");
    }

    #[test]
    fn two_players_are_rated_as_their_match_says(games in [1..500_u64, 1..500_u64, 0..500_u64]) {
        let mut table = Crosstable::default();
        let (a, b) = (table.enter("a"), table.enter("b"));
        table.add_all(a, b, tally(games));
        let ratings = Ratings::of(&table, Anchor::At(b, 0.0), Prior::None).expect("both scored");
        let row = ratings.rows().iter().find(|row| row.contestant == a).expect("a row for each");
        let elo = tally(games).estimate().and_then(|it| it.elo).expect("both scored");
        // Near its top the likelihood is flat: its digits end before those of the strengths.
        prop_assert!((row.elo - elo.value).abs() < 1e-4, "{row:?} {elo:?}");
    }
}

/// Games between players of known strength, each pair as often.
fn tournament(strengths: &[f64], games: usize, random: &mut ChaCha8Rng) -> Crosstable {
    let mut table = Crosstable::default();
    let players: Vec<Entrant> =
        (0..strengths.len()).map(|number| table.enter(&format!("player {number}"))).collect();
    for a in 0..strengths.len() {
        for b in 0..a {
            for _ in 0..games {
                let wins = random.random_bool(elo::score_of(strengths[a] - strengths[b]));
                table.add(
                    players[a],
                    players[b],
                    if wins { GameScore::Win } else { GameScore::Loss },
                );
            }
        }
    }
    table
}

#[test]
fn ratings_recover_the_strengths_behind_the_games_within_their_errors() {
    let strengths = [-300.0, -120.0, -10.0, 0.0, 130.0, 300.0];
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut within, mut all, mut farthest) = (0, 0, 0.0_f64);
    for _ in 0..200 {
        let table = tournament(&strengths, 100, &mut random);
        let ratings = Ratings::of(&table, Anchor::Mean, Prior::HalfGame).expect("a prior");
        for row in ratings.rows() {
            let off = (row.elo - strengths[row.contestant.0]).abs();
            within += usize::from(off <= row.error.expect("it has met somebody"));
            all += 1;
            farthest = farthest.max(off);
        }
    }
    // 95 % are 1140 of 1200, ± 15 at two standard deviations.
    assert!((1120..=1160).contains(&within), "{within} of {all}");
    assert!(farthest < 120.0, "{farthest}");
}

#[test]
fn who_wins_everything_is_rated_above_all_others_and_only_with_a_prior() {
    let mut table = Crosstable::default();
    let [a, b, c] = ["a", "b", "c"].map(|name| table.enter(name));
    table.add_all(a, b, Tally { wins: 10, ..Tally::default() });
    table.add_all(b, c, Tally { wins: 6, losses: 4, ..Tally::default() });
    let error = Ratings::of(&table, Anchor::Mean, Prior::None).err();
    assert_eq!(error, Some(RatingsError::NoBounds("a".to_owned(), "b".to_owned())));
    let ratings = Ratings::of(&table, Anchor::At(b, 1500.0), Prior::HalfGame).expect("a prior");
    let rows = ratings.rows();
    assert_eq!([rows[0].contestant, rows[1].contestant, rows[2].contestant], [a, b, c]);
    assert_eq!((rows[1].elo, rows[1].error), (1500.0, Some(0.0)));
    assert_eq!(rows[0].elo.round(), 1500.0 + 645.0);
    assert!(rows[0].los.expect("b is next") > 0.9 && rows[2].los.is_none());
    assert!(near(
        ratings.los(a, c).expect("they are compared through b"),
        1.0 - ratings.los(c, a).expect("so")
    ));
}

#[test]
fn groups_that_never_met_are_not_compared() {
    let mut table = Crosstable::default();
    let [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map(|name| table.enter(name));
    table.add_all(a, c, Tally { wins: 3, losses: 1, unfinished: 0 });
    table.add_all(b, d, Tally { wins: 0, losses: 2, unfinished: 1 });
    let ratings = Ratings::of(&table, Anchor::At(a, 100.0), Prior::HalfGame).expect("a prior");
    let groups: Vec<(Entrant, usize)> =
        ratings.rows().iter().map(|row| (row.contestant, row.group)).collect();
    assert_eq!(groups, [(a, 0), (c, 0), (d, 1), (b, 1), (e, 2)]);
    assert_eq!(ratings.los(a, b), None);
    let alone = ratings.rows().last().expect("five rows");
    assert_eq!((alone.elo, alone.error, alone.los), (0.0, None, None));
    let text = ratings.to_string();
    assert!(text.starts_with("3 groups never met: their ratings cannot be compared\n"), "{text}");
}

#[test]
fn a_test_is_as_long_and_as_often_wrong_as_it_says() {
    let sprt = sprt(0.0, 50.0, Scale::Logistic);
    let expected = sprt.expected_games(&Tally::default().sample());
    for (elo, right, expected) in [
        (0.0, Decision::AcceptsH0, expected.under_h0),
        (50.0, Decision::AcceptsH1, expected.under_h1),
    ] {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        let (mut wrong, mut games) = (0, 0);
        const TESTS: u64 = 500;
        for _ in 0..TESTS {
            let mut tally = Tally::default();
            let decision = loop {
                let wins = random.random_bool(elo::score_of(elo));
                tally.add(if wins { GameScore::Win } else { GameScore::Loss });
                let decision = sprt.decision(sprt.llr(&tally.sample()));
                if decision != Decision::GoesOn {
                    break decision;
                }
            };
            wrong += u64::from(decision != right);
            games += tally.games();
        }
        // 5 % are 25, ± 10 at two standard deviations; overshooting the bounds makes fewer of them,
        // and tests a little longer.
        assert!((10..=35).contains(&wrong), "{wrong} wrong of {TESTS} at {elo}");
        let mean = games as f64 / TESTS as f64;
        assert!((0.9..1.15).contains(&(mean / expected)), "{mean} games, expected {expected}");
    }
}

#[test]
fn degenerate_matches_say_what_they_can() {
    assert_eq!(Tally::default().estimate(), None);
    assert_eq!(sprt(0.0, 5.0, Scale::Normalized).llr(&Pairs::default().sample()), 0.0);
    let won = tally([1, 0, 0]).estimate().expect("a game");
    assert_eq!((won.score, won.elo, won.nelo), (1.0, None, None));
    assert_eq!(format!("{:.4}", won.los), "0.8413");
    let even = tally([0, 0, 7]).estimate().expect("games");
    assert_eq!((even.los, even.nelo), (0.5, None));
    assert_eq!(even.elo, Some(Measured { value: 0.0, error: None }));
    let short = sprt(0.0, 100.0, Scale::Logistic);
    let unknown = short.expected_games(&Tally::default().sample());
    for alike in [[9, 0, 0], [0, 0, 9]] {
        assert_eq!(short.expected_games(&tally(alike).sample()), unknown);
    }
    // The interval reaches beyond 100 %.
    let nearly = tally([9, 1, 0]).estimate().expect("games");
    assert!(nearly.elo.is_some_and(|elo| elo.error.is_none()) && nearly.nelo.is_some());
    let some = tally([2, 1, 3]);
    assert_eq!(some.points_under(Unfinished::Half), some.points());
    assert_eq!(some.points_under(Unfinished::LossForBoth), 2.0);
    assert_eq!(some.swapped().points_under(Unfinished::LossForBoth), 1.0);
}
