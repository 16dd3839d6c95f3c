//! Compile-time behaviour of the macro: one rule a file, with the whole message; and programs that must compile.
#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
    cases.pass("tests/ui/pass/*.rs");
}

/// What rustc shows of qd's own items are names of `qd::rules`, and names that say what is meant.
#[test]
fn no_message_shows_an_internal_name() {
    for file in std::fs::read_dir("tests/ui").unwrap().map(|entry| entry.unwrap().path()) {
        if file.extension().is_some_and(|extension| extension == "stderr") {
            for line in std::fs::read_to_string(&file).unwrap().lines() {
                // Where rustc draws lines.
                let text = line.trim_start_matches([' ', '|', '_', '/']);
                let internal = [
                    "__qd",
                    "__Qd",
                    "__private",
                    "::data::",
                    "::launch::",
                    "_with_qd_func",
                    "_as_qd_funcs",
                    "OfTheLanguage",
                ];
                assert!(!internal.iter().any(|name| text.contains(name)), "{}: {line}", file.display());
            }
        }
    }
}
