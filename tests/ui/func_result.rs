#[qd::func]
fn first(x: &[f32]) -> &f32 {
    &x[0]
}

#[qd::func]
fn found(x: &[f32]) -> Option<f32> {
    None
}

fn main() {}
