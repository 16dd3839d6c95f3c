use qd::prelude::*;

#[qd::func]
fn counted(n: u32) -> u32 {
    let mut c = 1;
    (0..n).for_each(move |_| c += 1);
    c
}

#[qd::kernel]
fn k(x: &mut [u32]) {
    for i in 0..x.len() {
        let mut c = 1u32;
        let by = 3;
        (0..5u32).for_each(move |v| {
            c += v;
        });
        x[i] = c + (0..5u32).map(move |v| v * by).sum::<u32>();
    }
}

fn main() {}
