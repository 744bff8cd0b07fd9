use game::{Key, Position};

use super::crowd::Crowd;
use super::decided::Decided;
use super::explorer::{Child, Explorer, Place};
use super::numbers::Numbers;
use super::summary::{Stand, Sum, Summariser, Summary};
use super::table::Cost;
use super::watch::Watch;
use crate::Knowledge;
use crate::defences::List;

/// One thread of a depth-first proof-number search.
///
/// It goes down to the most promising option and stays in its subtree until that option's numbers come
/// to their limits. Nothing is kept but the way down, with the options of each position on it; what is
/// left behind is in the tables.
pub(crate) struct Diver<'a, P: Position, K: Knowledge<P>> {
    pub(crate) explorer: Explorer<'a, P, K>,
    pub(crate) watch: Watch<'a>,
    summariser: Summariser,
    /// Where the other threads are, if there are any.
    others: Option<&'a Crowd>,
    frames: Vec<Frame<P>>,
    /// The options of all frames, those of the deepest last.
    children: Vec<Child<P::Step>>,
}

/// A position on the way down.
struct Frame<P: Position> {
    position: P,
    key: Key,
    place: Place,
    limits: Numbers,
    /// Its first option among all; its last is the one before the next frame's first.
    first: usize,
    /// The option that the next frame is about.
    chosen: usize,
    cut: bool,
    stand: Stand,
    is_lost: bool,
    turns: List<P::Step>,
    nodes_before: u64,
    height: u8,
}

/// How a dive has ended.
pub(crate) struct Dive<Step> {
    pub(crate) numbers: Numbers,
    pub(crate) decided: Option<Decided>,
    /// The steps with which the mover wins, up to the end of the turn or part of the way.
    pub(crate) steps: Vec<Step>,
    /// Whether what these steps lead to is proved on this path only.
    pub(crate) by_path: bool,
}

impl<Step> Default for Dive<Step> {
    fn default() -> Dive<Step> {
        Dive { numbers: Numbers::UNKNOWN, decided: None, steps: Vec::new(), by_path: false }
    }
}

/// No proof goes deeper than this, in vertices: what is beyond is not searched.
const MOST_FRAMES: usize = 1 << 16;

impl<'a, P: Position, K: Knowledge<P>> Diver<'a, P, K> {
    pub(crate) fn new(
        explorer: Explorer<'a, P, K>,
        watch: Watch<'a>,
        others: Option<&'a Crowd>,
    ) -> Diver<'a, P, K> {
        let summariser = Summariser::new(Sum::new(explorer.parameters));
        let (frames, children) = (Vec::new(), Vec::new());
        Diver { explorer, watch, summariser, others, frames, children }
    }

    /// Searches a position until it is decided or the search must stop; `tell` hears now and then how
    /// much is left to be done.
    pub(crate) fn dive(&mut self, root: &P, mut tell: impl FnMut(Numbers, u64)) -> Dive<P::Step> {
        if let Some(decided) = self.explorer.on_sight(root) {
            let numbers = Numbers::decided(decided.winner);
            return Dive { numbers, decided: Some(decided), ..Dive::default() };
        }
        self.enter(root.clone(), Place::default(), Numbers::BOUNDLESS);
        loop {
            if self.watch.look(self.explorer.nodes) {
                let nodes = self.watch.nodes(self.explorer.nodes);
                tell(self.numbers_of_root(), nodes);
            }
            let summary = self.summary(self.frames.len() - 1);
            let is_over = match summary {
                Summary::Decided(..) => true,
                Summary::Open(opening) => {
                    self.watch.must_stop || opening.numbers.reaches(self.top().limits)
                }
            };
            match summary {
                Summary::Open(opening) if !is_over => self.descend(opening),
                summary => {
                    if let Some(dive) = self.leave(summary) {
                        return dive;
                    }
                }
            }
        }
    }

    fn top(&self) -> &Frame<P> {
        &self.frames[self.frames.len() - 1]
    }

    /// How much is to be done at the root.
    fn numbers_of_root(&mut self) -> Numbers {
        match self.summary(0) {
            Summary::Decided(decided, _) => Numbers::decided(decided.winner),
            Summary::Open(opening) => opening.numbers,
        }
    }

    /// What is true of a position on the way, by the options as far as they were searched.
    fn summary(&mut self, depth: usize) -> Summary {
        let frame = &self.frames[depth];
        let end = self.frames.get(depth + 1).map_or(self.children.len(), |next| next.first);
        let mover = frame.position.side();
        if frame.is_lost {
            return Summary::Decided(Decided::on_sight(!mover, 1), None);
        }
        let children = &self.children[frame.first..end];
        let branches = children.iter().map(|child| child.branch);
        let busy = |index: usize, own| match self.others {
            Some(others) => others.weighed(children[index].key, own),
            None => own,
        };
        let summary = self.summariser.summary(mover, frame.stand, frame.cut, branches, busy);
        match summary {
            // The turns that are not listed lose at once.
            Summary::Decided(decided, best) if frame.turns.is_some() => {
                Summary::Decided(Decided { turns: decided.turns.max(1), ..decided }, best)
            }
            summary => summary,
        }
    }

    /// Goes down to the most promising option.
    fn descend(&mut self, opening: super::summary::Opening) {
        let epsilon = self.explorer.parameters.epsilon as u32;
        let depth = self.frames.len() - 1;
        let frame = &mut self.frames[depth];
        let child = &mut self.children[frame.first + opening.best];
        frame.chosen = opening.best;
        let (key, ends_turn) = (child.key, child.branch.ends_turn);
        let path = &self.explorer.path;
        let sum = if ends_turn { path.sum_with(key) } else { path.sum() };
        // Meanwhile, it may have been decided elsewhere.
        if let Some(decided) = self.explorer.tables.decided(path, key, sum) {
            child.decide(decided);
            return;
        }
        if depth + 1 >= MOST_FRAMES {
            self.watch.must_stop = true;
            return;
        }
        let mover = frame.position.side();
        let limits = opening.limits(mover, frame.limits, child.branch.numbers, epsilon);
        let mut position = frame.position.clone();
        let mut cost = 0;
        match frame.turns.as_ref().and_then(|turns| turns.get(usize::from(child.number))) {
            Some(steps) => steps.iter().for_each(|&step| position.play(step)),
            None => {
                cost = position.cost(child.step).0;
                position.play(child.step);
            }
        }
        let place = frame.place.after(cost, ends_turn);
        if ends_turn {
            self.explorer.path.push(key, position.repetition_key());
        }
        self.enter(position, place, limits);
    }

    fn enter(&mut self, position: P, place: Place, limits: Numbers) {
        let (first, key) = (self.children.len(), position.key());
        let nodes_before = self.explorer.nodes;
        let expansion = self.explorer.expand(&position, place, &mut self.children);
        self.others.inspect(|others| others.join(key));
        self.frames.push(Frame {
            position,
            key,
            place,
            limits,
            first,
            chosen: 0,
            cut: expansion.cut,
            stand: expansion.stand,
            is_lost: expansion.is_lost,
            turns: expansion.turns,
            nodes_before,
            height: 0,
        });
    }

    /// Goes up with what was found out; at the root, the dive is over.
    fn leave(&mut self, summary: Summary) -> Option<Dive<P::Step>> {
        let frame = self.frames.pop()?;
        self.others.inspect(|others| others.leave(frame.key));
        let Explorer { tables, path, nodes, .. } = &self.explorer;
        let cost = Cost { nodes: nodes - frame.nodes_before, height: frame.height };
        let (numbers, decided) = match summary {
            Summary::Decided(decided, best) => {
                let decided = tables.decide(path, frame.key, path.sum(), decided, cost);
                self.reward(&frame, best);
                (Numbers::decided(decided.winner), Some(decided))
            }
            Summary::Open(opening) => {
                tables.put_numbers(frame.key, opening.numbers, cost);
                (opening.numbers, None)
            }
        };
        let Some(parent) = self.frames.last_mut() else {
            let steps = self.winning_steps(&frame, summary);
            self.children.clear();
            let by_path = matches!(summary, Summary::Decided(decided, _) if decided.by_path);
            return Some(Dive { numbers, decided, steps, by_path });
        };
        if frame.place.used == 0 {
            self.explorer.path.pop();
        }
        self.children.truncate(frame.first);
        parent.height = parent.height.max(frame.height.saturating_add(1));
        let child = &mut self.children[parent.first + parent.chosen];
        match decided {
            Some(decided) => child.decide(decided),
            None => child.branch.numbers = numbers,
        }
        None
    }

    /// A step has decided a position: it may be good elsewhere.
    fn reward(&mut self, frame: &Frame<P>, best: Option<usize>) {
        if let (Some(best), None) = (best, &frame.turns) {
            let level = frame.place.level(K::WHOLE_TURN.0);
            let step = self.children[frame.first + best].step;
            self.explorer.killers.reward(level, step);
        }
    }

    /// The option of the root that wins.
    fn winning_steps(&self, root: &Frame<P>, summary: Summary) -> Vec<P::Step> {
        let Summary::Decided(_, Some(best)) = summary else { return Vec::new() };
        let child = &self.children[root.first + best];
        let turn = root.turns.as_ref().and_then(|turns| turns.get(usize::from(child.number)));
        turn.map_or_else(|| vec![child.step], <[P::Step]>::to_vec)
    }
}
