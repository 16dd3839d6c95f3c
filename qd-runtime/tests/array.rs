//! `NdArray`: construction, adoption, indexing, limits.
use qd_runtime::data::{Data, NdArray};
use qd_runtime::error::ErrorKind;

fn message(f: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let payload = std::panic::catch_unwind(f).expect_err("must panic");
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast_ref::<&str>().expect("a text").to_string(),
    }
}

#[test]
fn literals_index_one_dimension_as_usize() {
    let mut x = NdArray::from_slice(&[1, 2, 3]);
    x[0] = 5;
    x[[2]] += 1;
    for i in 0..x.len() {
        x[i] *= 2;
    }
    let i = 1;
    assert_eq!((x[0], x[i], x[2]), (10, 4, 8));
}

#[test]
fn rows_are_contiguous() {
    let x = NdArray::from_fn([2, 3], |[i, j]| 10 * i + j);
    assert_eq!(x.as_slice(), [0, 1, 2, 10, 11, 12]);
    assert_eq!(x[[1, 2]], 12);
    let y = NdArray::<u8, 4>::from_fn([2, 3, 4, 5], |[a, b, c, d]| (a * 60 + b * 20 + c * 5 + d) as u8);
    assert!(y.iter().copied().eq(0..120));
    assert_eq!(y.indices().nth(67), Some((1, 0, 1, 2)));
    assert_eq!(y[[1, 0, 1, 2]], 67);
}

#[test]
fn indices_are_tuples_and_plain_numbers_in_one_dimension() {
    let x = NdArray::<f64, 2>::zeros([2, 2]);
    let mut seen = Vec::new();
    for (i, j) in x.indices() {
        assert_eq!(x[[i, j]], 0.0);
        seen.push((i, j));
    }
    assert_eq!(seen, [(0, 0), (0, 1), (1, 0), (1, 1)]);
    assert!(NdArray::<u8>::zeros(3).indices().eq(0..3));
}

#[test]
fn panics_speak_rusts_words() {
    let x = NdArray::from_slice(&[1u8, 2, 3]);
    assert_eq!(message(move || assert_eq!(x[3], 0)), "index out of bounds: the len is 3 but the index is 3");
    let x = NdArray::<u8, 2>::zeros([2, 3]);
    // In bounds of the storage, out of bounds of the row.
    assert_eq!(
        message(move || assert_eq!(x[[0, 3]], 0)),
        "index out of bounds: the extent of dimension 1 is 3 but the index is 3"
    );
    let mut x = NdArray::<u8, 2>::zeros([2, 3]);
    let text = message(std::panic::AssertUnwindSafe(move || x.copy_from_slice(&[1])));
    assert!(text.contains("[2, 3] has 6 elements, but 1 were given"), "{text}");
}

#[test]
fn vecs_are_adopted_and_given_back() {
    let mut v = Vec::with_capacity(100);
    v.extend([1.0f32, 2.0, 3.0, 4.0]);
    let ptr = v.as_ptr();
    let mut x = NdArray::from_shape_vec([2, 2], v).unwrap();
    assert_eq!(x.as_ptr(), ptr);
    x[[1, 0]] = 9.0;
    let v = x.into_vec();
    assert_eq!((v.as_ptr(), v.capacity(), v.as_slice()), (ptr, 100, &[1.0, 2.0, 9.0, 4.0][..]));
    drop(NdArray::from_vec(v));
    assert_eq!(NdArray::full(3, 7u16).into_vec(), [7, 7, 7]);
}

#[test]
fn owned_storage_is_aligned() {
    for n in [1, 3, 1000] {
        assert_eq!(NdArray::<u8>::zeros(n).as_ptr() as usize % 64, 0);
        assert_eq!(NdArray::full(n, 1.5f64).clone().as_ptr() as usize % 64, 0);
    }
}

#[test]
fn counts_that_differ_are_errors() {
    let error = NdArray::from_shape_slice([2, 2], &[1, 2, 3]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Argument);
    assert_eq!(error.to_string(), "an array of shape [2, 2] has 4 elements, but 3 were given");
    assert!(NdArray::from_shape_vec([3], vec![1u8]).is_err());
}

#[test]
fn too_large_and_refused_shapes_are_errors() {
    let error = NdArray::<u32, 2>::try_zeros([usize::MAX, 2]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Argument);
    assert!(error.to_string().contains("larger than the address space"), "{error}");
    assert!(NdArray::<u64>::try_full(usize::MAX / 8, 0).is_err());
    assert!(NdArray::<u8>::try_zeros(isize::MAX as usize).is_err());
    // 2^62 bytes pass the arithmetic; no machine has them.
    let error = NdArray::<u8, 2>::try_zeros([1 << 31, 1 << 31]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Environment);
    assert!(error.to_string().contains("4611686018427387904 bytes"), "{error}");
    let text = message(|| drop(NdArray::<u8, 2>::zeros([1 << 31, 1 << 31])));
    assert!(text.contains("this machine refused"), "{text}");
}

#[test]
fn empty_arrays_work() {
    let x = NdArray::<f32, 3>::zeros([4, 0, usize::MAX]);
    assert!(x.is_empty() && x.as_slice().is_empty());
    assert_eq!(x.indices().count(), 0);
    assert_eq!(format!("{x:?}"), "[[], [], [], []]");
    assert_eq!(x.clone(), x);
    assert_eq!(NdArray::<u8>::from_vec(Vec::new()).into_vec(), []);
    let unit = NdArray::full([2, 2], ());
    assert_eq!(unit.iter().count(), 4);
    assert_eq!(unit.into_vec().len(), 4);
}

#[test]
fn debug_elides_long_arrays() {
    assert_eq!(format!("{:?}", NdArray::from_fn([2, 2], |[i, j]| i + j)), "[[0, 1], [1, 2]]");
    assert_eq!(format!("{:?}", NdArray::from_fn(2000, |[i]| i)), "[0, 1, 2, .., 1997, 1998, 1999]");
    let tall = format!("{:?}", NdArray::<u8, 2>::zeros([1001, 1]));
    assert_eq!(tall, "[[0], [0], [0], .., [0], [0], [0]]");
}

#[test]
fn equality_looks_at_shape_and_elements() {
    let x = NdArray::from_shape_slice([2, 3], &[1, 2, 3, 4, 5, 6]).unwrap();
    assert_ne!(x, NdArray::from_shape_slice([3, 2], &[1, 2, 3, 4, 5, 6]).unwrap());
    let mut y = x.clone();
    assert_eq!(x, y);
    y[[1, 1]] = 0;
    assert_ne!(x, y);
}

#[test]
fn plain_elements_are_bytes_and_cast() {
    let x = NdArray::from_shape_slice([1, 2], &[1.0f32, -0.0]).unwrap();
    assert_eq!(x.bytes(), [0, 0, 128, 63, 0, 0, 0, 128]);
    assert_eq!(x.cast::<u32>().as_slice(), [0x3f80_0000, 0x8000_0000]);
}

#[test]
fn a_panic_in_from_fn_frees_the_storage() {
    let text = message(|| drop(NdArray::from_fn(10, |[i]| if i == 5 { panic!("five") } else { i })));
    assert_eq!(text, "five");
}

#[test]
fn arrays_cross_threads() {
    fn check<T: Send + Sync>() {}
    check::<NdArray<f32, 3>>();
    fn any_element<T: Data>(value: T) -> NdArray<T> {
        NdArray::full(2, value)
    }
    let x = any_element((1u8, 2.5f64));
    assert_eq!(std::thread::spawn(move || x[1]).join().unwrap(), (1, 2.5));
}

#[test]
fn iterators_and_collect() {
    let mut x: NdArray<i32> = (0..4).collect();
    for v in &mut x {
        *v *= *v;
    }
    assert_eq!(x.iter().sum::<i32>(), 14);
    assert_eq!((&x).into_iter().max(), Some(&9));
}
