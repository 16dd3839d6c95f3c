//! The darkroom: the kernel that develops a photograph.
//!
//! `main.rs` compiles this file twice, the second time with another [`CONTRAST`]: what an edit of that one number does.
use qd::prelude::*;

use super::CONTRAST;
use crate::darkroom::Darkroom;

/// How much of the difference to the blurred picture is added: local contrast.
const CLARITY: f32 = 0.4;

/// Develops `photo` (bytes of sRGB, height × width × 3) into `print`, and draws its edges into `edges`.
///
/// `weights` is the blur's kernel, of odd length. The other arrays are trays: what they hold before doesn't matter,
/// afterwards they show the steps. Gives the black and the white point of the photograph in steps of sRGB.
#[qd::kernel]
pub fn develop(
    photo: &NdArray<u8, 3>,
    weights: &[f32],
    linear: &mut NdArray<f32, 3>,
    light: &mut NdArray<f32, 2>,
    across: &mut NdArray<f32, 2>,
    blurred: &mut NdArray<f32, 2>,
    edges: &mut NdArray<u8, 2>,
    histogram: &mut NdArray<u32>,
    gain: &mut NdArray<f32, 2>,
    print: &mut NdArray<u8, 3>,
) -> (usize, usize) {
    let height = photo.shape()[0];
    let width = photo.shape()[1];
    let reach = weights.len() / 2;

    // Linear light: bytes of sRGB are no amounts of light, and only amounts may be averaged.
    for (y, x, c) in linear.indices() {
        let v = photo[[y, x, c]] as f32 / 255.0;
        linear[[y, x, c]] = if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) };
    }

    // Luminance.
    for (y, x) in light.indices() {
        light[[y, x]] = 0.2126 * linear[[y, x, 0]] + 0.7152 * linear[[y, x, 1]] + 0.0722 * linear[[y, x, 2]];
    }

    // Gaussian blur, along the rows and then along the columns; the outermost pixel continues beyond the border.
    for (y, x) in across.indices() {
        let mut sum = 0.0;
        for k in 0..weights.len() {
            let from = (x + k).saturating_sub(reach).min(width - 1);
            sum += weights[k] * light[[y, from]];
        }
        across[[y, x]] = sum;
    }
    for (y, x) in blurred.indices() {
        let mut sum = 0.0;
        for k in 0..weights.len() {
            let from = (y + k).saturating_sub(reach).min(height - 1);
            sum += weights[k] * across[[from, x]];
        }
        blurred[[y, x]] = sum;
    }

    // Sobel: how steep the blurred picture is, dark on white. The root brings out what lies in the shade.
    for (y, x) in edges.indices() {
        let (up, down) = (y.saturating_sub(1), (y + 1).min(height - 1));
        let (left, right) = (x.saturating_sub(1), (x + 1).min(width - 1));
        let (nw, n, ne) = (blurred[[up, left]], blurred[[up, x]], blurred[[up, right]]);
        let (w, e) = (blurred[[y, left]], blurred[[y, right]]);
        let (sw, s, se) = (blurred[[down, left]], blurred[[down, x]], blurred[[down, right]]);
        let dx = (ne + 2.0 * e + se) - (nw + 2.0 * w + sw);
        let dy = (sw + 2.0 * s + se) - (nw + 2.0 * n + ne);
        edges[[y, x]] = (255.0 * (1.0 - dx.hypot(dy).sqrt())) as u8;
    }

    // Histogram of the luminance, in steps of sRGB.
    for bin in 0..histogram.len() {
        histogram[bin] = 0;
    }
    for (y, x) in ndrange([height, width]) {
        let v = light[[y, x]];
        let encoded = if v <= 0.0031308 { v * 12.92 } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 };
        let bin = (encoded * 255.0 + 0.5) as usize;
        qd::atomic::add(&mut histogram[bin], 1);
    }

    // Black and white point: half a percent of the pixels lie outside on either side.
    let outside = (height * width / 200) as u32;
    let mut black = 0;
    let mut below = histogram[black];
    while below < outside {
        black += 1;
        below += histogram[black];
    }
    let mut white = histogram.len() - 1;
    let mut above = histogram[white];
    while above < outside {
        white -= 1;
        above += histogram[white];
    }

    // Clarity, levels and tone curve, as a factor for each pixel's light.
    for (y, x) in gain.indices() {
        let old = light[[y, x]];
        let clear = (old + CLARITY * (old - blurred[[y, x]])).max(0.0);
        let encoded = if clear <= 0.0031308 { clear * 12.92 } else { 1.055 * clear.powf(1.0 / 2.4) - 0.055 };
        let level = ((encoded * 255.0 - black as f32) / (white - black).max(1) as f32).clamp(0.0, 1.0);
        // An S through (0, 0), (½, ½) and (1, 1), the steeper in the middle the higher the contrast.
        let toned = if level < 0.5 {
            0.5 * (2.0 * level).powf(CONTRAST)
        } else {
            1.0 - 0.5 * (2.0 - 2.0 * level).powf(CONTRAST)
        };
        let new = if toned <= 0.04045 { toned / 12.92 } else { ((toned + 0.055) / 1.055).powf(2.4) };
        gain[[y, x]] = new / old.max(1e-4);
    }

    // The print: back to bytes of sRGB.
    for (y, x, c) in print.indices() {
        let v = (linear[[y, x, c]] * gain[[y, x]]).min(1.0);
        let encoded = if v <= 0.0031308 { v * 12.92 } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 };
        print[[y, x, c]] = (encoded * 255.0 + 0.5) as u8;
    }

    (black, white)
}

/// [`develop`] in a darkroom, compiled.
pub fn compiled(room: &mut Darkroom) -> (usize, usize) {
    develop(
        &room.photo,
        &room.weights,
        &mut room.linear,
        &mut room.light,
        &mut room.across,
        &mut room.blurred,
        &mut room.edges,
        &mut room.histogram,
        &mut room.gain,
        &mut room.print,
    )
}

/// The same function as rustc compiles it, on one thread.
pub fn native(room: &mut Darkroom) -> (usize, usize) {
    develop.native(
        &room.photo,
        &room.weights[..],
        &mut room.linear,
        &mut room.light,
        &mut room.across,
        &mut room.blurred,
        &mut room.edges,
        &mut room.histogram,
        &mut room.gain,
        &mut room.print,
    )
}

/// What the launches of [`develop`] compiled.
pub fn observations() -> qd::Observations {
    develop.observations()
}
