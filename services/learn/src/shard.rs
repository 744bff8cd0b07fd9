//! Shards: files of games.
//!
//! A shard begins with [`MAGIC`] and a header; then come frames, each with a block of games. All
//! numbers are little-endian.
//!
//! | what | bytes |
//! | --- | --- |
//! | magic | 8 |
//! | header | length 4, CRC-32 4, then: version 2, generation 2, seed 8, the game's name and the engine (each a length of 2 and UTF-8) |
//! | frame | compressed length 4, length 4, CRC-32 of the compressed bytes 4, CRC-32 of the twelve bytes before 4, then the block, deflated |
//!
//! A file that ends inside a frame was cut off: its writer was killed. Everything else that does not
//! match its sum is damage.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use thiserror::Error;

use crate::{Learnable, ShardGame, block};

/// What a shard begins with.
pub const MAGIC: &[u8; 8] = b"TUSKSHRD";

/// The version of the format that is written and read.
const VERSION: u16 = 1;

/// How the name of a shard ends.
pub const EXTENSION: &str = "shard";

/// Blocks are far smaller: more than that is damage.
const LARGEST_BLOCK: u32 = 64 << 20;

/// Headers are far smaller.
const LARGEST_HEADER: u32 = 1 << 20;

/// What a shard says of all its games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The name of the game.
    pub game: String,
    /// Of how many rounds of learning the engine is the result.
    pub generation: u16,
    /// The seed that the games were made from.
    pub seed: u64,
    /// The engine, with all that is set of it and all that changes its games.
    pub engine: String,
}

/// Why a shard cannot be read, and where.
#[derive(Debug, Error)]
#[error("{}: byte {offset}: {fault}", path.display())]
pub struct ShardError {
    /// The file.
    pub path: PathBuf,
    /// Where in it the header or the frame begins that is wrong.
    pub offset: u64,
    /// What is wrong.
    pub fault: ShardFault,
}

/// What can be wrong with a shard.
#[derive(Debug, Error)]
pub enum ShardFault {
    /// The file cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("this is no shard: expected a file that begins with TUSKSHRD")]
    NotAShard,
    /// It is of a later version.
    #[error("the shard has format version {0}, expected {VERSION}")]
    Version(u16),
    /// It is of another game.
    #[error("the games are of {found}, expected {expected}")]
    OtherGame {
        /// Of which game.
        found: String,
        /// Which was expected.
        expected: &'static str,
    },
    /// The games of the same seed and generation were made in another way.
    #[error(
        "these games were made by {found:?}, and now by {expected:?}: \
         choose another --seed, --generation or folder"
    )]
    OtherEngine {
        /// How they were made.
        found: String,
        /// How games are made now.
        expected: String,
    },
    /// Another process writes to it.
    #[error("another process plays with this seed: choose another --seed, or share one by --store")]
    InUse,
    /// The file ends inside the header or a frame.
    #[error("the file is cut off here; `tusk selfplay` with the same seed repairs it")]
    CutOff,
    /// Something does not match its sum or cannot be what it says.
    #[error("the shard is damaged here: {0}")]
    Damaged(String),
}

impl ShardFault {
    fn damaged(fault: impl Into<String>) -> ShardFault {
        ShardFault::Damaged(fault.into())
    }

    /// Puts the place beside it.
    pub(crate) fn at(self, path: &Path, offset: u64) -> ShardError {
        ShardError { path: path.to_path_buf(), offset, fault: self }
    }
}

impl Header {
    /// The header as a file begins with it.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut body = VERSION.to_le_bytes().to_vec();
        body.extend(self.generation.to_le_bytes());
        body.extend(self.seed.to_le_bytes());
        for text in [&self.game, &self.engine] {
            body.extend((text.len() as u16).to_le_bytes());
            body.extend(text.as_bytes());
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend((body.len() as u32).to_le_bytes());
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    fn read(file: &mut impl Read) -> Result<Header, ShardFault> {
        let magic: [u8; 8] = read_array(file)?;
        if magic != *MAGIC {
            return Err(ShardFault::NotAShard);
        }
        let length = u32::from_le_bytes(read_array(file)?);
        let sum = u32::from_le_bytes(read_array(file)?);
        if length > LARGEST_HEADER {
            return Err(ShardFault::damaged(format!("a header of {length} bytes")));
        }
        let body = read_vec(file, length)?;
        if crc32fast::hash(&body) != sum {
            return Err(ShardFault::damaged("the header does not match its checksum"));
        }
        Header::read_body(&mut body.as_slice())
    }

    fn read_body(body: &mut &[u8]) -> Result<Header, ShardFault> {
        let version = u16::from_le_bytes(read_array(body)?);
        if version != VERSION {
            return Err(ShardFault::Version(version));
        }
        let generation = u16::from_le_bytes(read_array(body)?);
        let seed = u64::from_le_bytes(read_array(body)?);
        let mut text = || {
            let length = u16::from_le_bytes(read_array(body)?);
            let bytes = read_vec(body, u32::from(length))?;
            String::from_utf8(bytes).map_err(|error| ShardFault::damaged(error.to_string()))
        };
        Ok(Header { game: text()?, generation, seed, engine: text()? })
    }
}

/// Bytes of a known number. A file that ends before is cut off.
fn read_array<const N: usize>(file: &mut impl Read) -> Result<[u8; N], ShardFault> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes).map_err(cut_off)?;
    Ok(bytes)
}

fn read_vec(file: &mut impl Read, length: u32) -> Result<Vec<u8>, ShardFault> {
    let mut bytes = vec![0; length as usize];
    file.read_exact(&mut bytes).map_err(cut_off)?;
    Ok(bytes)
}

fn cut_off(error: io::Error) -> ShardFault {
    match error.kind() {
        ErrorKind::UnexpectedEof => ShardFault::CutOff,
        _ => ShardFault::Io(error),
    }
}

/// A frame with a block of games.
pub(crate) fn frame<G: Learnable>(games: &[ShardGame<G::Position>]) -> io::Result<Vec<u8>> {
    let block = block::write::<G>(games);
    let mut packed = Vec::new();
    DeflateEncoder::new(block.as_slice(), Compression::best()).read_to_end(&mut packed)?;
    let mut frame = Vec::with_capacity(FRAME_HEAD + packed.len());
    frame.extend((packed.len() as u32).to_le_bytes());
    frame.extend((block.len() as u32).to_le_bytes());
    frame.extend(crc32fast::hash(&packed).to_le_bytes());
    frame.extend(crc32fast::hash(&frame).to_le_bytes());
    frame.extend(packed);
    Ok(frame)
}

/// The bytes of a frame before its block.
const FRAME_HEAD: usize = 16;

/// A shard that is open to be read.
pub struct Shard {
    /// What it says of all its games.
    pub header: Header,
    path: PathBuf,
    file: BufReader<File>,
    /// Where the next frame begins.
    offset: u64,
}

impl Shard {
    /// Opens a shard and reads its header.
    pub fn open(path: &Path) -> Result<Shard, ShardError> {
        let file = File::open(path).map_err(|error| ShardFault::Io(error).at(path, 0))?;
        Shard::of_file(file, path)
    }

    pub(crate) fn of_file(file: File, path: &Path) -> Result<Shard, ShardError> {
        let mut file = BufReader::new(file);
        let header = Header::read(&mut file).map_err(|fault| fault.at(path, 0))?;
        let offset = header.to_bytes().len() as u64;
        Ok(Shard { header, path: path.to_path_buf(), file, offset })
    }

    /// Where the next frame begins.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The games of the next frame; none at the end of the file.
    pub fn next_block<G: Learnable>(
        &mut self,
    ) -> Result<Option<Vec<ShardGame<G::Position>>>, ShardError> {
        self.read_block::<G>().map_err(|fault| fault.at(&self.path, self.offset))
    }

    fn read_block<G: Learnable>(
        &mut self,
    ) -> Result<Option<Vec<ShardGame<G::Position>>>, ShardFault> {
        if self.header.game != G::NAME {
            let found = self.header.game.clone();
            return Err(ShardFault::OtherGame { found, expected: G::NAME });
        }
        let mut head = Vec::with_capacity(FRAME_HEAD);
        self.file.by_ref().take(FRAME_HEAD as u64).read_to_end(&mut head)?;
        match head.len() {
            0 => return Ok(None),
            FRAME_HEAD => (),
            _ => return Err(ShardFault::CutOff),
        }
        let number = |index: usize| {
            let bytes = head[4 * index..][..4].try_into().expect("four bytes");
            u32::from_le_bytes(bytes)
        };
        let (packed_length, length, sum) = (number(0), number(1), number(2));
        let is_sound = crc32fast::hash(&head[..12]) == number(3);
        if !is_sound || packed_length > LARGEST_BLOCK || length > LARGEST_BLOCK {
            return Err(ShardFault::damaged("the head of a frame does not match its checksum"));
        }
        let packed = read_vec(&mut self.file, packed_length)?;
        if crc32fast::hash(&packed) != sum {
            return Err(ShardFault::damaged("a block does not match its checksum"));
        }
        let mut block = Vec::with_capacity(length as usize);
        let unpacked =
            DeflateDecoder::new(packed.as_slice()).take(u64::from(length)).read_to_end(&mut block);
        unpacked.map_err(|error| ShardFault::damaged(error.to_string()))?;
        let games = block::read::<G>(&block).map_err(ShardFault::Damaged)?;
        self.offset += FRAME_HEAD as u64 + u64::from(packed_length);
        Ok(Some(games))
    }
}

/// The sum of some bytes, as shards have it: what tells one model from another.
pub fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// The shards of a folder in the order of their names, or the one that is named.
pub fn shard_files(path: &Path) -> Result<Vec<PathBuf>, ShardError> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let read = || -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for entry in path.read_dir()? {
            let file = entry?.path();
            if file.extension().is_some_and(|extension| extension == EXTENSION) {
                files.push(file);
            }
        }
        files.sort();
        Ok(files)
    };
    read().map_err(|error| ShardFault::Io(error).at(path, 0))
}

/// The games of a shard or of all shards of a folder, each with the generation of its shard. After an
/// error come the games of the next shard.
pub fn games<G: Learnable>(path: &Path) -> Result<Games<G>, ShardError> {
    let files = shard_files(path)?.into();
    Ok(Games { files, shard: None, block: Vec::new().into_iter() })
}

/// The games of some shards.
pub struct Games<G: Learnable> {
    files: VecDeque<PathBuf>,
    shard: Option<Shard>,
    block: std::vec::IntoIter<ShardGame<G::Position>>,
}

impl<G: Learnable> Iterator for Games<G> {
    type Item = Result<(u16, ShardGame<G::Position>), ShardError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let (Some(game), Some(shard)) = (self.block.next(), &self.shard) {
                return Some(Ok((shard.header.generation, game)));
            }
            let next = match &mut self.shard {
                Some(shard) => shard.next_block::<G>(),
                None => match Shard::open(&self.files.pop_front()?) {
                    Ok(shard) => {
                        self.shard = Some(shard);
                        continue;
                    }
                    Err(error) => Err(error),
                },
            };
            match next {
                Ok(Some(games)) => self.block = games.into_iter(),
                Ok(None) => self.shard = None,
                Err(error) => {
                    self.shard = None;
                    return Some(Err(error));
                }
            }
        }
    }
}
