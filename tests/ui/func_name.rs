#[qd::func]
fn f32(v: f64) -> f64 {
    v
}

/// It is fine under another name for the twin.
mod twins {
    #[qd::func(twin = u8_func)]
    pub fn u8(v: u8) -> u8 {
        v
    }
}

fn main() {}
