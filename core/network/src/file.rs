//! The file of a net.
//!
//! All numbers are little-endian. A text is its length in two bytes and UTF-8.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `TUSKNETW` |
//! | 4 | the version of the format |
//! | text, text, 4, 4 | what it evaluates; the name, the version and the number of its inputs |
//! | 4, 4 | hidden units for each perspective; buckets |
//! | text, 4 | `none`; the scale |
//! | 4 | what an output weight of 1 is as a whole number |
//! | 4 | CRC-32 of all other bytes |
//! | 2 each | the weights of the first layer, a row for each input; its bias |
//! | 1 each | for each bucket, the output weights for the mover and for the other side |
//! | 4 each | for each bucket, the bias of the output |

use thiserror::Error;

use crate::network::Output;
use crate::{Accumulator, InputShape, Inputs, MOST_INPUT_WEIGHT, Network, NetworkHead};

const MAGIC: &[u8; 8] = b"TUSKNETW";

/// The version of the format.
const FORMAT: u32 = 1;

/// What stands where a net once named the evaluation that it was added to.
const NO_BASELINE: &str = "none";

/// What a file and a program may disagree about.
const BUCKETS: &str = "number of buckets";

/// Why a file is no net that can be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NetworkError {
    /// It is something else.
    #[error("this is no net: it does not begin with `TUSKNETW`")]
    Magic,
    /// It is of another format.
    #[error("the format is of version {0}, this program reads version {FORMAT}")]
    Format(u32),
    /// It ends too early.
    #[error("the file has {found} bytes, expected {expected}: it is truncated")]
    Truncated {
        /// How long it is.
        found: usize,
        /// How long it is at least.
        expected: usize,
    },
    /// It goes on after its end.
    #[error("the file has {found} bytes, expected {expected}: something was added at its end")]
    Trailing {
        /// How long it is.
        found: usize,
        /// How long it should be.
        expected: usize,
    },
    /// It is a net for something else.
    #[error("the {what} is `{found}`, expected `{expected}`")]
    Mismatch {
        /// What differs.
        what: &'static str,
        /// What the file says.
        found: String,
        /// What the program needs.
        expected: String,
    },
    /// It was made to be added to an evaluation.
    #[error(
        "the net corrects `{0}`, but a net counts alone: make one with `tusk train`, and leave this one out"
    )]
    Baseline(String),
    /// Its bytes are not those that were written.
    #[error("the checksum is {found:08x}, but the bytes give {expected:08x}: the file was altered")]
    Checksum {
        /// What the file says.
        found: u32,
        /// What its bytes give.
        expected: u32,
    },
    /// A text is not UTF-8, or a number cannot be.
    #[error("the {0} cannot be read")]
    Unreadable(&'static str),
    /// A weight is so great that sums would not fit.
    #[error("input {input} has the weight {weight}: at most {MOST_INPUT_WEIGHT} fits")]
    Weight {
        /// Its row; the bias is the one after the last.
        input: usize,
        /// The weight.
        weight: i16,
    },
}

impl<const H: usize> Network<H> {
    /// The net as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let NetworkHead { shape, scale } = &self.head;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(FORMAT.to_le_bytes());
        put_text(&mut bytes, shape.model);
        put_text(&mut bytes, shape.name);
        for number in [shape.version, shape.count as u32, H as u32, shape.buckets as u32] {
            bytes.extend(number.to_le_bytes());
        }
        put_text(&mut bytes, NO_BASELINE);
        bytes.extend(scale.to_le_bytes());
        bytes.extend(self.output_one.to_le_bytes());
        let checksum_at = bytes.len();
        for row in self.rows.iter().chain([&self.bias]) {
            bytes.extend(row.0.iter().flat_map(|weight| weight.to_le_bytes()));
        }
        for weights in self.outputs.iter().flat_map(|output| &output.weights) {
            bytes.extend(weights.0.iter().map(|&weight| (weight as i8).to_le_bytes()[0]));
        }
        for output in &self.outputs {
            bytes.extend(output.bias.to_le_bytes());
        }
        let checksum = crc32fast::hash(&bytes);
        bytes.splice(checksum_at..checksum_at, checksum.to_le_bytes());
        bytes
    }

    /// Reads the file of a net with these inputs.
    pub fn parse(shape: InputShape, bytes: &[u8]) -> Result<Network<H>, NetworkError> {
        let mut reader = Reader { bytes, at: 0 };
        if !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) || bytes.is_empty() {
            return Err(NetworkError::Magic);
        }
        reader.take(MAGIC.len())?;
        let format = reader.number()?;
        if format != FORMAT {
            return Err(NetworkError::Format(format));
        }
        expect("game of the net", reader.text("game of the net")?, shape.model)?;
        expect("name of the inputs", reader.text("name of the inputs")?, shape.name)?;
        expect("version of the inputs", reader.number()?, shape.version)?;
        expect("number of inputs", reader.number()?, shape.count as u32)?;
        expect("number of hidden units", reader.number()?, H as u32)?;
        expect(BUCKETS, reader.number()?, shape.buckets as u32)?;
        let baseline = reader.text("name of the baseline")?;
        if baseline != NO_BASELINE {
            return Err(NetworkError::Baseline(baseline.to_string()));
        }
        let scale = reader.number()?.cast_signed();
        if scale <= 0 {
            return Err(NetworkError::Unreadable("scale"));
        }
        let output_one = reader.number()?.cast_signed();
        if !(1..=i32::from(i16::MAX)).contains(&output_one) {
            return Err(NetworkError::Unreadable("size of output weights"));
        }
        let head = NetworkHead { shape, scale };
        let checksum_at = reader.at;
        let found = reader.number()?;
        let body = 2 * H * (shape.count + 1) + (2 * H + 4) * shape.buckets;
        let expected = reader.at + body;
        if bytes.len() > expected {
            return Err(NetworkError::Trailing { found: bytes.len(), expected });
        }
        let weights = reader.take(body)?;
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&bytes[..checksum_at]);
        hasher.update(weights);
        let expected = hasher.finalize();
        if found != expected {
            return Err(NetworkError::Checksum { found, expected });
        }
        Network::from_weights(head, output_one, Reader { bytes: weights, at: 0 })
    }

    /// Reads the file of a net with these inputs and any number of buckets that they divide positions by.
    pub fn parse_any<I: Inputs>(bytes: &[u8]) -> Result<Network<H>, NetworkError> {
        let read =
            |buckets: &usize| Network::parse(InputShape { buckets: *buckets, ..I::SHAPE }, bytes);
        let has_others = |read: &Result<Network<H>, NetworkError>| {
            matches!(read, Err(NetworkError::Mismatch { what: BUCKETS, .. }))
        };
        let read = I::BUCKETS.iter().map(read).find(|read| !has_others(read));
        read.unwrap_or_else(|| Network::parse(I::SHAPE, bytes))
    }

    fn from_weights(
        head: NetworkHead,
        output_one: i32,
        mut reader: Reader,
    ) -> Result<Network<H>, NetworkError> {
        let mut row = |input: usize| -> Result<Accumulator<H>, NetworkError> {
            let (numbers, _) = reader.take(2 * H)?.as_chunks();
            let row: Vec<i16> = numbers.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect();
            let too_great = |weight: &&i16| weight.unsigned_abs() > MOST_INPUT_WEIGHT as u16;
            match row.iter().find(too_great) {
                Some(&weight) => Err(NetworkError::Weight { input, weight }),
                None => Ok(Accumulator(row.try_into().expect("a weight for each unit"))),
            }
        };
        let rows = (0..head.shape.count).map(&mut row).collect::<Result<Vec<_>, _>>()?;
        let bias = row(head.shape.count)?;
        let mut weights = || -> Result<Accumulator<H>, NetworkError> {
            let bytes = reader.take(H)?;
            Ok(Accumulator(std::array::from_fn(|unit| i16::from(bytes[unit].cast_signed()))))
        };
        let weights: Result<Vec<_>, _> =
            (0..head.shape.buckets).map(|_| Ok([weights()?, weights()?])).collect();
        let outputs = weights?.into_iter().map(|weights| {
            let bias = reader.number()?.cast_signed();
            Ok(Output { weights, bias })
        });
        let outputs = outputs.collect::<Result<Vec<_>, _>>()?;
        Ok(Network { head, rows, bias, outputs, output_one })
    }
}

/// Refuses a net that is for something else.
fn expect<T: PartialEq + ToString>(
    what: &'static str,
    found: T,
    expected: T,
) -> Result<(), NetworkError> {
    if found == expected {
        return Ok(());
    }
    let (found, expected) = (found.to_string(), expected.to_string());
    Err(NetworkError::Mismatch { what, found, expected })
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], NetworkError> {
        let expected = self.at + count;
        let truncated = NetworkError::Truncated { found: self.bytes.len(), expected };
        let taken = self.bytes.get(self.at..expected).ok_or(truncated)?;
        self.at = expected;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, NetworkError> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
    }

    fn text(&mut self, what: &'static str) -> Result<&'a str, NetworkError> {
        let length = self.take(2)?;
        let length = u16::from_le_bytes(length.try_into().expect("two bytes"));
        let bytes = self.take(length.into())?;
        std::str::from_utf8(bytes).map_err(|_| NetworkError::Unreadable(what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FloatNetwork;

    const SHAPE: InputShape =
        InputShape { model: "toy", name: "squares", version: 2, count: 5, buckets: 3 };

    fn toy() -> Network<32> {
        let mut number = 0.0f32;
        let net = FloatNetwork::<32>::filled(5, 3, || {
            number += 0.37;
            number.sin()
        });
        net.quantised(NetworkHead { shape: SHAPE, scale: 300 })
    }

    fn fault_of(bytes: &[u8]) -> String {
        Network::<32>::parse(SHAPE, bytes).expect_err("a fault").to_string()
    }

    #[test]
    fn what_is_written_is_read_back() {
        assert_eq!(Network::parse(SHAPE, &toy().to_bytes()), Ok(toy()));
    }

    #[test]
    fn every_cut_is_noticed() {
        let bytes = toy().to_bytes();
        for length in 0..bytes.len() {
            let fault = fault_of(&bytes[..length]);
            let is_named = fault.contains("truncated") || (length == 0 && fault.contains("no net"));
            assert!(is_named, "{length} bytes: {fault}");
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        assert!(fault_of(&longer).contains("something was added"));
    }

    #[test]
    fn every_altered_byte_is_noticed() {
        let bytes = toy().to_bytes();
        for at in 0..bytes.len() {
            let mut altered = bytes.clone();
            altered[at] ^= 0x10;
            assert!(Network::<32>::parse(SHAPE, &altered).is_err(), "byte {at}");
        }
    }

    #[test]
    fn a_net_for_something_else_is_refused_by_what_differs() {
        let bytes = toy().to_bytes();
        assert_eq!(fault_of(b"PNG"), "this is no net: it does not begin with `TUSKNETW`");
        let other = InputShape { version: 3, ..SHAPE };
        let fault = Network::<32>::parse(other, &bytes).expect_err("other inputs");
        assert_eq!(fault.to_string(), "the version of the inputs is `2`, expected `3`");
        let fault = Network::<64>::parse(SHAPE, &bytes).expect_err("other size");
        assert_eq!(fault.to_string(), "the number of hidden units is `32`, expected `64`");
        let other = InputShape { model: "chess", ..SHAPE };
        let fault = Network::<32>::parse(other, &bytes).expect_err("other game");
        assert_eq!(fault.to_string(), "the game of the net is `toy`, expected `chess`");
    }

    #[test]
    fn a_net_that_corrects_an_evaluation_is_refused_with_a_remedy() {
        let mut bytes = toy().to_bytes();
        let at = bytes.windows(6).position(|bytes| bytes == b"\x04\0none").expect("its place");
        bytes.splice(at..at + 6, *b"\x04\0some");
        assert_eq!(
            fault_of(&bytes),
            "the net corrects `some`, but a net counts alone: make one with `tusk train`, and leave this one out"
        );
    }

    /// Inputs whose nets have three buckets or six.
    struct Squares;

    impl Inputs for Squares {
        type Position = usize;

        const SHAPE: InputShape = SHAPE;

        const BUCKETS: &'static [usize] = &[3, 6];

        fn for_each_feature(_: &usize, _: impl FnMut(u16)) {}

        fn bucket(position: &usize, buckets: usize) -> usize {
            position % buckets
        }

        fn seen_by_other(feature: u16) -> u16 {
            feature
        }

        fn mirrored(feature: u16) -> u16 {
            feature
        }
    }

    #[test]
    fn the_file_says_which_of_the_possible_numbers_of_buckets_it_has() {
        let parse = Network::<32>::parse_any::<Squares>;
        let with = |buckets| {
            let head = NetworkHead { shape: InputShape { buckets, ..SHAPE }, scale: 300 };
            FloatNetwork::<32>::filled(5, buckets, || 0.1).quantised(head)
        };
        for buckets in [3, 6] {
            assert_eq!(parse(&with(buckets).to_bytes()), Ok(with(buckets)));
        }
        let fault = parse(&with(4).to_bytes()).expect_err("four buckets").to_string();
        assert_eq!(fault, "the number of buckets is `4`, expected `3`");
    }

    #[test]
    fn rounding_changes_little() {
        let mut number = 0.0f32;
        let net = FloatNetwork::<32>::filled(5, 3, || {
            number += 0.73;
            0.5 * number.sin()
        });
        let head = NetworkHead { shape: SHAPE, scale: 1000 };
        let whole = net.quantised(head);
        let (mover, other) = ([0, 3], [1, 4, 2]);
        for bucket in 0..3 {
            let exact = 1000.0 * net.evaluate(&mover, &other, bucket);
            let (mover, other) = (whole.accumulator(&mover), whole.accumulator(&other));
            let rounded = whole.evaluate(&mover, &other, bucket);
            assert!((exact - rounded as f32).abs() < 30.0, "{exact} became {rounded}");
        }
    }
}
