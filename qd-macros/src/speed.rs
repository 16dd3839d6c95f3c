//! How long the macro takes for a kernel of a thousand lines, without rustc.
use std::fmt::Write;
use std::time::Instant;

use proc_macro2::TokenStream;

use crate::kernel;

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

/// It measures, but holds nobody to the figure: `cargo test -p qd-macros a_thousand_lines -- --nocapture` shows it. Tests
/// aren't optimised, as the macro isn't in a debug build.
#[test]
fn a_thousand_lines_expand() -> Result<(), proc_macro2::LexError> {
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
    let taken = (0..4).map(|_| expand()).min();
    println!("{} lines expand in {:.1?}", source.lines().count(), taken.unwrap_or_default());
    Ok(())
}
