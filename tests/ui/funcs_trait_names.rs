#[qd::funcs]
trait Shape<'a> {
    fn abs(&self) -> f32;
    async fn later(&self) -> f32;
    fn text(&self) -> u32 {
        "text"
    }
}

fn main() {}
