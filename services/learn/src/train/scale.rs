use super::{Label, sigmoid};

/// The scale at which scores foretell results best, by the mean squared error: at a score of `scale`, the odds to
/// win are `e` to 1. None, if no sample has both a score and a result.
///
/// The squared error is bounded, so that a few huge scores of won positions do not decide.
pub fn fit_scale(labels: &[Label]) -> Option<f32> {
    /// Beyond it, a score is a proof.
    const ESTIMATES: u16 = 30_000;
    /// As many samples are enough.
    const ENOUGH: usize = 200_000;
    /// The scales that are tried: each is so many times the one before.
    const FIRST: f32 = 20.0;
    const RATIO: f32 = 1.02;
    const TRIED: i32 = 300;
    let stride = labels.len().div_ceil(ENOUGH).max(1);
    let pairs: Vec<(f32, f32)> = labels
        .iter()
        .step_by(stride)
        .filter_map(|label| Some((label.score?, label.expected_result()?)))
        .filter(|(score, _)| score.unsigned_abs() < ESTIMATES)
        .map(|(score, result)| (f32::from(score), result))
        .collect();
    let error = |scale: f32| -> f64 {
        let square = |&(score, result): &(f32, f32)| (sigmoid(score / scale) - result).powi(2);
        pairs.iter().map(|pair| f64::from(square(pair))).sum()
    };
    let tried = (0..TRIED).map(|power| FIRST * RATIO.powi(power));
    let errors = tried.map(|scale| (scale, error(scale)));
    let best = errors.min_by(|(_, one), (_, other)| one.total_cmp(other))?;
    (!pairs.is_empty()).then_some(best.0.round())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_of_results_that_follow_it_is_found() {
        let mut labels = Vec::new();
        for score in (-900..=900).step_by(30) {
            let wins = (sigmoid(f32::from(score) / 300.0) * 100.0).round() as i32;
            for game in 0..100 {
                let result = Some(if game < wins { 1 } else { -1 });
                let label = Label { game: 0, weight: 1.0, score: Some(score), bucket: 0, result };
                labels.push(label);
            }
        }
        let scale = fit_scale(&labels).expect("a scale");
        assert!((scale - 300.0).abs() < 10.0, "{scale}");
        assert_eq!(fit_scale(&[]), None);
        // A few scores of another size do not change it.
        labels.iter_mut().step_by(100).for_each(|label| label.score = Some(20_000));
        let scale = fit_scale(&labels).expect("a scale");
        assert!((scale - 300.0).abs() < 30.0, "{scale}");
    }
}
