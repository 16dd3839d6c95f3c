//! The canonical bytes and the text of compare-and-exchange.
use std::collections::BTreeSet;

use qd_ir::canonical::encode;
use qd_ir::text::parse;

/// All that a compare-and-exchange has is in its bytes and in its text.
#[test]
fn a_compare_exchange_is_encoded_whole() {
    let task = |stmt: &str| {
        parse(&format!(
            "task serial {{ array a0: &mut NdArray<[8 align 4: u32 at 0, u32 at 4], 1>
             array a1: &mut NdArray<[8 align 4: u32 at 0, u32 at 4], 1> site s0: index a0
             body {{ v0: usize = const 1 v1: usize = const 2 v2: u32 = const 3 v3: u32 = const 4 v4: u32 = {stmt} }} }}"
        ))
        .unwrap_or_else(|error| panic!("{error}"))
    };
    let bytes = |stmt| encode(&task(stmt)).iter().map(|b| format!("{b:02x}")).collect::<String>();
    let variants = [
        "compare_exchange a0[v0].1 v2 v3 !s0",
        "compare_exchange a1[v0].1 v2 v3 !s0",
        "compare_exchange a0[v1].1 v2 v3 !s0",
        "compare_exchange a0[v0] v2 v3 !s0",
        "compare_exchange a0[v0].1 v3 v3 !s0",
        "compare_exchange a0[v0].1 v2 v2 !s0",
        "compare_exchange a0[v0].1 v2 v3",
    ];
    let all: BTreeSet<_> = variants.iter().map(|stmt| bytes(stmt)).collect();
    assert_eq!(all.len(), variants.len());
    for stmt in variants {
        let text = task(stmt).to_string();
        assert!(text.contains(&format!("v4: u32 = {stmt}\n")), "{text}");
    }
    assert!(bytes(variants[0]).ends_with("18040001000100020301"), "{}", bytes(variants[0]));
}
