//! A sparse matrix in compressed rows (CSR) times a vector: the largest eigenvalue of a matrix from structural engineering.
//!
//! ```text
//! cargo run --release --example sparse
//! ```
//!
//! Rows are iterations of a parallel loop, their entries a loop inside. The kernel takes the slices that `sprs` keeps a
//! matrix in, as would any other library's.
use std::error::Error;
use std::path::Path;

use image::GrayImage;
use qd::prelude::*;
use sprs::CsMatI;

/// Row `r` has `value[k]` in column `column[k]`, for `k` from `start[r]` up to `start[r + 1]`.
type Csr = CsMatI<f64, u32>;

/// Row `r` of the matrix times `x`.
#[qd::func]
fn row(r: usize, start: &[u32], column: &[u32], value: &[f64], x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in start[r] as usize..start[r + 1] as usize {
        sum += value[k] * x[column[k] as usize];
    }
    sum
}

/// `y` becomes the matrix times `x`.
#[qd::kernel]
fn multiply(start: &[u32], column: &[u32], value: &[f64], x: &[f64], y: &mut [f64]) {
    for r in 0..y.len() {
        y[r] = row(r, start, column, value, x);
    }
}

/// Turns `x`, which has length 1, towards the eigenvector of a symmetric matrix's largest eigenvalue, by the method of
/// von Mises: multiply and scale, `rounds` times. Gives the last Rayleigh quotient.
#[qd::kernel]
fn turn(start: &[u32], column: &[u32], value: &[f64], x: &mut [f64], image: &mut [f64], rounds: u32) -> f64 {
    let mut quotient = 0.0;
    #[qd::steps]
    for _ in 0..rounds {
        let (mut along, mut square) = (0.0, 0.0);
        for r in 0..x.len() {
            let sum = row(r, start, column, value, &x);
            image[r] = sum;
            along += x[r] * sum;
            square += sum * sum;
        }
        let length = square.sqrt();
        for r in 0..x.len() {
            x[r] = image[r] / length;
        }
        quotient = along;
    }
    quotient
}

/// The largest eigenvalue of a symmetric matrix.
fn largest_eigenvalue(matrix: &Csr, rounds: u32) -> f64 {
    let n = matrix.rows();
    let mut x = vec![1.0 / (n as f64).sqrt(); n];
    let start = matrix.indptr();
    turn(start.raw_storage(), matrix.indices(), matrix.data(), &mut x, &mut vec![0.0; n], rounds)
}

/// The stiffness of a structure, from the collection of Harwell and Boeing.
fn lund() -> Result<Csr, Box<dyn Error>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/lund_a.mtx");
    Ok(sprs::io::read_matrix_market::<f64, u32, _>(file)?.to_csr())
}

fn main() -> Result<(), Box<dyn Error>> {
    let matrix = lund()?;
    println!("{} rows, {} entries", matrix.rows(), matrix.nnz());
    for rounds in [10, 100, 1000] {
        println!("largest eigenvalue after {rounds:4} rounds: {:.3}", largest_eigenvalue(&matrix, rounds));
    }
    println!("\n{}", turn.observations());

    // Where the entries are, four pixels each.
    let side = 4 * matrix.rows() as u32;
    let entry = |x: u32, y: u32| matrix.get(y as usize / 4, x as usize / 4).is_some();
    let picture = GrayImage::from_fn(side, side, |x, y| [if entry(x, y) { 0 } else { 255 }].into());
    let folder = Path::new("target").join("demo");
    std::fs::create_dir_all(&folder)?;
    let out = folder.join("sparse.png");
    picture.save(&out)?;
    println!("picture: {}", out.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a matrix times `x`, by the dense one in plain Rust.
    fn check(matrix: &Csr, x: &[f64]) {
        let mut y = vec![f64::NAN; matrix.rows()];
        multiply(matrix.indptr().raw_storage(), matrix.indices(), matrix.data(), x, &mut y);
        for (found, row) in y.iter().zip(matrix.to_dense().rows()) {
            let wanted: f64 = row.iter().zip(x).map(|(a, b)| a * b).sum();
            let size: f64 = row.iter().zip(x).map(|(a, b)| (a * b).abs()).sum();
            assert!((found - wanted).abs() <= 1e-14 * size, "{found} and {wanted}");
        }
    }

    #[test]
    fn products_agree_with_the_dense_one() {
        let matrix = lund().unwrap();
        assert_eq!((matrix.rows(), matrix.nnz()), (147, 2449));
        check(&matrix, &(0..147).map(|c| 1.0 / f64::from(c + 1)).collect::<Vec<_>>());
    }

    #[test]
    fn rows_may_be_empty_and_columns_more() {
        // Row r has r % 7 entries.
        let mut entries = sprs::TriMatI::new((200, 50));
        for r in 0..200_u32 {
            for k in 0..r % 7 {
                entries.add_triplet(r as usize, ((r * 31 + k * 17) % 50) as usize, f64::from(r) - 0.5 * f64::from(k));
            }
        }
        check(&entries.to_csr(), &(0..50).map(|c| f64::from(c) - 20.5).collect::<Vec<_>>());
    }

    /// 223854064.391354 by LAPACK's dsyevd, from the matrix as a dense one.
    #[test]
    fn the_largest_eigenvalue_is_the_known_one() {
        let found = largest_eigenvalue(&lund().unwrap(), 1500);
        assert!((found / 223_854_064.391_354 - 1.0).abs() < 1e-12, "{found}");
    }
}
