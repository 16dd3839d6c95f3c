#[qd::kernel]
fn k(x: &mut [usize]) {
    for i in 0..x.len() {
        x[i] = x as *const [usize] as *const u8 as usize;
    }
}

fn main() {}
