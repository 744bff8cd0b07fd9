//! The command line as people see it: each console block of these pages is run and compared.

#[test]
fn the_command_line_answers_as_the_pages_show() {
    trycmd::TestCases::new().case("tests/cli/*.md").case("../../README.md");
}
