#[derive(Clone, Copy, qd::Data)]
struct Pair(i64, i64);

#[qd::func]
fn Turned(a: i64, b: i64) -> Pair {
    Pair(b, a)
}

#[qd::funcs]
impl Pair {
    fn New(a: i64, b: i64) -> Pair {
        Pair(b, a)
    }
}

fn Plain(a: i64, b: i64) -> Pair {
    Pair(b, a)
}

const MADE: fn(i64, i64) -> Pair = |a, b| Pair(b, a);

#[qd::kernel]
fn k(x: &mut [i64]) {
    for i in 0..x.len() {
        let a = Plain(x[i], 2);
        let b = MADE(x[i], 2);
        let c = Pair(x[i], 2);
        x[i] = a.0 + b.0 + c.0;
    }
}

fn main() {}
