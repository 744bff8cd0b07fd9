use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use game::Key;

use crate::TurnList;

/// What was found out about threatened positions, by any thread. It takes long, and the same ones are met
/// again in every iteration and by every window.
#[derive(Debug)]
pub(crate) struct Defences<Step> {
    /// Keys of positions, the last bit replaced by whether there is a defence; 0 is none.
    verdicts: Box<[AtomicU64]>,
    lists: Box<[Slot<Step>]>,
}

/// The defences, if they are few.
pub(crate) type List<Step> = Option<Arc<TurnList<Step>>>;

/// The list of some position, if any was found.
type Slot<Step> = Mutex<Option<(Key, List<Step>)>>;

/// Half a MiB.
const VERDICTS: usize = 1 << 16;

/// A list of defences takes up to two KiB.
const LISTS: usize = 1 << 12;

impl<Step> Defences<Step> {
    pub(crate) fn new() -> Defences<Step> {
        Defences {
            verdicts: std::iter::repeat_with(AtomicU64::default).take(VERDICTS).collect(),
            lists: std::iter::repeat_with(Mutex::default).take(LISTS).collect(),
        }
    }

    /// Whether there is a defence, as found out before or now.
    pub(crate) fn verdict(&self, key: Key, find: impl FnOnce() -> bool) -> bool {
        let slot = &self.verdicts[key.0 as usize % VERDICTS];
        let mut verdict = slot.load(Ordering::Relaxed);
        if verdict | 1 != key.0 | 1 || verdict == 0 {
            verdict = key.0 & !1 | u64::from(find());
            slot.store(verdict, Ordering::Relaxed);
        }
        verdict & 1 != 0
    }

    /// The list of defences, as found out before or now. A thread that asks for what another one is
    /// looking for waits until it is there.
    pub(crate) fn list(
        &self,
        key: Key,
        find: impl FnOnce() -> Option<TurnList<Step>>,
    ) -> List<Step> {
        let slot = &self.lists[key.0 as usize % LISTS];
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        match &*slot {
            Some((known, list)) if *known == key => list.clone(),
            _ => slot.insert((key, find().map(Arc::new))).1.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_found_once() {
        let defences = Defences::<u8>::new();
        assert!(defences.verdict(Key(6), || true));
        assert!(defences.verdict(Key(6), || unreachable!()));
        assert!(!defences.verdict(Key(6 + (1 << 20)), || false));
        assert!(!defences.verdict(Key(6 + (1 << 20)), || unreachable!()));
        assert!(!defences.verdict(Key(6), || false));
    }

    #[test]
    fn a_list_is_found_once() {
        let defences = Defences::<u8>::new();
        assert!(defences.list(Key(1), || None).is_none());
        assert!(defences.list(Key(1), || unreachable!()).is_none());
        let mut turns = TurnList::new();
        turns.push([1, 2]);
        assert!(defences.list(Key(2), || Some(turns)).is_some_and(|list| list.len() == 1));
        assert!(defences.list(Key(2), || unreachable!()).is_some());
    }
}
