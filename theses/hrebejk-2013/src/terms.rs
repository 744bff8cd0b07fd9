//! What the positions of games are multiplied with: the terms of bot_drake's evaluation, and a cache of them on disk.
//!
//! A cache is a file of one form of model, number of samples and seed. It begins with `MAGIC` and the form; then come
//! games, each with its key, its length, who won, and sums over both parts. All numbers are little-endian. A game that does not
//! match its sums is computed again, and so is what a process that was killed has left half.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use arimaa::{Game, Position, Side, TurnGenerator};
use linear::fnv1a;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;

use crate::programs::ExpertTurn;
use crate::{FEATURES, Features, FunctionModel};

/// What a cache begins with; the last byte is the version.
const MAGIC: &[u8; 8] = b"TUSKTRM1";
const HEAD: usize = 24;

/// The terms of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameTerms {
    /// Who won the game.
    pub winner: Option<Side>,
    count: usize,
    /// Of its positions, the last one as well.
    positions: Vec<f32>,
    /// On average after some turns by chance, for each turn.
    averages: Vec<f32>,
}

/// What a position's weights are multiplied with, for Gold.
pub fn terms_of(model: &FunctionModel, count: usize, position: &Position) -> Vec<f32> {
    let mut terms = vec![0.0; count];
    let features = Features::new(position.board(), position.side());
    model.for_each_term(&features, |number, value| terms[number] += value);
    terms
}

impl GameTerms {
    /// How many turns it has after the setups.
    pub fn len(&self) -> usize {
        self.averages.len() / self.count
    }

    /// Whether nothing was played.
    pub fn is_empty(&self) -> bool {
        self.averages.is_empty()
    }

    /// Its turns.
    pub fn turns(&self) -> impl Iterator<Item = ExpertTurn<'_>> {
        (0..self.len()).map(|index| self.turn(index))
    }

    /// A turn.
    pub fn turn(&self, index: usize) -> ExpertTurn<'_> {
        let position = |index: usize| &self.positions[index * self.count..][..self.count];
        ExpertTurn {
            side: if index.is_multiple_of(2) { arimaa::GOLD } else { arimaa::SILVER },
            winner: self.winner,
            is_first: index == 0,
            is_last: index + 1 == self.len(),
            before: position(index),
            played: position(index + 1),
            average: &self.averages[index * self.count..][..self.count],
        }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let numbers = self.positions.iter().chain(&self.averages);
        numbers.flat_map(|number| number.to_le_bytes()).collect()
    }

    fn from_bytes(bytes: &[u8], count: usize, turns: usize, winner: Option<Side>) -> GameTerms {
        let numbers = bytes
            .chunks_exact(4)
            .map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]));
        let mut positions: Vec<f32> = numbers.collect();
        let averages = positions.split_off((turns + 1) * count);
        GameTerms { winner, count, positions, averages }
    }
}

/// In which form games become terms.
#[derive(Clone, Debug)]
pub struct TermsForm {
    /// The model whose weights are learned.
    pub model: FunctionModel,
    /// How many turns by chance the average is made of.
    pub samples: usize,
    /// The seed of that chance.
    pub seed: u64,
}

impl TermsForm {
    /// How many weights the model has.
    pub fn count(&self) -> usize {
        self.model.weights().count()
    }

    /// The terms of a game. Each game has its own chance, whichever others there are.
    pub fn terms(&self, game: &Game, winner: Option<Side>, key: u64) -> GameTerms {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(key);
        let (count, mut generator) = (self.count(), TurnGenerator::new());
        let (mut positions, mut averages) = (Vec::new(), Vec::new());
        for (position, turn) in game.played_turns() {
            if positions.is_empty() {
                positions = terms_of(&self.model, count, position);
            }
            let mut average = vec![0.0; count];
            let all = generator.distinct(position.board(), position.side());
            for _ in 0..self.samples {
                let mut other = *position;
                other.play_turn_unchecked(all[rng.random_range(0..all.len())].turn);
                let features = Features::new(other.board(), other.side());
                let add =
                    |number: usize, value: f32| average[number] += value / self.samples as f32;
                self.model.for_each_term(&features, add);
            }
            averages.extend(average);
            let mut after = *position;
            after.play_turn_unchecked(turn);
            positions.extend(terms_of(&self.model, count, &after));
        }
        GameTerms { winner, count, positions, averages }
    }

    /// A number that is another one if anything of the form is: the model, the features, or how they are found.
    fn fingerprint(&self) -> u64 {
        let zero = self.model.with_weights(&vec![0.0; self.count()]);
        let mut text = format!("{:?} {} {} {}", FEATURES, zero.to_text(), self.samples, self.seed);
        for position in [
            "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]",
            "s [he rmrrrcd r   h   rd   r  c     R          R DRR C MH   C EDRRR]",
        ] {
            let position: Result<Position, _> = position.parse();
            let terms = position.map(|position| terms_of(&self.model, self.count(), &position));
            text += &format!("{:?}", terms.unwrap_or_default());
        }
        fnv1a(text.as_bytes())
    }
}

/// A number for a game: the same one for the same moves.
pub fn game_key(game: &Game, winner: Option<Side>) -> u64 {
    let turns: Vec<String> = game::Game::turns(game);
    fnv1a(format!("{} {winner:?}", turns.join("|")).as_bytes())
}

/// A cache of one form, open for reading and for more games.
#[derive(Debug)]
pub struct TermsCache {
    file: File,
    path: PathBuf,
    count: usize,
    /// Where each game begins.
    games: FxHashMap<u64, u64>,
    end: u64,
    damaged: usize,
}

impl TermsCache {
    /// The cache of a form in a folder, which is made if there is none.
    pub fn open(folder: &Path, form: &TermsForm) -> io::Result<TermsCache> {
        std::fs::create_dir_all(folder)?;
        let fingerprint = form.fingerprint();
        let path = folder.join(format!("{fingerprint:016x}.terms"));
        let file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path)?;
        file.try_lock().map_err(|_| {
            io::Error::new(
                ErrorKind::ResourceBusy,
                "another process uses this cache: wait for it, or choose another folder",
            )
        })?;
        let mut cache = TermsCache {
            file,
            path,
            count: form.count(),
            games: FxHashMap::default(),
            end: 0,
            damaged: 0,
        };
        cache.scan(fingerprint)?;
        Ok(cache)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many games could not be read, and were or will be computed again.
    pub fn damaged(&self) -> usize {
        self.damaged
    }

    /// Finds the games. What follows damage is cut off.
    fn scan(&mut self, fingerprint: u64) -> io::Result<()> {
        let mut begin = MAGIC.to_vec();
        begin.extend(fingerprint.to_le_bytes());
        let mut found = vec![0; begin.len()];
        let length = self.file.seek(SeekFrom::End(0))?;
        self.file.rewind()?;
        if length < begin.len() as u64
            || self.file.read_exact(&mut found).is_err()
            || found != begin
        {
            self.damaged += usize::from(length > 0);
            self.file.set_len(0)?;
            self.file.rewind()?;
            self.file.write_all(&begin)?;
            self.end = begin.len() as u64;
            return Ok(());
        }
        self.end = begin.len() as u64;
        while self.end < length {
            self.file.seek(SeekFrom::Start(self.end))?;
            let mut head = [0; HEAD];
            let read = self.file.read_exact(&mut head);
            let frame = read.ok().and_then(|()| Frame::parse(&head));
            let next =
                frame.as_ref().map(|frame| self.end + (HEAD + frame.size(self.count)) as u64);
            let (Some(frame), Some(next)) = (frame, next.filter(|next| *next <= length)) else {
                self.damaged += 1;
                self.file.set_len(self.end)?;
                return Ok(());
            };
            self.games.insert(frame.key, self.end);
            self.end = next;
        }
        Ok(())
    }

    /// The terms of a game, if they are there and whole.
    pub fn get(&mut self, key: u64) -> Option<GameTerms> {
        let begin = *self.games.get(&key)?;
        let terms = self.read(begin);
        if terms.is_none() {
            self.damaged += 1;
            self.games.remove(&key);
        }
        terms
    }

    fn read(&mut self, begin: u64) -> Option<GameTerms> {
        self.file.seek(SeekFrom::Start(begin)).ok()?;
        let mut head = [0; HEAD];
        self.file.read_exact(&mut head).ok()?;
        let frame = Frame::parse(&head)?;
        let mut bytes = vec![0; frame.size(self.count)];
        self.file.read_exact(&mut bytes).ok()?;
        if crc32fast::hash(&bytes) != frame.sum {
            return None;
        }
        Some(GameTerms::from_bytes(&bytes, self.count, frame.turns as usize, frame.winner))
    }

    /// Adds a game.
    pub fn put(&mut self, key: u64, terms: &GameTerms) -> io::Result<()> {
        let bytes = terms.to_bytes();
        let frame = Frame {
            key,
            turns: terms.len() as u32,
            winner: terms.winner,
            sum: crc32fast::hash(&bytes),
        };
        self.file.seek(SeekFrom::Start(self.end))?;
        let mut writer = BufWriter::new(&self.file);
        writer.write_all(&frame.to_bytes())?;
        writer.write_all(&bytes)?;
        writer.flush()?;
        drop(writer);
        self.games.insert(key, self.end);
        self.end += (HEAD + bytes.len()) as u64;
        Ok(())
    }
}

/// What stands before the terms of a game.
struct Frame {
    key: u64,
    turns: u32,
    winner: Option<Side>,
    /// The sum of the terms.
    sum: u32,
}

impl Frame {
    fn to_bytes(&self) -> [u8; HEAD] {
        let mut bytes = [0; HEAD];
        bytes[..8].copy_from_slice(&self.key.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.turns.to_le_bytes());
        bytes[12] = self.winner.map_or(2, |side| side as u8);
        bytes[16..20].copy_from_slice(&self.sum.to_le_bytes());
        let sum = crc32fast::hash(&bytes[..20]);
        bytes[20..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    fn parse(bytes: &[u8; HEAD]) -> Option<Frame> {
        let four = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        if crc32fast::hash(&bytes[..20]) != four(20) {
            return None;
        }
        let key = u64::from(four(0)) | u64::from(four(4)) << 32;
        let winner = Side::ALL.get(usize::from(bytes[12])).copied();
        Some(Frame { key, turns: four(8), winner, sum: four(16) })
    }

    /// How many bytes the terms have.
    fn size(&self, count: usize) -> usize {
        (2 * self.turns as usize + 1) * count * size_of::<f32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n\
                          1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 md7 ee7 cf7 dg7 hh7\n\
                          2g Ee2n Ee3n Ee4n\n2s ee7s md7s\n";

    fn game() -> Game {
        Game::parse(RECORD, arimaa::Army::Full).unwrap()
    }

    fn form() -> TermsForm {
        TermsForm { model: FunctionModel::polynomials(1, || 0.0), samples: 3, seed: 0 }
    }

    #[test]
    fn the_turns_of_a_game_follow_one_another() {
        let terms = form().terms(&game(), Some(arimaa::SILVER), 1);
        let turns: Vec<ExpertTurn> = terms.turns().collect();
        assert_eq!(
            turns.iter().map(|turn| turn.side).collect::<Vec<_>>(),
            [arimaa::GOLD, arimaa::SILVER]
        );
        assert_eq!((turns[0].is_first, turns[1].is_first), (true, false));
        assert_eq!((turns[0].is_last, turns[1].is_last), (false, true));
        assert_eq!(turns[1].before, turns[0].played);
    }

    #[test]
    fn a_cache_gives_back_what_was_put_there() {
        let folder = tempfile::tempdir().unwrap();
        let (form, game) = (form(), game());
        let terms = form.terms(&game, Some(arimaa::SILVER), 5);
        let mut cache = TermsCache::open(folder.path(), &form).unwrap();
        assert_eq!(cache.get(5), None);
        cache.put(5, &terms).unwrap();
        cache.put(6, &GameTerms { winner: None, ..terms.clone() }).unwrap();
        drop(cache);
        let mut cache = TermsCache::open(folder.path(), &form).unwrap();
        assert_eq!(cache.get(5), Some(terms.clone()));
        assert_eq!(cache.get(6).unwrap().winner, None);
        assert_eq!(cache.damaged(), 0);
        // Another form has another file.
        let other = TermsForm { samples: 4, ..form };
        assert_eq!(TermsCache::open(folder.path(), &other).unwrap().get(5), None);
    }

    #[test]
    fn what_is_damaged_in_a_cache_is_missing_and_the_rest_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let (form, game) = (form(), game());
        let terms = form.terms(&game, None, 1);
        let mut cache = TermsCache::open(folder.path(), &form).unwrap();
        (0..3).for_each(|key| cache.put(key, &terms).unwrap());
        let path = cache.path().to_path_buf();
        drop(cache);
        let whole = std::fs::read(&path).unwrap();
        let length = (whole.len() - 16) / 3;
        // A byte of the terms of the second game.
        let mut bytes = whole.clone();
        bytes[16 + length + HEAD + 7] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let mut cache = TermsCache::open(folder.path(), &form).unwrap();
        assert_eq!(
            (cache.get(0).is_some(), cache.get(1), cache.get(2).is_some()),
            (true, None, true)
        );
        assert_eq!(cache.damaged(), 1);
        cache.put(1, &terms).unwrap();
        assert_eq!(cache.get(1), Some(terms.clone()));
        drop(cache);
        // The file ends anywhere.
        for end in [0, 3, 16, 17, 30, 16 + length, whole.len() - 1] {
            std::fs::write(&path, &whole[..end]).unwrap();
            let mut cache = TermsCache::open(folder.path(), &form).unwrap();
            assert_eq!(cache.get(0).is_some(), end >= 16 + length, "{end}");
            cache.put(9, &terms).unwrap();
            drop(cache);
            assert_eq!(TermsCache::open(folder.path(), &form).unwrap().get(9), Some(terms.clone()));
        }
        // Another program's file.
        std::fs::write(&path, b"something else entirely").unwrap();
        let mut cache = TermsCache::open(folder.path(), &form).unwrap();
        assert_eq!((cache.get(0), cache.damaged()), (None, 1));
    }
}
