use std::fmt;

/// A command line that is wrong, as one can tell only when its parts are seen together: the exit
/// status is 2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongUse(pub String);

impl WrongUse {
    /// An option's value that is wrong in this game, told as values are that are wrong in any.
    pub fn value(option: &str, value: &str, fault: &str) -> WrongUse {
        let help = "For more information, try '--help'.";
        WrongUse(format!("invalid value '{value}' for '{option}': {fault}\n\n{help}"))
    }
}

impl fmt::Display for WrongUse {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WrongUse {}
