//! What Rust people write without thinking, and kernels don't have: the message names it, and says what to write.
macro_rules! twice {
    ($value:expr) => {
        $value * 2.0
    };
}

#[qd::kernel]
fn closures(x: &mut [f32], y: &[[f32; 3]]) {
    for i in 0..x.len() {
        let double = |v: f32| v * 2.0;
        let mut row = [x[i], 1.0, double(2.0)];
        row.sort_by(|a, b| a.total_cmp(b));
        let table: [f32; 3] = std::array::from_fn(|k| k as f32);
        x[i] = twice!(row[1]) + table[2];
        x[i] += y.iter().flatten().sum::<f32>();
    }
}

#[qd::kernel]
fn elements(x: &mut [u8], y: &[f32], z: &mut [f32]) {
    for i in 0..x.len() {
        z[i] = y.get(i + 1).copied().unwrap_or(0.0) + *y.first().unwrap();
        x[i] = x[i].to_ascii_lowercase();
        z[i] += if y.contains(&2.0) { 1.0 } else { (z[i] > 1.0).then_some(2.0).unwrap_or(3.0) };
        x[i] += u8::try_from(i).unwrap_or(255) + u16::from_be_bytes([x[i], 2]) as u8;
        x[i] += std::iter::repeat(3).take(4).sum::<u8>();
        let mut row = [3, 1, 2];
        row.sort_unstable();
        x[i] += row[0];
    }
}

#[qd::kernel]
fn parallel(x: &mut [f32], y: &[f32]) {
    x.par_iter_mut().for_each(|v| *v = 1.0);
    for (x, y) in x.iter_mut().zip(y.iter().cycle()) {
        *x += *y;
    }
}

fn main() {}
