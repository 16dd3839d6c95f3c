//! Tasks run statement by statement, iteration by iteration: the oracle for control flow, checks and faults.
use qd_ir::arena::Id;
use qd_ir::body::{LoopId, Region, Stmt, Value};
use qd_ir::fault::Fault;
use qd_ir::op::{Op, ReduceOp};
use qd_ir::reduce::{self, LANES, LEAF, Tree, combine_bits, identity_bits};
use qd_ir::task::{Array, Reduction, Task, TaskKind};
use qd_ir::types::{Scalar, ScalarClass};
use qd_ir::words;
use qd_runtime::codegen::fault::FaultRecord;

use super::native::{cast, native};
use super::{Memory, Outcome, words_of};

/// Runs the task in order up to the first fault. The inputs are words.
pub fn interpret(task: &Task, arrays: &mut [Memory], inputs: &[u64]) -> Outcome {
    let mut rest = inputs;
    let inputs = task.inputs.values().iter().map(|input| {
        let bits = words::get(input.ty, rest);
        rest = &rest[input.ty.words()..];
        bits
    });
    let inputs = inputs.collect();
    let mut run = Run {
        task,
        arrays,
        inputs,
        values: vec![0; task.values.len()],
        locals: vec![0; task.locals.len()],
        outputs: vec![0; task.outputs.len()],
        contributed: Vec::new(),
        iteration: 0,
    };
    let mut leaves = Vec::new();
    let fault = run.all(&mut leaves).err();
    let mut reductions = Vec::new();
    for (r, reduction) in task.reductions().iter().enumerate() {
        match reduction {
            Reduction::Each { op, ty, len } => {
                for k in 0..*len as usize {
                    let values: Vec<u128> = leaves.iter().map(|iteration| iteration[r][k]).collect();
                    reductions.push((*ty, along_the_tree(*op, *ty, &values)));
                }
            }
            Reduction::Extreme { .. } => {
                let nothing = vec![0; 1 + reduction.scalars().count()];
                let best = leaves.iter().fold(nothing, |best, iteration| better(reduction, best, &iteration[r]));
                let types = std::iter::once(Scalar::Bool).chain(reduction.scalars());
                reductions.extend(types.zip(best));
            }
        }
    }
    let outputs = task.outputs.values().iter().zip(run.outputs).map(|(output, bits)| (output.ty, bits));
    Outcome { reductions: words_of(reductions), fault, outputs: words_of(outputs) }
}

fn along_the_tree(op: ReduceOp, ty: Scalar, values: &[u128]) -> u128 {
    let combine = |a, b| combine_bits(op, ty, a, b);
    let mut tree = Tree::new();
    for (number, values) in values.chunks(LEAF as usize).enumerate() {
        let mut lanes = [identity_bits(op, ty); LANES];
        for (i, value) in values.iter().enumerate() {
            lanes[i % LANES] = combine(lanes[i % LANES], *value);
        }
        for stride in [16, 8, 4, 2, 1] {
            for l in 0..stride {
                lanes[l] = combine(lanes[l], lanes[l + stride]);
            }
        }
        tree.insert(number as u64, lanes[0], combine);
    }
    tree.finish(combine).unwrap_or(identity_bits(op, ty))
}

/// The offer that is there after another: each is whether there is one, then its scalars.
fn better(reduction: &Reduction, best: Vec<u128>, offer: &[u128]) -> Vec<u128> {
    let Reduction::Extreme { order, key, with: _ } = reduction else { return best };
    let words = |values: &[u128]| words_of(key.iter().copied().zip(values[1..].iter().copied()));
    // A NaN is no offer.
    let offers = offer[0] != 0 && reduce::compare(key, &words(offer), &words(offer)).is_some();
    let wins = best[0] == 0 || order.takes(reduce::compare(key, &words(offer), &words(&best)));
    if offers && wins { offer.to_vec() } else { best }
}

struct Run<'a> {
    task: &'a Task,
    arrays: &'a mut [Memory],
    inputs: Vec<u128>,
    values: Vec<u128>,
    locals: Vec<u128>,
    outputs: Vec<u128>,
    contributed: Vec<Vec<u128>>,
    iteration: u64,
}

enum Flow {
    Next,
    Break(LoopId),
    Continue(LoopId),
    End,
}

/// A number of an integer type of at most 64 bits, as loops have them.
fn number(ty: Scalar, bits: u128) -> i128 {
    match ty.class() {
        ScalarClass::Signed => {
            let shift = 128 - ty.bits();
            ((bits << shift) as i128) >> shift
        }
        ScalarClass::Unsigned | ScalarClass::Bool | ScalarClass::Float => bits as i128,
    }
}

fn bits(ty: Scalar, number: i128) -> u128 {
    number as u128 & ty.mask()
}

impl Run<'_> {
    fn all(&mut self, leaves: &mut Vec<Vec<Vec<u128>>>) -> Result<(), FaultRecord> {
        let task = self.task;
        let TaskKind::Parallel { bounds, carried: _, dims, reductions } = &task.kind else {
            return self.region(&task.body).map(|_| ());
        };
        self.region(bounds)?;
        let ranges: Vec<(i128, i128)> = dims
            .iter()
            .map(|d| {
                (number(task.ty(d.lo), self.values[d.lo.index()]), number(task.ty(d.hi), self.values[d.hi.index()]))
            })
            .collect();
        if ranges.iter().any(|(lo, hi)| lo >= hi) {
            return Ok(());
        }
        let mut point: Vec<i128> = ranges.iter().map(|r| r.0).collect();
        loop {
            for (dim, at) in dims.iter().zip(&point) {
                self.values[dim.var.index()] = bits(task.ty(dim.var), *at);
            }
            self.locals.fill(0);
            let nothing = |reduction: &Reduction| match reduction {
                Reduction::Each { op, ty, len } => vec![identity_bits(*op, *ty); *len as usize],
                Reduction::Extreme { .. } => vec![0; 1 + reduction.scalars().count()],
            };
            self.contributed = reductions.values().iter().map(nothing).collect();
            self.region(&task.body)?;
            leaves.push(self.contributed.clone());
            self.iteration += 1;
            let mut dim = point.len();
            loop {
                if dim == 0 {
                    return Ok(());
                }
                dim -= 1;
                point[dim] += 1;
                if point[dim] < ranges[dim].1 {
                    break;
                }
                point[dim] = ranges[dim].0;
            }
        }
    }

    fn region(&mut self, region: &Region) -> Result<Flow, FaultRecord> {
        for stmt in &region.0 {
            match self.stmt(stmt)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    fn fault(&self, site: usize, fault: Fault, values: [u64; 4]) -> FaultRecord {
        FaultRecord { iteration: self.iteration, site: site as u32, fault: fault as u32, values: values.into() }
    }

    fn contribute(&mut self, reduction: usize, scalar: usize, value: Id<Value>) {
        let Reduction::Each { op, ty, len: _ } = self.task.reductions()[reduction] else { panic!("not an offer") };
        let so_far = &mut self.contributed[reduction][scalar];
        *so_far = combine_bits(op, ty, *so_far, self.values[value.index()]);
    }

    /// Position of an element in its array.
    fn element(&self, array: Id<Array>, index: &[Id<Value>], site: Option<usize>) -> Result<usize, FaultRecord> {
        let mut position = 0;
        for (dim, (value, &extent)) in index.iter().zip(&self.arrays[array.index()].extents).enumerate() {
            let at = self.values[value.index()] as u64;
            if at >= extent {
                let site = site.expect("only accesses with a site are tested");
                return Err(self.fault(site, Fault::IndexOutOfBounds, [dim as u64, extent, at, 0]));
            }
            position = position * extent as usize + at as usize;
        }
        Ok(position)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<Flow, FaultRecord> {
        let task = self.task;
        let size = |array: Id<Array>| task.arrays[array].ty.element.size as usize;
        match stmt {
            Stmt::Const { dst, value } => self.values[dst.index()] = value.bits,
            Stmt::Input { dst, input } => self.values[dst.index()] = self.inputs[input.index()],
            Stmt::Extent { dst, array, dim } => {
                self.values[dst.index()] = self.arrays[array.index()].extents[usize::from(*dim)].into();
            }
            Stmt::Op { dst, op, args, site } => {
                let ty = task.ty(args[0]);
                let bits: Vec<u128> = args.iter().map(|arg| self.values[arg.index()]).collect();
                let amount = args.get(1).map_or(Scalar::U32, |arg| task.ty(*arg));
                self.values[dst.index()] = if *op == Op::Cast {
                    cast(bits[0], ty, task.ty(*dst))
                } else {
                    native(*op, ty, &bits, amount).map_err(|fault| {
                        let mut values = [0; 4];
                        if fault == Fault::Clamp {
                            words::put(ty, bits[1], &mut values);
                            words::put(ty, bits[2], &mut values[2..]);
                        }
                        self.fault(site.expect("what fails has a site").index(), fault, values)
                    })?
                };
            }
            Stmt::Get { dst, local } => self.values[dst.index()] = self.locals[local.index()],
            Stmt::Set { local, value } => self.locals[local.index()] = self.values[value.index()],
            Stmt::Load { dst, array, index, part: _, site } => {
                let at = self.element(*array, index, site.map(Id::index))?;
                self.values[dst.index()] = self.arrays[array.index()].get(size(*array), at);
            }
            Stmt::Store { array, index, part: _, value, site } => {
                let at = self.element(*array, index, site.map(Id::index))?;
                self.arrays[array.index()].put(size(*array), at, self.values[value.index()]);
            }
            Stmt::Atomic { .. } | Stmt::CompareExchange { .. } | Stmt::Claim { .. } => {
                panic!("no test has atomics here")
            }
            Stmt::GetPart { .. } | Stmt::SetPart { .. } | Stmt::CheckStep { .. } => panic!("no test has lists here"),
            Stmt::Check { array, index, site } => _ = self.element(*array, index, Some(site.index()))?,
            Stmt::Reduce { reduction, value } => self.contribute(reduction.index(), 0, *value),
            Stmt::ReducePart { reduction, part, value } => {
                let steps = part.steps.iter().map(|s| self.values[s.index.index()] as usize * s.stride as usize);
                self.contribute(reduction.index(), part.base as usize + steps.sum::<usize>(), *value);
            }
            Stmt::Offer { reduction, values } => {
                let values = values.iter().map(|value| self.values[value.index()]);
                let offer: Vec<u128> = std::iter::once(1).chain(values).collect();
                let so_far = std::mem::take(&mut self.contributed[reduction.index()]);
                self.contributed[reduction.index()] = better(&task.reductions()[reduction.index()], so_far, &offer);
            }
            Stmt::Output { output, value } => self.outputs[output.index()] = self.values[value.index()],
            Stmt::If { cond, then, otherwise } => {
                return self.region(if self.values[cond.index()] != 0 { then } else { otherwise });
            }
            Stmt::For { id, var, lo, hi, unroll: _, body } => {
                let ty = task.ty(*var);
                let (lo, hi) = (number(ty, self.values[lo.index()]), number(ty, self.values[hi.index()]));
                for at in lo..hi {
                    self.values[var.index()] = bits(ty, at);
                    match self.region(body)? {
                        Flow::Break(other) if other == *id => break,
                        Flow::Continue(other) if other == *id => {}
                        Flow::Next => {}
                        other => return Ok(other),
                    }
                }
            }
            Stmt::Loop { id, body } => loop {
                match self.region(body)? {
                    Flow::Break(other) if other == *id => break,
                    Flow::Continue(other) if other == *id => {}
                    Flow::Next => {}
                    other => return Ok(other),
                }
            },
            Stmt::Fail { site, values } => {
                let values = words_of(values.iter().map(|value| (task.ty(*value), self.values[value.index()])));
                let fault = Fault::Panic as u32;
                return Err(FaultRecord { iteration: self.iteration, site: site.index() as u32, fault, values });
            }
            Stmt::Print { .. } => panic!("no test prints here"),
            Stmt::Break(id) => return Ok(Flow::Break(*id)),
            Stmt::Continue(id) => return Ok(Flow::Continue(*id)),
            Stmt::End => return Ok(Flow::End),
        }
        Ok(Flow::Next)
    }
}
