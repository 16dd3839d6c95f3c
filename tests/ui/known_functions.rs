//! Functions that kernels know by name: in another place than theirs, or another function of the name.
mod of_qd {
    use qd::{atomic, ndrange, scatter};

    #[qd::kernel]
    fn values(x: &mut [i32]) {
        for i in 0..x.len() {
            let mut sum = x[i];
            scatter(&mut sum, 3);
            atomic::add(&mut sum, 3);
            let all = ndrange([3]);
        }
    }
}

mod others {
    fn scatter(place: &mut i32, value: i32) {
        *place = value;
    }

    mod atomic {
        pub fn add(place: &mut i32, value: i32) {
            *place = value;
        }
    }

    #[qd::kernel]
    fn elements(x: &mut [i32]) {
        for i in 0..x.len() {
            scatter(&mut x[i], 3);
            atomic::add(&mut x[i], 3);
        }
    }
}

fn main() {}
