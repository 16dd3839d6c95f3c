//! Conversions of one's own types: of references, by `Into`, and called without the attribute.
#[derive(Clone, Copy, Default, qd::Data)]
struct Metres(f32);

#[derive(Clone, Copy, Default, qd::Data)]
struct Feet(f32);

#[qd::funcs]
impl From<&Metres> for f32 {
    fn from(metres: &Metres) -> f32 {
        metres.0
    }
}

#[qd::funcs]
impl Into<Feet> for Metres {
    fn into(self) -> Feet {
        Feet(self.0 * 3.28084)
    }
}

fn main() {}
