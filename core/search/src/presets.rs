use engine::{Kind, Parameter, Preset};

use crate::Parameters;

/// The preset `plain` of engines that search by alpha-beta.
pub const PLAIN: Preset = Preset {
    name: "plain",
    about: "every enhancement of the search switched off, to measure what each is worth",
    value: switched_off,
};

/// 0, where that switches an enhancement of alpha-beta off.
fn switched_off(declared: &Parameter) -> Option<i32> {
    let is_of_search = Parameters::DECLARED.iter().any(|own| own.name == declared.name);
    (is_of_search && is_switch(declared)).then_some(0)
}

/// Whether 0 switches something off. A parameter that is named after a switch, such as `futility_margin`, is none: without
/// the switch it has no effect. Nor is a choice without `off`, such as `parallel`.
pub fn is_switch(declared: &Parameter) -> bool {
    let is_detail = |switch: &Parameter| {
        let rest = declared.name.strip_prefix(switch.name);
        rest.is_some_and(|rest| rest.starts_with('_'))
    };
    let has_off = match declared.kind {
        Kind::Switch { .. } => true,
        Kind::Choice { names, .. } => names.first() == Some(&"off"),
        Kind::Number { least, .. } => least == 0,
        Kind::File => false,
    };
    has_off && !Parameters::DECLARED.iter().any(is_detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_switches_everything_off_and_leaves_the_details() {
        let set = |name| {
            let declared = Parameters::DECLARED.iter().find(|declared| declared.name == name);
            switched_off(declared.expect("a parameter"))
        };
        for name in ["null_move", "futility", "aspiration", "killers"] {
            assert_eq!(set(name), Some(0), "{name}");
        }
        for name in ["futility_margin", "null_move_reduction", "parallel"] {
            assert_eq!(set(name), None, "{name}");
        }
    }
}
