#[qd::kernel]
fn missing<T: qd::Number>(x: &mut [T]) {
    for i in 0..x.len() {
        x[i] = x[i].round_ties_even();
    }
}

#[qd::kernel]
fn other<T: Copy + PartialOrd + 'static>(x: &mut [T], v: T) {
    for i in 0..x.len() {
        x[i] = v;
    }
}

fn main() {
    missing(&mut [true]);
}
