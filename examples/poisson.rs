//! Conjugate gradients for Poisson's equation: how far a square membrane sags under an even load.
//!
//! ```text
//! cargo run --release --example poisson
//! ```
//!
//! The solver is one launch. Its `while` is decided between the parallel loops, by what they summed up.
use std::error::Error;
use std::path::Path;

use image::GrayImage;
use qd::prelude::*;

/// The operator at one point of a grid whose border is held at zero, with distance 1 between its points.
#[qd::func]
fn laplace(u: &NdArray<f64, 2>, y: usize, x: usize) -> f64 {
    4.0 * u[[y, x]] - u[[y - 1, x]] - u[[y + 1, x]] - u[[y, x - 1]] - u[[y, x + 1]]
}

/// Solves for `u`, from zero on, until the residual has shrunk by `shrink`; gives the number of rounds, at most `limit`.
/// `rest` is the right-hand side, and the residual afterwards.
#[qd::kernel]
fn solve(
    u: &mut NdArray<f64, 2>,
    rest: &mut NdArray<f64, 2>,
    way: &mut NdArray<f64, 2>,
    image: &mut NdArray<f64, 2>,
    shrink: f64,
    limit: u32,
) -> u32 {
    let [rows, columns] = u.shape();
    let mut square = 0.0;
    for (y, x) in ndrange([1..rows - 1, 1..columns - 1]) {
        u[[y, x]] = 0.0;
        way[[y, x]] = rest[[y, x]];
        square += rest[[y, x]] * rest[[y, x]];
    }
    let enough = square * shrink * shrink;
    let mut rounds = 0;
    while square > enough && rounds < limit {
        let mut curvature = 0.0;
        for (y, x) in ndrange([1..rows - 1, 1..columns - 1]) {
            image[[y, x]] = laplace(&way, y, x);
            curvature += way[[y, x]] * image[[y, x]];
        }
        let length = square / curvature;
        let before = square;
        square = 0.0;
        for (y, x) in ndrange([1..rows - 1, 1..columns - 1]) {
            u[[y, x]] += length * way[[y, x]];
            rest[[y, x]] -= length * image[[y, x]];
            square += rest[[y, x]] * rest[[y, x]];
        }
        let turn = square / before;
        for (y, x) in ndrange([1..rows - 1, 1..columns - 1]) {
            way[[y, x]] = rest[[y, x]] + turn * way[[y, x]];
        }
        rounds += 1;
    }
    rounds
}

/// The solution for `load` inside a square of `n` by `n` points and their border, and the number of rounds.
fn membrane(n: usize, load: impl FnMut([usize; 2]) -> f64) -> (NdArray<f64, 2>, u32) {
    let shape = [n + 2, n + 2];
    let (mut u, mut way, mut image) = (NdArray::zeros(shape), NdArray::zeros(shape), NdArray::zeros(shape));
    let mut rest = NdArray::from_fn(shape, load);
    let rounds = solve(&mut u, &mut rest, &mut way, &mut image, 1e-9, 10_000);
    (u, rounds)
}

fn main() -> Result<(), Box<dyn Error>> {
    let solution = |n: usize| {
        let h = 1.0 / (n + 1) as f64;
        membrane(n, |_| h * h)
    };
    for n in [31, 63, 127, 255] {
        let (u, rounds) = solution(n);
        println!("{n:3} points a side: {rounds:3} rounds, {:.7} in the middle", u[[n.div_ceil(2), n.div_ceil(2)]]);
    }
    println!("\n{}", solve.observations());

    // Darker the deeper it sags, with a line at every tenth of the greatest depth.
    let (u, _) = solution(255);
    let deepest = u[[128, 128]];
    let picture = GrayImage::from_fn(257, 257, |x, y| {
        let tenths = 10.0 * u[[y as usize, x as usize]] / deepest;
        let line = tenths > 0.5 && (tenths - tenths.round()).abs() < 0.05;
        [if line { 255 } else { (230.0 - 20.0 * tenths) as u8 }].into()
    });
    let folder = Path::new("target").join("demo");
    std::fs::create_dir_all(&folder)?;
    let out = folder.join("poisson.png");
    picture.save(&out)?;
    println!("picture: {}", out.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The series of sines for the unit square gives 0.0736713 in its middle.
    #[test]
    fn the_middle_sags_by_the_known_depth() {
        let middle = |n: usize| membrane(n, |_| ((n + 1) as f64).powi(-2)).0[[n.div_ceil(2), n.div_ceil(2)]];
        let (coarse, fine) = (middle(31), middle(63));
        assert!((fine - 0.073_671_35).abs() < 2e-5, "{fine}");
        // Twice as fine is four times as good; what's left is for extrapolation.
        assert!((fine + (fine - coarse) / 3.0 - 0.073_671_35).abs() < 1e-7, "{coarse} and {fine}");
    }

    /// In exact arithmetic there are as many rounds as the load has modes of different stiffness.
    #[test]
    fn as_many_modes_as_rounds() {
        let n = 40;
        let angle = std::f64::consts::PI / (n + 1) as f64;
        let modes = [(1, 1), (3, 2), (5, 5)];
        let mode = |(j, k): (usize, usize), [y, x]: [usize; 2]| {
            ((j * y) as f64 * angle).sin() * ((k * x) as f64 * angle).sin()
        };
        let stiffness = |(j, k): (usize, usize)| 4.0 - 2.0 * (j as f64 * angle).cos() - 2.0 * (k as f64 * angle).cos();
        let (u, rounds) = membrane(n, |at| modes.iter().map(|&m| mode(m, at)).sum());
        assert_eq!(rounds, 3);
        for (y, x) in u.indices() {
            let wanted: f64 = modes.iter().map(|&m| mode(m, [y, x]) / stiffness(m)).sum();
            assert!((u[[y, x]] - wanted).abs() < 1e-9, "at {y}, {x}: {} instead of {wanted}", u[[y, x]]);
        }
    }

    #[test]
    fn no_load_takes_no_round() {
        let (u, rounds) = membrane(5, |_| 0.0);
        assert_eq!((rounds, u.as_slice()), (0, &[0.0; 49][..]));
    }
}
