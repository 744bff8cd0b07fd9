/// Steps that have decided a position, for each level: in a sibling of it, they may do so again
/// (Majerech 2012, 4.3.2).
#[derive(Clone, Debug)]
pub(crate) struct Killers<Step> {
    /// How many are kept for a level.
    most: usize,
    levels: Vec<Vec<Step>>,
}

/// Beyond this level, nothing is kept.
const MOST_LEVELS: usize = 1 << 12;

impl<Step: Copy + PartialEq> Killers<Step> {
    pub(crate) fn new(most: usize) -> Killers<Step> {
        Killers { most, levels: Vec::new() }
    }

    /// How soon a step is to be tried; 0 if it is no killer.
    pub(crate) fn rank(&self, level: usize, step: Step) -> i32 {
        let Some(killers) = self.levels.get(level) else { return 0 };
        let place = killers.iter().position(|&killer| killer == step);
        place.map_or(0, |place| (self.most - place) as i32)
    }

    /// A step has decided a position of that level.
    pub(crate) fn reward(&mut self, level: usize, step: Step) {
        if self.most == 0 || level >= MOST_LEVELS {
            return;
        }
        if level >= self.levels.len() {
            self.levels.resize_with(level + 1, Vec::new);
        }
        let killers = &mut self.levels[level];
        match killers.iter().position(|&killer| killer == step) {
            Some(place) => killers[..=place].rotate_right(1),
            None => {
                killers.truncate(self.most - 1);
                killers.insert(0, step);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_killers_of_a_level_come_first() {
        let mut killers = Killers::new(2);
        ['a', 'b', 'c', 'b'].into_iter().for_each(|step| killers.reward(5, step));
        assert_eq!(['a', 'b', 'c'].map(|step| killers.rank(5, step)), [0, 2, 1]);
        assert_eq!(killers.rank(4, 'b'), 0);
        let mut none = Killers::new(0);
        none.reward(5, 'a');
        assert_eq!(none.rank(5, 'a'), 0);
    }
}
