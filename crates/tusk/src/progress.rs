//! How far long work has come.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on a terminal, nothing elsewhere: the rows tell how far it is.
pub fn bar(length: usize, what: &str) -> ProgressBar {
    let template = format!("{{bar:40}} {{pos}}/{{len}} {what}, {{eta}} left {{msg}}");
    let style = ProgressStyle::with_template(&template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length as u64).with_style(style)
}
