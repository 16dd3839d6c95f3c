//! Draws the Mandelbrot set.
//!
//! ```text
//! cargo run --release --example mandelbrot
//! ```
//!
//! Iterations of a parallel loop may differ in length as they like, since threads that are done take from the others.
use std::error::Error;
use std::path::Path;

use qd::prelude::*;

/// How often `z = z² + c` has to be applied to zero until `z` leaves the disc of radius 2; `limit` if it stays so long.
#[qd::func]
fn escape(c: Vector<f64, 2>, limit: u32) -> u32 {
    let mut z = vec2(0.0, 0.0);
    for n in 0..limit {
        if z.norm_squared() > 4.0 {
            return n;
        }
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    }
    limit
}

/// Fills `times` with [`escape`] of a grid whose upper left corner is `corner`. Gives how many points stayed.
#[qd::kernel]
fn mandelbrot(times: &mut NdArray<u32, 2>, corner: Vector<f64, 2>, step: f64, limit: u32) -> u32 {
    let mut inside = 0;
    for (y, x) in times.indices() {
        let time = escape(corner + vec2(x as f64, -(y as f64)) * step, limit);
        times[[y, x]] = time;
        inside += (time == limit) as u32;
    }
    inside
}

/// Colours from times: black where nothing escaped, otherwise brighter the longer it took.
#[qd::kernel]
fn paint(picture: &mut NdArray<u8, 3>, times: &NdArray<u32, 2>, limit: u32) {
    for (y, x) in times.indices() {
        let time = times[[y, x]];
        let light = if time == limit { 0.0 } else { (time as f32).ln() / (limit as f32).ln() };
        picture[[y, x, 0]] = (255.0 * light) as u8;
        picture[[y, x, 1]] = (255.0 * light * light) as u8;
        picture[[y, x, 2]] = (255.0 * light.sqrt()) as u8;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    const LIMIT: u32 = 1000;
    let [rows, columns] = [1000, 1250];
    let mut times = NdArray::zeros([rows, columns]);
    let inside = mandelbrot(&mut times, vec2(-2.25, 1.25), 0.0025, LIMIT);
    let mut picture = NdArray::zeros([rows, columns, 3]);
    paint(&mut picture, &times, LIMIT);
    println!("area about {:.3}\n\n{}", inside as f64 * 0.0025 * 0.0025, mandelbrot.observations());

    let folder = Path::new("target").join("demo");
    std::fs::create_dir_all(&folder)?;
    let out = folder.join("mandelbrot.png");
    image::save_buffer(&out, picture.as_slice(), columns as u32, rows as u32, image::ExtendedColorType::Rgb8)?;
    println!("picture: {}", out.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time of one point.
    fn time(re: f64, im: f64, limit: u32) -> u32 {
        let mut times = NdArray::zeros([1, 1]);
        mandelbrot(&mut times, vec2(re, im), 1.0, limit);
        times[[0, 0]]
    }

    /// Boll's observation: above the neck at -3/4, the times at height ε are the digits of π / ε.
    #[test]
    fn the_neck_spells_pi() {
        let times = [0.1, 0.01, 0.001, 0.0001].map(|height| time(-0.75, height, 100_000));
        assert_eq!(times, [33, 315, 3143, 31417]);
    }

    #[test]
    fn points_of_the_set_stay() {
        for (re, im) in [(0.0, 0.0), (-1.0, 0.0), (-2.0, 0.0), (0.25, 0.0), (0.0, 1.0), (-0.125, 0.7)] {
            assert_eq!(time(re, im, 10_000), 10_000, "{re} {im}");
        }
        assert_eq!([time(3.0, 0.0, 9), time(1.0, 0.0, 9), time(-2.1, 0.0, 9)], [1, 3, 1]);
    }

    /// Förstemann counted 1.5065918849 as the area of the set.
    #[test]
    fn the_area_is_the_published_one() {
        let step = 0.005;
        let mut times = NdArray::zeros([500, 520]);
        let inside = mandelbrot(&mut times, vec2(-2.1 + step / 2.0, 1.25 - step / 2.0), step, 2000);
        let area = inside as f64 * step * step;
        assert!((area - 1.506_591_884_9).abs() < 0.005, "{area}");
    }
}
