use game::Key;

use crate::generator::Reached;

/// A set of keys: open addressing, with zero, which is no board's key, for an empty slot.
#[derive(Debug, Default)]
pub(crate) struct KeySet {
    slots: Vec<u64>,
    mask: usize,
}

impl KeySet {
    /// Makes it empty, with that many slots or more.
    pub(crate) fn reset(&mut self, slots: usize) {
        let capacity = slots.next_power_of_two();
        self.mask = capacity - 1;
        if self.slots.len() < capacity {
            self.slots.resize(capacity, 0);
        }
        self.slots[..capacity].fill(0);
    }

    /// How many slots there are. It is fastest while most are empty, and does not grow by itself.
    pub(crate) fn capacity(&self) -> usize {
        self.mask + 1
    }

    /// Enters a key: where it is now, and whether it is new.
    #[inline(always)]
    pub(crate) fn enter(&mut self, key: Key) -> (usize, bool) {
        let slots = &mut self.slots[..=self.mask];
        let mask = slots.len() - 1;
        let mut slot = key.0 as usize & mask;
        while slots[slot] != 0 && slots[slot] != key.0 {
            slot = (slot + 1) & mask;
        }
        let new = slots[slot] == 0;
        slots[slot] = key.0;
        (slot, new)
    }

    /// Enters a batch of keys and copies those that are new to the front of `news`; returns how
    /// many they are.
    ///
    /// Whether a key is new cannot be foreseen, and a branch that asks would be mispredicted at
    /// every tenth key: so each is copied, and what is not new is overwritten by the next. The only
    /// branch left is the rare one to the next slot.
    #[inline(always)]
    pub(crate) fn enter_all(&mut self, batch: &[Reached], news: &mut [Reached]) -> usize {
        let slots = &mut self.slots[..=self.mask];
        let mask = slots.len() - 1;
        let mut count = 0;
        for reached in batch {
            let key = reached.key.0;
            let mut slot = key as usize & mask;
            let mut found = slots[slot];
            while negative_unless_zero(found) & negative_unless_zero(found ^ key) < 0 {
                slot = (slot + 1) & mask;
                found = slots[slot];
            }
            slots[slot] = key;
            news[count] = *reached;
            count += (found == 0) as usize;
        }
        count
    }
}

/// Two comparisons with zero joined in such a way that the compiler makes one branch of them.
#[inline(always)]
fn negative_unless_zero(number: u64) -> i64 {
    (number | number.wrapping_neg()) as i64
}
