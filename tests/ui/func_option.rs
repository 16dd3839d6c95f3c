#[qd::func(twine = f_twin)]
fn f(v: f32) -> f32 {
    v
}

fn main() {}
