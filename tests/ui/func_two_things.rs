mod library {
    #[qd::func]
    pub fn dot(a: f32, b: f32) -> f32 {
        a * b
    }
}
use library::*;

fn dot(a: i32) -> i32 {
    a
}

#[qd::kernel]
fn k(x: &mut [i32]) {
    for i in 0..x.len() {
        x[i] = dot(x[i]);
    }
}

fn main() {}
