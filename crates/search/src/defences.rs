use std::rc::Rc;

use game::Key;

use crate::Turns;

/// What was found out about threatened positions. It takes long, and the same ones are met again in
/// every iteration and by every window.
pub(crate) struct Defences<Step> {
    /// Keys of positions, the last bit replaced by whether there is a defence; 0 is none.
    verdicts: Box<[u64]>,
    lists: Vec<Option<(Key, List<Step>)>>,
}

/// The defences, if they are few.
pub(crate) type List<Step> = Option<Rc<Turns<Step>>>;

/// Half a MiB for each thread.
const VERDICTS: usize = 1 << 16;

/// A list of defences takes up to two KiB.
const LISTS: usize = 1 << 12;

impl<Step> Defences<Step> {
    pub(crate) fn new() -> Defences<Step> {
        let lists = std::iter::repeat_with(|| None).take(LISTS).collect();
        Defences { verdicts: vec![0; VERDICTS].into_boxed_slice(), lists }
    }

    /// Whether there is a defence, as found out before or now.
    pub(crate) fn verdict(&mut self, key: Key, find: impl FnOnce() -> bool) -> bool {
        let slot = &mut self.verdicts[key.0 as usize % VERDICTS];
        if *slot | 1 != key.0 | 1 || *slot == 0 {
            *slot = key.0 & !1 | u64::from(find());
        }
        *slot & 1 != 0
    }

    /// The list of defences, as found out before or now.
    pub(crate) fn list(
        &mut self,
        key: Key,
        find: impl FnOnce() -> Option<Turns<Step>>,
    ) -> List<Step> {
        let slot = &mut self.lists[key.0 as usize % LISTS];
        match slot {
            Some((known, list)) if *known == key => list.clone(),
            _ => slot.insert((key, find().map(Rc::new))).1.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_found_once() {
        let mut defences = Defences::<u8>::new();
        assert!(defences.verdict(Key(6), || true));
        assert!(defences.verdict(Key(6), || unreachable!()));
        assert!(!defences.verdict(Key(6 + (1 << 20)), || false));
        assert!(!defences.verdict(Key(6 + (1 << 20)), || unreachable!()));
        assert!(!defences.verdict(Key(6), || false));
    }

    #[test]
    fn a_list_is_found_once() {
        let mut defences = Defences::<u8>::new();
        assert!(defences.list(Key(1), || None).is_none());
        assert!(defences.list(Key(1), || unreachable!()).is_none());
        let mut turns = Turns::new();
        turns.push([1, 2]);
        assert!(defences.list(Key(2), || Some(turns)).is_some_and(|list| list.len() == 1));
        assert!(defences.list(Key(2), || unreachable!()).is_some());
    }
}
