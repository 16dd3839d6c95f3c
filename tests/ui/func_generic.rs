#[qd::func]
fn first<T>(a: T, _b: T) -> T {
    a
}

#[qd::func]
fn second<T: Copy>(_a: T, b: T) -> T {
    b
}

fn main() {}
