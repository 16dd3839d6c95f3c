//! The trays of the darkroom, and pictures as files.
use std::error::Error;
use std::path::Path;

use image::ExtendedColorType::{L8, Rgb8};
use qd::NdArray;

/// What a development works on; see [`develop`](crate::original::kernel::develop).
#[derive(Clone)]
pub struct Darkroom {
    pub photo: NdArray<u8, 3>,
    pub weights: Vec<f32>,
    pub linear: NdArray<f32, 3>,
    pub light: NdArray<f32, 2>,
    pub across: NdArray<f32, 2>,
    pub blurred: NdArray<f32, 2>,
    pub edges: NdArray<u8, 2>,
    pub histogram: NdArray<u32>,
    pub gain: NdArray<f32, 2>,
    pub print: NdArray<u8, 3>,
}

impl Darkroom {
    /// Empty trays of the size of the picture in a file.
    pub fn open(path: &Path) -> Result<Darkroom, Box<dyn Error>> {
        let picture = image::open(path).map_err(|error| format!("{}: {error}", path.display()))?.into_rgb8();
        let (height, width) = (picture.height() as usize, picture.width() as usize);
        Ok(Darkroom {
            photo: NdArray::from_shape_vec([height, width, 3], picture.into_raw())?,
            weights: gaussian(2.0),
            linear: NdArray::zeros([height, width, 3]),
            light: NdArray::zeros([height, width]),
            across: NdArray::zeros([height, width]),
            blurred: NdArray::zeros([height, width]),
            edges: NdArray::zeros([height, width]),
            histogram: NdArray::zeros(256),
            gain: NdArray::zeros([height, width]),
            print: NdArray::zeros([height, width, 3]),
        })
    }

    /// Writes `print.png` and `edges.png`.
    pub fn save(&self, folder: &Path) -> Result<(), Box<dyn Error>> {
        std::fs::create_dir_all(folder)?;
        let [height, width] = self.edges.shape().map(|extent| extent as u32);
        image::save_buffer(folder.join("print.png"), self.print.as_slice(), width, height, Rgb8)?;
        image::save_buffer(folder.join("edges.png"), self.edges.as_slice(), width, height, L8)?;
        Ok(())
    }
}

/// The weights of a Gaussian blur out to three standard deviations; their sum is 1.
fn gaussian(deviation: f32) -> Vec<f32> {
    let reach = (3.0 * deviation).ceil() as i32;
    let bell = |k: i32| (-0.5 * (k as f32 / deviation).powi(2)).exp();
    let sum: f32 = (-reach..=reach).map(bell).sum();
    (-reach..=reach).map(|k| bell(k) / sum).collect()
}
