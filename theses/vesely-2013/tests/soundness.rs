//! What WALTZ claims of small endgames is true, beside a look at every turn.

#[path = "../../../players/tzaar-ai/tests/claims/mod.rs"]
mod claims;

use vesely_2013::ENGINES;

#[test]
fn a_claimed_win_or_loss_is_one() {
    claims::check(ENGINES, 2000);
}
