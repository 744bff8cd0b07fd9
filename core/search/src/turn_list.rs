/// A list of turns, each a few steps that are played one after the other.
///
/// ```
/// let mut turns = search::TurnList::new();
/// turns.push(['a', 'b']);
/// turns.push(['c']);
/// assert_eq!(turns.get(0), Some(&['a', 'b'][..]));
/// assert_eq!((turns.len(), turns.get(2)), (2, None));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnList<Step> {
    steps: Vec<Step>,
    /// Where each turn ends among the steps.
    ends: Vec<u32>,
}

impl<Step> Default for TurnList<Step> {
    fn default() -> TurnList<Step> {
        TurnList { steps: Vec::new(), ends: Vec::new() }
    }
}

impl<Step> TurnList<Step> {
    /// No turns.
    pub fn new() -> TurnList<Step> {
        TurnList::default()
    }

    /// Adds a turn.
    pub fn push(&mut self, steps: impl IntoIterator<Item = Step>) {
        self.steps.extend(steps);
        self.ends.push(self.steps.len() as u32);
    }

    /// The turn of that number, from 0.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&[Step]> {
        let end = *self.ends.get(index)? as usize;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        Some(&self.steps[start..end])
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}
