//! `tusk` without a verb: a first look.

use std::io::Write;

use anyhow::Context;
use arimaa::{Action, Army, Game, Picture};

use crate::Exit;
use crate::output::standard;

/// A game to look at: the setups and the first turns.
const SAMPLE: &str = include_str!("../../../positions/sample-game.txt");

pub fn run() -> anyhow::Result<Exit> {
    let game = Game::parse(SAMPLE, Army::Full).context("positions/sample-game.txt")?;
    let mut turns = game.actions().filter_map(|(before, action)| match action {
        Action::Turn(turn) => Some((before, turn)),
        Action::Setup(_) => None,
    });
    let (start, first) = turns.next().context("positions/sample-game.txt has no turn")?;
    let picture = Picture { number: Some(2), side: Some(start.side()), board: *start.board() };
    let first = first.notation(start.board());
    let mut out = standard();
    writeln!(
        out,
        "Tusk {}: an AI workbench for board games whose turn takes several steps.

The start of a game of Arimaa, Gold to move (and playing {first}):

{picture}

What Tusk can do so far:
  tusk show POS    draws a position and says who moves and what they can do
  tusk perft POS   counts the distinct turns of positions, checked where a table says how many
  tusk threats POS says what each side could win or capture within a turn, exactly
  tusk move POS    chooses a turn
  tusk analyse GAME says of every turn what it lost and what was better
  tusk play        plays against you in the terminal
  tusk solve POS   proves who wins, whatever the other side does
  tusk check-proof replays its proofs with the rules alone
  tusk match A B   plays two engines against each other; tusk tournament plays many
  tusk games       lists, exports and imports the games that were played
  tusk suite PATH  tests an engine on positions with something that a turn must achieve
  tusk selfplay    plays games to learn from, into shards
  tusk aei         plays in any program that speaks the Arimaa Engine Interface
  tusk tzaar       finds a turn of Tzaar in place of WALTZ's program
  tusk bench       measures the speed of this machine

POS is a file, a folder, - for standard input, or the position itself, of Arimaa or of Tzaar.
Try: tusk show positions/sample-game.txt
     tusk show positions/tzaar/game.txt
Each verb has --help with an example, and --json for scripts.",
        env!("CARGO_PKG_VERSION")
    )?;
    Ok(Exit::Done)
}
