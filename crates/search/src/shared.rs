use game::PackedStep;

use crate::defences::Defences;
use crate::progress::Progress;
use crate::table::Table;
use crate::under_way::UnderWay;

/// What the threads of a search share.
#[derive(Debug)]
pub(crate) struct Shared<Step> {
    pub(crate) table: Table<Step>,
    pub(crate) defences: Defences<Step>,
    pub(crate) under_way: UnderWay,
    pub(crate) progress: Progress<Step>,
}

impl<Step: PackedStep> Shared<Step> {
    /// With a table of that many MiB.
    pub(crate) fn new(mebibytes: usize) -> Shared<Step> {
        Shared {
            table: Table::new(mebibytes),
            defences: Defences::new(),
            under_way: UnderWay::new(),
            progress: Progress::new(),
        }
    }
}
