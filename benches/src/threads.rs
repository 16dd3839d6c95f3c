//! The cases on rayon, as somebody would write them who wants them fast: chunks and rows that LLVM vectorises.
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

/// Elements handed out at once.
const CHUNK: usize = 1 << 14;

macro_rules! triad {
    ($name:ident, $t:ty) => {
        pub fn $name(a: &mut [$t], b: &[$t], c: &[$t], s: $t) {
            a.par_chunks_mut(CHUNK).zip(b.par_chunks(CHUNK)).zip(c.par_chunks(CHUNK)).for_each(|((a, b), c)| {
                for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
                    *a = b + s * c;
                }
            });
        }
    };
}
triad!(triad_f32, f32);
triad!(triad_f64, f64);

pub fn sum_f32(x: &[f32]) -> f32 {
    x.par_chunks(CHUNK)
        .map(|chunk| {
            let mut lanes = [0.0f32; 64];
            let (whole, rest) = chunk.as_chunks::<64>();
            for block in whole {
                lanes.iter_mut().zip(block).for_each(|(lane, v)| *lane += v);
            }
            lanes.iter().sum::<f32>() + rest.iter().sum::<f32>()
        })
        .sum()
}

pub fn jacobi_sweep(b: &mut [f32], a: &[f32], m: usize) {
    let rows = a.len() / m;
    b.par_chunks_exact_mut(m).enumerate().skip(1).take(rows - 2).for_each(|(i, out)| {
        let (up, mid, down) = (&a[(i - 1) * m..i * m], &a[i * m..(i + 1) * m], &a[(i + 1) * m..(i + 2) * m]);
        for j in 1..m - 1 {
            out[j] = 0.25 * (up[j] + down[j] + mid[j - 1] + mid[j + 1]);
        }
    });
}

pub fn gray_scott_step(un: &mut [f32], vn: &mut [f32], u: &[f32], v: &[f32], m: usize) {
    let rows = u.len() / m;
    let out = un.par_chunks_exact_mut(m).zip(vn.par_chunks_exact_mut(m));
    out.enumerate().skip(1).take(rows - 2).for_each(|(i, (un, vn))| {
        let [up, uc, ud] = [i - 1, i, i + 1].map(|i| &u[i * m..(i + 1) * m]);
        let [vp, vc, vd] = [i - 1, i, i + 1].map(|i| &v[i * m..(i + 1) * m]);
        for j in 1..m - 1 {
            let (c, d) = (uc[j], vc[j]);
            let lu = up[j] + ud[j] + uc[j - 1] + uc[j + 1] - 4.0 * c;
            let lv = vp[j] + vd[j] + vc[j - 1] + vc[j + 1] - 4.0 * d;
            let r = c * d * d;
            un[j] = c + (0.16 * lu - r + 0.035 * (1.0 - c));
            vn[j] = d + (0.08 * lv + r - 0.1 * d);
        }
    });
}

pub fn matmul(c: &mut [f32], a: &[f32], b: &[f32], n: usize) {
    c.par_chunks_exact_mut(n).zip(a.par_chunks_exact(n)).for_each(|(c, a)| {
        for (j, c) in c.iter_mut().enumerate() {
            let mut sum = 0.0;
            for (k, a) in a.iter().enumerate() {
                sum += a * b[k * n + j];
            }
            *c = sum;
        }
    });
}

/// Forces of `[x, y, z, m]` into `[fx, fy, fz]`.
pub fn nbody([fx, fy, fz]: [&mut [f32]; 3], [x, y, z, m]: [&[f32]; 4]) {
    let out = fx.par_iter_mut().zip(fy.par_iter_mut()).zip(fz.par_iter_mut()).enumerate();
    out.with_min_len(64).for_each(|(i, ((fx, fy), fz))| {
        let (mut ax, mut ay, mut az) = (0.0, 0.0, 0.0);
        for (((x1, y1), z1), m) in x.iter().zip(y).zip(z).zip(m) {
            let (dx, dy, dz) = (x1 - x[i], y1 - y[i], z1 - z[i]);
            let inverse = 1.0 / (dx * dx + dy * dy + dz * dz + 1e-3).sqrt();
            let s = m * inverse * inverse * inverse;
            ax += dx * s;
            ay += dy * s;
            az += dz * s;
        }
        (*fx, *fy, *fz) = (ax, ay, az);
    });
}

pub fn histogram(bins: &mut [u32], keys: &[u32]) {
    let counts: Vec<AtomicU32> = bins.iter().map(|_| AtomicU32::new(0)).collect();
    keys.par_chunks(CHUNK).for_each(|keys| {
        for key in keys {
            counts[(key & 255) as usize].fetch_add(1, Ordering::Relaxed);
        }
    });
    bins.iter_mut().zip(counts).for_each(|(bin, count)| *bin = count.into_inner());
}

pub fn julia(out: &mut [u32], n: usize, limit: u32) {
    let scale = 3.0 / n as f32;
    out.par_chunks_exact_mut(n).enumerate().for_each(|(i, row)| {
        for (j, out) in row.iter_mut().enumerate() {
            let (mut zx, mut zy) = (i as f32 * scale - 1.5, j as f32 * scale - 1.5);
            let mut count = 0;
            while zx * zx + zy * zy < 4.0 && count < limit {
                (zx, zy) = (zx * zx - zy * zy - 0.8, 2.0 * zx * zy + 0.156);
                count += 1;
            }
            *out = count;
        }
    });
}
