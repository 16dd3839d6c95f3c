//! A failed iteration in words: kernel, place in the source, Rust's own message, array and iteration.
use std::fmt::Write as _;

use qd_ir::fault::{Fault, Site, ZERO_STEP};
use qd_ir::ownership::Meeting;
use qd_ir::plan::{Carried, Construct, Counted, Source, Words};
use qd_ir::source_map::Pos;
use qd_ir::task::Dim;
use qd_ir::types::{Const, Scalar};

use super::prepare::Prepared;
use crate::codegen::context::ContextLayout;
use crate::codegen::fault::FaultRecord;
use crate::error::{Error, ErrorKind};

/// The error of the first failing iteration of `construct`, whose context block is `context`.
#[cold]
pub(super) fn error(
    prepared: &Prepared,
    construct: &Construct,
    context: &[u64],
    failure: Option<FaultRecord>,
) -> Error {
    let (kernel, task) = (&prepared.kernel, &construct.task);
    let Some(failure) = failure else {
        return Error::internal(format_args!("kernel `{}` failed and left no word why", kernel.name));
    };
    let index = failure.site as usize;
    let (Some(site), Some(spot), Some(fault)) =
        (task.sites.values().get(index), construct.sites.get(index), Fault::from_code(failure.fault))
    else {
        return Error::internal(format_args!("kernel `{}` failed in a way that it can't: {failure:?}", kernel.name));
    };
    let (ty, rank, array) = match site {
        Site::Index(array) => {
            let param = kernel.params.get(construct.arrays[array.index()].param as usize);
            (Scalar::Usize, task.arrays[*array].ty.rank, param.map(|param| &param.name))
        }
        Site::Step => (Scalar::Usize, 1, None),
        Site::Op(_, ty) => (*ty, 0, None),
        Site::Panic | Site::Print => (Scalar::Bool, 0, None),
    };
    let mut details = Vec::new();
    if let Some(name) = array {
        details.push(format!("array `{name}`"));
    }
    if let Some(point) = point(construct, context, failure.iteration) {
        details.push(format!("iteration {point}"));
    }
    let words = match construct.words.get(index).and_then(Option::as_ref) {
        Some(Words { message, types }) => message.render(types, &failure.values),
        None => fault.message(&failure.values, ty, rank),
    };
    let mut message = match &spot.func {
        None => format!("kernel `{}` at {}:{}: {words}", kernel.name, prepared.file, spot.pos),
        // The place is the function's; which kernel called it is said too.
        Some(func) => format!("`{}` at {}:{}, in kernel `{}`: {words}", func.name, func.file, spot.pos, kernel.name),
    };
    if !details.is_empty() {
        // Writing to a string can't fail.
        let _ = write!(message, " ({})", details.join(", "));
    }
    Error::new(ErrorKind::Fault, message)
}

/// The error of a loop of the plan that goes on by zero.
#[cold]
pub(super) fn zero_step(prepared: &Prepared, pos: Pos) -> Error {
    let Prepared { kernel, file, .. } = prepared;
    Error::new(ErrorKind::Fault, format!("kernel `{}` at {file}:{pos}: {ZERO_STEP}", kernel.name))
}

/// The error of a construct two of whose iterations could meet in one element with the values of this launch.
#[cold]
pub(super) fn race(
    prepared: &Prepared,
    construct: &Construct,
    meeting: &Meeting,
    value: impl Fn(&Source, Scalar) -> u128,
) -> Error {
    let Prepared { kernel, file, .. } = prepared;
    let leaves = construct.apart.iter().flat_map(|predicate| &predicate.leaves);
    let values: Vec<String> =
        leaves.filter_map(|leaf| Some(format!("{} = {}", leaf.text.as_ref()?, leaf.value(&value)?))).collect();
    let given = if values.is_empty() { String::new() } else { format!(" with {}", values.join(", ")) };
    let message = format!(
        "kernel `{}` at {file}:{}: {meeting}{given} [QD0026]; pass values that keep the iterations apart, run them in order \
         by `#[qd::serial]` before the loop (`#[qd::steps]`, if the loops inside may run in parallel), or wrap accesses that you \
         know to be apart in `unsafe {{ .. }}`",
        kernel.name, meeting.first.1
    );
    Error::new(ErrorKind::Race, message)
}

/// The error of a construct that can't be run at all. What runs tasks doesn't know where they come from.
#[cold]
pub(super) fn refused(prepared: &Prepared, construct: &Construct, why: &Error) -> Error {
    let Prepared { kernel, file, .. } = prepared;
    Error::new(why.kind(), format!("kernel `{}` at {file}:{}: {why}", kernel.name, construct.pos))
}

/// The loop variables of the iteration of that linear number; `None` if there is no such iteration, as in a serial
/// task or where the bounds themselves failed.
fn point(construct: &Construct, context: &[u64], iteration: u64) -> Option<String> {
    let task = &construct.task;
    let layout = ContextLayout::of(task);
    let mut rest = iteration;
    let mut coordinates = Vec::new();
    for (dim, Dim { var, .. }) in task.dims().iter().enumerate().rev() {
        let (lo, hi) = (context[layout.bounds(dim)], context[layout.bounds(dim) + 1]);
        let extent = hi.wrapping_sub(lo);
        let bits = lo.wrapping_add(rest.checked_rem(extent)?);
        rest /= extent;
        let (ty, bits) = match construct.counted {
            None => (task.ty(*var), bits),
            Some(Counted { ty, first, stride }) => {
                let number = |carried| match carried {
                    Carried::Const(bits) => bits,
                    Carried::Value(at) => context[layout.carried(at)],
                };
                (ty, number(first).wrapping_add(number(stride).wrapping_mul(bits)))
            }
        };
        coordinates.push(Const { ty, bits: u128::from(bits) & ty.mask() }.to_string());
    }
    coordinates.reverse();
    match coordinates.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        several => Some(format!("({})", several.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use qd_ir::arena::{Arena, Id};
    use qd_ir::body::Region;
    use qd_ir::task::{Task, TaskKind};

    use super::*;

    fn construct(task: Task, counted: Option<Counted>) -> Construct {
        Construct {
            task,
            pos: Default::default(),
            arrays: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            reductions: Vec::new(),
            sites: Vec::new(),
            words: Vec::new(),
            counted,
            grain: None,
            block: None,
            apart: None,
        }
    }

    fn parallel(vars: &[Scalar], carried: usize) -> Task {
        let mut task = Task::new(TaskKind::Serial);
        let dims = vars.iter().map(|&ty| Dim { var: task.value(ty), lo: Id::new(0), hi: Id::new(0) }).collect();
        let carried = (0..carried).map(|_| task.value(Scalar::I8)).collect();
        task.kind = TaskKind::Parallel { bounds: Region::default(), carried, dims, reductions: Arena::new() };
        task
    }

    #[test]
    fn iterations_are_named_by_their_loop_variables() {
        let two = construct(parallel(&[Scalar::I8, Scalar::Usize], 0), None);
        let context = [0, -2i64 as u64, 3, 10, 14];
        assert_eq!(point(&two, &context, 0).unwrap(), "(-2, 10)");
        assert_eq!(point(&two, &context, 9).unwrap(), "(0, 11)");
        assert_eq!(point(&two, &[0; 5], 0), None);
        assert_eq!(point(&construct(Task::new(TaskKind::Serial), None), &[0], 0), None);
    }

    #[test]
    fn counted_loop_variables_are_computed_from_what_the_bounds_left() {
        let counted = Counted { ty: Scalar::I8, first: Carried::Value(0), stride: Carried::Const(u64::MAX - 2) };
        let down = construct(parallel(&[Scalar::Usize], 1), Some(counted));
        // Dimension 0..50, first value -100.
        assert_eq!(point(&down, &[0, 0, 50, 0x9c], 4).unwrap(), "-112");
    }
}
