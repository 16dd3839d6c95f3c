//! The reaction of Gray and Scott: spots that divide until they fill a torus.
//!
//! ```text
//! cargo run --release --example gray_scott
//! ```
//!
//! Each cell holds the concentrations of two substances. One is fed and turns into the other, which makes more of itself
//! and decays: `u + 2v → 3v`.
use std::error::Error;
use std::path::Path;

use qd::Rng;
use qd::prelude::*;

/// The concentrations of `u` and `v` on a torus.
type Field = NdArray<Vector<f32, 2>, 2>;

#[derive(Clone, Copy, qd::Data)]
struct Rates {
    /// How fast `u` and `v` spread, at a distance of 1 between cells.
    spread: (f32, f32),
    /// How fast `u` is fed.
    feed: f32,
    /// How fast `v` decays, beside being washed out as fast as `u` is fed.
    kill: f32,
}

/// Spots that divide, as Pearson found them: "Complex patterns in a simple system" (Science 261, 1993).
const DIVIDING: Rates = Rates { spread: (0.2, 0.1), feed: 0.03, kill: 0.062 };

/// What flows into a cell from its four neighbours.
#[qd::func]
fn inflow(field: &Field, y: usize, x: usize) -> Vector<f32, 2> {
    let [rows, columns] = field.shape();
    let (up, down) = (if y > 0 { y - 1 } else { rows - 1 }, if y + 1 < rows { y + 1 } else { 0 });
    let (left, right) = (if x > 0 { x - 1 } else { columns - 1 }, if x + 1 < columns { x + 1 } else { 0 });
    field[[up, x]] + field[[down, x]] + field[[y, left]] + field[[y, right]] - 4.0 * field[[y, x]]
}

/// A cell one step of time later.
#[qd::func]
fn react(cell: Vector<f32, 2>, inflow: Vector<f32, 2>, rates: Rates) -> Vector<f32, 2> {
    let Rates { spread, feed, kill } = rates;
    let turned = cell.x * cell.y * cell.y;
    let change = vec2(feed * (1.0 - cell.x) - turned, turned - (feed + kill) * cell.y);
    cell + vec2(spread.0, spread.1) * inflow + change
}

/// Lets `2 * pairs` steps pass. `other` is room to work in.
#[qd::kernel]
fn run(field: &mut Field, other: &mut Field, rates: Rates, pairs: usize) {
    #[qd::steps]
    for _ in 0..pairs {
        for (y, x) in other.indices() {
            other[[y, x]] = react(field[[y, x]], inflow(&field, y, x), rates);
        }
        for (y, x) in field.indices() {
            field[[y, x]] = react(other[[y, x]], inflow(&other, y, x), rates);
        }
    }
}

/// Nothing but `u`, and drops of `v` with a little noise, about one in `rarity` blocks of 8 by 8 cells.
#[qd::kernel]
fn sow(field: &mut Field, seed: u64, rarity: u32) {
    for (y, x) in field.indices() {
        let block = (y / 8) as u64 * 0x1_0000 + (x / 8) as u64;
        let wet = Rng::new(seed, block).range(0..rarity) == 0;
        let mut rng = Rng::new(!seed, (y * field.shape()[1] + x) as u64);
        field[[y, x]] = if wet { vec2(0.5, rng.range(0.2..0.3)) } else { vec2(1.0, 0.0) };
    }
}

/// Dark where there is only `u`, bright where `v` is.
#[qd::kernel]
fn paint(picture: &mut NdArray<u8, 3>, field: &Field) {
    for (y, x) in field.indices() {
        let light = (field[[y, x]].y * 2.8).min(1.0);
        picture[[y, x, 0]] = (255.0 * light.powi(2)) as u8;
        picture[[y, x, 1]] = (255.0 * light) as u8;
        picture[[y, x, 2]] = (80.0 + 150.0 * light.sqrt()) as u8;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let shape = [384, 512];
    let (mut field, mut other) = (NdArray::zeros(shape), NdArray::zeros(shape));
    sow(&mut field, 1, 200);
    let start = std::time::Instant::now();
    run(&mut field, &mut other, DIVIDING, 5000);
    println!("10000 steps in {:.2?}\n\n{}", start.elapsed(), run.observations());

    let mut picture = NdArray::zeros([shape[0], shape[1], 3]);
    paint(&mut picture, &field);
    let folder = Path::new("target").join("demo");
    std::fs::create_dir_all(&folder)?;
    let out = folder.join("gray_scott.png");
    image::save_buffer(&out, picture.as_slice(), shape[1] as u32, shape[0] as u32, image::ExtendedColorType::Rgb8)?;
    println!("picture: {}", out.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `pairs` pairs of steps make of `field`.
    fn after(field: &Field, rates: Rates, pairs: usize) -> Field {
        let (mut field, mut other) = (field.clone(), NdArray::zeros(field.shape()));
        run(&mut field, &mut other, rates, pairs);
        field
    }

    fn sown(shape: [usize; 2]) -> Field {
        let mut field = NdArray::zeros(shape);
        sow(&mut field, 3, 4);
        field
    }

    #[test]
    fn every_bit_is_that_of_the_native_run() {
        let mut native = NdArray::zeros([45, 70]);
        sow.native(&mut native, 3, 4);
        assert_eq!(native.as_slice(), sown([45, 70]).as_slice());
        let compiled = after(&native, DIVIDING, 100);
        run.native(&mut native, &mut NdArray::zeros([45, 70]), DIVIDING, 100);
        assert_eq!(compiled.as_slice(), native.as_slice());
    }

    /// Without `v` the equation is linear, and a wave shrinks by a known factor in each step.
    #[test]
    fn waves_decay_at_the_known_rate() {
        let [rows, columns] = [32, 48];
        let tau = std::f64::consts::TAU;
        let rates = Rates { feed: 0.002, ..DIVIDING };
        for (k, l) in [(0, 0), (1, 0), (0, 3), (2, 5)] {
            let (a, b) = (tau * f64::from(k) / rows as f64, tau * f64::from(l) / columns as f64);
            let wave = |[y, x]: [usize; 2], height: f64| 1.0 - height * (a * y as f64 + b * x as f64).cos();
            let field = NdArray::from_fn([rows, columns], |at| vec2(wave(at, 0.5) as f32, 0.0));
            let factor = 1.0 - f64::from(rates.feed) + f64::from(rates.spread.0) * (2.0 * (a.cos() + b.cos()) - 4.0);
            let field = after(&field, rates, 50);
            for (y, x) in field.indices() {
                let wanted = wave([y, x], 0.5 * factor.powi(100));
                assert!((f64::from(field[[y, x]].x) - wanted).abs() < 1e-5, "wave {k}, {l} at {y}, {x}");
                assert_eq!(field[[y, x]].y, 0.0);
            }
        }
    }

    /// What is on the torus changes by what is fed and washed out, whatever reacts and spreads.
    #[test]
    fn nothing_gets_lost() {
        let total = |field: &Field| {
            let sum =
                |part: fn(&Vector<f32, 2>) -> f32| field.as_slice().iter().map(|cell| f64::from(part(cell))).sum();
            let (u, v): (f64, f64) = (sum(|cell| cell.x), sum(|cell| cell.y));
            (u, v)
        };
        let mut field = sown([64, 64]);
        for _ in 0..20 {
            // Two steps: the one between is that of the pair.
            let (mut half, mut other) = (field.clone(), NdArray::zeros(field.shape()));
            run(&mut half, &mut other, DIVIDING, 1);
            let change = |(u, v): (f64, f64)| {
                f64::from(DIVIDING.feed) * (4096.0 - u) - f64::from(DIVIDING.feed + DIVIDING.kill) * v
            };
            let (before, between, now) = (total(&field), total(&other), total(&half));
            assert!((between.0 + between.1 - before.0 - before.1 - change(before)).abs() < 1e-3);
            assert!((now.0 + now.1 - between.0 - between.1 - change(between)).abs() < 1e-3);
            field = after(&half, DIVIDING, 50);
        }
    }

    /// One spot becomes four, then sixteen, and so on until the torus is full; with a little more decay it dies.
    #[test]
    fn spots_divide() {
        let mut field = NdArray::full([96, 96], vec2(1.0, 0.0));
        for (y, x) in ndrange([44..52, 44..52]) {
            field[[y, x]] = vec2(0.5, 0.25);
        }
        let spots = [500, 1000, 2000].map(|pairs| count(&after(&field, DIVIDING, pairs)));
        assert!(spots[0] == 4 && spots[1] == 16 && spots[2] > 30, "{spots:?}");
        assert_eq!(count(&after(&field, Rates { kill: 0.075, ..DIVIDING }, 3000)), 0);
    }

    /// The number of connected regions in which there is `v`.
    fn count(field: &Field) -> usize {
        let [rows, columns] = field.shape();
        let mut open: Vec<bool> = field.as_slice().iter().map(|cell| cell.y > 0.2).collect();
        let mut regions = 0;
        while let Some(first) = open.iter().position(|&wet| wet) {
            regions += 1;
            let mut stack = vec![first];
            while let Some(at) = stack.pop() {
                if std::mem::take(&mut open[at]) {
                    let (y, x) = (at / columns, at % columns);
                    let rows_beside = [(y + 1) % rows, (y + rows - 1) % rows].map(|y| y * columns + x);
                    stack.extend(rows_beside);
                    stack.extend([(x + 1) % columns, (x + columns - 1) % columns].map(|x| y * columns + x));
                }
            }
        }
        regions
    }
}
