//! How long the macro takes for a kernel of a thousand lines, without rustc: far less than a person would notice.
use std::fmt::Write;
use std::time::{Duration, Instant};

use proc_macro2::TokenStream;

use crate::kernel;

/// Tests aren't optimised, as the macro isn't in a debug build.
const MOST: Duration = Duration::from_millis(500);

/// Loops of ten lines over structs and arrays, with calls, `match` and literals.
fn source() -> String {
    let mut text = String::from("fn k(x: &mut [f32], p: &mut [Body], n: &mut [i32], s: f32) {\n");
    for k in 0..100 {
        // Writing to a string can't fail.
        let _ = write!(
            text,
            "for i in 0..x.len() {{
                let Body {{ at, kind, .. }} = p[i];
                let mut table = [0.0, 1.5, x[i] * {k}.5 + s, mix(at[0], at[1], 0.75)];
                table[(n[i] & 3) as usize] *= 0.125;
                for j in 0..4 {{
                    x[i] += if table[j] > 1.0 {{ table[j].sqrt() }} else {{ p[i].energy() - 0.5 }};
                }}
                n[i] = match (kind, n[i] % 3) {{ (0 | 7, 0) => 1, (k @ 1..=6, r) if r > 0 => k as i32 * 3, _ => {k} }};
                p[i] = Body {{ kind: kind.wrapping_add(1), ..p[i] }};
            }}
"
        );
    }
    text + "}"
}

#[test]
fn a_thousand_lines_expand_at_once() -> Result<(), proc_macro2::LexError> {
    let source = source();
    assert!(source.lines().count() > 1000);
    let item: TokenStream = source.parse()?;
    let expand = || {
        let start = Instant::now();
        let expanded = kernel::expand(TokenStream::new(), item.clone());
        let taken = start.elapsed();
        assert!(!expanded.to_string().contains("compile_error"));
        taken
    };
    // Others may use the CPU meanwhile: the least counts.
    let taken = (0..8).map(|_| expand()).min().unwrap_or(Duration::MAX);
    println!("{} lines expand in {taken:.1?}", source.lines().count());
    assert!(taken < MOST, "{taken:?}");
    Ok(())
}
