use arimaa::*;
fn main() {
    let text = std::fs::read_to_string("../shared/data/arimaa/turns.tsv").unwrap();
    let mut rows = vec![];
    for l in text.lines().skip(1) {
        let f: Vec<&str> = l.split('\t').collect();
        let side = if f[0].starts_with('g') { GOLD } else { SILVER };
        let cells: Vec<char> = f[0][3..67].chars().collect();
        let mut b = Board::EMPTY;
        for (s, c) in Square::drawn().zip(cells) {
            if let Some(p) = Piece::from_letter(c) {
                b.put(p, s)
            }
        }
        rows.push((b, side, f[1].parse::<usize>().unwrap()));
    }
    let mut g = TurnGenerator::new();
    let rounds: usize = std::env::var("ROUNDS").map_or(12, |r| r.parse().unwrap());
    let mut best = f64::MAX;
    for round in 0..rounds {
        let t = std::time::Instant::now();
        let mut bad = 0;
        let mut total = 0;
        for (b, s, n) in &rows {
            let got = g.distinct(b, *s).len();
            total += got;
            if got != *n {
                bad += 1;
                if bad < 5 {
                    println!("{got} {n}")
                }
            }
        }
        let e = t.elapsed().as_secs_f64();
        best = best.min(e);
        if round == 0 || round == rounds - 1 {
            println!("{total} bad {bad} {:.3}s best {:.1} M/s", e, total as f64 / best / 1e6);
        }
    }
}
