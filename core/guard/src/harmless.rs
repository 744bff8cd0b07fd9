//! Text of others, made fit for a terminal.

use std::borrow::Cow;
use std::fmt::Write;

/// The text with its control characters shown as escapes such as `\u001b`. What engines, files and
/// stores say could otherwise move the cursor, change the window's title or hide what stands there. The
/// escapes are those of JSON, so that JSON stays what it is. Line ends and tabs are left.
///
/// ```
/// assert_eq!(guard::harmless("\u{1b}[2Jbest\tmove\n"), "\\u001b[2Jbest\tmove\n");
/// ```
pub fn harmless(text: &str) -> Cow<'_, str> {
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match is_harmful(letter) {
            // All of them fit into four digits. A string takes every write.
            true => drop(write!(shown, "\\u{:04x}", u32::from(letter))),
            false => shown.push(letter),
        }
    }
    Cow::Owned(shown)
}

/// Control characters, and those that change the direction of the text around them.
fn is_harmful(letter: char) -> bool {
    let is_plain = matches!(letter, '\n' | '\t');
    let turns_text = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() && !is_plain || turns_text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_other_text_is_left() {
        let plain = "Jérôme\t棋\n";
        assert!(matches!(harmless(plain), Cow::Borrowed(same) if same == plain));
        let found = harmless("a\rb\u{7}\u{7f}\u{9b}2J\u{202e}c\0");
        assert_eq!(found, "a\\u000db\\u0007\\u007f\\u009b2J\\u202ec\\u0000");
    }
}
