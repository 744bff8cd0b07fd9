//! What alpha-beta claims of small endgames of Tzaar is true, with the settings of every engine that is shipped,
//! beside a look at every turn.

use test_support::check_claims;
use tzaar_ai::engines::ENGINES;

#[test]
fn a_claimed_win_or_loss_is_one() {
    check_claims(ENGINES, 60);
}
