//! Macros of one's own by the names of std's: an error, never std's in their place.

mod mine {
    macro_rules! panics {
        ($($any:tt)*) => {
            ()
        };
    }
    pub(crate) use panics as panic;
    pub(crate) use panics as println;
}

macro_rules! assert {
    ($($any:tt)*) => {
        ()
    };
}

mod textual {
    #[qd::kernel]
    fn k(x: &mut [f32]) {
        for i in 0..x.len() {
            assert!(x[i] > 0.0);
        }
    }
}

mod imported {
    use super::mine::panic;

    #[qd::kernel]
    fn k(x: &mut [f32]) {
        for i in 0..x.len() {
            if x[i] > 0.0 {
                panic!("{i}");
            }
        }
    }
}

mod by_path {
    #[qd::kernel]
    fn k(x: &mut [f32]) {
        for i in 0..x.len() {
            super::mine::println!("{i}");
            std::assert!(x[i] > 0.0);
        }
    }
}

fn main() {}
