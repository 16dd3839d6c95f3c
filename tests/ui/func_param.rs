#[qd::func]
fn sum(x: Vec<f32>, n: &usize) -> f32 {
    x[*n]
}

#[qd::func]
fn shown(x: &String) -> f32 {
    1.0
}

#[qd::func]
fn any(x: impl Copy) -> f32 {
    1.0
}

fn main() {}
