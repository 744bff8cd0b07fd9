use thiserror::Error;

use guard::MemoryError;

/// A parameter of an engine, declared once: from here it becomes an option of the engine, a line of
/// `tusk engines` and a range for tuning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name, as in `--set name=value`.
    pub name: &'static str,
    /// Its type, default and range.
    pub kind: Kind,
    /// What it does, in a line.
    pub about: &'static str,
    /// Other parameters that must be set to a value for this one to count.
    pub needs: &'static [(&'static str, i32)],
}

/// The type of a parameter, with its default and range. Every value but a file is kept as an `i32`: a switch as 0 or 1, a
/// choice as the index of its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// On or off.
    Switch {
        /// The default.
        default: bool,
    },
    /// One of several names.
    Choice {
        /// The index of the default.
        default: i32,
        /// The names, in the order of their indices.
        names: &'static [&'static str],
    },
    /// A whole number.
    Number {
        /// The default.
        default: i32,
        /// The least value.
        least: i32,
        /// The greatest value.
        most: i32,
        /// The unit, such as `steps` or `percent`; empty if it is a plain number.
        unit: &'static str,
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
    /// The value of a switch is neither on nor off.
    #[error("{name} is a switch: write {name}=true or {name}=false")]
    NoSwitch {
        /// The parameter.
        name: &'static str,
    },
    /// The value is none of the names of a choice.
    #[error("{name} is one of: {}", .names.join(", "))]
    NoChoice {
        /// The parameter.
        name: &'static str,
        /// The names that it can have.
        names: &'static [&'static str],
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
    /// A parameter of that type.
    pub const fn new(name: &'static str, kind: Kind, about: &'static str) -> Parameter {
        Parameter { name, kind, about, needs: &[] }
    }

    /// A number with its default and its range.
    pub const fn number(
        name: &'static str,
        default: i32,
        (least, most): (i32, i32),
        about: &'static str,
    ) -> Parameter {
        Parameter::new(name, Kind::Number { default, least, most, unit: "" }, about)
    }

    /// The content of a file.
    pub const fn file(name: &'static str, about: &'static str) -> Parameter {
        Parameter::new(name, Kind::File, about)
    }

    /// The same parameter, which counts only beside others with these values.
    pub const fn with_needs(self, needs: &'static [(&'static str, i32)]) -> Parameter {
        Parameter { needs, ..self }
    }

    /// The same parameter with another default. A file has none.
    pub fn with_default(self, value: i32) -> Parameter {
        let kind = match self.kind {
            Kind::Switch { .. } => Kind::Switch { default: value != 0 },
            Kind::Choice { names, .. } => Kind::Choice { default: value, names },
            Kind::Number { least, most, unit, .. } => {
                Kind::Number { default: value, least, most, unit }
            }
            Kind::File => Kind::File,
        };
        Parameter { kind, ..self }
    }

    /// The default as a number. A file has none.
    pub fn default_number(&self) -> Option<i32> {
        match self.kind {
            Kind::Switch { default } => Some(default.into()),
            Kind::Choice { default, .. } | Kind::Number { default, .. } => Some(default),
            Kind::File => None,
        }
    }

    /// The least and the greatest value as numbers. A file has none.
    pub fn range(&self) -> Option<(i32, i32)> {
        match self.kind {
            Kind::Switch { .. } => Some((0, 1)),
            Kind::Choice { names, .. } => Some((0, names.len() as i32 - 1)),
            Kind::Number { least, most, .. } => Some((least, most)),
            Kind::File => None,
        }
    }

    /// Reads a value: `true`, `puct` or `40`. Switches and choices are also read as the numbers that they had before they
    /// had types.
    pub fn parse_number(&self, value: &str) -> Result<i32, ParameterError> {
        let (name, value) = (self.name, value.trim());
        let within =
            |least, most| value.parse().ok().filter(|number: &i32| (least..=most).contains(number));
        match self.kind {
            Kind::Switch { .. } => match value {
                "true" | "on" => Ok(1),
                "false" | "off" => Ok(0),
                _ => within(0, 1).ok_or(ParameterError::NoSwitch { name }),
            },
            Kind::Choice { names, .. } => {
                let named = names.iter().position(|&known| known == value);
                let index = named.map(|index| index as i32);
                let last = names.len() as i32 - 1;
                let found = index.or_else(|| within(0, last));
                found.ok_or(ParameterError::NoChoice { name, names })
            }
            Kind::Number { least, most, .. } => {
                within(least, most).ok_or(ParameterError::OutOfRange { name, least, most })
            }
            Kind::File => Err(ParameterError::Unknown),
        }
    }

    /// A value as it is written: the reverse of [`Parameter::parse_number`].
    pub fn value_text(&self, value: i32) -> String {
        match self.kind {
            Kind::Switch { .. } => (value != 0).to_string(),
            Kind::Choice { names, .. } => {
                let name = usize::try_from(value).ok().and_then(|index| names.get(index));
                name.map_or_else(|| value.to_string(), ToString::to_string)
            }
            Kind::Number { .. } | Kind::File => value.to_string(),
        }
    }
}

/// Declares the values of a parameter that has names: an enum whose variants count from 0.
///
/// ```
/// engine::choice! {
///     /// How eggs are made.
///     pub enum Eggs {
///         /// For ten minutes.
///         Boiled = "boiled",
///         /// In a pan.
///         Fried = "fried",
///     }
/// }
/// assert_eq!(Eggs::NAMES, ["boiled", "fried"]);
/// assert_eq!(Eggs::from_number(1), Some(Eggs::Fried));
/// ```
#[macro_export]
macro_rules! choice {
    (
        $(#[$attribute:meta])*
        pub enum $choice:ident {
            $($(#[$about:meta])* $variant:ident = $name:literal,)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $choice {
            $($(#[$about])* $variant,)*
        }

        impl $choice {
            /// The names, in the order of the variants.
            pub const NAMES: &'static [&'static str] = &[$($name,)*];

            /// The variant of an index.
            pub fn from_number(index: i32) -> Option<$choice> {
                let all = [$($choice::$variant,)*];
                usize::try_from(index).ok().and_then(|index| all.get(index).copied())
            }
        }
    };
}

/// Declares a set of parameters: a struct with their types, defaults, ranges, units and reasons. A type is `bool` for a
/// switch, `number(least..=most unit)`, or a [`choice!`](crate::choice).
///
/// ```
/// engine::choice! {
///     /// How eggs are made.
///     pub enum Eggs {
///         /// For ten minutes.
///         Boiled = "boiled",
///         /// In a pan.
///         Fried = "fried",
///     }
/// }
/// engine::parameters! {
///     /// What a cook can change.
///     pub struct Recipe {
///         salt: number(0..=10 pinches) = 3, "3 is what most people like";
///         eggs: Eggs = Eggs::Boiled, "how eggs are made";
///         butter: bool = true, "whether the pan has butter", needs eggs = Eggs::Fried;
///     }
/// }
/// let mut recipe = Recipe::default();
/// recipe.set("salt", "4").unwrap();
/// recipe.set("eggs", "fried").unwrap();
/// assert_eq!((recipe.salt, recipe.eggs, recipe.butter), (4, Eggs::Fried, true));
/// assert_eq!(recipe.set("salt", "11").unwrap_err().to_string(), "salt is a whole number from 0 to 10");
/// assert_eq!(recipe.set("eggs", "raw").unwrap_err().to_string(), "eggs is one of: boiled, fried");
/// ```
#[macro_export]
macro_rules! parameters {
    (
        $(#[$attribute:meta])*
        pub struct $set:ident {
            $(
                $name:ident: $type:ident $(($($range:tt)*))? = $default:expr, $about:literal
                $(, needs $($need:ident = $needed:expr),+)?;
            )*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $set {
            $(#[doc = $about] pub $name: $crate::parameters!(@type $type),)*
        }

        impl Default for $set {
            fn default() -> $set {
                $set { $($name: $default,)* }
            }
        }

        impl $set {
            /// All parameters.
            pub const DECLARED: &'static [$crate::Parameter] = &[$(
                $crate::Parameter::new(
                    stringify!($name),
                    $crate::parameters!(@kind $type $(($($range)*))?, $default),
                    $about,
                )
                .with_needs(&[$($((stringify!($need), $needed as i32)),+)?]),
            )*];

            /// The set with each value that is given, and the defaults of the others.
            pub fn from_values(value: impl Fn(&'static str) -> Option<i32>) -> $set {
                $set {
                    $($name: value(stringify!($name))
                        .and_then(|number| $crate::parameters!(@read $type, number))
                        .unwrap_or($default),)*
                }
            }

            /// Each parameter's name and value as a number.
            pub fn values(&self) -> impl Iterator<Item = (&'static str, i32)> {
                [$((stringify!($name), self.$name as i32),)*].into_iter()
            }

            /// Sets a parameter by its name.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), $crate::ParameterError> {
                let declared = Self::DECLARED.iter().find(|declared| declared.name == name);
                let declared = declared.ok_or($crate::ParameterError::Unknown)?;
                let number = declared.parse_number(value)?;
                match name {
                    $(stringify!($name) => {
                        if let Some(value) = $crate::parameters!(@read $type, number) {
                            self.$name = value;
                        }
                    })*
                    _ => return Err($crate::ParameterError::Unknown),
                }
                Ok(())
            }
        }
    };

    (@type bool) => { bool };
    (@type number) => { i32 };
    (@type $choice:ident) => { $choice };

    (@kind bool, $default:expr) => { $crate::Kind::Switch { default: $default } };
    (@kind number($least:literal..=$most:literal $($unit:ident)*), $default:expr) => {
        $crate::Kind::Number {
            default: $default,
            least: $least,
            most: $most,
            unit: $crate::parameters!(@unit $($unit)*),
        }
    };
    (@kind $choice:ident, $default:expr) => {
        $crate::Kind::Choice { default: $default as i32, names: $choice::NAMES }
    };

    (@unit) => { "" };
    (@unit $unit:ident) => { stringify!($unit) };

    (@read bool, $number:expr) => { Some($number != 0) };
    (@read number, $number:expr) => { Some($number) };
    (@read $choice:ident, $number:expr) => { $choice::from_number($number) };
}
