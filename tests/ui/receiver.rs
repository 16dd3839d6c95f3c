struct S;

impl S {
    #[qd::kernel]
    fn k(&self, _x: &mut [f32]) {}
}

fn main() {}
