use game::{BySide, Position, Side};

use crate::{Accumulator, Features, IncrementalInputs, Inputs, Network};

/// What is kept up as steps are played: the accumulators of both sides' perspectives, and what the inputs keep.
///
/// It is kept up at once. A state that is shared by reference and computes its accumulators only when it is asked
/// or cloned was measured, and searched a twentieth fewer nodes a second (Arimaa, 2026-11).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkState<V, const H: usize> {
    view: V,
    accumulators: BySide<Accumulator<H>>,
}

impl<const H: usize> Network<H> {
    /// The state of a position, from scratch.
    pub fn state<I: IncrementalInputs>(&self, position: &I::Position) -> NetworkState<I::View, H> {
        let mut features = Features::new();
        I::for_each_feature(position, |feature| features.push(feature));
        let mover = self.accumulator(&features);
        features.iter_mut().for_each(|feature| *feature = I::seen_by_other(*feature));
        let other = self.accumulator(&features);
        let accumulators = match position.side() {
            Side::First => BySide { first: mover, second: other },
            Side::Second => BySide { first: other, second: mover },
        };
        NetworkState { view: I::view(position), accumulators }
    }

    /// The state after steps between two positions, given the state before.
    #[inline]
    pub fn advance<I: IncrementalInputs>(
        &self,
        positions: [&I::Position; 2],
        steps: &[<I::Position as Position>::Step],
        state: &NetworkState<I::View, H>,
        next: &mut NetworkState<I::View, H>,
    ) {
        let (mut removed, mut added) = (Features::new(), Features::new());
        next.view = I::changes(positions, &state.view, steps, &mut removed, &mut added);
        self.update_both::<I>(&state.accumulators, &mut next.accumulators, removed, added);
    }

    /// Both accumulators after changes of features, which the first side sees so.
    #[inline]
    fn update_both<I: Inputs>(
        &self,
        accumulators: &BySide<Accumulator<H>>,
        next: &mut BySide<Accumulator<H>>,
        mut removed: Features,
        mut added: Features,
    ) {
        self.update(&accumulators.first, &mut next.first, &removed, &added);
        for feature in removed.iter_mut().chain(&mut added) {
            *feature = I::seen_by_other(*feature);
        }
        self.update(&accumulators.second, &mut next.second, &removed, &added);
    }

    /// The output as a score for the mover, given the state of the position.
    #[inline]
    pub fn output<I: IncrementalInputs>(
        &self,
        position: &I::Position,
        state: &NetworkState<I::View, H>,
    ) -> i32 {
        let (mover, accumulators) = (position.side(), &state.accumulators);
        self.evaluate(
            &accumulators[mover],
            &accumulators[!mover],
            I::bucket(position, self.outputs.len()),
        )
    }

    /// By how much the output, for the mover, is higher than without each piece: for people to read.
    pub fn pieces<I: IncrementalInputs>(&self, position: &I::Position) -> Vec<(String, i32)> {
        let state = self.state::<I>(position);
        let output = self.output::<I>(position, &state);
        let share = |feature: u16| {
            let mut without = state.clone();
            let before = &state.accumulators;
            let as_first = match position.side() {
                Side::First => feature,
                Side::Second => I::seen_by_other(feature),
            };
            let removed = std::iter::once(as_first).collect();
            self.update_both::<I>(before, &mut without.accumulators, removed, Features::new());
            output - self.output::<I>(position, &without)
        };
        I::pieces(position).into_iter().map(|(piece, feature)| (piece, share(feature))).collect()
    }
}
