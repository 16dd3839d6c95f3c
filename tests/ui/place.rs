static mut TOTAL: f32 = 0.0;

#[qd::kernel]
fn k(x: &[f32]) {
    for i in 0..x.len() {
        unsafe { TOTAL = x[i] };
    }
}

fn main() {}
