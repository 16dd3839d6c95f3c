#[derive(Clone, Copy, qd::Data)]
union Bits {
    a: f32,
    b: u32,
}

fn main() {}
