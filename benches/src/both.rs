//! Kernels with checks and without, of one source: `both!` makes of a function `name` the kernels `name::checked`, as it
//! is written, and `name::unchecked`, in which every index `x[i]` is `x.get_unchecked(i)`.
//!
//! What stands in brackets behind a name is taken for an index, so the sources have no patterns `[a, b]`.
use qd::prelude::*;

/// Both kernels of a function.
macro_rules! both {
    ($(#[$attribute:meta])* fn $name:ident $params:tt { $($body:tt)* }) => {
        $(#[$attribute])*
        pub mod $name {
            #[allow(unused_imports)] // kernels of slices name nothing of it
            use super::*;

            #[qd::kernel]
            pub fn checked $params { $($body)* }

            unchecked!(@ [#[qd::kernel] #[allow(unused_parens)] pub fn unchecked $params] {} {$($body)*} []);
        }
    };
}

/// `@ [before the body] {done} {to do} [groups that are open: kind, what was done before it, what is to do behind it]`
macro_rules! unchecked {
    (@ [$($head:tt)*] {$($out:tt)*} {} []) => {
        $($head)* {
            // SAFETY: the indices are the same as in `checked`, which runs first on the same data and doesn't fail.
            unsafe { $($out)* }
        }
    };
    (@ $head:tt {$($out:tt)*} {} [(paren {$($before:tt)*} {$($rest:tt)*}) $($open:tt)*]) => {
        unchecked!(@ $head {$($before)* ($($out)*)} {$($rest)*} [$($open)*]);
    };
    (@ $head:tt {$($out:tt)*} {} [(brace {$($before:tt)*} {$($rest:tt)*}) $($open:tt)*]) => {
        unchecked!(@ $head {$($before)* {$($out)*}} {$($rest)*} [$($open)*]);
    };
    (@ $head:tt {$($out:tt)*} {} [(bracket {$($before:tt)*} {$($rest:tt)*}) $($open:tt)*]) => {
        unchecked!(@ $head {$($before)* [$($out)*]} {$($rest)*} [$($open)*]);
    };
    (@ $head:tt {$($out:tt)*} {} [(($x:ident $get:ident) {$($before:tt)*} {$($rest:tt)*}) $($open:tt)*]) => {
        unchecked!(@ $head {$($before)* (*$x.$get($($out)*))} {$($rest)*} [$($open)*]);
    };
    (@ $head:tt {$($out:tt)*} {& mut $x:ident [$($index:tt)*] $($rest:tt)*} [$($open:tt)*]) => {
        unchecked!(@ $head {} {$($index)*} [(($x get_unchecked_mut) {$($out)* &mut} {$($rest)*}) $($open)*]);
    };
    (@ $head:tt {$($out:tt)*} {$x:ident [$($index:tt)*] = $($rest:tt)*} [$($open:tt)*]) => {
        unchecked!(@ $head {} {$($index)*} [(($x get_unchecked_mut) {$($out)*} {= $($rest)*}) $($open)*]);
    };
    (@ $head:tt {$($out:tt)*} {$x:ident [$($index:tt)*] += $($rest:tt)*} [$($open:tt)*]) => {
        unchecked!(@ $head {} {$($index)*} [(($x get_unchecked_mut) {$($out)*} {+= $($rest)*}) $($open)*]);
    };
    (@ $head:tt {$($out:tt)*} {$x:ident [$($index:tt)*] $($rest:tt)*} [$($open:tt)*]) => {
        unchecked!(@ $head {} {$($index)*} [(($x get_unchecked) {$($out)*} {$($rest)*}) $($open)*]);
    };
    (@ $head:tt {$($out:tt)*} {($($inner:tt)*) $($rest:tt)*} [$($open:tt)*]) => {
        unchecked!(@ $head {} {$($inner)*} [(paren {$($out)*} {$($rest)*}) $($open)*]);
    };
    (@ $head:tt {$($out:tt)*} {{$($inner:tt)*} $($rest:tt)*} [$($open:tt)*]) => {
        unchecked!(@ $head {} {$($inner)*} [(brace {$($out)*} {$($rest)*}) $($open)*]);
    };
    (@ $head:tt {$($out:tt)*} {[$($inner:tt)*] $($rest:tt)*} [$($open:tt)*]) => {
        unchecked!(@ $head {} {$($inner)*} [(bracket {$($out)*} {$($rest)*}) $($open)*]);
    };
    (@ $head:tt {$($out:tt)*} {$next:tt $($rest:tt)*} $open:tt) => {
        unchecked!(@ $head {$($out)* $next} {$($rest)*} $open);
    };
}

both! {
    fn triad(a: &mut [f32], b: &[f32], c: &[f32], s: f32) {
        for i in 0..a.len() {
            a[i] = b[i] + s * c[i];
        }
    }
}

both! {
    fn stencil(b: &mut NdArray<f32, 2>, a: &NdArray<f32, 2>) {
        let n = a.shape()[0];
        let m = a.shape()[1];
        for (i, j) in ndrange([1..n - 1, 1..m - 1]) {
            b[[i, j]] = 0.25 * (a[[i - 1, j]] + a[[i + 1, j]] + a[[i, j - 1]] + a[[i, j + 1]]);
        }
    }
}

both! {
    fn matmul(c: &mut NdArray<f32, 2>, a: &NdArray<f32, 2>, b: &NdArray<f32, 2>) {
        for (i, j) in c.indices() {
            let mut sum = 0.0;
            for k in 0..a.shape()[1] {
                sum += a[[i, k]] * b[[k, j]];
            }
            c[[i, j]] = sum;
        }
    }
}

both! {
    fn gray_scott(un: &mut NdArray<f32, 2>, vn: &mut NdArray<f32, 2>, u: &NdArray<f32, 2>, v: &NdArray<f32, 2>) {
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
}

both! {
    fn nbody(fx: &mut [f32], fy: &mut [f32], x: &[f32], y: &[f32], m: &[f32]) {
        for i in 0..x.len() {
            let mut ax = 0.0;
            let mut ay = 0.0;
            for j in 0..x.len() {
                let dx = x[j] - x[i];
                let dy = y[j] - y[i];
                let inverse = 1.0 / (dx * dx + dy * dy + 1e-3).sqrt();
                let s = m[j] * inverse * inverse * inverse;
                ax += dx * s;
                ay += dy * s;
            }
            fx[i] = ax;
            fy[i] = ay;
        }
    }
}

both! {
    fn mandelbrot(out: &mut NdArray<u32, 2>, limit: u32) {
        let n = out.shape()[0];
        for (i, j) in out.indices() {
            let scale = 3.0 / n as f32;
            let cx = j as f32 * scale - 2.2;
            let cy = i as f32 * scale - 1.5;
            let mut zx = 0.0;
            let mut zy = 0.0;
            let mut count = 0;
            while zx * zx + zy * zy < 4.0 && count < limit {
                let t = zx * zx - zy * zy + cx;
                zy = 2.0 * zx * zy + cy;
                zx = t;
                count += 1;
            }
            out[[i, j]] = count;
        }
    }
}

both! {
    fn histogram(bins: &mut [u32], keys: &[u32]) {
        for k in 0..bins.len() {
            bins[k] = 0;
        }
        for i in 0..keys.len() {
            qd::atomic::add(&mut bins[keys[i] as usize], 1);
        }
    }
}

both! {
    /// Rows of a sparse matrix times a vector.
    fn csr(y: &mut [f32], starts: &[usize], columns: &[u32], values: &[f32], x: &[f32]) {
        for i in 0..y.len() {
            let mut sum = 0.0;
            for k in starts[i]..starts[i + 1] {
                sum += values[k] * x[columns[k] as usize];
            }
            y[i] = sum;
        }
    }
}

both! {
    /// Elements of a table, by a list of places.
    fn gather(y: &mut [f32], table: &[f32], places: &[u32]) {
        for i in 0..y.len() {
            y[i] = table[places[i] as usize] * 0.5;
        }
    }
}

both! {
    /// The mass of particles to the three by three nodes round each, in units of 2^-16.
    fn mpm(grid: &mut NdArray<u32, 2>, xs: &[f32], ys: &[f32]) {
        for (i, j) in grid.indices() {
            grid[[i, j]] = 0;
        }
        for p in 0..xs.len() {
            let x = xs[p];
            let y = ys[p];
            let column = (x - 0.5) as usize;
            let row = (y - 0.5) as usize;
            let fx = x - column as f32;
            let fy = y - row as f32;
            let wx = [0.5 * (1.5 - fx) * (1.5 - fx), 0.75 - (fx - 1.0) * (fx - 1.0), 0.5 * (fx - 0.5) * (fx - 0.5)];
            let wy = [0.5 * (1.5 - fy) * (1.5 - fy), 0.75 - (fy - 1.0) * (fy - 1.0), 0.5 * (fy - 0.5) * (fy - 0.5)];
            for i in 0..3 {
                for j in 0..3 {
                    qd::atomic::add(&mut grid[[row + i, column + j]], (wx[j] * wy[i] * 65536.0) as u32);
                }
            }
        }
    }
}

both! {
    /// Blocks of `m` elements, `w` apart: that they are apart is found out at the launch.
    fn blocks(x: &mut [f32], h: usize, w: usize, m: usize) {
        for i in 0..h {
            for j in 0..m {
                x[i * w + j] = (i + j) as f32 + 1.0;
            }
        }
    }
}

/// Elements to places that are all different, found out by claims or promised.
pub mod scatter {
    #[qd::kernel]
    pub fn checked(y: &mut [f32], x: &[f32], places: &[u32]) {
        for i in 0..x.len() {
            qd::scatter(&mut y[places[i] as usize], x[i]);
        }
    }

    #[qd::kernel]
    pub fn unchecked(y: &mut [f32], x: &[f32], places: &[u32]) {
        for i in 0..x.len() {
            // SAFETY: the indices are those of `checked`, which runs first on the same data and doesn't fail.
            unsafe {
                *y.get_unchecked_mut(*places.get_unchecked(i) as usize) = *x.get_unchecked(i);
            }
        }
    }
}
