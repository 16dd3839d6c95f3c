#[qd::kernel]
fn k() -> Option<f32> {
    NOTHING
}

const NOTHING: Option<f32> = None;

fn main() {}
