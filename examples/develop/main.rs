//! Develops a photograph, and says what that compiled: everything the first time, nothing from then on.
//!
//! ```text
//! cargo xtask demo            # or: cargo run --release --example develop
//! cargo xtask demo --edit     # the same with one number of one loop changed: one task is compiled
//! ```
//!
//! The kernel is in `kernel.rs`. Its code is kept in qd's cache of this user, or where `QD_OFFLINE_CACHE_FILE_PATH`
//! says.
mod darkroom;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use darkroom::Darkroom;
use qd::prelude::*;

/// The program as it is.
#[path = ""]
mod original {
    /// Slope of the tone curve in the middle; 1 changes nothing.
    const CONTRAST: f32 = 1.25;
    #[path = "kernel.rs"]
    pub mod kernel;
}

/// The program after an edit of one number.
#[path = ""]
mod edited {
    const CONTRAST: f32 = 1.5;
    #[allow(clippy::duplicate_mod)] // the same text with another constant is the point
    #[path = "kernel.rs"]
    pub mod kernel;
}

/// Mean and greatest luminance.
#[qd::kernel]
fn exposure(light: &NdArray<f32, 2>) -> (f32, f32) {
    let mut sum = 0.0;
    let mut most = 0.0f32;
    for (y, x) in light.indices() {
        sum += light[[y, x]];
        most = most.max(light[[y, x]]);
    }
    (sum / light.len() as f32, most)
}

/// The greatest difference between two pictures.
#[qd::kernel]
fn difference(a: &[u8], b: &[u8]) -> u8 {
    let mut most = 0;
    for i in 0..a.len() {
        most = most.max(a[i].abs_diff(b[i]));
    }
    most
}

fn main() -> Result<(), Box<dyn Error>> {
    let Arguments { edit, out } = Arguments::parse()?;
    let photo = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/grace_hopper.png");
    let mut room = Darkroom::open(&photo)?;
    let mut by_rustc = room.clone();

    // A kernel is a function like any other: it can be called, and it can be pointed to.
    type Develop = fn(&mut Darkroom) -> (usize, usize);
    let (develop, native, observations): (Develop, Develop, fn() -> qd::Observations) = if edit {
        (edited::kernel::compiled, edited::kernel::native, edited::kernel::observations)
    } else {
        (original::kernel::compiled, original::kernel::native, original::kernel::observations)
    };
    let (black, white) = timed("first launch, with what had to be compiled", || develop(&mut room));
    timed("second launch", || develop(&mut room));
    timed("the same function compiled by rustc, on one thread", || native(&mut by_rustc));

    let off = difference(room.print.as_slice(), by_rustc.print.as_slice());
    if off != 0 {
        return Err(format!("the print differs from the one by rustc's code, by up to {off} of 255").into());
    }
    let (mean, most) = exposure(&room.light);
    let [height, width] = room.edges.shape();
    println!(
        "\n{width} × {height}: black point {black}, white point {white}, light {mean:.3} on average, {most:.3} at most"
    );
    room.save(&out)?;
    println!("pictures: {}, {}\n", out.join("print.png").display(), out.join("edges.png").display());

    let all = [observations(), exposure.observations(), difference.observations()];
    all.iter().for_each(|of_kernel| println!("{of_kernel}"));
    let sum = |counter: fn(&qd::Observations) -> i64| all.iter().map(counter).sum::<i64>();
    println!(
        "tasks_total={} tasks_cache_hit={} tasks_recompiled={}",
        sum(|of| of.tasks_total),
        sum(|of| of.tasks_cache_hit),
        sum(|of| of.tasks_recompiled)
    );
    Ok(())
}

/// Runs something and prints how long it took.
fn timed<T>(what: &str, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let value = run();
    println!("{:9.3} ms  {what}", start.elapsed().as_secs_f64() * 1e3);
    value
}

/// The command line.
struct Arguments {
    edit: bool,
    out: PathBuf,
}

impl Arguments {
    fn parse() -> Result<Arguments, String> {
        let mut parsed = Arguments { edit: false, out: Path::new("target").join("demo") };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            match word.as_str() {
                "--edit" => parsed.edit = true,
                "--out" => parsed.out = words.next().ok_or("--out needs a directory")?.into(),
                _ => return Err(format!("{word}: there are only --edit and --out DIR")),
            }
        }
        Ok(parsed)
    }
}
