#[qd::funcs]
trait Shape<'a> {
    fn abs(&mut self);
    async fn later(&self) -> f32;
    fn text(&self) -> u32 {
        "text"
    }
}

fn main() {}
