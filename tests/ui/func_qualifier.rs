#[qd::func]
unsafe fn peek(v: f32) -> f32 {
    v
}

#[qd::func]
async fn wait(v: f32) -> f32 {
    v
}

fn main() {}
