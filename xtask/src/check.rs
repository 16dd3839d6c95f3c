//! `cargo xtask bench check`: what kernels cost `cargo check`, beside the same functions without the attributes.
//!
//! Two functions of a thousand lines: a plain one of arithmetic over arrays, and a rich one with structs, methods, calls,
//! literals and `match`. Each is checked as a kernel and as the function it is without qd's attributes, in turns, in a crate
//! whose dependencies are built; the least of the times counts. How long the macro alone takes is a test of its own in
//! `qd-macros`, which runs it without rustc.
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::process::{Result, cargo, workspace};

/// Lines of a function.
const LINES: usize = 1000;
/// Times that each is checked.
const ROUNDS: usize = 15;

/// Measures and prints a table.
pub(crate) fn run() -> Result {
    let root = workspace().join("target/check-cost");
    fs::create_dir_all(root.join("src"))?;
    fs::write(
        root.join("Cargo.toml"),
        format!(
            "[package]\nname = \"check-cost\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
             [dependencies]\nqd = {{ path = {:?} }}\n\n[profile.dev]\nincremental = false\n\n[workspace]\n",
            workspace()
        ),
    )?;
    fs::copy(workspace().join("Cargo.lock"), root.join("Cargo.lock"))?;
    println!("| {LINES} lines | native body | kernel | ratio |\n|---|--:|--:|--:|");
    let empty = least(&root, [""])?[0];
    for (name, kernel) in
        [("plain: arithmetic over arrays", plain()), ("rich: structs, methods, calls, `match`", rich())]
    {
        let native = without_attributes(&kernel);
        let [native, kernel] = least(&root, [&native, &kernel])?;
        println!("| {name} | {native:.2?} | {kernel:.2?} | {:.2} |", kernel.as_secs_f64() / native.as_secs_f64());
    }
    println!("\nA crate with neither is checked in {empty:.2?}, which all times hold.");
    Ok(())
}

/// The least time in which each source is checked.
fn least<const N: usize>(root: &Path, sources: [&str; N]) -> Result<[Duration; N]> {
    let mut least = [Duration::MAX; N];
    // The first round builds the dependencies.
    for round in 0..=ROUNDS {
        for (source, least) in sources.iter().zip(&mut least) {
            fs::write(root.join("src/lib.rs"), format!("#![allow(warnings)]\nuse qd::prelude::*;\n{source}"))?;
            let start = Instant::now();
            let status = cargo(["check", "--quiet"]).current_dir(root).stdin(Stdio::null()).status()?;
            let taken = start.elapsed();
            if !status.success() {
                return Err("the source that is measured can't be checked".into());
            }
            if round > 0 {
                *least = taken.min(*least);
            }
        }
    }
    Ok(least)
}

/// The source without qd's attributes.
fn without_attributes(source: &str) -> String {
    let ours = |line: &&str| !line.trim_start().starts_with("#[qd::");
    source.lines().filter(ours).map(|line| line.replace(", qd::Data)]", ")]") + "\n").collect()
}

/// Loops of a few lines each over arrays.
fn plain() -> String {
    let mut text = String::from("#[qd::kernel]\npub fn plain(x: &mut [f32], y: &[f32], n: &mut [i32], s: f32) {\n");
    for k in 0..LINES / 10 {
        // Writing to a string can't fail.
        let _ = write!(
            text,
            "    for i in 0..x.len() {{
        let a = x[i] * {k}.5 + s;
        let b = (a - y[i]).abs().sqrt();
        let mut c = a * b - 0.25;
        if c > 1.0 {{
            c = c / 2.0 + y[i];
        }}
        x[i] = c.max(a) * 0.5 + b;
        n[i] = n[i] * 3 + {k} - (c as i32 & 7);
    }}
"
        );
    }
    text.push_str("}\n");
    text
}

/// Structs, methods, calls, `match` and many literals.
fn rich() -> String {
    let mut text = String::from(
        "#[derive(Clone, Copy, PartialEq, Debug, qd::Data)]
pub struct Body {
    at: [f32; 3],
    speed: (f32, f32),
    kind: u8,
}
#[qd::funcs]
impl Body {
    fn energy(&self) -> f32 {
        self.speed.0 * self.speed.0 + self.at[1] * 9.81
    }
    fn push(&mut self, by: f32) {
        self.speed.0 += by;
        self.at[0] += self.speed.0 * 0.5;
    }
}
#[qd::func]
fn mix(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}
#[qd::func]
fn weight<T: qd::Float>(v: T, scale: T) -> T {
    v * scale + T::ONE
}
#[qd::kernel]
pub fn rich(p: &mut [Body], e: &mut NdArray<f32>, counts: &mut [u64], dt: f32) -> f32 {
    let mut most = 0.0f32;
",
    );
    for k in 0..LINES / 20 {
        let _ = write!(
            text,
            "    for i in 0..p.len() {{
        let mut body = p[i];
        body.push(dt * {k}.25);
        let Body {{ at, kind, .. }} = body;
        let (low, high) = (at[0].min(at[1]), at[0].max(at[1]));
        let level = match (kind, counts[i] % 3) {{
            (0 | 7, 0) => 1.0,
            (n @ 1..=6, r) if r != {} => n as f32 * 0.5,
            (_, 2) => 3.5,
            _ => mix(low, high, 0.75),
        }};
        let mut table = [0.0, 1.5, level, weight(level, 2.0)];
        table[(counts[i] % 4) as usize] *= 0.125;
        for j in 0..4 {{
            body.at[j % 3] += table[j] - 0.5;
        }}
        counts[i] += (level as u64) << 2 ^ {k};
        p[i] = Body {{ kind: kind.wrapping_add(1), ..body }};
        most = most.max(p[i].energy());
    }}
",
            k % 3
        );
    }
    text.push_str("    most\n}\n");
    text
}
