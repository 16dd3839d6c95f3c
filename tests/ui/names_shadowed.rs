//! Names that the macro knows by their spelling mean something else here: an error, never another result.
#![allow(non_camel_case_types)]

mod narrow {
    pub type u8 = u16;
}

mod aliased {

    use super::narrow::u8;

    #[qd::kernel]
    fn casts(x: &mut [i64]) {
        for i in 0..x.len() {
            x[i] = (i * 300) as u8 as i64;
        }
    }
}

mod replaced {

    fn ndrange(_: [usize; 1]) -> impl Iterator<Item = usize> {
        0..2usize
    }

    #[qd::kernel]
    fn runs_over(x: &mut [i64]) {
        for a in ndrange([6]) {
            x[a] += 1;
        }
    }
}

mod methods {

    trait Shaped {
        fn shape(&self) -> [usize; 1];
        fn indices(&self) -> std::ops::Range<usize>;
    }

    impl Shaped for [i64] {
        fn shape(&self) -> [usize; 1] {
            [3]
        }
        fn indices(&self) -> std::ops::Range<usize> {
            0..2
        }
    }

    #[qd::kernel]
    fn shapes(x: &mut [i64]) {
        for i in x.indices() {
            x[i] += 1;
        }
    }
}

mod moved {

    mod qd {
        pub mod atomic {
            pub fn add(place: &mut i64, value: i64) -> i64 {
                *place -= value;
                *place
            }
        }
    }

    #[::qd::kernel]
    fn counts(x: &mut [i64]) {
        for i in 0..9 {
            qd::atomic::add(&mut x[0], i);
        }
    }
}

fn main() {}
