//! How far long work has come.

use std::cell::Cell;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::output::say;

/// A bar on a terminal, nothing elsewhere: the rows tell how far it is.
pub fn bar(length: usize, what: &str) -> ProgressBar {
    let template = format!("{{bar:40}} {{pos}}/{{len}} {what}, {{eta}} left {{msg}}");
    let style = ProgressStyle::with_template(&template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length as u64).with_style(style)
}

/// Tells how far a single piece of work has come: beside the bar on a terminal, by a plain line now and then
/// elsewhere.
pub struct Teller<'a> {
    bar: &'a ProgressBar,
    last: Cell<Instant>,
}

impl<'a> Teller<'a> {
    const PAUSE: Duration = Duration::from_secs(30);

    pub fn new(bar: &'a ProgressBar) -> Teller<'a> {
        Teller { bar, last: Cell::new(Instant::now()) }
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
