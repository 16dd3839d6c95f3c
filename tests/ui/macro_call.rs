#[qd::kernel]
fn k(x: &mut [f32]) {
    for i in 0..x.len() {
        assert!(i < 3);
        x[i] = f32::from(vec![1u8][0]);
    }
}

fn main() {}
