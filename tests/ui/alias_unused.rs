use qd::NdArray;

type Image<'a> = &'a mut NdArray<f32, 2>;
type Length = usize;

#[qd::kernel]
fn k(_image: Image, y: &mut [f32], n: Length) {
    for i in 0..n {
        y[i] = 1.0;
    }
}

fn main() {}
