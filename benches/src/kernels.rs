//! The cases as qd kernels: plain code, as one would write it first.
use qd::prelude::*;

#[qd::kernel]
pub fn triad_f32(a: &mut [f32], b: &[f32], c: &[f32], s: f32) {
    for i in 0..a.len() {
        a[i] = b[i] + s * c[i];
    }
}

#[qd::kernel]
pub fn triad_f64(a: &mut [f64], b: &[f64], c: &[f64], s: f64) {
    for i in 0..a.len() {
        a[i] = b[i] + s * c[i];
    }
}

#[qd::kernel]
pub fn sum_f32(x: &[f32]) -> f32 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i];
    }
    sum
}

/// Two sweeps, there and back.
#[qd::kernel]
pub fn jacobi(a: &mut NdArray<f32, 2>, b: &mut NdArray<f32, 2>) {
    let n = a.shape()[0];
    let m = a.shape()[1];
    for (i, j) in ndrange([1..n - 1, 1..m - 1]) {
        b[[i, j]] = 0.25 * (a[[i - 1, j]] + a[[i + 1, j]] + a[[i, j - 1]] + a[[i, j + 1]]);
    }
    for (i, j) in ndrange([1..n - 1, 1..m - 1]) {
        a[[i, j]] = 0.25 * (b[[i - 1, j]] + b[[i + 1, j]] + b[[i, j - 1]] + b[[i, j + 1]]);
    }
}

#[qd::kernel]
pub fn gray_scott(un: &mut NdArray<f32, 2>, vn: &mut NdArray<f32, 2>, u: &NdArray<f32, 2>, v: &NdArray<f32, 2>) {
    let n = u.shape()[0];
    let m = u.shape()[1];
    for (i, j) in ndrange([1..n - 1, 1..m - 1]) {
        let c = u[[i, j]];
        let d = v[[i, j]];
        let lu = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]] - 4.0 * c;
        let lv = v[[i - 1, j]] + v[[i + 1, j]] + v[[i, j - 1]] + v[[i, j + 1]] - 4.0 * d;
        let r = c * d * d;
        un[[i, j]] = c + (0.16 * lu - r + 0.035 * (1.0 - c));
        vn[[i, j]] = d + (0.08 * lv + r - 0.1 * d);
    }
}

#[qd::kernel]
pub fn matmul(c: &mut NdArray<f32, 2>, a: &NdArray<f32, 2>, b: &NdArray<f32, 2>) {
    for (i, j) in c.indices() {
        let mut sum = 0.0;
        for k in 0..a.shape()[1] {
            sum += a[[i, k]] * b[[k, j]];
        }
        c[[i, j]] = sum;
    }
}

#[qd::kernel]
#[allow(clippy::too_many_arguments)]
pub fn nbody(fx: &mut [f32], fy: &mut [f32], fz: &mut [f32], x: &[f32], y: &[f32], z: &[f32], m: &[f32]) {
    for i in 0..x.len() {
        let mut ax = 0.0;
        let mut ay = 0.0;
        let mut az = 0.0;
        for j in 0..x.len() {
            let dx = x[j] - x[i];
            let dy = y[j] - y[i];
            let dz = z[j] - z[i];
            let inverse = 1.0 / (dx * dx + dy * dy + dz * dz + 1e-3).sqrt();
            let s = m[j] * inverse * inverse * inverse;
            ax += dx * s;
            ay += dy * s;
            az += dz * s;
        }
        fx[i] = ax;
        fy[i] = ay;
        fz[i] = az;
    }
}

#[qd::kernel]
pub fn histogram(bins: &mut [u32], keys: &[u32]) {
    for k in 0..bins.len() {
        bins[k] = 0;
    }
    for i in 0..keys.len() {
        qd::atomic::add(&mut bins[(keys[i] & 255) as usize], 1);
    }
}

#[qd::kernel]
pub fn julia(out: &mut NdArray<u32, 2>, limit: u32) {
    let n = out.shape()[0];
    for (i, j) in out.indices() {
        let scale = 3.0 / n as f32;
        let mut zx = i as f32 * scale - 1.5;
        let mut zy = j as f32 * scale - 1.5;
        let mut count = 0;
        while zx * zx + zy * zy < 4.0 && count < limit {
            let t = zx * zx - zy * zy - 0.8;
            zy = 2.0 * zx * zy + 0.156;
            zx = t;
            count += 1;
        }
        out[[i, j]] = count;
    }
}

#[qd::kernel]
pub fn increment(x: &mut [f32]) {
    for i in 0..x.len() {
        x[i] += 1.0;
    }
}

/// A few nanoseconds of divisions an element, so that large launches are no test of the memory.
#[qd::kernel]
pub fn work(x: &mut [f32]) {
    for i in 0..x.len() {
        let v = 1.0 / (x[i] + 1.0);
        let v = 1.0 / (v + 1.0);
        let v = 1.0 / (v + 1.0);
        let v = 1.0 / (v + 1.0);
        let v = 1.0 / (v + 1.0);
        let v = 1.0 / (v + 1.0);
        let v = 1.0 / (v + 1.0);
        x[i] = 1.0 / (v + 1.0);
    }
}
