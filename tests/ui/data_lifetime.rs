#[derive(Clone, Copy, qd::Data)]
struct View<'a> {
    a: &'a [f32],
}

fn main() {}
