//! Plots as SVG: of trainings, generations, tunings and studies.

use std::fmt::Write as _;

/// Lines in a plane, or bars.
#[derive(Default)]
pub struct Plot<'a> {
    /// What is shown.
    pub title: &'a str,
    /// What goes to the right, and what goes up.
    pub axes: [&'a str; 2],
    /// The lines; of bars, those of a colour.
    pub series: Vec<Series>,
    /// The least and the most of both axes, if they are not those of the points.
    pub range: Option<[f64; 2]>,
    /// Whether the axis to the right, and the one that goes up, has powers of ten.
    pub is_log: [bool; 2],
    /// Names instead of numbers to the right: that of 0, of 1 … Such a plot has bars.
    pub labels: Vec<String>,
}

/// Points that belong together.
pub struct Series {
    /// What they are.
    pub name: String,
    /// To the right, and up.
    pub points: Vec<(f64, f64)>,
    /// Whether the line is broken: for what is only compared with.
    pub is_dashed: bool,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 80.0;
const BELOW: f64 = 52.0;
const MARGIN: f64 = 34.0;
const LEGEND: f64 = 16.0;
const COLOURS: [&str; 8] =
    ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#555555", "#17becf", "#8c564b"];

/// What a character of a name takes, about.
const CHARACTER: f64 = 6.5;

/// What an aslant name takes below the axis.
const ASLANT: f64 = 90.0;

/// Where the numbers of an axis stand.
struct Axis {
    low: f64,
    high: f64,
    is_log: bool,
    /// Where it begins and ends in the picture.
    place: [f64; 2],
}

impl Axis {
    fn new(range: [f64; 2], is_log: bool, place: [f64; 2]) -> Axis {
        let [low, high] = range;
        let (low, high) = match is_log {
            true => {
                let (low, high) = (low.max(1e-9), high.max(1e-8));
                let round = |value: f64| round_numbers(value / 10.0, 10.0 * value);
                let below = round(low).into_iter().rfind(|round| *round <= 1.000_001 * low);
                let above = round(high).into_iter().find(|round| 1.000_001 * round >= high);
                (below.unwrap_or(low).log10(), above.unwrap_or(high).log10())
            }
            false => (low, high),
        };
        let high = if low < high { high } else { low + 1.0 };
        Axis { low, high, is_log, place }
    }

    fn at(&self, value: f64) -> f64 {
        let value = if self.is_log { value.max(1e-9).log10() } else { value };
        let share = (value - self.low) / (self.high - self.low);
        self.place[0] + share * (self.place[1] - self.place[0])
    }

    /// The values that are marked: round numbers, of which a long axis by logarithms has powers of ten only.
    fn ticks(&self) -> Vec<f64> {
        /// From so many powers of ten on, 2 and 5 times a power have no room.
        const LONG: f64 = 2.5;
        if self.is_log {
            let [low, high] = [self.low, self.high].map(|power| 10f64.powf(power));
            if high / low < 10f64.powf(LONG) {
                return round_numbers(low, high);
            }
            let each = ((self.high - self.low) / 8.0).ceil() as i32;
            let powers = (self.low - 1e-9).ceil() as i32..=(self.high + 1e-9).floor() as i32;
            return powers.step_by(each as usize).map(|power| 10f64.powi(power)).collect();
        }
        let rough = (self.high - self.low) / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let round = [1.0, 2.0, 5.0, 10.0].into_iter().find(|round| round * power >= rough);
        let each = round.unwrap_or(10.0) * power;
        let first = (self.low / each).ceil() as i64;
        let ticks = (first..).map(|n| n as f64 * each);
        ticks.take_while(|&tick| tick <= self.high + each * 1e-9).collect()
    }
}

/// 1, 2 and 5 times powers of ten, from one value to another.
fn round_numbers(low: f64, high: f64) -> Vec<f64> {
    let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
    let numbers = powers.flat_map(|power| [1.0, 2.0, 5.0].map(|round| round * 10f64.powi(power)));
    numbers.filter(|number| (0.999_999 * low..=1.000_001 * high).contains(number)).collect()
}

impl Plot<'_> {
    /// The picture, with a white ground.
    pub fn svg(&self) -> String {
        let has_bars = !self.labels.is_empty();
        let is_aslant = self.is_aslant();
        let bottom = HEIGHT - BELOW - if is_aslant { ASLANT - LEGEND } else { 0.0 };
        let top = MARGIN + LEGEND * self.series.len().div_ceil(2) as f64;
        let right = WIDTH - MARGIN;
        let [mut across, mut up] = match self.range {
            Some(range) => [range, range],
            None => [self.span(|&(x, _)| x), self.span(|&(_, y)| y)],
        };
        if has_bars {
            across = [-0.5, self.labels.len() as f64 - 0.5];
            up = if self.is_log[1] { up } else { [up[0].min(0.0), up[1].max(0.0)] };
        }
        let x = Axis::new(across, self.is_log[0] && !has_bars, [LEFT, right]);
        let y = Axis::new(up, self.is_log[1], [bottom, top]);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
             <text x=\"{LEFT}\" y=\"18\" font-weight=\"bold\">{}</text>\n",
            escaped(self.title)
        );
        for tick in y.ticks() {
            let at = y.at(tick);
            let _ = writeln!(
                svg,
                "<path d=\"M{LEFT} {at:.1} H{right}\" stroke=\"#ddd\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                at + 4.0,
                short(tick)
            );
        }
        match has_bars {
            true => self.name_bars(&x, bottom, is_aslant, &mut svg),
            false => {
                for tick in x.ticks() {
                    let (at, below) = (x.at(tick), bottom + 16.0);
                    let _ = writeln!(
                        svg,
                        "<text x=\"{at:.1}\" y=\"{below:.1}\" text-anchor=\"middle\">{}</text>",
                        short(tick)
                    );
                }
            }
        }
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {top} V{bottom} H{right}\" fill=\"none\" stroke=\"#888\"/>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
             <text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            (LEFT + right) / 2.0,
            HEIGHT - 10.0,
            escaped(self.axes[0]),
            (top + bottom) / 2.0,
            escaped(self.axes[1])
        );
        for (index, series) in self.series.iter().enumerate() {
            let colour = self.colour(index);
            match has_bars {
                true => self.draw_bars(index, colour, &x, &y, &mut svg),
                false => series.draw_line(colour, &x, &y, &mut svg),
            }
            legend(index, series, colour, has_bars, &mut svg);
        }
        svg + "</svg>\n"
    }

    /// Whether the names of bars are too long to stand beside each other.
    fn is_aslant(&self) -> bool {
        let longest = self.labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
        let room = (WIDTH - MARGIN - LEFT) / self.labels.len().max(1) as f64;
        CHARACTER * longest as f64 > room
    }

    /// The colour of a series. What is only compared with has that of the next one, which it mostly belongs to.
    fn colour(&self, index: usize) -> &'static str {
        let before = self.series.iter().take(index).filter(|series| !series.is_dashed).count();
        COLOURS[before % COLOURS.len()]
    }

    /// The least and the most of the points.
    fn span(&self, of: impl Fn(&(f64, f64)) -> f64) -> [f64; 2] {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        let values = self.series.iter().flat_map(|series| series.points.iter().map(&of));
        values.for_each(|value| (low, high) = (low.min(value), high.max(value)));
        if low < high { [low, high] } else { [low.min(0.0), high.max(0.0) + 1.0] }
    }

    fn name_bars(&self, x: &Axis, bottom: f64, is_aslant: bool, svg: &mut String) {
        for (index, label) in self.labels.iter().enumerate() {
            let (at, label) = (x.at(index as f64), escaped(label));
            let _ = match is_aslant {
                true => writeln!(
                    svg,
                    "<text transform=\"translate({:.1} {:.1}) rotate(-40)\" \
                     text-anchor=\"end\" font-size=\"11\">{label}</text>",
                    at + 4.0,
                    bottom + 12.0
                ),
                false => writeln!(
                    svg,
                    "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
                    bottom + 16.0
                ),
            };
        }
    }

    fn draw_bars(&self, index: usize, colour: &str, x: &Axis, y: &Axis, svg: &mut String) {
        let width = 0.8 / self.series.len() as f64;
        let foot = if y.is_log { y.place[0] } else { y.at(0.0) };
        let series = &self.series[index];
        let fill = if series.is_dashed { "0.35" } else { "0.9" };
        for &(name, value) in &series.points {
            let begin = x.at(name - 0.4 + width * index as f64);
            let end = x.at(name - 0.4 + width * (index + 1) as f64);
            let (top, below) = (y.at(value).min(foot), y.at(value).max(foot));
            let _ = writeln!(
                svg,
                "<rect x=\"{begin:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" \
                 fill=\"{colour}\" fill-opacity=\"{fill}\" stroke=\"{colour}\"/>",
                end - begin,
                (below - top).max(0.5)
            );
        }
    }
}

impl Series {
    fn draw_line(&self, colour: &str, x: &Axis, y: &Axis, svg: &mut String) {
        let places: Vec<[f64; 2]> = self.points.iter().map(|&(a, b)| [x.at(a), y.at(b)]).collect();
        let points: Vec<String> = places.iter().map(|[a, b]| format!("{a:.1},{b:.1}")).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{}/>",
            points.join(" "),
            self.dash()
        );
        // With many points, dots would hide the line.
        if places.len() <= 60 {
            for [a, b] in places {
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{a:.1}\" cy=\"{b:.1}\" r=\"3\" fill=\"{colour}\"/>"
                );
            }
        }
    }

    fn dash(&self) -> &'static str {
        if self.is_dashed { " stroke-dasharray=\"5 4\"" } else { "" }
    }
}

/// The name of a series above the plot, two in a row.
fn legend(index: usize, series: &Series, colour: &str, has_bars: bool, svg: &mut String) {
    if series.name.is_empty() {
        return;
    }
    let column = (WIDTH - LEFT - MARGIN) / 2.0;
    let begin = LEFT + column * (index % 2) as f64;
    let line = MARGIN + LEGEND * (index / 2) as f64;
    let sign = match has_bars {
        true => format!(
            "<rect x=\"{begin}\" y=\"{}\" width=\"22\" height=\"8\" fill=\"{colour}\" \
             fill-opacity=\"{}\" stroke=\"{colour}\"/>",
            line - 6.0,
            if series.is_dashed { "0.35" } else { "0.9" }
        ),
        false => format!(
            "<path d=\"M{begin} {} h22\" stroke=\"{colour}\" stroke-width=\"2\"{}/>",
            line - 2.0,
            series.dash()
        ),
    };
    let _ = writeln!(
        svg,
        "{sign}<text x=\"{}\" y=\"{}\">{}</text>",
        begin + 28.0,
        line + 2.0,
        escaped(&series.name)
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn short(value: f64) -> String {
    let trimmed = |text: String| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    };
    match value.abs() {
        1e9.. => format!("{value:.0e}"),
        1e6.. => trimmed(format!("{:.1}", value / 1e6)) + " M",
        1e4.. => trimmed(format!("{:.1}", value / 1e3)) + " k",
        100.0.. => format!("{value:.0}"),
        1.0.. => trimmed(format!("{value:.2}")),
        0.0001.. => trimmed(format!("{value:.4}")),
        0.0 => "0".to_string(),
        _ => format!("{value:.0e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(points: &[(f64, f64)]) -> Series {
        Series { name: "a < b".to_string(), points: points.to_vec(), is_dashed: false }
    }

    #[test]
    fn ticks_are_round_numbers_within_the_range() {
        let axis = Axis::new([3.0, 47.0], false, [0.0, 100.0]);
        assert_eq!(axis.ticks(), [10.0, 20.0, 30.0, 40.0]);
        let axis = Axis::new([3.0, 4_700.0], true, [0.0, 100.0]);
        assert_eq!(axis.ticks(), [10.0, 100.0, 1000.0]);
        assert!((axis.at(100.0) - 50.0).abs() < 1e-9, "{}", axis.at(100.0));
        let axis = Axis::new([3_000.0, 24_000.0], true, [0.0, 100.0]);
        assert_eq!(axis.ticks(), [2e3, 5e3, 1e4, 2e4, 5e4]);
        assert!(axis.at(2e3).abs() < 1e-9 && (axis.at(5e4) - 100.0).abs() < 1e-9);
    }

    #[test]
    fn a_plot_without_a_point_or_with_one_is_still_a_picture() {
        for points in [&[][..], &[(0.0, 0.0)]] {
            let plot = Plot { series: vec![series(points)], ..Plot::default() };
            let svg = plot.svg();
            assert!(svg.contains("a &lt; b") && !svg.contains("NaN"), "{svg}");
        }
    }

    #[test]
    fn bars_stand_beside_each_other_under_their_names() {
        let both = vec![series(&[(0.0, 2.0), (1.0, 3.0)]), series(&[(0.0, 1.0), (1.0, 5.0)])];
        let labels = vec!["one".to_string(), "two".to_string()];
        let svg = Plot { series: both, labels, ..Plot::default() }.svg();
        // The ground, two signs of the legend, four bars.
        assert_eq!(svg.matches("<rect").count(), 7);
        assert!(svg.contains(">one</text>") && svg.contains(">two</text>"));
    }

    #[test]
    fn long_names_of_bars_are_written_aslant() {
        let with = |label: &str| {
            let points: Vec<(f64, f64)> = (0..8).map(|bar| (f64::from(bar), 1.0)).collect();
            let labels = vec![label.to_string(); 8];
            Plot { series: vec![series(&points)], labels, ..Plot::default() }.svg()
        };
        let aslant = |svg: &str| svg.matches("rotate(-40)").count();
        assert_eq!((aslant(&with("short")), aslant(&with("whole turns, history"))), (0, 8));
    }
}
