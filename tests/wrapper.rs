//! The shape of a wrapper as the macro writes it, by hand.
use qd::__private as p;
use qd::prelude::*;

fn saxpy(x: &mut [f32], y: &NdArray<f32>, a: f32) -> f32 {
    fn native(x: &mut [f32], y: &NdArray<f32>, a: f32) -> f32 {
        for i in 0..x.len() {
            x[i] += a * y[i];
        }
        a
    }
    static KERNEL: p::KernelStatic = p::KernelStatic::new(p::KernelDesc {
        name: "saxpy",
        module: module_path!(),
        file: file!(),
        line: line!(),
        constructs: 1,
        specialized: false,
        sketch: &[],
        types: || p::Chosen {
            params: Vec::new(),
            result: p::Type::UNIT,
            taps: Vec::new(),
            consts: Vec::new(),
            calls: Vec::new(),
            place_first: Vec::new(),
        },
    });
    #[p::linkme::distributed_slice(p::KERNELS)]
    #[linkme(crate = p::linkme)]
    static ENTRY: p::KernelEntry = p::KernelEntry { type_id: || p::type_id_of(saxpy), kernel: &KERNEL };
    let (mut x, mut y, mut a) = (x, y, a);
    match p::enter() {
        p::Mode::Native => native(x, y, a),
        mode => {
            let mut words = p::ArgWriter::new();
            p::Arg::write(&mut x, &mut words);
            p::Arg::write(&mut y, &mut words);
            p::Arg::write(&mut a, &mut words);
            p::launch(&KERNEL, mode, &mut words)
        }
    }
}

fn plain(_x: &mut [f32]) {}

#[test]
fn methods_take_the_parameters_of_the_function() {
    let mut x = vec![1.0f32; 4];
    let y = NdArray::from_slice(&[2.0f32; 4]);
    assert_eq!(saxpy.native(&mut x, &y, 0.5), 0.5);
    assert_eq!(x, [2.0; 4]);
    assert!(saxpy.try_call(&mut x, &y, 0.5).is_err());
    assert_eq!(saxpy.name(), "saxpy");
}

#[test]
fn functions_that_are_no_kernels_say_so() {
    let error = plain.try_call(&mut [1.0][..]).unwrap_err();
    assert_eq!(error.kind(), qd::ErrorKind::NotAKernel);
    assert!(error.to_string().contains("wrapper::plain"), "{error}");
}

#[test]
fn kernels_are_registered() {
    let all: Vec<_> = qd::registered_kernels().map(|kernel| kernel.name).collect();
    assert_eq!(all, ["saxpy"]);
}
