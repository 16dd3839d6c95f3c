use qd::NdArray;

type Image<'a> = &'a mut NdArray<f32, 2>;

#[qd::kernel]
fn k(image: Image) {
    for (i, j) in image.indices() {
        image[[i, j]] += image.len() as f32;
    }
}

fn main() {}
