//! Figures that others have published, to the digits they print.

use super::*;

/// Whether a number rounds to what was printed.
#[track_caller]
fn prints(value: f64, printed: &str) {
    let digits = printed.split('.').nth(1).map_or(0, str::len);
    assert_eq!(format!("{value:.digits$}"), printed);
}

#[track_caller]
fn prints_with_error(measured: Option<Measured>, value: &str, error: &str) {
    let measured = measured.expect("a value");
    prints(measured.value, value);
    prints(measured.error.expect("an error"), error);
}

fn tally(wins: u64, losses: u64, unfinished: u64) -> Tally {
    Tally { wins, losses, unfinished }
}

fn sprt(elo0: f64, elo1: f64, scale: Scale, alpha: f64, beta: f64) -> Sprt {
    let hypotheses = Hypotheses::new(elo0, elo1, scale).expect("in order");
    Sprt { hypotheses, risks: Risks::new(alpha, beta).expect("risks") }
}

/// Disservin/fastchess, `app/tests/elo_test.cpp` (commit 2f5e888), `EloWDL`.
#[test]
fn elo_of_games_is_as_in_fastchess() {
    let first = tally(76, 89, 123).estimate().expect("games");
    prints_with_error(first.nelo, "-20.76", "40.13");
    prints(100.0 * first.los, "15.53");
    let second = tally(136, 96, 111).estimate().expect("games");
    prints_with_error(second.nelo, "49.77", "36.77");
    prints_with_error(second.elo, "40.70", "30.43");
    prints(100.0 * second.los, "99.60");
    prints_with_error(tally(34, 356, 0).estimate().expect("games").nelo, "-508.44", "34.48");
}

/// The same file, `EloPentanomial`; its third and fourth counts (won and lost one, two draws) are one
/// of ours.
#[test]
fn elo_of_pairs_is_as_in_fastchess() {
    let first = Pairs([34, 54, 31 + 32, 64, 75]).estimate().expect("games");
    prints_with_error(first.nelo, "57.94", "28.28");
    prints_with_error(first.elo, "55.58", "27.65");
    prints(100.0 * first.los, "100.00");
    let second = Pairs([332, 433, 457 + 41, 333, 334]).estimate().expect("games");
    prints_with_error(second.nelo, "-9.17", "10.96");
    prints_with_error(second.elo, "-8.64", "10.33");
    prints(100.0 * second.los, "5.05");
    let third = Pairs([7895, 8757, 5485 + 200, 568, 9999]).estimate().expect("games");
    prints_with_error(third.nelo, "-19.01", "2.65");
    prints_with_error(third.elo, "-21.04", "2.95");
}

/// Reports of fastchess in its issues 807 and 515, and in princesslana/princhess 343.
#[test]
fn reports_of_fastchess_are_repeated() {
    let issue_807 = Pairs([30, 6, 18, 0, 6]).estimate().expect("games");
    prints_with_error(issue_807.elo, "-168.40", "73.37");
    prints_with_error(issue_807.nelo, "-170.08", "62.16");
    prints(100.0 * issue_807.score, "27.50");
    let issue_515 = Pairs([0, 1, 4, 0, 0]).estimate().expect("games");
    prints_with_error(issue_515.elo, "-34.86", "62.20");
    prints_with_error(issue_515.nelo, "-122.84", "215.34");
    prints(100.0 * issue_515.los, "13.18");
    let princhess_343 = Pairs([1, 22, 52, 21, 4]);
    let estimate = princhess_343.estimate().expect("games");
    prints_with_error(estimate.elo, "8.69", "27.04");
    prints_with_error(estimate.nelo, "15.51", "48.15");
    prints(100.0 * estimate.los, "73.60");
    let sprt = sprt(-5.0, 0.0, Scale::Normalized, 0.05, 0.1);
    prints(sprt.llr(&princhess_343.sample()), "0.15");
    prints(sprt.risks.lower(), "-2.25");
    prints(sprt.risks.upper(), "2.89");
}

/// Reports of cutechess: talkchess.com, topic 84211; PS-Wizard/OopsMate,
/// `archive/data/results/v16_lazysmp.md` and `v15_probcut.md`. Its 95 % are 1.95716 standard deviations
/// instead of 1.95996: it approximates the quantile, after Winitzki.
#[test]
fn reports_of_cutechess_are_repeated() {
    for (wins, losses, draws, elo, error) in [
        (364, 346, 218, "6.7", "19.5"),
        (99, 97, 104, "2.3", "31.8"),
        (45, 37, 18, "27.9", "62.4"),
        (92, 112, 96, "-23.2", "32.5"),
        (152, 105, 43, "54.9", "36.9"),
    ] {
        let estimate = tally(wins, losses, draws).estimate().expect("games");
        let Measured { value, error: ours } = estimate.elo.expect("a value");
        prints(value, elo);
        prints(ours.expect("an error") * 1.95716 / elo::WITHIN_95, error);
    }
}

/// Disservin/fastchess, `app/tests/sprt_test.cpp`.
#[test]
fn llr_is_as_in_fastchess() {
    use Scale::{Logistic, Normalized};
    let games = |wins, losses, draws| tally(wins, losses, draws).sample();
    let pairs = |pairs| Pairs(pairs).sample();
    for (sample, elo0, elo1, scale, llr) in [
        (games(36433, 36027, 68692), 0.0, 2.0, Normalized, "0.92"),
        (games(10871, 10650, 20431), -1.75, 0.25, Normalized, "2.30"),
        (games(21404, 21184, 40708), 0.5, 2.5, Logistic, "-1.57"),
        (games(57433, 57030, 106593), 0.0, 2.0, Logistic, "-2.59"),
        (pairs([365, 16618, 36029 + 200, 16974, 390]), 0.0, 2.0, Normalized, "2.25"),
        (pairs([127, 4883, 10311 + 401, 5150, 104]), -1.75, 0.25, Normalized, "3.01"),
        (pairs([223, 9863, 20279 + 1000, 10037, 246]), 0.5, 2.5, Logistic, "-3.07"),
        (pairs([871, 26175, 55003 + 980, 26678, 821]), 0.0, 2.0, Logistic, "-4.98"),
    ] {
        prints(sprt(elo0, elo1, scale, 0.05, 0.05).llr(&sample), llr);
    }
}

/// The same file has 120.56 and 111.82 for matches won throughout, within a hundredth. It stops at
/// probabilities within 1e-4; where only wins and losses matter, there is a closed form.
#[test]
fn llr_of_a_won_match_is_as_in_fastchess_but_exact() {
    let won = tally(4250, 0, 0).sample();
    let games = sprt(0.0, 10.0, Scale::Normalized, 0.05, 0.05).llr(&won);
    let above = 10.0 / elo::NORMALIZED_PER_DEVIATION;
    let closed = |observations: f64, above: f64| observations * (above / above.hypot(1.0)).ln_1p();
    prints(games, &format!("{:.2}", closed(4250.0, above)));
    assert!((games - 120.56).abs() < 0.03, "{games}");
    let won = Pairs([0, 0, 0, 0, 5550]).sample();
    let pairs = sprt(0.0, 5.0, Scale::Normalized, 0.05, 0.05).llr(&won);
    let above = 5.0 / elo::NORMALIZED_PER_DEVIATION * 2_f64.sqrt();
    prints(pairs, &format!("{:.2}", closed(5550.0, above)));
    assert!((pairs - 111.82).abs() < 0.03, "{pairs}");
}

/// Reports of OpenBench, whose bounds are in normalized Elo: TerjeKir/weiss, pull request 766;
/// liamt19/Lizard, 68; Yoshie2000/PlentyChess, 334; yl25946/spaghet, 39.
#[test]
fn reports_of_openbench_are_repeated() {
    for (pairs, elo0, elo1, elo, error, llr) in [
        ([1453, 8952, 16711, 9425, 1427], 0.0, 3.0, "1.93", "1.55", "2.96"),
        ([119, 2013, 3987, 2118, 142], -3.0, 0.0, "3.13", "2.92", "2.97"),
        ([126, 3369, 7449, 3572, 147], 0.0, 3.0, "2.90", "2.08", "2.95"),
        ([214, 8992, 19871, 9102, 235], 0.0, 2.5, "0.69", "1.25", "0.16"),
        ([5, 942, 2469, 1050, 5], -3.0, 1.0, "4.20", "3.43", "2.90"),
        ([489, 5502, 11076, 5680, 554], 0.0, 3.0, "2.30", "1.81", "2.90"),
    ] {
        let pairs = Pairs(pairs);
        prints_with_error(pairs.estimate().expect("games").elo, elo, error);
        let sprt = sprt(elo0, elo1, Scale::Normalized, 0.05, 0.05);
        prints(sprt.llr(&pairs.sample()), llr);
        prints(sprt.approximate_llr(&pairs.sample()), llr);
    }
}

/// hturner/BradleyTerry2, `tests/countsToBinomial.Rout.save` (citations between journals, after
/// Stigler 1994 and Agresti 2002, p. 448) and `tests/BTabilities.Rout.save`, in natural units with
/// standard errors: first from Biometrika, then from the mean.
#[test]
fn ratings_are_as_in_bradley_terry_2() {
    let mut table = Crosstable::default();
    for (a, b, wins, losses) in [
        ("Biometrika", "Comm Statist", 730, 33),
        ("Biometrika", "JASA", 498, 320),
        ("Biometrika", "JRSS-B", 221, 284),
        ("Comm Statist", "JASA", 68, 813),
        ("Comm Statist", "JRSS-B", 17, 276),
        ("JASA", "JRSS-B", 142, 325),
    ] {
        let (a, b) = (table.enter(a), table.enter(b));
        table.add_all(a, b, tally(wins, losses, 0));
    }
    let biometrika = table.find("Biometrika").expect("it was entered");
    for (anchor, expected) in [
        (
            Anchor::At(biometrika, 0.0),
            [
                ("JRSS-B", "0.2689541", "0.07082997"),
                ("Biometrika", "0.0000000", "0.00000000"),
                ("JASA", "-0.4795698", "0.06058873"),
                ("Comm Statist", "-2.9490725", "0.10254534"),
            ],
        ),
        (
            Anchor::Mean,
            [
                ("JRSS-B", "1.0588761", "0.05304699"),
                ("Biometrika", "0.7899221", "0.04333047"),
                ("JASA", "0.3103523", "0.04164102"),
                ("Comm Statist", "-2.1591504", "0.07257974"),
            ],
        ),
    ] {
        let ratings = Ratings::of(&table, anchor, Prior::None).expect("bounds");
        for (rating, (name, ability, error)) in ratings.rows().iter().zip(expected) {
            assert_eq!(rating.name, name);
            prints(rating.elo / elo::PER_NAT, ability);
            prints(rating.error.expect("an error") / elo::PER_NAT / elo::WITHIN_95, error);
        }
    }
}
