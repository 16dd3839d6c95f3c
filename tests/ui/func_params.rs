#[qd::func]
#[rustfmt::skip]
fn many(
    a: f32, b: f32, c: f32, d: f32, e: f32, f: f32, g: f32, h: f32,
    i: f32, j: f32, k: f32, l: f32, m: f32, n: f32, o: f32, p: f32, q: f32,
) -> f32 {
    a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q
}

fn main() {}
