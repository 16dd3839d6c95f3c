//! An array in a variable has room on the stack.
const MANY: usize = 5000;

#[qd::kernel]
fn literal(x: &mut [f32]) {
    for i in 0..x.len() {
        let t = [0.0f32; 5000];
        x[i] = t[i];
    }
}

#[qd::kernel]
fn constant(x: &mut [f32]) {
    for i in 0..x.len() {
        let t = [0.0f32; MANY];
        x[i] = t[i];
    }
}

#[qd::func]
fn inner(i: usize) -> f32 {
    const FEW: usize = 4;
    const MORE: usize = MANY / FEW;
    const MOST: usize = MORE * FEW;
    let fits = [0.0f32; MORE];
    let t = [0.0f32; MOST];
    fits[i] + t[i]
}

fn main() {}
