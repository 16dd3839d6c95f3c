#[qd::kernel]
fn k(x: &mut [i32], t: (i32, i32, i32)) {
    for i in 0..x.len() {
        x[i] = match t {
            (.., 1) => 1,
            (ref a, _, _) => 2,
            (0, n, _) | (n, 0, _) => n,
            (1, _, n) if let 3 = n => n,
            _ => 0,
        };
        let (0.. | ..0) = x[i];
        let n @ _ = x[i];
        x[i] += match [i, 2] {
            [0, ..] => 1,
            _ => 2,
        };
    }
}

fn main() {}
