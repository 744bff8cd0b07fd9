/// A step that fits 16 bits, so that the table can keep it.
pub trait PackedStep: Copy + Eq {
    /// Its bits; never zero.
    fn pack(self) -> u16;
    /// The step with those bits, if there is one.
    fn unpack(bits: u16) -> Option<Self>;
}
