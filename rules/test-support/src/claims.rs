//! What alpha-beta claims of small endgames of Tzaar, beside a look at every turn.

use engine::{Configured, Engine, EngineEntry, Limits, Stop, Threads, Verdict};
use game::{Position as _, Proof, Turns};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tzaar::{Game, Position, distinct_turns};

/// Every engine of a list that searches, on one thread and on three, with small tables.
fn searching(entries: &'static [EngineEntry<Game>]) -> Vec<Configured<Game>> {
    let mut engines = Vec::new();
    for entry in entries.iter().filter(|entry| entry.memory > 0) {
        let most = if entry.threads == Threads::Single { 1 } else { 3 };
        for threads in [1, 3].into_iter().filter(|&threads| threads <= most) {
            let mut configuration = entry.configure();
            (configuration.threads, configuration.memory) = (threads, 3);
            engines.push(configuration.build().expect("an engine"));
        }
    }
    engines
}

/// Who wins a position, and with how many turns of its own, by a look at every turn.
fn solve(position: &Position) -> Proof {
    if let Some(winner) = position.winner() {
        return if winner == position.side() {
            Proof::Win(Turns(0))
        } else {
            Proof::Loss(Turns(0))
        };
    }
    let mut loss = 0;
    let mut win: Option<u16> = None;
    for (_, after) in distinct_turns(position) {
        match solve(&after) {
            Proof::Win(Turns(turns)) => loss = loss.max(turns),
            Proof::Loss(Turns(turns)) => {
                win = Some(win.map_or(turns + 1, |least| least.min(turns + 1)));
            }
        }
    }
    win.map_or(Proof::Loss(Turns(loss)), |turns| Proof::Win(Turns(turns)))
}

/// Checks what engines of a list claim of the ends of so many games by a look at every turn.
pub fn check_claims(entries: &'static [EngineEntry<Game>], games: u64) {
    let (mut wins, mut losses) = (0, 0);
    let mut engines = searching(entries);
    for seed in 0..games {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut position = Position::random_start(&mut rng);
        while position.winner().is_none()
            && (position.board().stacks() > 9 || !position.turn_starts())
        {
            let steps = position.steps();
            position.play(steps[rng.random_range(0..steps.len())]);
        }
        if position.winner().is_some() {
            continue;
        }
        let exact = solve(&position);
        let game = Game::new(position);
        for engine in &mut engines {
            let limits = Limits { nodes: Some(50_000), ..Limits::default() };
            engine.new_game();
            let info = engine.analyse(&game, &limits, &Stop::new(), &mut |_| ());
            let Some(Verdict::Proof(proof)) = info.and_then(|info| info.verdict()) else {
                continue;
            };
            let is_true = match (proof, exact) {
                (Proof::Win(claimed), Proof::Win(least)) => claimed >= least,
                (Proof::Loss(claimed), Proof::Loss(most)) => claimed >= most,
                _ => false,
            };
            let name = engine.configuration().entry().name;
            assert!(is_true, "{name}: {proof} for {exact} in {position}");
            match proof {
                Proof::Win(_) => wins += 1,
                Proof::Loss(_) => losses += 1,
            }
        }
    }
    assert!(wins > 10 && losses > 10, "{wins} wins, {losses} losses");
}
