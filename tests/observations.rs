//! What was compiled and what was found: observations of edits, in one process and across processes.
mod common;

use common::{child, compiled, config, counts, entries, folder, job, outcomes, runtime};
use qd::prelude::*;
use qd::{Arch, Config, Miss, Outcome, Runtime};

#[qd::kernel]
fn two_loops(x: &mut NdArray<f32>) {
    for i in 0..x.len() {
        x[i] = x[i] * 2.0 + 1.0;
    }
    for i in 0..x.len() {
        x[i] -= 3.0;
    }
}

/// Another kernel with other names: its first loop is that of [`two_loops`], its second isn't.
#[qd::kernel]
fn cousin(values: &mut NdArray<f32>) {
    for position in 0..values.len() {
        // A comment, and the same code under other names.
        values[position] = values[position] * 2.0 + 1.0;
    }
    for position in 0..values.len() {
        values[position] -= 4.0;
    }
}

#[test]
fn with_the_cache_off_the_counts_are_minus_one_and_nothing_is_written() {
    let root = folder();
    let runtime = Runtime::new(config(root.path()).offline_cache(false)).unwrap();
    let before = two_loops.on(&runtime).observations();
    assert_eq!((before.frontend_constructs_total, before.tasks_total), (2, -1));
    let mut x = NdArray::from_fn(1000, |[i]| i as f32);
    two_loops.on(&runtime).call(&mut x);
    let seen = two_loops.on(&runtime).observations();
    assert_eq!(seen.frontend_constructs_total, 2);
    assert_eq!((seen.tasks_total, seen.tasks_cache_hit, seen.tasks_recompiled), (-1, -1, -1));
    assert!(seen.tasks.iter().all(|task| task.miss == Some(Miss::CacheOff)), "{seen}");
    assert!((0..1000).all(|i| x[i] == i as f32 * 2.0 - 2.0));
    assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0);
}

#[test]
fn a_new_runtime_finds_what_another_compiled_for_another_kernel() {
    let root = folder();
    let first = runtime(root.path());
    assert_eq!(counts(&two_loops.on(&first).observations()), (0, 0, 0));
    let mut x = NdArray::from_slice(&[1.0f32; 100]);
    two_loops.on(&first).call(&mut x);
    let cold = two_loops.on(&first).observations();
    assert_eq!(counts(&cold), (2, 0, 2));
    assert_eq!(cold.frontend_constructs_total, 2);
    assert_eq!(entries(root.path()).len(), 2);
    two_loops.on(&first).call(&mut x);
    assert_eq!(two_loops.on(&first).observations(), cold, "a relaunch compiles nothing and changes nothing");

    let second = runtime(root.path());
    let mut y = NdArray::from_slice(&[1.0f32; 100]);
    cousin.on(&second).call(&mut y);
    let seen = cousin.on(&second).observations();
    assert_eq!(counts(&seen), (2, 1, 1));
    assert_eq!(outcomes(&seen), [Outcome::Disk, Outcome::Compiled]);
    assert!(y.iter().all(|y| *y == -1.0));
    two_loops.on(&second).call(&mut y);
    assert_eq!(outcomes(&two_loops.on(&second).observations()), [Outcome::Memory, Outcome::Disk]);
}

#[test]
fn a_second_process_finds_what_the_first_compiled() {
    if let Some((job, root)) = job() {
        let runtime = runtime(&root);
        let mut x = NdArray::from_slice(&[1.0f32; 100]);
        let seen = match &*job {
            "two_loops" => {
                two_loops.on(&runtime).call(&mut x);
                assert!(x.iter().all(|x| *x == 0.0));
                two_loops.on(&runtime).observations()
            }
            "cousin" => {
                cousin.on(&runtime).call(&mut x);
                assert!(x.iter().all(|x| *x == -1.0));
                cousin.on(&runtime).observations()
            }
            job => panic!("no such job: {job}"),
        };
        println!("counts {:?}", counts(&seen));
        return;
    }
    let root = folder();
    let run = |job| child("a_second_process_finds_what_the_first_compiled", job, root.path());
    assert!(run("two_loops").contains("counts (2, 0, 2)"));
    assert!(run("cousin").contains("counts (2, 1, 1)"));
    assert!(run("two_loops").contains("counts (2, 2, 0)"));
    assert!(run("cousin").contains("counts (2, 2, 0)"));
}

/// Variants of one kernel of four loops, as edits would leave it.
mod edits {
    use qd::prelude::*;

    macro_rules! four {
        ($name:ident, $x:ident, $i:ident: $($body:expr),*) => {
            #[qd::kernel]
            pub fn $name($x: &mut NdArray<f64>) {
                $(for $i in 0..$x.len() { $x[$i] = $body; })*
            }
        };
    }
    four!(base, x, i: x[i] + 1.0, x[i] * 1.5, x[i] - 2.0, x[i] / 3.0);
    four!(constant, x, i: x[i] + 1.0, x[i] * 1.5, x[i] - 2.5, x[i] / 3.0);
    four!(inserted, x, i: x[i] + 1.0, x[i] * 1.5, x[i].sqrt(), x[i] - 2.0, x[i] / 3.0);
    four!(deleted, x, i: x[i] + 1.0, x[i] - 2.0, x[i] / 3.0);
    four!(reordered, x, i: x[i] / 3.0, x[i] - 2.0, x[i] * 1.5, x[i] + 1.0);
    four!(renamed, field, k: field[k] + 1.0, field[k] * 1.5, field[k] - 2.0, field[k] / 3.0);
    four!(repeated, x, i: x[i] + 1.0, x[i] * 1.5, x[i] + 1.0, x[i] * 1.5);

    /// A parameter more, a serial statement and its use in a loop of its own.
    #[qd::kernel]
    pub fn with_serial(a: f64, x: &mut NdArray<f64>) {
        for i in 0..x.len() {
            x[i] = x[i] + 1.0;
        }
        let shift = a * a + 1.0;
        for i in 0..x.len() {
            x[i] = x[i] * 1.5;
        }
        for i in 0..x.len() {
            x[i] = x[i] + shift;
        }
        for i in 0..x.len() {
            x[i] = x[i] - 2.0;
        }
        for i in 0..x.len() {
            x[i] = x[i] / 3.0;
        }
    }
}

#[test]
fn an_edit_recompiles_what_it_changed() {
    let root = folder();
    let first = runtime(root.path());
    edits::base.on(&first).prepare().unwrap();
    // Each edit meets a new runtime over a directory that holds the base alone.
    let after = |prepare: &dyn Fn(&Runtime) -> qd::Result<qd::Observations>| {
        let copy = folder();
        let base = runtime(copy.path());
        edits::base.on(&base).prepare().unwrap();
        let seen = prepare(&runtime(copy.path())).unwrap();
        counts(&seen);
        compiled(&seen)
    };
    assert_eq!(after(&|rt| edits::base.on(rt).prepare()), []);
    assert_eq!(after(&|rt| edits::constant.on(rt).prepare()), [2]);
    assert_eq!(after(&|rt| edits::inserted.on(rt).prepare()), [2]);
    assert_eq!(after(&|rt| edits::deleted.on(rt).prepare()), []);
    assert_eq!(after(&|rt| edits::reordered.on(rt).prepare()), []);
    assert_eq!(after(&|rt| edits::renamed.on(rt).prepare()), []);
    assert_eq!(after(&|rt| edits::with_serial.on(rt).prepare()), [1, 3]);
}

/// One kernel over functions as edits would leave them: the first task calls `inner`, the second `outer`, which calls
/// `inner`, the third nothing.
mod callees {
    use qd::prelude::*;

    macro_rules! library {
        ($version:ident, $inner:ident = $body:expr, $outer:ident = $wrap:expr) => {
            pub mod $version {
                use super::*;

                #[qd::func]
                fn $inner(v: f64) -> f64 {
                    $body(v)
                }

                #[qd::func]
                fn $outer(v: f64) -> f64 {
                    $inner(v) * $wrap
                }

                #[qd::kernel]
                pub fn kernel(x: &mut NdArray<f64>) {
                    for i in 0..x.len() {
                        x[i] = $inner(x[i]) + 1.0;
                    }
                    for i in 0..x.len() {
                        x[i] = $outer(x[i]) + 1.0;
                    }
                    for i in 0..x.len() {
                        x[i] = x[i] + 1.0;
                    }
                }
            }
        };
    }

    #[qd::func]
    fn root(v: f64) -> f64 {
        v.sqrt()
    }

    #[qd::func]
    fn absolute(v: f64) -> f64 {
        v.abs()
    }

    macro_rules! methods {
        ($version:ident, $name:ident, $add:ident, $step:literal) => {
            pub mod $version {
                #[derive(Clone, Copy, qd::Data)]
                pub struct $name {
                    a: f64,
                    b: f64,
                }

                #[qd::funcs]
                impl $name {
                    fn sum(&self) -> f64 {
                        self.a + self.b
                    }
                    fn $add(&mut self, v: f64) {
                        self.a = self.sum() + v * $step;
                    }
                }

                #[qd::kernel]
                pub fn kernel(x: &mut [$name]) {
                    for i in 0..x.len() {
                        x[i].$add(1.0);
                    }
                    for i in 0..x.len() {
                        x[i].b = x[i].sum();
                    }
                }
            }
        };
    }
    methods!(method, Pair, advance, 1.0);
    methods!(method_edited, Pair, advance, 2.0);
    methods!(method_renamed, Couple, step, 1.0);

    library!(base, inner = root, outer = 2.0);
    library!(inner_edited, inner = absolute, outer = 2.0);
    library!(outer_edited, inner = root, outer = 3.0);
    library!(renamed, core = root, shell = 2.0);
}

#[test]
fn editing_a_function_recompiles_exactly_its_callers() {
    let after = |prepare: &dyn Fn(&Runtime) -> qd::Result<qd::Observations>| {
        let root = folder();
        callees::base::kernel.on(&runtime(root.path())).prepare().unwrap();
        let seen = prepare(&runtime(root.path())).unwrap();
        counts(&seen);
        compiled(&seen)
    };
    assert_eq!(after(&|rt| callees::base::kernel.on(rt).prepare()), []);
    assert_eq!(after(&|rt| callees::inner_edited::kernel.on(rt).prepare()), [0, 1]);
    assert_eq!(after(&|rt| callees::outer_edited::kernel.on(rt).prepare()), [1]);
    assert_eq!(after(&|rt| callees::renamed::kernel.on(rt).prepare()), []);
}

#[test]
fn editing_a_method_recompiles_exactly_its_callers() {
    let after = |prepare: &dyn Fn(&Runtime) -> qd::Result<qd::Observations>| {
        let root = folder();
        callees::method::kernel.on(&runtime(root.path())).prepare().unwrap();
        compiled(&prepare(&runtime(root.path())).unwrap())
    };
    assert_eq!(after(&|rt| callees::method::kernel.on(rt).prepare()), []);
    assert_eq!(after(&|rt| callees::method_edited::kernel.on(rt).prepare()), [0]);
    assert_eq!(after(&|rt| callees::method_renamed::kernel.on(rt).prepare()), []);
}

#[test]
fn equal_loops_of_one_kernel_share_their_code() {
    let root = folder();
    let runtime = runtime(root.path());
    let seen = edits::repeated.on(&runtime).prepare().unwrap();
    assert_eq!(outcomes(&seen), [Outcome::Compiled, Outcome::Compiled, Outcome::Shared, Outcome::Shared]);
    assert_eq!(counts(&seen), (4, 2, 2));
    let mut x = NdArray::from_slice(&[1.0f64; 10]);
    edits::repeated.on(&runtime).call(&mut x);
    assert!(x.iter().all(|x| *x == ((1.0 + 1.0) * 1.5 + 1.0) * 1.5));
}

/// One body over other types.
mod kinds {
    use qd::prelude::*;

    #[qd::kernel]
    pub fn base(x: &mut NdArray<f32>, y: &NdArray<f32>) {
        for i in 0..x.len() {
            x[i] = y[i];
        }
    }

    #[qd::kernel]
    pub fn element(x: &mut NdArray<i32>, y: &NdArray<i32>) {
        for i in 0..x.len() {
            x[i] = y[i];
        }
    }

    #[qd::kernel]
    pub fn mutability(x: &mut NdArray<f32>, y: &mut NdArray<f32>) {
        for i in 0..x.len() {
            x[i] = y[i];
        }
    }

    #[qd::kernel]
    pub fn rank(x: &mut NdArray<f32, 2>, y: &NdArray<f32, 2>) {
        for i in 0..x.len() {
            x[[i, 0]] = y[[i, 0]];
        }
    }

    /// A slice is an array of one dimension: the same code.
    #[qd::kernel]
    pub fn slice(x: &mut [f32], y: &[f32]) {
        for i in 0..x.len() {
            x[i] = y[i];
        }
    }
}

#[test]
fn the_same_body_over_other_types_is_other_code() {
    let root = folder();
    kinds::base.on(&runtime(root.path())).prepare().unwrap();
    let rt = runtime(root.path());
    assert_eq!(counts(&kinds::element.on(&rt).prepare().unwrap()), (1, 0, 1));
    assert_eq!(counts(&kinds::mutability.on(&rt).prepare().unwrap()), (1, 0, 1));
    assert_eq!(counts(&kinds::rank.on(&rt).prepare().unwrap()), (1, 0, 1));
    assert_eq!(counts(&kinds::slice.on(&rt).prepare().unwrap()), (1, 1, 0));
}

#[test]
fn options_that_change_code_change_keys_and_the_miss_says_which() {
    let root = folder();
    kinds::base.on(&runtime(root.path())).prepare().unwrap();
    let miss = |config: Config| {
        let seen = kinds::base.on(&Runtime::new(config).unwrap()).prepare().unwrap();
        counts(&seen);
        seen.tasks[0].miss.as_ref().map(ToString::to_string)
    };
    assert_eq!(miss(config(root.path())), None);
    assert_eq!(miss(config(root.path()).num_threads(5)), None);
    let said = miss(config(root.path()).opt_level(1));
    assert!(said.as_ref().is_some_and(|said| said.contains("options")), "{said:?}");
    // The machine without its features beyond the baseline.
    kinds::base.on(&runtime(root.path())).prepare().unwrap();
    let host = qd::Target::host();
    let plain = format!("{},tune=generic", host.triple());
    if plain != host.to_string() {
        let said = miss(config(root.path()).target(plain));
        assert!(said.as_ref().is_some_and(|said| said.contains("target")), "{said:?}");
    }
}

#[test]
fn code_for_another_machine_goes_to_the_cache_only() {
    let root = folder();
    let rt = runtime(root.path());
    let other: qd::Target = match qd::Target::host().triple().starts_with("x86_64") {
        true => "aarch64-unknown-linux-gnu",
        false => "x86_64-unknown-linux-gnu",
    }
    .parse()
    .unwrap();
    let seen = two_loops.on(&rt).prepare_for(&other).unwrap();
    assert_eq!(counts(&seen), (2, 0, 2));
    assert_eq!(entries(root.path()).len(), 2);
    assert_eq!(counts(&two_loops.on(&rt).observations()), (0, 0, 0));
    assert_eq!(counts(&two_loops.on(&rt).prepare_for(&other).unwrap()), (2, 2, 0));
    assert_eq!(counts(&two_loops.on(&rt).prepare().unwrap()), (2, 0, 2));
    let off = Runtime::new(config(root.path()).offline_cache(false)).unwrap();
    let seen = two_loops.on(&off).prepare_for(&other).unwrap();
    assert_eq!((seen.tasks_total, seen.tasks_cache_hit, seen.tasks_recompiled), (-1, -1, -1));
}

#[test]
fn the_table_names_each_task() {
    let root = folder();
    let rt = runtime(root.path());
    two_loops.on(&rt).prepare().unwrap();
    let table = two_loops.on(&rt).observations().to_string();
    assert!(table.starts_with("2 constructs, 2 tasks: 0 from the cache, 2 compiled\n"), "{table}");
    assert_eq!(table.matches("tests/observations.rs:").count(), 2, "{table}");
}

#[test]
fn a_cache_that_cannot_be_used_is_told_and_nothing_else() {
    let root = folder();
    let file = root.path().join("file");
    std::fs::write(&file, "not a directory").unwrap();
    let rt = runtime(&file.join("cache"));
    let mut x = NdArray::from_slice(&[1.0f32; 10]);
    two_loops.on(&rt).call(&mut x);
    let seen = two_loops.on(&rt).observations();
    assert_eq!(counts(&seen), (2, 0, 2));
    assert!(!seen.cache_troubles.is_empty(), "{seen}");
    assert!(x.iter().all(|x| *x == 0.0));
}

#[test]
fn devices_that_this_build_lacks_are_refused_by_name() {
    for arch in [Arch::Cuda, Arch::Amdgpu, Arch::Gpu] {
        let error = Runtime::new(Config::new(arch).ignore_env()).unwrap_err();
        assert_eq!(error.kind(), qd::ErrorKind::Unsupported);
        // It says what can be done with GPUs already.
        for word in ["CPU", "prepare_for", "yet"] {
            assert!(error.to_string().contains(word), "{error}");
        }
    }
}
