//! Joins a kernel with the functions that it calls: each call, as rustc resolved it, to the function's sketch and types.
//!
//! Here the names are checked that no compiler could: that the twin and the function item of a call are of one
//! `#[qd::func]`, and that no function reaches itself, since calls are inlined.
use std::any::TypeId;
use std::collections::HashMap;
use std::sync::Arc;

use qd_ir::refusal::Refusal;
use qd_ir::sketch::{Callee, ExprKind, Func, Sketch, Types};
use qd_ir::typing;

use super::registry::KernelStatic;
use crate::data::func::{CallRef, Chosen, FuncDesc};
use crate::data::operator::Called;
use crate::data::presumed::is_known;
use crate::error::{Error, ErrorKind, Result};

/// So many calls may be inlined into one kernel.
const MOST_CALLS: u64 = 1 << 14;

/// The sketch of a kernel, and its types with all that it calls.
pub(super) fn kernel(kernel: &KernelStatic) -> Result<(Sketch, Types)> {
    let desc = kernel.desc();
    let place = Place { name: desc.name, file: desc.file, line: desc.line };
    let mut sketch = Sketch::decode(desc.sketch).map_err(|error| place.defect(&error))?;
    let mut linker = Linker { place, path: Vec::new(), done: HashMap::new() };
    let (mut types, calls) = linker.types(place, (desc.types)(), &mut sketch)?;
    types.baked = kernel.baked().to_vec();
    if calls > MOST_CALLS {
        return Err(linker.error(Refusal::Calls, format!(
            "it calls functions {calls} times, counting those that they call; calls are inlined, and {MOST_CALLS} is \
             the most: call them in a loop"
        )));
    }
    Ok((sketch, types))
}

/// What stands in the source, for messages.
#[derive(Clone, Copy)]
struct Place {
    name: &'static str,
    file: &'static str,
    line: u32,
}

impl Place {
    fn defect(&self, what: &dyn std::fmt::Display) -> Error {
        Error::internal(format_args!("`{}` at {}:{}: {what}", self.name, self.file, self.line))
    }
}

/// A function with all that it calls, and the number of calls in it when they are inlined.
type Linked = (Arc<Callee>, u64);

struct Linker {
    /// The kernel.
    place: Place,
    /// The functions being linked, the one called last at the end.
    path: Vec<FuncDesc>,
    /// By function item.
    done: HashMap<TypeId, Linked>,
}

impl Linker {
    /// An error in the user's code.
    fn error(&self, refusal: Refusal, what: String) -> Error {
        let Place { name, file, line } = self.place;
        Error::new(ErrorKind::Kernel, format!("kernel `{name}` at {file}:{line}: {what} [{refusal}]"))
    }

    /// The types of a sketch, with the functions that it calls; and how many calls that makes. The sketch's bundles are
    /// taken apart.
    fn types(&mut self, place: Place, chosen: Chosen, sketch: &mut Sketch) -> Result<(Types, u64)> {
        let Chosen { params, result, taps, consts, calls, place_first } = chosen;
        let (params, slices) = typing::flatten(sketch, params).map_err(|error| place.defect(&error))?;
        let linked = calls
            .iter()
            .map(|call| match call {
                Called::Function(call) => self.callee(call).map(Some),
                Called::Builtin => Ok(None),
                Called::Presumed(function) if is_known(function) => Ok(None),
                Called::Presumed(function) => Err(self.error(
                    Refusal::Names,
                    format!(
                        "a path that reads like one of std's names `{function}`: write `<T as Trait>::name(..)` for a \
                         trait's function and `value.name(..)` for a type's, or give it another name; a function of its \
                         own needs `#[qd::func]`"
                    ),
                )),
                Called::Parts(op) => Err(self.error(
                    Refusal::Compare,
                    format!("`{op}` of a tuple or an array whose parts compare by functions: compare them one by one"),
                )),
            })
            .collect::<Result<Vec<Option<Linked>>>>()?;
        let called = sketch.exprs.values().iter().filter_map(|expr| match &expr.kind {
            ExprKind::Call { callee, .. } => Some(*callee),
            _ => None,
        });
        let mut count = 0u64;
        for callee in called.chain(sketch.operators.iter().map(|(_, callee)| *callee)) {
            if let Some(Some((_, inner))) = linked.get(callee.0 as usize) {
                count = count.saturating_add(1).saturating_add(*inner);
            }
        }
        let callees = linked.into_iter().map(|linked| linked.map(|(callee, _)| callee)).collect();
        Ok((
            Types { params, slices, result: Some(result), taps, consts, baked: Vec::new(), callees, place_first },
            count,
        ))
    }

    fn callee(&mut self, call: &CallRef) -> Result<Linked> {
        let CallRef { func, item, item_name } = call;
        let own = (func.item)();
        if *item != own {
            let caller = self.path.last().map_or(self.place.name, |func| func.name);
            let FuncDesc { name, module, file, line, .. } = func;
            return Err(self.error(Refusal::Names, format!(
                "the name `{name}` means two things in `{caller}`: the `#[qd::func]` `{module}::{name}` at {file}:{line}, \
                 and the function `{item_name}`; rename one of them, or call by a path that means one"
            )));
        }
        if let Some(linked) = self.done.get(&own) {
            return Ok(linked.clone());
        }
        if let Some(start) = self.path.iter().position(|open| (open.item)() == own) {
            let cycle: Vec<String> = self.path[start..].iter().map(|open| format!("`{}`", open.name)).collect();
            let FuncDesc { name, file, line, .. } = func;
            return Err(self.error(
                Refusal::Recursion,
                format!(
                    "{} calls `{name}` again ({file}:{line}): functions of kernels can't recurse; write a loop",
                    cycle.join(" calls ")
                ),
            ));
        }
        let place = Place { name: func.name, file: func.file, line: func.line };
        let mut code = Func::decode(func.sketch).map_err(|error| place.defect(&error))?;
        self.path.push(*func);
        let (types, count) = self.types(place, (func.types)(), &mut code.code)?;
        self.path.pop();
        let linked = (Arc::new(Callee { file: func.file.into(), tracked: func.tracked, func: code, types }), count);
        self.done.insert(own, linked.clone());
        Ok(linked)
    }
}
