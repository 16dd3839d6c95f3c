#[derive(Clone, Copy, Debug, qd::Data)]
struct Point {
    x: f32,
    y: f32,
}

#[qd::kernel]
fn k(x: &mut [f32], p: Point, w: usize) {
    for i in 0..x.len() {
        assert!(x[i] > 0.0, "{:w$}", x[i]);
        assert!(x[i] > 0.0, "{:#?}", x[i]);
        assert!(x[i] > 0.0, "{:?}", x);
        panic!(concat!("a", "b"));
        eprintln!("{i}");
    }
}

#[qd::kernel]
fn l(x: &mut [f32], p: Point) {
    for i in 0..x.len() {
        if x[i] > 0.0 {
            panic!("{p:?}");
        }
    }
}

fn main() {}
