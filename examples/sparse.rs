//! A sparse matrix in compressed rows (CSR) times a vector: steps of a random walk on a graph.
//!
//! ```text
//! cargo run --release --example sparse
//! ```
//!
//! Rows are iterations of a parallel loop, their entries a loop inside.
use qd::prelude::*;

/// Row `r` has `value[k]` in column `column[k]`, for `k` from `start[r]` up to `start[r + 1]`.
struct Csr {
    start: Vec<u32>,
    column: Vec<u32>,
    value: Vec<f64>,
}

/// `y` becomes the matrix times `x`.
#[qd::kernel]
fn multiply(start: &[u32], column: &[u32], value: &[f64], x: &[f64], y: &mut [f64]) {
    for r in 0..y.len() {
        let mut sum = 0.0;
        for k in start[r] as usize..start[r + 1] as usize {
            sum += value[k] * x[column[k] as usize];
        }
        y[r] = sum;
    }
}

impl Csr {
    /// From the entries of each row, as columns and values.
    fn new(rows: impl IntoIterator<Item = Vec<(u32, f64)>>) -> Self {
        let mut csr = Self { start: vec![0], column: Vec::new(), value: Vec::new() };
        for row in rows {
            for (column, value) in row {
                csr.column.push(column);
                csr.value.push(value);
            }
            csr.start.push(csr.column.len() as u32);
        }
        csr
    }

    fn times(&self, x: &[f64], y: &mut [f64]) {
        multiply(&self.start, &self.column, &self.value, x, y);
    }
}

/// The walk on a ring of `n` places with a short cut from each `k` to `k²`: one of three ways, with equal chance.
fn walk(n: u32) -> Csr {
    let mut rows = vec![Vec::new(); n as usize];
    for k in 0..n {
        let square = (u64::from(k) * u64::from(k) % u64::from(n)) as u32;
        for to in [(k + 1) % n, (k + n - 1) % n, square] {
            rows[to as usize].push((k, 1.0 / 3.0));
        }
    }
    Csr::new(rows)
}

fn main() {
    let n = 100_003;
    let walk = walk(n);
    let mut chance = vec![0.0; n as usize];
    chance[2] = 1.0;
    let mut next = chance.clone();
    for _ in 0..100 {
        walk.times(&chance, &mut next);
        std::mem::swap(&mut chance, &mut next);
    }
    let total: f64 = chance.iter().sum();
    let reached = chance.iter().filter(|&&chance| chance > 0.0).count();
    println!("{reached} of {n} places can be reached in 100 steps; the chances add up to {total:.12}");
    println!("\n{}", multiply.observations());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_agrees_with_the_dense_product() {
        // Row r has r % 7 entries, so some have none.
        let entry = |r: u32, k: u32| ((r * 31 + k * k * 17) % 50, f64::from(r) - 0.5 * f64::from(k));
        let rows: Vec<Vec<_>> = (0..200).map(|r| (0..r % 7).map(|k| entry(r, k)).collect()).collect();
        let x: Vec<f64> = (0..50).map(|c| 1.0 / f64::from(c + 1)).collect();

        let mut dense = vec![[0.0; 50]; 200];
        for (r, row) in rows.iter().enumerate() {
            for &(c, value) in row {
                dense[r][c as usize] += value;
            }
        }
        let mut y = vec![f64::NAN; 200];
        Csr::new(rows).times(&x, &mut y);
        for (found, row) in y.iter().zip(dense) {
            let wanted: f64 = row.iter().zip(&x).map(|(a, b)| a * b).sum();
            assert!((found - wanted).abs() < 1e-12 * (1.0 + wanted.abs()), "{found} and {wanted}");
        }
    }

    #[test]
    fn chances_add_up_to_one() {
        let walk = walk(1009);
        let mut chance = vec![0.0; 1009];
        chance[5] = 1.0;
        let mut next = chance.clone();
        for step in 1..=30 {
            walk.times(&chance, &mut next);
            std::mem::swap(&mut chance, &mut next);
            assert!((chance.iter().sum::<f64>() - 1.0).abs() < 1e-13);
            if step == 1 {
                assert_eq!([chance[4], chance[6], chance[25]], [1.0 / 3.0; 3]);
            }
        }
    }
}
