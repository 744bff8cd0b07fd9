use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use arimaa::{Reached, Turn};

use super::Attack;
use super::attempt::Attempt;

/// The first attempt that passes the test. A crew of one tries them in their order; of a larger one, each
/// takes the next as soon as it is free, and all know afterwards what each has learnt.
pub(super) fn first_that<'a>(
    crew: &mut [Attack],
    attempts: impl Iterator<Item = &'a mut Attempt> + Send,
    test: impl Fn(&mut Attack, &mut Attempt) -> bool + Sync,
) -> Option<Turn> {
    let mut attempts = attempts.peekable();
    attempts.peek()?;
    if let [alone] = crew {
        return attempts.find_map(|attempt| test(alone, attempt).then_some(attempt.turn));
    }
    let halt = crew.first()?.halt;
    let queue = Mutex::new(attempts);
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
    in_parallel(crew, work);
    if let Some(halt) = halt {
        halt.store(false, Ordering::Relaxed);
    }
    share_lore(crew);
    found.into_inner().ok()?
}

/// What the crew makes of many turns, each of them looking at a part; the order stays.
pub(super) fn gather(
    crew: &mut [Attack],
    turns: &[Reached],
    look: impl Fn(&mut Attack, &[Reached]) -> Vec<Attempt> + Sync,
) -> Vec<Attempt> {
    // So many that they are worth handing out, and so few that nobody waits long for the last.
    const PART: usize = 512;
    if let [alone] = crew {
        return look(alone, turns);
    }
    let next = AtomicUsize::new(0);
    let parts = Mutex::new(Vec::new());
    in_parallel(crew, |attack| {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(part) = turns.chunks(PART).nth(index) else { break };
            let found = look(attack, part);
            if let Ok(mut parts) = parts.lock() {
                parts.push((index, found));
            }
        }
    });
    let mut parts = parts.into_inner().unwrap_or_default();
    parts.sort_by_key(|(index, _)| *index);
    parts.into_iter().flat_map(|(_, found)| found).collect()
}

fn in_parallel(crew: &mut [Attack], work: impl Fn(&mut Attack) + Sync) {
    thread::scope(|scope| {
        let mut crew = crew.iter_mut();
        let lead = crew.next();
        for attack in crew {
            scope.spawn(|| work(attack));
        }
        lead.into_iter().for_each(&work);
    });
}

fn share_lore(crew: &mut [Attack]) {
    let Some((lead, others)) = crew.split_first_mut() else { return };
    others.iter().for_each(|other| lead.lore.learn(&other.lore));
    others.iter_mut().for_each(|other| other.lore = lead.lore.clone());
}
