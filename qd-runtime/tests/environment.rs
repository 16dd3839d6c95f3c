//! `docs/environment.md` is the table that the code reads.
use std::fs;
use std::path::Path;

#[test]
fn the_documentation_of_the_environment_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/environment.md");
    let table = qd_runtime::config::environment::markdown();
    if std::env::var_os("QD_BLESS").is_some_and(|bless| bless == "1") {
        fs::write(&path, &table).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(written.replace("\r\n", "\n"), table, "run this test with QD_BLESS=1 and commit docs/environment.md");
}
