struct Ball;

impl Ball {
    #[qd::func]
    fn radius(&self) -> f32 {
        1.0
    }
}

#[qd::func]
mod inner {}

fn main() {}
