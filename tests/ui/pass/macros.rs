// std's macros under all their names.
mod renamed {
    pub use std::assert as assert;
    pub use std::println;
}

mod imported {
    use super::renamed::{assert, println};

    #[qd::kernel]
    pub fn k(x: &mut [f32]) {
        for i in 0..x.len() {
            assert!(x[i] >= 0.0, "{i}");
            println!("{i}");
            if matches!(i, 0 | 1) {
                debug_assert_eq!(i / 2, 0);
            }
        }
    }
}

#[qd::kernel]
fn by_path(x: &mut [f32]) {
    for i in 0..x.len() {
        core::assert!(x[i] >= 0.0);
        ::std::assert_ne!(i, 5);
        qd::println!("{i}");
        if x[i] > 9.0 {
            core::panic!("{i}");
        } else if x[i] > 8.0 {
            std::unreachable!();
        }
    }
}

fn main() {
    let _ = (imported::k, by_path);
}
