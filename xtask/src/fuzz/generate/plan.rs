//! Top-level statements: parallel loops, and the steps of the launch round them.
use qd_ir::op::{AtomicOp, Op};
use qd_ir::types::Scalar;

use super::{Access, Array, Generator, Level, Loop, label_text};
use crate::fuzz::form::Form;
use crate::fuzz::program::{Expr, Stmt, pieces};
use crate::fuzz::ty::Ty;

/// What a parallel loop runs over.
struct Domain {
    form: Form,
    pattern: String,
    over: super::Pieces,
    /// How an element at the iteration's own index is written, behind the name of an array of that rank.
    index: Option<(usize, String)>,
    /// The name of the segment that an iteration owns.
    row: Option<String>,
}

impl Generator {
    /// A top-level statement; `depth` bounds how deep loops lie in steps of the plan.
    pub(super) fn top(&mut self, depth: usize) -> Vec<Stmt> {
        match self.rng.u32(..100) {
            0..=49 => self.parallel(),
            50..=56 if depth > 0 => {
                let cond = self.expr(&Scalar::Bool.into(), 1);
                let then = self.tops(depth - 1);
                let mut pieces = pieces!["if ", cond, " {\n", then, "}"];
                if self.chance(50) {
                    let otherwise = self.tops(depth - 1);
                    pieces.extend(pieces![" else {\n", otherwise, "}"]);
                }
                vec![Stmt::new(Form::PlanIf, pieces)]
            }
            57..=63 if depth > 0 => vec![self.counted(depth - 1, Form::PlanLoop, Form::PlanLoop, Self::tops)],
            64..=69 if depth > 0 => vec![self.steps(depth - 1)],
            70..=73 if depth > 0 => {
                let cond = self.expr(&Scalar::Bool.into(), 2);
                let result = self.result.clone();
                let value = if result == Ty::UNIT {
                    pieces!["return;"]
                } else {
                    let value = self.expr(&result, 2);
                    pieces!["return ", value, ";"]
                };
                let leave = vec![Stmt::new(Form::PlanReturn, value)];
                vec![Stmt::new(Form::IfStmt, pieces!["if ", cond, " {\n", leave, "}"])]
            }
            74..=77 => vec![self.serial_for()],
            _ => {
                self.level = Level::Serial;
                // Loops of the plan are none of a serial statement's.
                let loops = std::mem::take(&mut self.loops);
                let stmts = self.stmt(2);
                self.loops = loops;
                self.level = Level::Top;
                stmts
            }
        }
    }

    /// Top-level statements in a step of the plan.
    fn tops(&mut self, depth: usize) -> Vec<Stmt> {
        self.scope(|this| {
            let mut stmts: Vec<Stmt> = (0..1 + this.rng.usize(..2)).flat_map(|_| this.top(depth)).collect();
            if !this.loops.is_empty() && this.chance(20) {
                stmts.extend(this.jump(true));
            }
            stmts
        })
    }

    /// `#[qd::steps] for`
    fn steps(&mut self, depth: usize) -> Stmt {
        let ty = self.such(|ty| ty.is_int() && ty.size() <= 8);
        let (lo, hi) = self.few(ty);
        let (domain, _) = self.range(ty, lo, hi);
        let (var, number) = (format!("s{}", self.number()), self.number());
        let label = self.chance(30).then(|| format!("'s{number}"));
        let body = self.scope(|this| {
            this.bind(&var, ty, false);
            this.loops.push(Loop { label: label.clone(), breaks: true });
            let body = this.tops(depth);
            this.loops.pop();
            body
        });
        let head = pieces![format!("#[qd::steps]\n{}for {var} in ", label_text(&label))];
        Stmt::new(Form::Steps, [head, domain, pieces![" {\n", body, "}"]].concat())
    }

    /// `#[qd::serial] for`
    fn serial_for(&mut self) -> Stmt {
        let ty = self.such(|ty| ty.is_int() && ty.size() <= 8);
        let (lo, hi) = self.few(ty);
        let (domain, _) = self.range(ty, lo, hi);
        let var = format!("n{}", self.number());
        let loops = std::mem::take(&mut self.loops);
        self.level = Level::Serial;
        let body = self.scope(|this| {
            this.bind(&var, ty, false);
            this.loops.push(Loop { label: None, breaks: true });
            this.stmts(2)
        });
        self.level = Level::Top;
        self.loops = loops;
        let head = pieces![format!("#[qd::serial]\nfor {var} in ")];
        Stmt::new(Form::Serial, [head, domain, pieces![" {\n", body, "}"]].concat())
    }

    /// A top-level loop, and what it reduces into.
    fn parallel(&mut self) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        self.accumulators(&mut stmts);
        let before = self.names.len();
        let domain = self.domain();
        self.accesses(&domain);
        self.choose_folds(before);
        self.choose_extreme(before);
        // What the pattern bound can be assigned to, if it is a reference.
        let outer = std::mem::replace(&mut self.floor, before);
        let loops = std::mem::take(&mut self.loops);
        let label = self.chance(20).then(|| format!("'p{}", self.number()));
        self.loops.push(Loop { label: label.clone(), breaks: false });
        self.level = Level::Iteration;

        let mut body: Vec<Stmt> = (0..1 + self.rng.usize(..3)).flat_map(|_| self.stmt(3)).collect();
        for _ in 0..2 {
            if self.chance(60) {
                body.extend(self.assign());
            }
        }
        for fold in self.folds.clone() {
            if self.chance(80) {
                body.push(self.fold(&fold));
            }
        }
        body.extend(self.offer());
        if let Some(row) = &domain.row {
            body.push(self.segment(row));
        }

        self.level = Level::Top;
        self.loops = loops;
        self.floor = outer;
        self.names.truncate(before);
        self.names.iter_mut().for_each(|name| name.hidden = false);
        self.folds.clear();
        self.extreme = None;
        self.arrays.iter_mut().for_each(|array| array.access = Access::Free);
        let (attribute, form) = match self.rng.u32(..20) {
            0 => ("#[qd::grain(64)]\n", Form::Grain),
            1 => ("#[qd::block(128)]\n", domain.form),
            _ => ("", domain.form),
        };
        let head = pieces![format!("{attribute}{}for {} in ", label_text(&label), domain.pattern)];
        stmts.push(Stmt::new(form, [head, domain.over, pieces![" {\n", body, "}"]].concat()));
        stmts
    }

    /// Variables for reductions whose order doesn't matter.
    fn accumulators(&mut self, stmts: &mut Vec<Stmt>) {
        if self.chance(75) {
            return;
        }
        let (ty, init): (Ty, Expr) = if self.chance(50) {
            let ty = self.such(Scalar::is_float);
            (ty.into(), Expr::literal(ty, format!("{}.0{ty}", self.rng.u32(..9))))
        } else {
            let ty = Ty::Vector(self.such(|ty| ty.is_int() && ty.size() <= 8), 2 + self.rng.usize(..3));
            (ty.clone(), self.expr(&ty, 1))
        };
        let name = format!("r{}", self.number());
        self.bind(&name, ty, true);
        stmts.push(Stmt::new(Form::Let, pieces![format!("let mut {name} = "), init, ";"]));
    }

    fn domain(&mut self) -> Domain {
        let offsets = self.offsets.clone();
        if let Some(offsets) = self.pick(&offsets).filter(|_| self.chance(40)) {
            return self.segments_domain(&offsets);
        }
        let lines: Vec<Array> = self.arrays.iter().filter(|array| array.rank == 1).cloned().collect();
        let grids: Vec<Array> = self.arrays.iter().filter(|array| array.rank > 1).cloned().collect();
        let grid = if self.chance(if lines.is_empty() { 100 } else { 35 }) { self.pick(&grids) } else { None };
        if let Some(grid) = grid {
            return self.grid_domain(&grid);
        }
        let line = self.pick(&lines);
        match (&line, self.rng.u32(..100)) {
            (Some(line), 0..=19) => self.elements_domain(&line.clone(), &lines),
            (Some(Array { slice: false, name, .. }), 20..=49) => {
                let var = format!("i{}", self.number());
                self.bind(&var, Scalar::Usize, false);
                let over = pieces![format!("{name}.indices()")];
                Domain {
                    form: Form::ParallelIndices,
                    index: Some((1, format!("[{var}]"))),
                    pattern: var,
                    over,
                    row: None,
                }
            }
            _ => self.range_domain(line.as_ref()),
        }
    }

    /// `qd::segments(offsets)`; the arrays that its iterations may write to are not for the rest of their bodies.
    fn segments_domain(&mut self, offsets: &str) -> Domain {
        let (number, row) = (format!("i{}", self.number()), format!("w{}", self.number()));
        self.bind(&number, Scalar::Usize, false);
        for k in 0..self.arrays.len() {
            if self.arrays[k].rank == 1 && self.arrays[k].mutable && self.chance(60) {
                self.arrays[k].access = Access::Segment;
            }
        }
        let pattern = format!("({number}, {row})");
        let over = pieces![format!("qd::segments({offsets})")];
        Domain { form: Form::Segments, pattern, over, index: None, row: Some(row) }
    }

    /// The loop over a segment.
    fn segment(&mut self, row: &str) -> Stmt {
        let index = format!("i{}", self.number());
        let over = match self.rng.u32(..6) {
            0 => format!("{row}.rev()"),
            1 => format!("{row}.step_by(2)"),
            2 => format!("{row}.start..{row}.end"),
            3 => format!("{row}.clone()"),
            _ => row.to_owned(),
        };
        for array in &mut self.arrays {
            if array.access == Access::Segment {
                array.access = Access::Own(format!("[{index}]"));
            }
        }
        let body = self.scope(|this| {
            this.bind(&index, Scalar::Usize, false);
            this.loops.push(Loop { label: None, breaks: true });
            let mut body = this.stmts(1);
            body.extend(this.assign());
            this.loops.pop();
            body
        });
        Stmt::new(Form::Range, pieces![format!("for {index} in {over} {{\n"), body, "}"])
    }

    fn grid_domain(&mut self, grid: &Array) -> Domain {
        let number = self.number();
        let vars: Vec<String> = (0..grid.rank).map(|dim| format!("{}{number}", ["i", "j", "k"][dim])).collect();
        vars.iter().for_each(|var| self.bind(var, Scalar::Usize, false));
        let (form, over) = if self.chance(50) {
            (Form::ParallelIndices, format!("{}.indices()", grid.name))
        } else {
            let mut sides = Vec::new();
            for dim in 0..grid.rank {
                let lo = self.pick(&["", "0..", "1.."]).unwrap_or("");
                sides.push(format!("{lo}{}", grid.extent(dim)));
            }
            // All sides are written alike: either numbers or ranges.
            let ranges = sides.iter().any(|side| side.contains(".."));
            let side = |side: String| if ranges && !side.contains("..") { format!("0..{side}") } else { side };
            let sides: Vec<String> = sides.into_iter().map(side).collect();
            (Form::ParallelBox, format!("ndrange([{}])", sides.join(", ")))
        };
        let index = format!("[[{}]]", vars.join(", "));
        let pattern = format!("({})", vars.join(", "));
        Domain { form, pattern, over: pieces![over], index: Some((grid.rank, index)), row: None }
    }

    fn range_domain(&mut self, line: Option<&Array>) -> Domain {
        let ty = if self.chance(40) { Scalar::Usize } else { self.such(|ty| ty.is_int() && ty.size() <= 8) };
        let len = match line {
            Some(line) => Expr::new(Scalar::Usize, Form::Len, pieces![format!("{}.len()", line.name)]),
            None => Expr::literal(Scalar::Usize, "9usize"),
        };
        let hi = if ty == Scalar::Usize { len } else { len.cast(ty) };
        let lo = Expr::literal(ty, if self.chance(80) { "0" } else { "1" });
        let shaped = self.chance(30);
        let (over, form) = if shaped {
            // One less than the end is the last one.
            let hi = Expr::new(ty, Form::Op(Op::Sub), pieces!["(", hi, " - 1)"]);
            self.range(ty, lo, hi)
        } else {
            (pieces![lo, "..", hi], Form::Range)
        };
        let form = if form == Form::Range { Form::Parallel } else { Form::ParallelShaped };
        let var = format!("i{}", self.number());
        self.bind(&var, ty, false);
        let index = if ty == Scalar::Usize { format!("[{var}]") } else { format!("[({var} as usize)]") };
        Domain { form, pattern: var, over, index: Some((1, index)), row: None }
    }

    /// A loop over the elements of one array or two.
    fn elements_domain(&mut self, line: &Array, lines: &[Array]) -> Domain {
        let (first, number) = (format!("e{}", self.number()), format!("i{}", self.number()));
        let items = |array: &Array| if array.mutable { "iter_mut" } else { "iter" };
        let part = line.slice && self.chance(20);
        let mut over = format!("{}{}.{}()", line.name, if part { "[1..]" } else { "" }, items(line));
        let mut used = vec![(line.clone(), first.clone())];
        let others: Vec<Array> = lines.iter().filter(|other| other.name != line.name).cloned().collect();
        let other = self.pick(&others);
        let (form, pattern, counted) = match (self.rng.u32(..3), other) {
            (0, _) => (Form::ParallelElements, first, false),
            (1, Some(other)) => {
                let second = format!("e{}", self.number());
                over.push_str(&format!(".zip({}.{}())", other.name, items(&other)));
                used.push((other, second.clone()));
                if self.chance(40) {
                    over.push_str(".enumerate()");
                    (Form::ParallelZip, format!("({number}, ({first}, {second}))"), true)
                } else {
                    (Form::ParallelZip, format!("({first}, {second})"), false)
                }
            }
            _ => {
                over.push_str(".enumerate()");
                (Form::ParallelEnumerate, format!("({number}, {first})"), true)
            }
        };
        let form = if part { Form::ParallelPart } else { form };
        if counted {
            self.bind(&number, Scalar::Usize, false);
        }
        for (array, element) in used {
            self.bind_reference(&element, array.element.clone(), array.mutable, true);
            if let Some(array) = self.arrays.iter_mut().find(|other| other.name == array.name) {
                array.access = Access::Gone;
            }
        }
        let index = counted.then(|| (1, format!("[{number}]")));
        Domain { form, pattern, over: pieces![over], index, row: None }
    }

    /// What the loop does with each array.
    fn accesses(&mut self, domain: &Domain) {
        for k in 0..self.arrays.len() {
            let Array { element, rank, mutable, access, .. } = self.arrays[k].clone();
            if matches!(access, Access::Gone | Access::Segment) {
                continue;
            }
            let integers = Scalar::ALL.into_iter().filter(|ty| ty.is_int() && ty.size() <= 8);
            let atomic = integers.clone().any(|ty| !self.defs.ways(&element, &ty.into()).is_empty());
            let floats = Scalar::ALL.into_iter().filter(|ty| ty.is_float());
            let extremes = floats.clone().any(|ty| !self.defs.ways(&element, &ty.into()).is_empty());
            let roll = self.rng.u32(..100);
            self.arrays[k].access = match &domain.index {
                Some((dims, index)) if mutable && *dims == rank && roll < 75 => Access::Own(index.clone()),
                _ if mutable && (atomic || extremes) && roll < 92 => {
                    let kinds: Vec<&'static str> = AtomicOp::ALL
                        .iter()
                        .map(|op| op.name())
                        .filter(|name| *name != "exchange" && (atomic || matches!(*name, "min" | "max")))
                        .collect();
                    Access::Atomic(kinds[self.rng.usize(..kinds.len())])
                }
                _ => Access::Read,
            };
        }
    }
}
