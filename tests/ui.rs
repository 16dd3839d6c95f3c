//! Compile-time behaviour of the macro: one rule a file, with the whole message; and programs that must compile.
#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
    cases.pass("tests/ui/pass/*.rs");
}
