//! How far long work has come.

use std::cell::Cell;
use std::fmt::Write;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use crate::shared::output::say;

/// A bar on a terminal, nothing elsewhere: the rows tell how far it is.
pub fn bar(length: usize, what: &str) -> ProgressBar {
    bar_from(0, length, what)
}

/// The same for work of which some was done before.
pub fn bar_from(begun: usize, length: usize, what: &str) -> ProgressBar {
    let template = format!("{{bar:40}} {{pos}}/{{len}} {what}{{left}} {{msg}}");
    started(begun, length, &template)
}

/// A bar with that template (see [`style`]).
pub fn started(begun: usize, length: usize, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(length as u64).with_style(style(template, begun));
    bar.set_position(begun as u64);
    // What was done before says nothing about the speed now.
    bar.reset_eta();
    bar
}

/// A style in which `{left}` tells how long the rest takes, as soon as more is done than when it began: before that,
/// nobody knows.
fn style(template: &str, begun: usize) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("left", move |state: &ProgressState, out: &mut dyn Write| {
        // A bar that cannot be written is no reason to stop.
        let _ = out.write_str(&left(state.pos().saturating_sub(begun as u64), state.eta()));
    })
}

/// The rest of the time, if something was done that tells it.
fn left(done: u64, estimate: Duration) -> String {
    if done == 0 || estimate.is_zero() {
        return String::new();
    }
    format!(", {:#} left", HumanDuration(estimate))
}

/// Tells how far a single piece of work has come: beside the bar on a terminal, by a plain line now and then
/// elsewhere.
pub struct Teller {
    bar: ProgressBar,
    last: Cell<Instant>,
}

impl Teller {
    const PAUSE: Duration = Duration::from_secs(30);

    pub fn new(bar: &ProgressBar) -> Teller {
        Teller { bar: bar.clone(), last: Cell::new(Instant::now()) }
    }

    pub fn tell(&self, text: String) {
        if !self.bar.is_hidden() {
            self.bar.set_message(text);
        } else if self.last.get().elapsed() >= Teller::PAUSE {
            self.last.set(Instant::now());
            say!("{text}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_estimate_before_something_is_done() {
        assert_eq!(left(0, Duration::ZERO), "");
        assert_eq!(left(0, Duration::from_secs(7)), "");
        assert_eq!(left(1, Duration::ZERO), "");
        assert_eq!(left(1, Duration::from_secs(120)), ", 2m left");
    }
}
