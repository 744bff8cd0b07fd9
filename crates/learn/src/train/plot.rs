//! Plots as SVG.

use std::fmt::Write as _;

/// Lines in a plane.
pub struct Plot<'a> {
    /// What stands above.
    pub title: &'a str,
    /// What goes to the right, and what goes up.
    pub axes: [&'a str; 2],
    /// The lines.
    pub series: Vec<Series>,
    /// The least and the most of both axes, if they are not those of the points.
    pub range: Option<[f64; 2]>,
}

/// A line.
pub struct Series {
    /// What it is called.
    pub name: String,
    /// Where it goes.
    pub points: Vec<(f64, f64)>,
    /// Whether it is drawn by dashes.
    pub is_dashed: bool,
}

const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 70.0;
const BELOW: f64 = 50.0;
const MARGIN: f64 = 30.0;
const COLOURS: [&str; 5] = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#555555"];
const TICKS: usize = 4;

impl Plot<'_> {
    /// The plot as SVG, to be part of a page.
    pub fn svg(&self) -> String {
        let all = || self.series.iter().flat_map(|series| &series.points);
        let span = |values: &mut dyn Iterator<Item = f64>| {
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            values.for_each(|value| (low, high) = (low.min(value), high.max(value)));
            if low < high { [low, high] } else { [low.min(0.0), high.max(0.0) + 1.0] }
        };
        let [across, up] = match self.range {
            Some(range) => [range, range],
            None => [span(&mut all().map(|&(x, _)| x)), span(&mut all().map(|&(_, y)| y))],
        };
        let place = |[low, high]: [f64; 2], value: f64| (value - low) / (high - low);
        let x = |value| LEFT + place(across, value) * (WIDTH - LEFT - MARGIN);
        let y = |value| HEIGHT - BELOW - place(up, value) * (HEIGHT - BELOW - MARGIN);
        let (right, bottom) = (WIDTH - MARGIN, HEIGHT - BELOW);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <text x=\"{LEFT}\" y=\"18\" font-weight=\"bold\">{}</text>\n\
             <path d=\"M{LEFT} {MARGIN} V{bottom} H{right}\" fill=\"none\" stroke=\"#888\"/>\n",
            self.title
        );
        for tick in 0..=TICKS {
            let at = |[low, high]: [f64; 2]| low + (high - low) * tick as f64 / TICKS as f64;
            let (right, up) = (at(across), at(up));
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                x(right),
                bottom + 16.0,
                short(right),
                LEFT - 6.0,
                y(up) + 4.0,
                short(up)
            );
        }
        let [across, up] = self.axes;
        let (middle, lowest) = ((LEFT + right) / 2.0, HEIGHT - 12.0);
        let _ = writeln!(
            svg,
            "<text x=\"{middle}\" y=\"{lowest}\" text-anchor=\"middle\">{across}</text>\
             <text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{up}</text>",
            HEIGHT / 2.0
        );
        for (index, series) in self.series.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let dash = if series.is_dashed { " stroke-dasharray=\"5 4\"" } else { "" };
            let points = series.points.iter().map(|&(a, b)| format!("{:.1},{:.1}", x(a), y(b)));
            let points: Vec<String> = points.collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>\
                 <text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"{colour}\">{}</text>",
                points.join(" "),
                right,
                MARGIN + 14.0 * (index + 1) as f64,
                series.name
            );
        }
        svg + "</svg>\n"
    }
}

fn short(value: f64) -> String {
    match value.abs() {
        100.0.. => format!("{value:.0}"),
        1.0.. => format!("{value:.1}"),
        _ => format!("{value:.4}").trim_end_matches('0').trim_end_matches('.').to_string(),
    }
}
