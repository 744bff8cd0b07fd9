use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::thread;

use arimaa::Turn;

use super::Attack;
use super::attempt::Attempt;

/// The first attempt that passes the test. A crew of one tries them in their order; of a larger one, each
/// takes the next as soon as it is free.
pub(super) fn first_that(
    crew: &mut [Attack],
    attempts: &mut [Attempt],
    test: impl Fn(&mut Attack, &mut Attempt) -> bool + Sync,
) -> Option<Turn> {
    if let [alone] = crew {
        return attempts
            .iter_mut()
            .find_map(|attempt| test(alone, attempt).then_some(attempt.turn));
    }
    let halt = crew.first()?.halt;
    let queue = Mutex::new(attempts.iter_mut());
    let found = Mutex::new(None);
    let work = |attack: &mut Attack| {
        while let Some(attempt) = queue.lock().ok().and_then(|mut queue| queue.next()) {
            if test(attack, attempt) {
                if let Ok(mut found) = found.lock() {
                    found.get_or_insert(attempt.turn);
                }
                if let Some(halt) = halt {
                    halt.store(true, Ordering::Relaxed);
                }
                return;
            }
        }
    };
    thread::scope(|scope| {
        for attack in crew {
            scope.spawn(|| work(attack));
        }
    });
    if let Some(halt) = halt {
        halt.store(false, Ordering::Relaxed);
    }
    found.into_inner().ok()?
}
