//! Keys: every part counts, nothing else does, and they never drift unnoticed.
use std::collections::BTreeSet;
use std::process::Command;

use qd_runtime::key::{CODEGEN_FINGERPRINT, CodeOptions, KeyParts, Part};

const OPTIONS: CodeOptions = CodeOptions { opt_level: 3, fast_math: false, checks: true, debug: false };

/// A key whose every part is fixed, the fingerprint too, so that golden keys don't follow the sources.
const BASE: KeyParts<'static> = KeyParts {
    ir: b"ir",
    callees: b"callees",
    baked: b"baked",
    target: "x86_64-unknown-linux-gnu,tune=generic",
    options: OPTIONS,
    codegen: &["test fingerprint"],
    helper_abi: 1,
    context_layout: 1,
    llvm_series: "22.1",
};

/// For each part, keys that differ from the base in it alone.
fn changed() -> Vec<(Part, KeyParts<'static>)> {
    let options = |options| KeyParts { options, ..BASE };
    vec![
        (Part::Ir, KeyParts { ir: b"ir2", ..BASE }),
        (Part::Ir, KeyParts { ir: b"", ..BASE }),
        (Part::Callees, KeyParts { callees: b"", ..BASE }),
        (Part::Baked, KeyParts { baked: b"baked\0", ..BASE }),
        (Part::Target, KeyParts { target: "x86_64-unknown-linux-gnu,tune=generic,+avx2", ..BASE }),
        (Part::Options, options(CodeOptions { opt_level: 0, ..OPTIONS })),
        (Part::Options, options(CodeOptions { fast_math: true, ..OPTIONS })),
        (Part::Options, options(CodeOptions { checks: false, ..OPTIONS })),
        (Part::Options, options(CodeOptions { debug: true, ..OPTIONS })),
        (Part::Codegen, KeyParts { codegen: &["test", "fingerprint"], ..BASE }),
        (Part::Codegen, KeyParts { codegen: &["testf", "ingerprint"], ..BASE }),
        (Part::HelperAbi, KeyParts { helper_abi: 2, ..BASE }),
        (Part::ContextLayout, KeyParts { context_layout: 2, ..BASE }),
        (Part::Llvm, KeyParts { llvm_series: "23.1", ..BASE }),
    ]
}

#[test]
fn each_part_changes_the_key_and_is_named_as_the_difference() {
    let base = BASE.digests();
    let mut keys = BTreeSet::from([BASE.key()]);
    let mut rows = BTreeSet::new();
    for (part, parts) in changed() {
        assert!(keys.insert(parts.key()), "a change of {part} gives a key that was there before");
        assert_eq!(parts.diff(&base), [part]);
        rows.insert(part);
    }
    assert_eq!(rows.into_iter().collect::<Vec<_>>(), Part::ALL, "a part has no row");
}

#[test]
fn bytes_that_move_from_one_part_to_the_next_change_the_key() {
    let moved = KeyParts { ir: b"irc", callees: b"allees", ..BASE };
    assert_ne!(moved.key(), BASE.key());
    assert_eq!(moved.diff(&BASE.digests()), [Part::Ir, Part::Callees]);
    assert_ne!(KeyParts { ir: BASE.callees, callees: BASE.ir, ..BASE }.key(), BASE.key());
}

#[test]
fn golden_keys_stand() {
    // A change here orphans every cache in the world: raise `key::SCHEMA` and say so in the change log.
    let golden = [
        (BASE, "e1bb007b8825dd1a1eb80ad86673bb99c8ec23bc4b9cd450a5acf27201625531"),
        (
            KeyParts { ir: b"", callees: b"", baked: b"", target: "", codegen: &[], llvm_series: "", ..BASE },
            "5def6046edf98c4a39708ed6113a0816e52472bf1f022b5e74d1bc174dee6742",
        ),
    ];
    for (parts, key) in golden {
        assert_eq!(parts.key().to_string(), key);
        assert_eq!(parts.digests().key(), parts.key());
        assert_eq!(parts.key().symbol(), format!("qd_{key}"));
    }
}

#[test]
fn two_processes_agree() {
    const ASK: &str = "KEYS_TEST_PRINT";
    let parts = KeyParts { codegen: CODEGEN_FINGERPRINT, ..BASE };
    if std::env::var_os(ASK).is_some() {
        println!("key={}", parts.key());
        return;
    }
    let this = std::env::current_exe().unwrap();
    let child =
        Command::new(this).args(["--exact", "two_processes_agree", "--nocapture"]).env(ASK, "1").output().unwrap();
    let printed = String::from_utf8(child.stdout).unwrap();
    assert!(printed.contains(&format!("key={}", parts.key())), "{printed}");
}

#[test]
fn the_fingerprint_is_of_both_crates() {
    let [ir, runtime] = CODEGEN_FINGERPRINT else { panic!("{CODEGEN_FINGERPRINT:?}") };
    assert!(ir != runtime && [ir, runtime].iter().all(|f| f.len() == 64 && f.bytes().all(|b| b.is_ascii_hexdigit())));
}
