use std::fmt;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use arimaa::Turn;
use game::Key;
use search::in_large_pages;

/// What attacks know of boards: winning turns, or that there is none. Threads share it.
///
/// An entry is two words, the turn and the key mixed with it: a reader that meets the halves of two
/// writers sees a key that does not fit, and takes it for no entry.
pub struct Memory {
    buckets: Box<[Bucket]>,
    /// Mixed with all keys.
    era: u64,
}

const WAYS: usize = 4;

#[derive(Default)]
#[repr(align(64))]
struct Bucket([[AtomicU64; 2]; WAYS]);

/// No step has these bits.
const NO_WIN: u64 = u64::MAX;

impl Memory {
    /// A memory of that many MiB.
    pub fn new(mebibytes: usize) -> Memory {
        let buckets = ((mebibytes << 20) / size_of::<Bucket>()).max(1);
        Memory { buckets: in_large_pages(buckets), era: 0 }
    }

    /// Forgets everything, at no cost: what was kept is not found under the keys of another era.
    pub fn forget(&mut self) {
        self.era = self.era.wrapping_add(0x9E37_79B9_7F4A_7C15);
    }

    /// Writes out what is known.
    pub fn save(&self, out: &mut impl Write) -> io::Result<()> {
        let entries = || self.buckets.iter().flat_map(|bucket| &bucket.0).map(read);
        let known = || entries().filter(|[_, content]| *content != 0);
        out.write_all(&(known().count() as u64).to_le_bytes())?;
        for [mixed, content] in known() {
            out.write_all(&(mixed ^ content ^ self.era).to_le_bytes())?;
            out.write_all(&content.to_le_bytes())?;
        }
        Ok(())
    }

    /// Reads what [`Memory::save`] has written.
    pub fn load(&self, input: &mut impl Read) -> io::Result<()> {
        let mut word = || {
            let mut bytes = [0; 8];
            input.read_exact(&mut bytes)?;
            io::Result::Ok(u64::from_le_bytes(bytes))
        };
        for _ in 0..word()? {
            let (key, content) = (word()?, word()?);
            self.put_content(Key(key ^ self.era), content);
        }
        Ok(())
    }

    /// The turn that wins, or that there is none, if that is known.
    pub(super) fn get(&self, key: Key) -> Option<Option<Turn>> {
        let key = Key(key.0 ^ self.era);
        let content = self.bucket(key).iter().find_map(|[mixed, content]| {
            let content = content.load(Ordering::Relaxed);
            (mixed.load(Ordering::Relaxed) == key.0 ^ content && content != 0).then_some(content)
        })?;
        Some((content != NO_WIN).then(|| Turn::from_bits(content)))
    }

    /// Keeps a turn that wins, or that there is none. The newest are kept: they come first in their
    /// bucket, and the last one goes.
    pub(super) fn put(&self, key: Key, found: Option<Turn>) {
        self.put_content(Key(key.0 ^ self.era), found.map_or(NO_WIN, Turn::bits));
    }

    fn put_content(&self, key: Key, content: u64) {
        let mut entry = [key.0 ^ content, content];
        for place in self.bucket(key) {
            let old = read(place);
            place[1].store(entry[1], Ordering::Relaxed);
            place[0].store(entry[0], Ordering::Relaxed);
            if old[1] == 0 || old[0] ^ old[1] == key.0 {
                break;
            }
            entry = old;
        }
    }

    fn bucket(&self, key: Key) -> &[[AtomicU64; 2]; WAYS] {
        // The high bits of the product spread over all buckets, whatever their number.
        let index = (u128::from(key.0) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize].0
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Memory").field("buckets", &self.buckets.len()).finish_non_exhaustive()
    }
}

fn read(place: &[AtomicU64; 2]) -> [u64; 2] {
    [0, 1].map(|word| place[word].load(Ordering::Relaxed))
}
