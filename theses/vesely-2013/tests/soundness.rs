//! What WALTZ claims of small endgames is true, beside a look at every turn.

use test_support::check_claims;
use vesely_2013::ENGINES;

#[test]
fn a_claimed_win_or_loss_is_one() {
    check_claims(ENGINES, 2000);
}
