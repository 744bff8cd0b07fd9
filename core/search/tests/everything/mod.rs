//! Tic-tac-toe with two marks a turn, solved by trying everything.

use std::collections::HashMap;

use game::{KeyGenerator, Position as _, Proof, Turns};

use crate::tictactoe::rules::Grid;

/// Who wins, by trying everything.
#[derive(Default)]
pub struct Everything {
    known: HashMap<Grid, Proof>,
}

impl Everything {
    /// The result of a position at the start of a turn: the fewest turns of the winner if that is the
    /// mover, the most otherwise.
    pub fn result(&mut self, grid: &Grid) -> Proof {
        if let Some(winner) = grid.winner() {
            let turns = Turns(0);
            return if winner == grid.side { Proof::Win(turns) } else { Proof::Loss(turns) };
        }
        if let Some(&proof) = self.known.get(grid) {
            return proof;
        }
        let (mut win, mut loss) = (None, 0);
        for (_, after) in grid.turns() {
            match self.result(&after) {
                Proof::Loss(Turns(turns)) => win = Some(win.unwrap_or(u16::MAX).min(turns + 1)),
                Proof::Win(Turns(turns)) => loss = loss.max(turns),
            }
        }
        let proof = win.map_or(Proof::Loss(Turns(loss)), |turns| Proof::Win(Turns(turns)));
        self.known.insert(*grid, proof);
        proof
    }
}

/// Positions with so many turns played at random.
pub fn positions(count: usize, turns: usize, seed: u64) -> Vec<Grid> {
    let mut keys = KeyGenerator::new(seed);
    let mut all = Vec::new();
    while all.len() < count {
        let mut grid = Grid::EMPTY;
        for _ in 0..turns {
            let options = grid.turns();
            grid = options[(keys.next_key().0 >> 20) as usize % options.len()].1;
            if grid.winner().is_some() {
                break;
            }
        }
        if grid.winner().is_none() {
            all.push(grid);
        }
    }
    all
}
