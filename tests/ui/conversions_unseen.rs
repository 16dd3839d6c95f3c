//! Conversions whose `impl` kernels haven't seen.
#[derive(Clone, Copy, Default, qd::Data)]
struct Metres(f32);

#[derive(Clone, Copy, Default, qd::Data)]
struct Feet(f32);

impl From<Metres> for Feet {
    fn from(metres: Metres) -> Feet {
        Feet(metres.0 * 3.28084)
    }
}

#[qd::kernel]
fn convert(x: &mut [Feet], y: &[Metres]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x = Feet::from(*y);
        *x = (*y).into();
    }
}

#[qd::func]
fn generic<T: Into<f32> + qd::Data>(value: T) -> f32 {
    value.into()
}

fn main() {}
