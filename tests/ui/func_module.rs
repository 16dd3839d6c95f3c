mod dot {
    #[qd::func]
    pub fn dot(a: f32, b: f32) -> f32 {
        a * b
    }
}
pub use dot::dot;

fn main() {}
