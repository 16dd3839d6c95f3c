//! Canonical bytes: goldens, and that every field counts.
use std::collections::HashMap;

use qd_ir::arena::Id;
use qd_ir::body::{LoopId, Part, Region, Stmt};
use qd_ir::canonical::encode;
use qd_ir::fault::Site;
use qd_ir::op::{AtomicOp, Op, ReduceOp};
use qd_ir::task::{Dim, Reduction, Task, TaskKind};
use qd_ir::text::parse;
use qd_ir::types::{Const, Scalar};
use qd_ir::verify;

const SCALE: &str = "
    task parallel {
      array a0: &mut NdArray<f32, 1>
      site s0: index a0
      site s1: index a0
      bounds {
        v0: usize = const 0
        v1: usize = extent a0 0
      }
      dim v2: usize in v0..v1
      body {
        v3: f32 = load a0[v2] !s0
        v4: f32 = const 2.0
        v5: f32 = mul v3 v4
        store a0[v2] = v5 !s1
      }
    }";

/// Every statement.
const ALL: &str = "
    task parallel {
      array a0: &mut NdArray<u32, 2>
      input i0: u32
      reduction r0: add u32
      reduction r1: max u32
      local l0: u32
      local l1: u32
      site s0: index a0
      site s1: div u32
      site s2: index a0
      site s3: index a0
      site s4: index a0
      bounds {
        v0: usize = const 0
        v1: usize = extent a0 1
      }
      dim v2: usize in v0..v1
      dim v3: usize in v0..v1
      body {
        v4: u32 = input i0
        set l0 = v4
        set l1 = v4
        v5: u32 = get l0
        v6: u32 = load a0[v2, v3] !s0
        v7: u32 = div v5 v6 !s1
        store a0[v3, v2] = v7 !s2
        v8: u32 = atomic add a0[v2, v2] v7 !s3
        reduce r0 v8
        reduce r1 v8
        v9: bool = const true
        if v9 {
          end
        } else {
          for L0 v10: usize in v2..v3 {
            break L0
          }
        }
        loop L1 {
          if v9 {
            continue L1
          }
          break L1
        }
        check a0[v3, v2] !s4
      }
    }";

/// The statements that came later, and what they look like in bytes: the encoding of the others doesn't change.
#[test]
fn later_statements_have_tags_of_their_own() {
    let text = |bounds: &str, body: &str, sites: &str| {
        let dims = "v0: usize = const 0 v1: usize = const 9";
        format!("task parallel {{ {sites} bounds {{ {dims} }} {bounds} dim v2: usize in v0..v1 body {{ {body} }} }}")
    };
    let bytes = |bounds, body, sites| hex(&encode(&task(&text(bounds, body, sites))));
    let plain = bytes("", "for L0 v3: usize in v2..v2 { }", "");
    let variants = [
        bytes("carry v0", "for L0 v3: usize in v2..v2 { }", ""),
        bytes("carry v1", "for L0 v3: usize in v2..v2 { }", ""),
        bytes("carry v0 carry v1", "for L0 v3: usize in v2..v2 { }", ""),
        bytes("", "for L0 v3: usize in v2..v2 unroll { }", ""),
        bytes("", "for L0 v3: usize in v2..v2 unroll 4 { }", ""),
        bytes("", "for L0 v3: usize in v2..v2 { } fail() !s0", "site s0: panic"),
        bytes("", "for L0 v3: usize in v2..v2 { } fail(v2) !s0", "site s0: panic"),
        bytes("", "for L0 v3: usize in v2..v2 { } print(v2) !s0", "site s0: print"),
        bytes("", "for L0 v3: usize in v2..v2 { } print(v2, v2) !s0", "site s0: print"),
    ];
    let mut all: std::collections::BTreeSet<_> = variants.iter().collect();
    assert!(all.insert(&plain));
    assert_eq!(all.len(), 1 + variants.len());
    assert!(variants[3].ends_with("14000003020200"), "{}", variants[3]);
    assert!(variants[6].ends_with("12000102"), "{}", variants[6]);
    assert!(variants[8].ends_with("1300020202"), "{}", variants[8]);
}
/// Elements and variables of several scalars.
const PARTS: &str = "
    task serial {
      array a0: &mut NdArray<[24 align 8: bool at 16, f32 at 8, f32 at 12, u8 at 17, f32 at 4], 1>
      local l0: f32 x 6
      site s0: step
      site s1: index a0
      body {
        v0: usize = const 1
        v1: f32 = const 2.0
        check v0 of 3 !s0
        set l0.0[v0 of 3 by 2] = v1
        v2: f32 = get l0.5
        v3: f32 = load a0[v0].1[v0 of 2 by 1] !s1
        store a0[v0].4 = v3
        v4: u8 = const 5
        v5: u8 = atomic add a0[v0].3 v4
      }
    }";

fn task(text: &str) -> Task {
    parse(text).unwrap_or_else(|error| panic!("{error}"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// A change here means that every key changes: then `FORMAT` must change too.
#[test]
fn goldens() {
    assert_eq!(hex(&encode(&Task::new(TaskKind::Serial))), "020000000000000000");
    assert_eq!(
        hex(&encode(&task(SCALE))),
        "02\
         01 0404010b000101 00 00\
         06 0a0a0a0b0b0b 00\
         02 0000 0000\
         01\
         02 00000a0000000000000000 02010000\
         01 020001 00\
         04 0603000102000001 00040b0000004000000000 03050502030400 0700010200000502"
            .replace(' ', "")
    );
}

#[test]
fn the_codes_of_types_and_operations_never_move() {
    // The code of a row is its position: these guard the order of the tables.
    let codes: Vec<(Op, u16)> = vec![
        (Op::Cast, 0),
        (Op::Ge, 18),
        (Op::Clamp, 21),
        (Op::DivEuclid, 32),
        (Op::SaturatingAbs, 62),
        (Op::MulAdd, 63),
        (Op::FromBits, 83),
        (Op::Hypot, 108),
        (Op::IsMultipleOf, 109),
        (Op::FromF64, 122),
    ];
    for (op, code) in codes {
        assert_eq!(op.code(), code, "{op}");
    }
}

/// The statements of a region by path, nested ones included.
fn at<'a>(region: &'a mut Region, path: &[usize]) -> &'a mut Stmt {
    let (first, rest) = path.split_first().expect("a path");
    let stmt = &mut region.0[*first];
    let Some((branch, rest)) = rest.split_first() else { return stmt };
    match stmt {
        Stmt::If { then, otherwise, .. } => at(if *branch == 0 { then } else { otherwise }, rest),
        Stmt::For { body, .. } | Stmt::Loop { body, .. } => at(body, rest),
        other => panic!("{other:?} has no region"),
    }
}

fn each(task: &mut Task, change: fn(&mut ReduceOp, &mut Scalar)) {
    let TaskKind::Parallel { reductions, .. } = &mut task.kind else { panic!("a serial task") };
    let Reduction::Each { op, ty, len: _ } = &mut reductions[Id::new(0)] else { panic!("an extreme") };
    change(op, ty);
}

fn dims(task: &mut Task) -> &mut Vec<Dim> {
    match &mut task.kind {
        TaskKind::Parallel { dims, .. } => dims,
        TaskKind::Serial => panic!("a serial task"),
    }
}

#[test]
fn every_field_changes_the_bytes() {
    type Change = fn(&mut Task);
    let changes: Vec<(&str, Change)> = vec![
        ("array element", |t| t.arrays[Id::new(0)].ty.element = Scalar::I32.into()),
        ("array element size", |t| t.arrays[Id::new(0)].ty.element.size = 8),
        ("array element alignment", |t| t.arrays[Id::new(0)].ty.element.align = 8),
        ("array element offset", |t| t.arrays[Id::new(0)].ty.element.fields[0].offset = 4),
        ("array element fields", |t| {
            let first = t.arrays[Id::new(0)].ty.element.fields[0];
            t.arrays[Id::new(0)].ty.element.fields.push(first);
        }),
        ("array rank", |t| t.arrays[Id::new(0)].ty.rank = 3),
        ("array mutability", |t| t.arrays[Id::new(0)].ty.mutable = false),
        ("input", |t| t.inputs[Id::new(0)].ty = Scalar::I32),
        ("output", |t| {
            t.outputs.push(qd_ir::task::Output { ty: Scalar::I32 });
        }),
        ("value", |t| t.values[Id::new(4)].ty = Scalar::I32),
        ("local", |t| t.locals[Id::new(0)].ty = Scalar::I32),
        ("local length", |t| t.locals[Id::new(0)].len = 2),
        ("local count", |t| {
            t.locals.push(qd_ir::body::Local { ty: Scalar::U32, len: 1 });
        }),
        ("site step", |t| t.sites[Id::new(0)] = Site::Step),
        ("load part", |t| {
            set(t, &[4], |s| {
                if let Stmt::Load { part, .. } = s {
                    part.base = 1
                }
            })
        }),
        ("store part", |t| {
            set(t, &[6], |s| {
                if let Stmt::Store { part, .. } = s {
                    part.base = 1
                }
            })
        }),
        ("atomic part", |t| {
            set(t, &[7], |s| {
                if let Stmt::Atomic { part, .. } = s {
                    part.base = 1
                }
            })
        }),
        ("site array", |t| t.sites[Id::new(0)] = Site::Index(Id::new(1))),
        ("site op", |t| t.sites[Id::new(1)] = Site::Op(Op::Rem, Scalar::U32)),
        ("site type", |t| t.sites[Id::new(1)] = Site::Op(Op::Div, Scalar::U64)),
        ("kind", |t| t.kind = TaskKind::Serial),
        ("bounds", |t| match &mut t.kind {
            TaskKind::Parallel { bounds, .. } => drop(bounds.0.pop()),
            TaskKind::Serial => {}
        }),
        ("dim var", |t| dims(t)[0].var = Id::new(3)),
        ("dim lo", |t| dims(t)[0].lo = Id::new(1)),
        ("dim hi", |t| dims(t)[0].hi = Id::new(0)),
        ("dim count", |t| dims(t).truncate(1)),
        ("reduction op", |t| each(t, |op, _| *op = ReduceOp::Xor)),
        ("reduction type", |t| each(t, |_, ty| *ty = Scalar::U64)),
        ("input dst", |t| {
            set(t, &[0], |s| {
                if let Stmt::Input { dst, .. } = s {
                    *dst = Id::new(5)
                }
            })
        }),
        ("input input", |t| {
            set(t, &[0], |s| {
                if let Stmt::Input { input, .. } = s {
                    *input = Id::new(1)
                }
            })
        }),
        ("set local", |t| {
            set(t, &[1], |s| {
                if let Stmt::Set { local, .. } = s {
                    *local = Id::new(1)
                }
            })
        }),
        ("set value", |t| {
            set(t, &[1], |s| {
                if let Stmt::Set { value, .. } = s {
                    *value = Id::new(5)
                }
            })
        }),
        ("get dst", |t| {
            set(t, &[3], |s| {
                if let Stmt::Get { dst, .. } = s {
                    *dst = Id::new(4)
                }
            })
        }),
        ("get local", |t| {
            set(t, &[3], |s| {
                if let Stmt::Get { local, .. } = s {
                    *local = Id::new(1)
                }
            })
        }),
        ("load dst", |t| {
            set(t, &[4], |s| {
                if let Stmt::Load { dst, .. } = s {
                    *dst = Id::new(4)
                }
            })
        }),
        ("load array", |t| {
            set(t, &[4], |s| {
                if let Stmt::Load { array, .. } = s {
                    *array = Id::new(1)
                }
            })
        }),
        ("load index", |t| {
            set(t, &[4], |s| {
                if let Stmt::Load { index, .. } = s {
                    index.reverse()
                }
            })
        }),
        ("load rank", |t| {
            set(t, &[4], |s| {
                if let Stmt::Load { index, .. } = s {
                    index.truncate(1)
                }
            })
        }),
        ("load site", |t| {
            set(t, &[4], |s| {
                if let Stmt::Load { site, .. } = s {
                    *site = Some(Id::new(2))
                }
            })
        }),
        ("load unchecked", |t| {
            set(t, &[4], |s| {
                if let Stmt::Load { site, .. } = s {
                    *site = None
                }
            })
        }),
        ("op dst", |t| {
            set(t, &[5], |s| {
                if let Stmt::Op { dst, .. } = s {
                    *dst = Id::new(4)
                }
            })
        }),
        ("op op", |t| {
            set(t, &[5], |s| {
                if let Stmt::Op { op, .. } = s {
                    *op = Op::Rem
                }
            })
        }),
        ("op args", |t| {
            set(t, &[5], |s| {
                if let Stmt::Op { args, .. } = s {
                    args.reverse()
                }
            })
        }),
        ("op site", |t| {
            set(t, &[5], |s| {
                if let Stmt::Op { site, .. } = s {
                    *site = None
                }
            })
        }),
        ("store array", |t| {
            set(t, &[6], |s| {
                if let Stmt::Store { array, .. } = s {
                    *array = Id::new(1)
                }
            })
        }),
        ("store index", |t| {
            set(t, &[6], |s| {
                if let Stmt::Store { index, .. } = s {
                    index.reverse()
                }
            })
        }),
        ("store value", |t| {
            set(t, &[6], |s| {
                if let Stmt::Store { value, .. } = s {
                    *value = Id::new(4)
                }
            })
        }),
        ("store site", |t| {
            set(t, &[6], |s| {
                if let Stmt::Store { site, .. } = s {
                    *site = None
                }
            })
        }),
        ("atomic dst", |t| {
            set(t, &[7], |s| {
                if let Stmt::Atomic { dst, .. } = s {
                    *dst = Id::new(4)
                }
            })
        }),
        ("atomic op", |t| {
            set(t, &[7], |s| {
                if let Stmt::Atomic { op, .. } = s {
                    *op = AtomicOp::Max
                }
            })
        }),
        ("atomic array", |t| {
            set(t, &[7], |s| {
                if let Stmt::Atomic { array, .. } = s {
                    *array = Id::new(1)
                }
            })
        }),
        ("atomic index", |t| {
            set(t, &[7], |s| {
                if let Stmt::Atomic { index, .. } = s {
                    index[0] = Id::new(3)
                }
            })
        }),
        ("atomic value", |t| {
            set(t, &[7], |s| {
                if let Stmt::Atomic { value, .. } = s {
                    *value = Id::new(4)
                }
            })
        }),
        ("atomic site", |t| {
            set(t, &[7], |s| {
                if let Stmt::Atomic { site, .. } = s {
                    *site = None
                }
            })
        }),
        ("check array", |t| {
            set(t, &[13], |s| {
                if let Stmt::Check { array, .. } = s {
                    *array = Id::new(1)
                }
            })
        }),
        ("check index", |t| {
            set(t, &[13], |s| {
                if let Stmt::Check { index, .. } = s {
                    index.reverse()
                }
            })
        }),
        ("check site", |t| {
            set(t, &[13], |s| {
                if let Stmt::Check { site, .. } = s {
                    *site = Id::new(3)
                }
            })
        }),
        ("reduce which", |t| {
            set(t, &[8], |s| {
                if let Stmt::Reduce { reduction, .. } = s {
                    *reduction = Id::new(1)
                }
            })
        }),
        ("reduce value", |t| {
            set(t, &[8], |s| {
                if let Stmt::Reduce { value, .. } = s {
                    *value = Id::new(4)
                }
            })
        }),
        ("const dst", |t| {
            set(t, &[10], |s| {
                if let Stmt::Const { dst, .. } = s {
                    *dst = Id::new(4)
                }
            })
        }),
        ("const bits", |t| {
            set(t, &[10], |s| {
                if let Stmt::Const { value, .. } = s {
                    value.bits = 0
                }
            })
        }),
        ("const type", |t| {
            set(t, &[10], |s| {
                if let Stmt::Const { value, .. } = s {
                    *value = Const { ty: Scalar::U8, bits: 1 }
                }
            })
        }),
        ("if cond", |t| {
            set(t, &[11], |s| {
                if let Stmt::If { cond, .. } = s {
                    *cond = Id::new(4)
                }
            })
        }),
        ("if branches", |t| {
            set(t, &[11], |s| {
                if let Stmt::If { then, otherwise, .. } = s {
                    std::mem::swap(then, otherwise)
                }
            })
        }),
        ("end", |t| set(t, &[11, 0, 0], |s| *s = Stmt::Break(LoopId(0)))),
        ("for id", |t| {
            set(t, &[11, 1, 0], |s| {
                if let Stmt::For { id, .. } = s {
                    *id = LoopId(9)
                }
            })
        }),
        ("for var", |t| {
            set(t, &[11, 1, 0], |s| {
                if let Stmt::For { var, .. } = s {
                    *var = Id::new(4)
                }
            })
        }),
        ("for lo", |t| {
            set(t, &[11, 1, 0], |s| {
                if let Stmt::For { lo, .. } = s {
                    *lo = Id::new(1)
                }
            })
        }),
        ("for hi", |t| {
            set(t, &[11, 1, 0], |s| {
                if let Stmt::For { hi, .. } = s {
                    *hi = Id::new(0)
                }
            })
        }),
        ("for body", |t| {
            set(t, &[11, 1, 0], |s| {
                if let Stmt::For { body, .. } = s {
                    body.0.clear()
                }
            })
        }),
        ("loop id", |t| {
            set(t, &[12], |s| {
                if let Stmt::Loop { id, .. } = s {
                    *id = LoopId(9)
                }
            })
        }),
        ("loop body", |t| {
            set(t, &[12], |s| {
                if let Stmt::Loop { body, .. } = s {
                    body.0.clear()
                }
            })
        }),
        ("continue", |t| set(t, &[12, 0, 0, 0, 0], |s| *s = Stmt::Continue(LoopId(9)))),
        ("continue is no break", |t| set(t, &[12, 0, 0, 0, 0], |s| *s = Stmt::Break(LoopId(1)))),
        ("break", |t| set(t, &[12, 0, 1], |s| *s = Stmt::Break(LoopId(0)))),
        ("order", |t| t.body.0.swap(1, 2)),
        ("extent dim", |t| {
            bound(t, 1, |s| {
                if let Stmt::Extent { dim, .. } = s {
                    *dim = 0
                }
            })
        }),
        ("extent array", |t| {
            bound(t, 1, |s| {
                if let Stmt::Extent { array, .. } = s {
                    *array = Id::new(1)
                }
            })
        }),
        ("extent dst", |t| {
            bound(t, 1, |s| {
                if let Stmt::Extent { dst, .. } = s {
                    *dst = Id::new(0)
                }
            })
        }),
    ];
    all_differ(ALL, &changes);
}

#[test]
fn every_field_of_a_part_changes_the_bytes() {
    let part = |t: &mut Task, change: fn(&mut Part)| match &mut t.body.0[5] {
        Stmt::Load { part, .. } => change(part),
        other => panic!("{other:?} is no load"),
    };
    type Change = Box<dyn Fn(&mut Task)>;
    let changes: Vec<(&str, Change)> = vec![
        ("base", Box::new(move |t| part(t, |part| part.base = 0))),
        ("step count", Box::new(move |t| part(t, |part| part.steps.clear()))),
        ("step index", Box::new(move |t| part(t, |part| part.steps[0].index = Id::new(1)))),
        ("step length", Box::new(move |t| part(t, |part| part.steps[0].len = 3))),
        ("step stride", Box::new(move |t| part(t, |part| part.steps[0].stride = 2))),
        ("field order", Box::new(|t| t.arrays[Id::new(0)].ty.element.fields.swap(0, 1))),
        ("field offset", Box::new(|t| t.arrays[Id::new(0)].ty.element.fields[4].offset = 20)),
        (
            "check length",
            Box::new(|t| {
                set(t, &[2], |s| {
                    if let Stmt::CheckStep { len, .. } = s {
                        *len = 4
                    }
                })
            }),
        ),
        (
            "check index",
            Box::new(|t| {
                set(t, &[2], |s| {
                    if let Stmt::CheckStep { index, .. } = s {
                        *index = Id::new(1)
                    }
                })
            }),
        ),
        (
            "check site",
            Box::new(|t| {
                set(t, &[2], |s| {
                    if let Stmt::CheckStep { site, .. } = s {
                        *site = Id::new(1)
                    }
                })
            }),
        ),
        (
            "get local",
            Box::new(|t| {
                set(t, &[4], |s| {
                    if let Stmt::GetPart { local, .. } = s {
                        *local = Id::new(1)
                    }
                })
            }),
        ),
        (
            "get dst",
            Box::new(|t| {
                set(t, &[4], |s| {
                    if let Stmt::GetPart { dst, .. } = s {
                        *dst = Id::new(1)
                    }
                })
            }),
        ),
        (
            "get part",
            Box::new(|t| {
                set(t, &[4], |s| {
                    if let Stmt::GetPart { part, .. } = s {
                        part.base = 1
                    }
                })
            }),
        ),
        (
            "set local",
            Box::new(|t| {
                set(t, &[3], |s| {
                    if let Stmt::SetPart { local, .. } = s {
                        *local = Id::new(1)
                    }
                })
            }),
        ),
        (
            "set part",
            Box::new(|t| {
                set(t, &[3], |s| {
                    if let Stmt::SetPart { part, .. } = s {
                        part.base = 1
                    }
                })
            }),
        ),
        (
            "set value",
            Box::new(|t| {
                set(t, &[3], |s| {
                    if let Stmt::SetPart { value, .. } = s {
                        *value = Id::new(2)
                    }
                })
            }),
        ),
    ];
    all_differ(PARTS, &changes);
}

/// Changes that differ from the original and from each other, in bytes.
fn all_differ(text: &str, changes: &[(&str, impl Fn(&mut Task))]) {
    let original = task(text);
    assert_eq!(verify::task(&original), Ok(()));
    let mut seen = HashMap::from([(encode(&original), "the original")]);
    for (name, change) in changes {
        let mut changed = original.clone();
        change(&mut changed);
        assert_ne!(changed, original, "{name} changes nothing");
        if let Some(other) = seen.insert(encode(&changed), name) {
            panic!("{name} has the bytes of {other}");
        }
    }
}

fn set(task: &mut Task, path: &[usize], change: fn(&mut Stmt)) {
    // The path of a loop's body names it as branch 0.
    change(at(&mut task.body, path));
}

fn bound(task: &mut Task, index: usize, change: fn(&mut Stmt)) {
    if let TaskKind::Parallel { bounds, .. } = &mut task.kind {
        change(&mut bounds.0[index]);
    }
}

#[test]
fn outputs_count() {
    let text = "task serial { input i0: i32 output o0: i32 output o1: i32
        body { v0: i32 = input i0 output o0 = v0 v1: i32 = const -1 output o1 = v1 } }";
    let original = task(text);
    assert_eq!(verify::task(&original), Ok(()));
    let mut other = original.clone();
    set(&mut other, &[1], |s| {
        if let Stmt::Output { output, .. } = s {
            *output = Id::new(1)
        }
    });
    assert_ne!(encode(&original), encode(&other));
    let mut other = original.clone();
    set(&mut other, &[3], |s| {
        if let Stmt::Output { value, .. } = s {
            *value = Id::new(0)
        }
    });
    assert_ne!(encode(&original), encode(&other));
}

#[test]
fn the_text_form_can_be_read_back() {
    for text in [SCALE, ALL, PARTS] {
        let task = task(text);
        assert_eq!(parse(&task.to_string()), Ok(task));
    }
    // Every constant, bit for bit.
    let floats = [0.0f32, -0.0, 1e-45, 1.5e38, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -f32::NAN, 1e-7, 3.25];
    let constants = [
        (Scalar::I8, 0x80),
        (Scalar::I16, 0xffff),
        (Scalar::I32, 0x8000_0000),
        (Scalar::I64, u64::MAX.into()),
        (Scalar::Isize, 1 << 63),
        (Scalar::I128, 1 << 127),
        (Scalar::I128, u128::MAX),
        (Scalar::U128, u128::MAX),
        (Scalar::U8, 255),
        (Scalar::U64, u64::MAX.into()),
        (Scalar::Usize, 7),
        (Scalar::Bool, 0),
        (Scalar::Bool, 1),
        (Scalar::F64, f64::MIN_POSITIVE.to_bits().into()),
        (Scalar::F64, 0x7ff0_0000_0000_0001),
        (Scalar::F64, (-1e300f64).to_bits().into()),
    ];
    let floats = floats.map(|f| (Scalar::F32, u128::from(f.to_bits())));
    let mut task = Task::new(TaskKind::Serial);
    for (ty, bits) in constants.into_iter().chain(floats) {
        let dst = task.value(ty);
        task.body.0.push(Stmt::Const { dst, value: Const { ty, bits } });
    }
    assert_eq!(verify::task(&task), Ok(()));
    assert_eq!(parse(&task.to_string()), Ok(task));
}

#[test]
fn what_is_no_task_is_refused_with_its_line() {
    for (text, line, message) in [
        ("", 1, "`task` is expected"),
        ("task serial {\n body {\n v0: i32 = addd v1 v2\n", 3, "an operation is expected"),
        ("task serial {\n body {\n v0: i32 = const 1.5 } }", 3, "a constant is expected"),
        ("task serial {\n body { v0: i32 = const 1 v0: i32 = const 1 } }", 2, "v0 is set twice"),
        ("task serial { body { v1: i32 = const 1 } }", 1, "v0 is never set"),
        ("task serial { body { v4000000000: i32 = const 1 } }", 1, "without gaps"),
        ("task serial { input i1: i32 body { } }", 1, "i0 is expected"),
        ("task serial { body { } } more", 1, "after the task"),
        ("task serial { body {", 1, "ends too early"),
    ] {
        let error = parse(text).expect_err(text);
        assert_eq!(error.line, line, "{text}: {error}");
        assert!(error.message.contains(message), "{text}: {error}");
    }
}
