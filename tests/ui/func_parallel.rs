#[qd::func]
fn shift(x: &mut [f32]) {
    x[0] += 1.0;
}

#[qd::func]
fn neighbours(x: &[f32], i: usize) -> f32 {
    x[i - 1] + x[i + 1]
}

#[qd::func]
fn bump(v: &mut f32) {
    *v += 1.0;
}

#[qd::kernel]
fn whole(x: &mut [f32]) {
    for _i in 0..10 {
        shift(x);
    }
}

#[qd::kernel]
fn read(x: &mut [f32]) {
    for i in 1..x.len() - 1 {
        x[i] = neighbours(&x, i);
    }
}

#[qd::kernel]
fn place(x: &mut [f32], n: usize) {
    for i in 0..n {
        bump(&mut x[i / 2]);
    }
}

#[qd::kernel]
fn carried(x: &[f32]) -> f32 {
    let mut last = 0.0;
    for _i in 0..x.len() {
        bump(&mut last);
    }
    last
}

fn main() {}
