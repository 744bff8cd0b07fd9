//! The command line as people see it: each console block of these pages is run and compared.

#[test]
fn the_command_line_answers_as_the_pages_show() {
    // As a newcomer stands in the root of the repository.
    std::env::set_current_dir("../..").unwrap();
    let pages = trycmd::TestCases::new();
    // The defaults of whoever runs the tests are not those of the pages.
    pages.env("TUSK_CONFIG", "");
    pages.case("apps/tusk/tests/cli/*.md").case("README.md").case("docs/*.md");
}
