use super::{Label, sigmoid};

/// The scale at which scores foretell results best: at a score of `scale`, the odds to win are `e` to 1. Found by
/// the greatest likelihood; none, if no sample has both a score and a result, or the scores say nothing.
pub fn fit_scale(labels: &[Label]) -> Option<f32> {
    /// Beyond it, a score is a proof.
    const ESTIMATES: i16 = 30_000;
    let pairs: Vec<(f32, f32)> = labels
        .iter()
        .filter_map(|label| Some((label.score?, label.expected_result()?)))
        .filter(|(score, _)| score.unsigned_abs() < ESTIMATES as u16)
        .map(|(score, result)| (f32::from(score), result))
        .collect();
    // The derivative of the likelihood falls as the slope grows: it is zero once.
    let derivative = |slope: f32| -> f64 {
        let gain =
            |&(score, result): &(f32, f32)| f64::from((result - sigmoid(slope * score)) * score);
        pairs.iter().map(gain).sum()
    };
    let (mut low, mut high) = (1e-5f32, 0.1f32);
    if derivative(low) <= 0.0 {
        return None;
    }
    for _ in 0..40 {
        let middle = (low * high).sqrt();
        if derivative(middle) > 0.0 { low = middle } else { high = middle }
    }
    Some((1.0 / low).round())
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
                let label = Label {
                    game: 0,
                    weight: 1.0,
                    score: Some(score),
                    baseline: 0,
                    bucket: 0,
                    result,
                };
                labels.push(label);
            }
        }
        let scale = fit_scale(&labels).expect("a scale");
        assert!((scale - 300.0).abs() < 5.0, "{scale}");
        assert_eq!(fit_scale(&[]), None);
    }
}
