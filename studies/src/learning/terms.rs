//! Table 5.1: the pairs that stand for the terms of a polynomial.

use crate::report::Table;

/// How many variables the example of Table 5.1 has.
const VARIABLES: usize = 8;

/// A variable, and the differences to the next ones of the term, around the circle of variables.
type TermPair = (usize, Vec<usize>);

/// All pairs that stand for a term: one for each place where its list of variables can begin.
fn term_pairs(term: &[usize]) -> Vec<TermPair> {
    let degree = term.len();
    let mut sorted = term.to_vec();
    sorted.sort_unstable();
    // A variable that occurs several times makes a round of the circle between two of its occurrences where the term is a power.
    let gap = |place: usize| match (sorted[place], sorted[(place + 1) % degree]) {
        (now, next) if next > now => next - now,
        (now, next) if place + 1 == degree => VARIABLES + next - now,
        _ => 0,
    };
    let gaps: Vec<usize> = (0..degree).map(gap).collect();
    let mut pairs: Vec<TermPair> = (0..degree)
        .map(|place| {
            (sorted[place], (0..degree).map(|step| gaps[(place + step) % degree]).collect())
        })
        .collect();
    pairs.sort();
    pairs.dedup();
    pairs
}

pub fn term_table() -> Table {
    let title = "Hřebejk 2013, Table 5.1: terms and the pairs that stand for them (8 variables)";
    let mut table = Table::new(title, ["term", "thesis", "ours"]);
    let rows: [(&str, &[usize], &str); 3] = [
        ("x5³", &[5, 5, 5], "(5,(0,0,8)) (5,(0,8,0)) (5,(8,0,0))"),
        ("x1 x4 x5", &[1, 4, 5], "(1,(3,1,4)) (4,(1,4,3)) (5,(4,3,1))"),
        ("x2² x6", &[2, 2, 6], "(2,(0,4,4)) (2,(4,4,0)) (6,(4,0,4))"),
    ];
    for (name, term, thesis) in rows {
        let pairs: Vec<String> = term_pairs(term).iter().map(pair_text).collect();
        table.row([name.into(), thesis.into(), pairs.join(" ").into()]);
    }
    table
}

fn pair_text((variable, gaps): &TermPair) -> String {
    let gaps: Vec<String> = gaps.iter().map(usize::to_string).collect();
    format!("({variable},({}))", gaps.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pairs_of_terms_are_those_of_the_thesis() {
        let text =
            |term: &[usize]| term_pairs(term).iter().map(pair_text).collect::<Vec<_>>().join(" ");
        assert_eq!(text(&[5, 5, 5]), "(5,(0,0,8)) (5,(0,8,0)) (5,(8,0,0))");
        assert_eq!(text(&[1, 4, 5]), "(1,(3,1,4)) (4,(1,4,3)) (5,(4,3,1))");
        assert_eq!(text(&[2, 2, 6]), "(2,(0,4,4)) (2,(4,4,0)) (6,(4,0,4))");
    }
}
