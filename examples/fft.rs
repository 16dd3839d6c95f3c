//! The fast Fourier transform, radix 2, in the self-sorting form of Stockham.
//!
//! ```text
//! cargo run --release --example fft
//! ```
//!
//! A stage reads one array and writes another, and each iteration makes one element of the result. So the array that is
//! written is owned by the loop, the other one only read, and the stages are safe code without atomics.
use qd::prelude::*;

/// Real and imaginary part.
type Complex = Vector<f64, 2>;

#[qd::func]
fn times(a: Complex, b: Complex) -> Complex {
    vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
}

/// Element `i` of what stage `s` makes of `x`.
#[qd::func]
fn butterfly(x: &[Complex], s: u32, i: usize, sign: f64) -> Complex {
    let stride = 1 << s;
    let (row, column) = (i >> (s + 1), i & (stride - 1));
    let from = row * stride + column;
    let (a, b) = (x[from], x[from + x.len() / 2]);
    if i & stride == 0 {
        return a + b;
    }
    let angle = sign * std::f64::consts::TAU * (row * stride) as f64 / x.len() as f64;
    times(a - b, vec2(angle.cos(), angle.sin()))
}

/// `x[k]` becomes the sum of `x[j] exp(sign 2πi jk / n)`: -1 transforms, 1 back (times n). `n` is a power of two; `work`
/// has the same length.
#[qd::kernel]
fn fft(x: &mut [Complex], work: &mut [Complex], sign: f64) {
    assert!(x.len().is_power_of_two() && work.len() == x.len());
    let stages = x.len().ilog2();
    #[qd::steps]
    for s in (0..stages).step_by(2) {
        for i in 0..work.len() {
            work[i] = butterfly(&x, s, i, sign);
        }
        if s + 1 < stages {
            for i in 0..x.len() {
                x[i] = butterfly(&work, s + 1, i, sign);
            }
        } else {
            for i in 0..x.len() {
                x[i] = work[i];
            }
        }
    }
}

fn main() {
    let n = 1 << 16;
    let tone = |j: usize, k: usize| (std::f64::consts::TAU * (j * k % n) as f64 / n as f64).cos();
    let mut x: Vec<Complex> = (0..n).map(|j| vec2(tone(j, 440) + 0.5 * tone(j, 1320), 0.0)).collect();
    fft(&mut x, &mut vec![Vector::zero(); n], -1.0);
    for (k, part) in x.iter().enumerate().take(n / 2) {
        let strength = 2.0 * part.norm() / n as f64;
        if strength > 0.01 {
            println!("{k} with strength {strength:.3}");
        }
    }
    println!("\n{}", fft.observations());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transform(x: &[Complex], sign: f64) -> Vec<Complex> {
        let mut x = x.to_vec();
        let mut work = x.clone();
        fft(&mut x, &mut work, sign);
        x
    }

    /// The definition, in plain Rust.
    fn direct(x: &[Complex], sign: f64) -> Vec<Complex> {
        let n = x.len();
        let term = |j: usize, k: usize| {
            let angle = sign * std::f64::consts::TAU * (j * k % n) as f64 / n as f64;
            times(x[j], vec2(angle.cos(), angle.sin()))
        };
        (0..n).map(|k| (0..n).fold(Vector::zero(), |sum, j| sum + term(j, k))).collect()
    }

    fn signal(n: usize) -> Vec<Complex> {
        let noise = |i: usize| (i.wrapping_mul(2_654_435_761) >> 7) as u32 as f64 / u32::MAX as f64 - 0.5;
        (0..n).map(|i| vec2(noise(2 * i + 1), noise(2 * i + 2))).collect()
    }

    fn most(differences: impl Iterator<Item = Complex>) -> f64 {
        differences.map(|d| d.norm()).fold(0.0, f64::max)
    }

    #[test]
    fn it_agrees_with_the_definition() {
        for n in [1, 2, 4, 8, 32, 512, 1024] {
            let x = signal(n);
            for sign in [-1.0, 1.0] {
                let off = most(transform(&x, sign).iter().zip(direct(&x, sign)).map(|(a, b)| *a - b));
                assert!(off < 1e-13 * n as f64, "{n}, {sign}: off by {off}");
            }
        }
    }

    #[test]
    fn forth_and_back_is_where_it_was() {
        let x = signal(1 << 13);
        let back = transform(&transform(&x, -1.0), 1.0);
        assert!(most(back.iter().zip(&x).map(|(a, b)| *a / x.len() as f64 - *b)) < 1e-14);
    }

    #[test]
    fn other_lengths_are_refused() {
        let error = fft.try_call(&mut signal(6), &mut signal(6), 1.0).unwrap_err();
        assert!(error.to_string().contains("is_power_of_two"), "{error}");
    }
}
