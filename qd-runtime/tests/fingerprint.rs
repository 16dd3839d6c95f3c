//! The fingerprint that both build scripts compute.
#[path = "../../qd-ir/build/fingerprint.rs"]
mod fingerprint;

use std::fs;
use std::path::Path;

fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

fn of(files: &[(&str, &str)]) -> String {
    fingerprint::of(tree(files).path(), |name| name != "skipped.rs").unwrap()
}

#[test]
fn names_contents_and_nothing_else_count() {
    let base = of(&[("a.rs", "one\ntwo\n"), ("b/c.rs", "three")]);
    assert_eq!(base, of(&[("b/c.rs", "three"), ("a.rs", "one\r\ntwo\r\n")]), "line ends and order");
    assert_eq!(base, of(&[("a.rs", "one\ntwo\n"), ("b/c.rs", "three"), ("skipped.rs", "x"), ("notes.md", "x")]));
    for other in [
        of(&[("a.rs", "one\ntwo\n")]),
        of(&[("a.rs", "one\ntwo\n"), ("b/d.rs", "three")]),
        of(&[("a.rs", "one\ntwo"), ("b/c.rs", "three")]),
        of(&[("a.rs", "one\rtwo\n"), ("b/c.rs", "three")]),
        of(&[("a.rs", "one\ntwo\nb"), ("b/c.rs", "three")]),
    ] {
        assert_ne!(base, other);
    }
}

#[test]
fn a_missing_folder_is_an_error() {
    assert!(fingerprint::of(Path::new("no such folder"), |_| true).is_err());
}
