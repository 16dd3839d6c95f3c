//! `Vector` and `Matrix`: operators, methods, components, as elements, variables, parameters and results, bit for bit.
use std::fmt::Debug;

use qd::prelude::*;
use qd::{Matrix, Vector, vec2, vec3, vec4};

use crate::support::{Class, Engines, Same, hash, singles};

/// Scalars of a value, so that NaN equals NaN.
trait Flat {
    fn flat(&self) -> Vec<f64>;
}
impl Flat for f32 {
    fn flat(&self) -> Vec<f64> {
        vec![f64::from(*self)]
    }
}
impl<const N: usize> Flat for Vector<f32, N> {
    fn flat(&self) -> Vec<f64> {
        (0..N).map(|k| f64::from(self[k])).collect()
    }
}
impl<const R: usize, const C: usize> Flat for Matrix<f32, R, C> {
    fn flat(&self) -> Vec<f64> {
        (0..R).flat_map(|r| self[r].flat()).collect()
    }
}

fn assert_bits<T: Flat + Debug>(what: &str, engine: &str, got: &[T], want: &[T]) {
    for (i, (got, want)) in got.iter().zip(want).enumerate() {
        let same = got.flat().iter().zip(want.flat()).all(|(a, b)| a.same(b, Class::Exact));
        assert!(same, "{what} {i} ({engine}): compiled {got:?}, native {want:?}");
    }
}

/// A value of finite and of edge components.
fn number(n: usize) -> f32 {
    let edges = singles::<f32>(|_| true);
    match n % 5 {
        0 => edges[hash(n as u64) as usize % edges.len()],
        _ => (hash(n as u64) % 4001) as f32 / 1000.0 - 2.0,
    }
}

fn vector<const N: usize>(n: usize) -> Vector<f32, N> {
    Vector::from(std::array::from_fn(|k| number(n * 16 + k)))
}

fn matrix<const R: usize, const C: usize>(n: usize) -> Matrix<f32, R, C> {
    Matrix::from(std::array::from_fn(|r| std::array::from_fn(|c| number(n * 64 + r * 8 + c))))
}

/// A kernel for each row, over vectors, matrices and a scalar.
macro_rules! rows {
    ($($name:ident: $out:ty = |$v:ident: $a:ty, $w:ident: $b:ty, $s:ident| $e:expr;)*) => { $(
        #[test]
        fn $name() {
            #[qd::kernel]
            fn kernel(out: &mut [$out], a: &[$a], b: &[$b], c: &[f32]) {
                for i in 0..out.len() {
                    let $v = a[i];
                    let $w = b[i];
                    let $s = c[i];
                    out[i] = $e;
                }
            }
            const N: usize = 700;
            let a: Vec<$a> = (0..N).map(Make::make).collect();
            let b: Vec<$b> = (N..2 * N).map(Make::make).collect();
            let c: Vec<f32> = (2 * N..3 * N).map(number).collect();
            let mut want = vec![<$out>::default(); N];
            kernel.native(&mut want, &a, &b, &c);
            for engine in &Engines::new().all {
                let mut got = vec![<$out>::default(); N];
                engine.runtime.scope(|| kernel(&mut got, &a, &b, &c));
                assert_bits(stringify!($name), &engine.name, &got, &want);
            }
        }
    )* };
}

trait Make {
    fn make(n: usize) -> Self;
}
impl<const N: usize> Make for Vector<f32, N> {
    fn make(n: usize) -> Self {
        vector(n)
    }
}
impl<const R: usize, const C: usize> Make for Matrix<f32, R, C> {
    fn make(n: usize) -> Self {
        matrix(n)
    }
}

type V2 = Vector<f32, 2>;
type V3 = Vector<f32, 3>;
type V4 = Vector<f32, 4>;
type V7 = Vector<f32, 7>;
type M1 = Matrix<f32, 1, 1>;
type M2 = Matrix<f32, 2, 2>;
type M3 = Matrix<f32, 3, 3>;
type M4 = Matrix<f32, 4, 4>;
type M23 = Matrix<f32, 2, 3>;
type M35 = Matrix<f32, 3, 5>;

rows! {
    add: V3 = |v: V3, w: V3, s| v + w;
    sub: V7 = |v: V7, w: V7, s| v - w;
    mul: V2 = |v: V2, w: V2, s| v * w;
    div: V4 = |v: V4, w: V4, s| v / w;
    neg: V3 = |v: V3, w: V3, s| -(v - -w);
    scale: V3 = |v: V3, w: V3, s| v * s + w / s;
    scale_by_literals: V3 = |v: V3, w: V3, s| 2.0 * v - w * 0.5 + s * w;
    compound: V4 = |v: V4, w: V4, s| {
        let mut u = v;
        u += w;
        u *= s;
        u -= v * w;
        u /= 3.0;
        u *= w;
        u /= v;
        u
    };
    dot: f32 = |v: V7, w: V7, s| v.dot(w) * s;
    norm: f32 = |v: V3, w: V3, s| (v - w).norm() + v.norm_squared();
    normalize: V4 = |v: V4, w: V4, s| (v * s + w).normalize();
    cross: V3 = |v: V3, w: V3, s| v.cross(w);
    outer: M23 = |v: V2, w: V3, s| v.outer(w) * s;
    transpose: Matrix<f32, 5, 3> = |v: M35, w: V2, s| v.transpose();
    matrix_sums: M23 = |v: M23, w: M23, s| -v + w - v * s + s * w / 2.0;
    matrix_compound: M2 = |v: M2, w: M2, s| {
        let mut m = v;
        m += w;
        m *= s;
        m -= v;
        m /= s;
        m
    };
    matrix_vector: V2 = |v: M23, w: V3, s| v * w + v * (s * w);
    matrix_matrix: Matrix<f32, 2, 5> = |v: M23, w: M35, s| v * w;
    determinant1: f32 = |v: M1, w: V2, s| v.determinant();
    determinant2: f32 = |v: M2, w: V2, s| v.determinant();
    determinant3: f32 = |v: M3, w: V2, s| v.determinant();
    determinant4: f32 = |v: M4, w: V2, s| v.determinant() + s;
    inverse1: M1 = |v: M1, w: V2, s| v.inverse();
    inverse2: M2 = |v: M2, w: V2, s| v.inverse();
    inverse3: M3 = |v: M3, w: V2, s| v.inverse() * s;
    inverse4: M4 = |v: M4, w: V4, s| (v + w.outer(w)).inverse();
    components: V4 = |v: V4, w: V3, s| {
        let mut u = Vector::from([w.z, v.x, v[1], s]);
        u.w += v.w;
        u[0] = u.y * w[2];
        u.y -= 1.5;
        u
    };
    elements: M23 = |v: M23, w: V3, s| {
        let mut m = v;
        m[[0, 2]] = w.x + m[[1, 0]];
        m[1] = w * 2.0;
        m[1].y += m[0][2];
        m[0][1] *= s;
        m
    };
    dynamic: V3 = |v: M3, w: V3, s| {
        let mut sums = Vector::zero();
        let mut turned = Matrix::<f32, 3, 3>::identity();
        for r in 0..3 {
            for c in 0..3 {
                sums[r] += v[[r, c]] * w[c];
                turned[[c, r]] -= v[r][c];
            }
            turned[r] *= s;
        }
        turned * sums
    };
    made: M2 = |v: V2, w: V3, s| {
        let m = Matrix::from([[v.x, 1.0], [w.z, s]]);
        let [first, _] = <[[f32; 2]; 2]>::from(m);
        let row: Vector<f32, 2> = first.into();
        let whole: [f32; 3] = w.into();
        m * vec2(whole[1], row.y).outer(Vector::splat(2.0)) + Matrix::zero()
    };
    short_names: V4 = |v: V3, w: V2, s| vec4(1.0, s, v.x, w.y) + vec4(s, s, s, vec3(s, 2.0, v.z).dot(v));
    chosen: V3 = |v: V3, w: V3, s| if v == w || (v, 1) != (w, 1) && s > 0.0 { v } else { w + v };
}

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Body {
    pos: Vector<f64, 3>,
    vel: Vector<f64, 3>,
    turn: Matrix<f32, 2, 2>,
    mass: f64,
    cell: Vector<i32, 3>,
}

fn bodies(n: usize) -> NdArray<Body> {
    let real = |k: usize| (hash(k as u64) % 2001) as f64 / 100.0 - 10.0;
    NdArray::from_fn(n, |[n]| Body {
        pos: Vector::from(std::array::from_fn(|k| real(n * 9 + k))),
        vel: Vector::from(std::array::from_fn(|k| real(n * 9 + k + 3))),
        turn: Matrix::from([[1.0, real(n) as f32], [0.5, 2.0]]),
        mass: real(n).abs() + 0.5,
        cell: Vector::splat(n as i32),
    })
}

#[qd::func]
fn pull(from: &Body, to: Vector<f64, 3>) -> Vector<f64, 3> {
    let way = to - from.pos;
    way * (from.mass / (way.norm_squared() + 0.01).sqrt())
}

#[qd::kernel]
fn step(all: &mut NdArray<Body>, centre: Vector<f64, 3>, dt: f64) {
    for i in all.indices() {
        let body = all[i];
        all[i].vel += pull(&body, centre) * dt;
        let vel = all[i].vel;
        all[i].pos += dt * vel;
        all[i].pos.z = all[i].pos.z.max(-5.0);
        all[i].turn = all[i].turn * all[i].turn.transpose();
        all[i].turn[i % 2][1] += 1.0;
        all[i].cell -= Vector::from([1, i as i32, 2]);
        all[i].cell[i % 3] /= 3;
    }
}

#[test]
fn vectors_in_structs() {
    let mut want = bodies(2500);
    step.native(&mut want, vec3(0.5, 1.0, -2.0), 0.125);
    for engine in &Engines::new().all {
        let mut got = bodies(2500);
        engine.runtime.scope(|| step(&mut got, vec3(0.5, 1.0, -2.0), 0.125));
        assert_eq!(got, want, "{}", engine.name);
    }
}

#[qd::kernel]
fn blur(x: &mut NdArray<Vector<f32, 3>, 2>, y: &NdArray<Vector<f32, 3>, 2>) {
    let [h, w] = y.shape();
    for (i, j) in ndrange([1..h - 1, 1..w - 1]) {
        let around = y[[i - 1, j]] + y[[i + 1, j]] + y[[i, j - 1]] + y[[i, j + 1]];
        x[[i, j]] = (y[[i, j]] * 4.0 + around) / 8.0;
    }
}

#[test]
fn fields_of_vectors() {
    let y = NdArray::from_fn([37, 53], |[i, j]| vector(i * 53 + j));
    let mut want = NdArray::full([37, 53], Vector::zero());
    blur.native(&mut want, &y);
    for engine in &Engines::new().all {
        let mut got = NdArray::zeros([37, 53]);
        engine.runtime.scope(|| blur(&mut got, &y));
        assert_bits("blur", &engine.name, got.as_slice(), want.as_slice());
    }
}

#[qd::kernel]
fn totals(x: &[Vector<f64, 3>], m: &[Matrix<i32, 2, 2>]) -> (Vector<f64, 3>, Matrix<i32, 2, 2>, Vector<f64, 3>) {
    let mut sum = Vector::zero();
    let mut moments = Matrix::<i32, 2, 2>::identity();
    let mut product = Vector::splat(1.0);
    for i in 0..x.len() {
        sum += x[i] * 2.0;
        moments += m[i];
        product *= x[i];
    }
    let mean = sum / x.len() as f64;
    (mean, moments, product)
}

#[test]
fn sums_over_a_loop() {
    let x: Vec<Vector<f64, 3>> = (0..10_000)
        .map(|n| Vector::from(std::array::from_fn(|k| 0.5 + (hash(n * 3 + k as u64) % 1000) as f64 / 1000.0)))
        .collect();
    let m: Vec<Matrix<i32, 2, 2>> = (0..10_000).map(|n| Matrix::from([[n as i32, hash(n) as i32], [1, -3]])).collect();
    let part = |op, init, factor: f64, k: usize| qd::reduce_reference(op, init, x.iter().map(move |v| v[k] * factor));
    let sum = Vector::from(std::array::from_fn(|k| part(qd::ReduceOp::Add, 0.0, 2.0, k)));
    let product = Vector::from(std::array::from_fn(|k| part(qd::ReduceOp::Mul, 1.0, 1.0, k)));
    let moments = m.iter().fold(Matrix::identity(), |sum, m| sum + *m);
    for engine in &Engines::new().all {
        let got = engine.runtime.scope(|| totals(&x, &m));
        assert_eq!(got, (sum / x.len() as f64, moments, product), "{}", engine.name);
    }
}

#[qd::kernel]
fn component(x: &mut [Vector<i32, 3>], k: usize) {
    for i in 0..x.len() {
        x[i][k + i / 100] /= x[i].x;
    }
}

#[test]
fn components_are_checked() {
    for engine in &Engines::new().all {
        let mut x = vec![Vector::splat(1); 300];
        let error = engine.runtime.scope(|| component.try_call(&mut x, 1)).unwrap_err().to_string();
        assert!(error.contains("the len is 3 but the index is 3") && error.contains("iteration 200"), "{error}");
        x[40].x = 0;
        let error = engine.runtime.scope(|| component.try_call(&mut x, 1)).unwrap_err().to_string();
        assert!(error.contains("attempt to divide by zero") && error.contains("iteration 40"), "{error}");
    }
}

/// Of a product the first factor doesn't tell the type.
#[qd::kernel]
fn numbers_in_front(out: &mut [Vector<u64, 4>], m: &mut [Matrix<f32, 2, 2>], n: u64) {
    for i in 0..out.len() {
        let thrice = 3u64 * out[i];
        let scaled = (n + 1) * (thrice + 5u64 * Vector::<u64, 4>::splat(2));
        out[i] = scaled + i as u64 * vec4(1, 2, 3, 4);
        let turned = 0.5f32 * m[i];
        m[i] = turned + (2.0f32.sqrt() * Matrix::<f32, 2, 2>::identity()) * turned;
    }
}

#[test]
fn products_have_the_type_of_their_vector() {
    let start = (vec![Vector::from([1u64, 2, 3, 4]); 40], vec![Matrix::from([[1.0f32, 2.0], [3.0, 4.0]]); 40]);
    let mut want = start.clone();
    numbers_in_front.native(&mut want.0, &mut want.1, 6);
    for engine in &Engines::new().all {
        let mut got = start.clone();
        engine.runtime.scope(|| numbers_in_front(&mut got.0, &mut got.1, 6));
        assert!(got == want, "{}", engine.name);
    }
}

/// Methods that work component by component.
#[qd::kernel]
fn by_component<T: qd::Float>(x: &mut [Vector<T, 3>], y: &[Vector<T, 3>]) {
    for i in 0..x.len() {
        let (v, w) = (x[i], y[i]);
        let whole = v.floor() + w.ceil() * v.round() - v.trunc().min(w.fract());
        let roots = v.abs().sqrt().max(w.recip()).copysign(v) + w.signum();
        x[i] = whole + roots.max(Vector::splat(T::ONE)).min(v.abs());
    }
}

#[qd::kernel]
fn box_of(x: &[Vector<f32, 2>]) -> (Vector<f32, 2>, Vector<f32, 2>) {
    let (mut least, mut most) = (x[0], x[0]);
    #[qd::serial]
    for i in 0..x.len() {
        least = least.min(x[i]);
        most = most.max(x[i]);
    }
    (least, most)
}

#[test]
fn methods_component_by_component() {
    fn check<T: qd::Float>() {
        let values = |salt: u64| -> Vec<Vector<T, 3>> {
            let of = |n: u64, k: u64| (hash(n * 3 + k + salt) % 400) as f32 / 32.0 - 6.1;
            (0..300).map(|n| Vector::from(std::array::from_fn(|k| T::from(of(n, k as u64))))).collect()
        };
        let (start, y) = (values(0), values(1000));
        let mut want = start.clone();
        by_component.native(&mut want, &y);
        for engine in &Engines::new().all {
            let mut got = start.clone();
            engine.runtime.scope(|| by_component(&mut got, &y));
            assert!(got == want, "{}", engine.name);
        }
    }
    check::<f32>();
    check::<f64>();
    check::<f16>();
    let x: Vec<Vector<f32, 2>> = (0..100).map(|n| vec2((hash(n) % 50) as f32, (hash(n + 7) % 60) as f32)).collect();
    for engine in &Engines::new().all {
        assert_eq!(engine.runtime.scope(|| box_of(&x)), box_of.native(&x), "{}", engine.name);
    }
}
