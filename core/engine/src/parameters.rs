use thiserror::Error;

use crate::MemoryError;

/// A parameter of an engine, declared once: from here it becomes an option of the engine, a line of
/// `tusk engines` and a range for tuning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name, as in `--set name=value`.
    pub name: &'static str,
    /// What it can be.
    pub kind: Kind,
    /// What it does, in a line.
    pub about: &'static str,
}

/// What a parameter can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A whole number.
    Number {
        /// What it is without being set.
        default: i32,
        /// The least it can be.
        least: i32,
        /// The most it can be.
        most: i32,
    },
    /// The content of a file, such as a model; without one, the engine has its own.
    File,
}

/// Why a parameter was not set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParameterError {
    /// There is none of that name.
    #[error("there is no such parameter")]
    Unknown,
    /// The value is no number or outside the range.
    #[error("{name} is a whole number from {least} to {most}")]
    OutOfRange {
        /// The parameter.
        name: &'static str,
        /// The least it can be.
        least: i32,
        /// The most it can be.
        most: i32,
    },
    /// The value was one of an earlier version.
    #[error("{name} is no longer there: {remedy}")]
    Gone {
        /// The parameter with its value.
        name: &'static str,
        /// What to set instead.
        remedy: &'static str,
    },
    /// A seed is no whole number.
    #[error("seed is a whole number, 0 or more")]
    Seed,
    /// There is not so much memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The file cannot be read, or is not what the engine takes.
    #[error("{name}: {path}: {fault}")]
    File {
        /// The parameter.
        name: &'static str,
        /// The file.
        path: String,
        /// What is wrong with it.
        fault: String,
    },
}

impl Parameter {
    /// A number with its default and its range.
    pub const fn number(
        name: &'static str,
        default: i32,
        (least, most): (i32, i32),
        about: &'static str,
    ) -> Parameter {
        Parameter { name, kind: Kind::Number { default, least, most }, about }
    }

    /// The content of a file.
    pub const fn file(name: &'static str, about: &'static str) -> Parameter {
        Parameter { name, kind: Kind::File, about }
    }

    /// The same parameter with another default, if it is a number.
    pub fn with_default(self, value: i32) -> Parameter {
        match self.kind {
            Kind::Number { least, most, .. } => {
                Parameter { kind: Kind::Number { default: value, least, most }, ..self }
            }
            Kind::File => self,
        }
    }

    /// What it is without being set, if it is a number.
    pub fn default_number(&self) -> Option<i32> {
        match self.kind {
            Kind::Number { default, .. } => Some(default),
            Kind::File => None,
        }
    }

    /// The least and the most it can be, if it is a number.
    pub fn range(&self) -> Option<(i32, i32)> {
        match self.kind {
            Kind::Number { least, most, .. } => Some((least, most)),
            Kind::File => None,
        }
    }

    /// Reads a number that it can be.
    pub fn parse_number(&self, value: &str) -> Result<i32, ParameterError> {
        let Kind::Number { least, most, .. } = self.kind else {
            return Err(ParameterError::Unknown);
        };
        let number = value.trim().parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or(ParameterError::OutOfRange { name: self.name, least, most })
    }
}

/// Declares a set of parameters: a struct of numbers with their defaults, ranges and reasons.
///
/// ```
/// engine::parameters! {
///     /// What a cook can change.
///     pub struct Recipe {
///         salt: 3, 0..=10, "pinches; 3 is what most people like";
///     }
/// }
/// let mut recipe = Recipe::default();
/// recipe.set("salt", "4").unwrap();
/// assert_eq!(recipe.salt, 4);
/// assert_eq!(recipe.set("salt", "11").unwrap_err().to_string(), "salt is a whole number from 0 to 10");
/// ```
#[macro_export]
macro_rules! parameters {
    (
        $(#[$attribute:meta])*
        pub struct $set:ident {
            $($name:ident: $default:expr, $least:literal..=$most:literal, $about:literal;)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $set {
            $(#[doc = $about] pub $name: i32,)*
        }

        impl Default for $set {
            fn default() -> $set {
                $set { $($name: $default,)* }
            }
        }

        impl $set {
            /// What there is to set.
            pub const DECLARED: &'static [$crate::Parameter] = &[$(
                $crate::Parameter::number(stringify!($name), $default, ($least, $most), $about),
            )*];

            /// The set with each value that is given, and the defaults of the others.
            pub fn from_values(value: impl Fn(&'static str) -> Option<i32>) -> $set {
                $set { $($name: value(stringify!($name)).unwrap_or($default),)* }
            }

            /// Each parameter's name and value.
            pub fn values(&self) -> impl Iterator<Item = (&'static str, i32)> {
                [$((stringify!($name), self.$name),)*].into_iter()
            }

            /// Sets a parameter by its name.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), $crate::ParameterError> {
                let declared = Self::DECLARED.iter().find(|declared| declared.name == name);
                let declared = declared.ok_or($crate::ParameterError::Unknown)?;
                let field = match name {
                    $(stringify!($name) => &mut self.$name,)*
                    _ => return Err($crate::ParameterError::Unknown),
                };
                *field = declared.parse_number(value)?;
                Ok(())
            }
        }
    };
}
