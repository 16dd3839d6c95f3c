struct S;

#[qd::funcs]
impl S {
    #[qd::kernel]
    fn l(x: &mut [f32]) {
        for i in 0..x.len() {
            x[i] = 1.0;
        }
    }
}

fn main() {}
