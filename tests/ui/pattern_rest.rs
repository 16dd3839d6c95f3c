#[derive(Clone, Copy, qd::Data)]
struct Three(f32, f32, f32);

#[qd::kernel]
fn k(x: &mut [f32], t: Three) {
    let Three(first, ..) = t;
    for i in 0..x.len() {
        x[i] = first;
    }
}

fn main() {}
