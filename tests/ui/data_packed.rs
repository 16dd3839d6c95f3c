#[derive(Clone, Copy, qd::Data)]
#[repr(C, packed)]
struct P {
    a: u8,
    b: f32,
}

fn main() {}
