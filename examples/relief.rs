//! Draws a map of real mountains: coloured by height, shaded by a sun in the north-west.
//!
//! ```text
//! cargo run --release --example relief
//! ```
//!
//! One kernel of two tasks: a reduction finds the lowest and the highest point, and the second loop uses both.
use std::error::Error;
use std::path::Path;

use qd::prelude::*;

/// Distance of neighbouring points in metres, west to east and north to south: 3 arc-seconds at 36.4° north.
const CELL: (f32, f32) = (74.6, 92.7);

/// Where the sun stands, as a unit vector: east, south, up.
const SUN: (f32, f32, f32) = (-0.5, -0.5, std::f32::consts::FRAC_1_SQRT_2);

/// Red, green and blue from the lowest ground to the highest.
const PALETTE: [[f32; 3]; 5] =
    [[112.0, 158.0, 110.0], [186.0, 206.0, 140.0], [240.0, 226.0, 170.0], [206.0, 160.0, 116.0], [244.0, 238.0, 232.0]];

/// Draws `height` (metres) into `map` (bytes of sRGB). Gives the lowest and the highest point.
#[qd::kernel]
fn relief(
    height: &NdArray<u16, 2>,
    cell: (f32, f32),
    sun: (f32, f32, f32),
    palette: &NdArray<f32, 2>,
    map: &mut NdArray<u8, 3>,
) -> (u16, u16) {
    let mut lowest = u16::MAX;
    let mut highest = 0;
    for (y, x) in height.indices() {
        lowest = lowest.min(height[[y, x]]);
        highest = highest.max(height[[y, x]]);
    }

    let rows = height.shape()[0];
    let columns = height.shape()[1];
    for (y, x) in height.indices() {
        // How steep the ground is, and from that how much light a square metre of it gets. Heights count threefold.
        let (up, down) = (y.saturating_sub(1), (y + 1).min(rows - 1));
        let (left, right) = (x.saturating_sub(1), (x + 1).min(columns - 1));
        let east = 3.0 * (height[[y, right]] as f32 - height[[y, left]] as f32) / ((right - left) as f32 * cell.0);
        let south = 3.0 * (height[[down, x]] as f32 - height[[up, x]] as f32) / ((down - up) as f32 * cell.1);
        let light = (sun.2 - sun.0 * east - sun.1 * south) / (1.0 + east * east + south * south).sqrt();
        let shade = 0.25 + 0.75 * light.max(0.0) / sun.2;

        let level = (height[[y, x]] - lowest) as f32 / (highest - lowest).max(1) as f32;
        let place = level * (palette.shape()[0] - 1) as f32;
        let below = (place as usize).min(palette.shape()[0] - 2);
        let part = place - below as f32;
        for c in 0..3 {
            let colour = palette[[below, c]] * (1.0 - part) + palette[[below + 1, c]] * part;
            map[[y, x, c]] = (colour * shade) as u8;
        }
    }
    (lowest, highest)
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/jacksboro_dem.png");
    let picture = image::open(file)?.into_luma16();
    let (width, height) = picture.dimensions();
    let shape = [height as usize, width as usize];

    let heights = NdArray::from_shape_vec(shape, picture.into_raw())?;
    let palette = NdArray::from_fn([PALETTE.len(), 3], |[step, c]| PALETTE[step][c]);
    let mut map = NdArray::zeros([shape[0], shape[1], 3]);
    let (lowest, highest) = relief(&heights, CELL, SUN, &palette, &mut map);
    println!("{width} × {height} points, {lowest} to {highest} m\n\n{}", relief.observations());

    let folder = Path::new("target").join("demo");
    std::fs::create_dir_all(&folder)?;
    let out = folder.join("relief.png");
    image::save_buffer(&out, map.as_slice(), width, height, image::ExtendedColorType::Rgb8)?;
    println!("picture: {}", out.display());
    Ok(())
}
