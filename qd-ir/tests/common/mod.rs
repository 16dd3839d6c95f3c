//! Sketches by hand, as the macro would write them.
#![allow(dead_code)] // each test program uses a part
use qd_ir::arena::{Arena, Id};
use qd_ir::body::{self, Region};
use qd_ir::op::{Op, ReduceOp};
use qd_ir::plan::Kernel;
use qd_ir::sketch::*;
use qd_ir::source_map::Pos;
use qd_ir::task::Task;
use qd_ir::types::{Const, Scalar, Type};
use qd_ir::{text, typing, verify};

pub type E = Id<Expr>;
pub type L = Id<Local>;

/// A sketch and its types, growing.
pub struct Builder {
    pub sketch: Sketch,
    pub types: Types,
    labels: u32,
}

impl Builder {
    pub fn new(name: &str) -> Self {
        let sketch = Sketch {
            schema: SCHEMA,
            name: name.into(),
            params: Vec::new(),
            locals: Arena::new(),
            exprs: Arena::new(),
            operators: Vec::new(),
            brackets: Vec::new(),
            vouched: Vec::new(),
            orders: Vec::new(),
            constructs: Arena::new(),
            plan: Vec::new(),
            witnesses: Vec::new(),
        };
        Builder { sketch, types: Types::default(), labels: 0 }
    }

    pub fn array(&mut self, name: &str, element: Scalar, rank: u8, mutable: bool) -> ParamId {
        self.sketch.params.push(Param { name: name.into(), pos: Pos::default(), kind: ParamKind::Array });
        self.types.params.push(Type::array(element, rank, mutable));
        ParamId(self.types.params.len() as u32 - 1)
    }

    pub fn value(&mut self, name: &str, ty: Type) -> L {
        let local = Local { name: name.into(), pos: Pos::default(), assigned: false, tap: None };
        let local = self.sketch.locals.push(local);
        let kind = ParamKind::Value(Pattern::Bind(local));
        self.sketch.params.push(Param { name: name.into(), pos: Pos::default(), kind });
        self.types.params.push(ty);
        local
    }

    pub fn tap(&mut self, ty: Type) -> TapId {
        self.types.taps.push(ty);
        TapId(self.types.taps.len() as u32 - 1)
    }

    pub fn local_of(&mut self, name: &str, ty: Type, assigned: bool) -> L {
        let tap = Some(self.tap(ty));
        self.sketch.locals.push(Local { name: name.into(), pos: Pos::default(), assigned, tap })
    }

    /// An immutable binding.
    pub fn name(&mut self, name: &str, ty: Scalar) -> L {
        self.local_of(name, Type::Scalar(ty), false)
    }

    /// A binding that is assigned.
    pub fn var(&mut self, name: &str, ty: Scalar) -> L {
        self.local_of(name, Type::Scalar(ty), true)
    }

    pub fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels)
    }

    pub fn e(&mut self, kind: ExprKind) -> E {
        // A position of its own for each expression.
        let pos = Pos { line: 1, column: self.sketch.exprs.len() as u32 + 1 };
        self.sketch.exprs.push(Expr { kind, pos })
    }

    pub fn int(&mut self, value: u128) -> E {
        self.e(ExprKind::Int { value, suffix: None })
    }

    pub fn int_of(&mut self, value: u128, ty: Scalar) -> E {
        self.e(ExprKind::Int { value, suffix: Some(ty) })
    }

    pub fn float(&mut self, digits: &str) -> E {
        self.e(ExprKind::Float { digits: digits.into(), suffix: None })
    }

    pub fn get(&mut self, local: L) -> E {
        self.e(ExprKind::Local(local))
    }

    pub fn op(&mut self, op: Op, args: &[E]) -> E {
        self.e(ExprKind::Op { op, args: args.to_vec() })
    }

    pub fn cast(&mut self, value: E, to: Scalar) -> E {
        self.e(ExprKind::Cast { value, to: TypeName::Scalar(to) })
    }

    pub fn load(&mut self, array: ParamId, index: &[E]) -> E {
        self.e(ExprKind::Load { array, index: index.to_vec() })
    }

    pub fn len(&mut self, array: ParamId) -> E {
        self.e(ExprKind::Len(array))
    }

    pub fn store(&mut self, array: ParamId, index: &[E], value: E) -> E {
        self.e(ExprKind::Assign { place: Place::Element { array, index: index.to_vec(), path: Vec::new() }, value })
    }

    pub fn update(&mut self, op: Op, array: ParamId, index: &[E], value: E) -> E {
        self.e(ExprKind::AssignOp {
            op,
            place: Place::Element { array, index: index.to_vec(), path: Vec::new() },
            value,
        })
    }

    pub fn set(&mut self, local: L, value: E) -> E {
        self.e(ExprKind::Assign { place: Place::Local(local), value })
    }

    pub fn set_op(&mut self, op: Op, local: L, value: E) -> E {
        self.e(ExprKind::AssignOp { op, place: Place::Local(local), value })
    }

    /// `local op= value` of a variable from outside the loop.
    pub fn reduce(&mut self, op: ReduceOp, local: L, value: E) -> E {
        let place = Place::Local(local);
        let each = Contribution::Each { op, negated: false, place, value, place_first: false };
        let in_order = self.set_op(op.op(), local, value);
        self.e(ExprKind::Contribute { what: Box::new(each), in_order })
    }

    pub fn bind(&mut self, local: L, init: E) {
        self.sketch.plan.push(PlanNode::Bind { pattern: Pattern::Bind(local), init });
    }

    pub fn serial(&mut self, stmts: Vec<Stmt>) {
        let pos = Pos { line: 2, column: 1 };
        let id = self.sketch.constructs.push(Construct {
            pos,
            grain: None,
            block: None,
            apart: Vec::new(),
            kind: ConstructKind::Serial(stmts),
        });
        self.sketch.plan.push(PlanNode::Construct(id));
    }

    pub fn parallel(&mut self, domain: Domain, pattern: Pattern, reductions: &[L], body: Vec<E>) -> Label {
        let label = self.label();
        let kind = ConstructKind::Parallel {
            domain,
            pattern,
            label,
            reductions: reductions.to_vec(),
            body: block(body, None),
        };
        let id = self.sketch.constructs.push(Construct {
            pos: Pos { line: 3, column: 1 },
            grain: None,
            block: None,
            apart: Vec::new(),
            kind,
        });
        self.sketch.plan.push(PlanNode::Construct(id));
        label
    }

    pub fn range(&mut self, lo: E, hi: E) -> Domain {
        Domain::Range { lo, hi, tap: None }
    }

    /// `for local in 0..n { .. }`
    pub fn loop_to(&mut self, local: L, hi: E, body: Vec<E>) {
        let lo = self.int(0);
        let domain = self.range(lo, hi);
        self.parallel(domain, Pattern::Bind(local), &[], body);
    }

    pub fn returns(&mut self, value: E, ty: Type) {
        self.types.result = Some(ty);
        self.sketch.plan.push(PlanNode::Return(Some(value)));
    }

    /// The typed kernel; its tasks are verified, and read back from their text.
    pub fn typed(&self) -> Kernel {
        let decoded = Sketch::decode(&self.sketch.encode()).expect("a sketch decodes");
        assert_eq!(decoded, self.sketch);
        let kernel = typing::kernel(&self.sketch, &self.types, typing::Overflow::Wraps)
            .unwrap_or_else(|error| panic!("{error}"));
        verify::kernel(&kernel).unwrap_or_else(|found| panic!("{found:#?}\n{kernel}"));
        for construct in kernel.constructs.values() {
            let text = construct.task.to_string();
            assert_eq!(text::parse(&text).as_ref(), Ok(&construct.task), "{text}");
        }
        kernel
    }

    /// Its tasks.
    pub fn tasks(&self) -> Vec<Task> {
        self.typed().constructs.values().iter().map(|c| c.task.clone()).collect()
    }
}

pub fn block(stmts: Vec<E>, tail: Option<E>) -> Block {
    Block { stmts: stmts.into_iter().map(Stmt::Expr).collect(), tail }
}

pub fn let_(local: L, init: E) -> Stmt {
    Stmt::Let { pattern: Pattern::Bind(local), init: Some(init) }
}

pub fn scalar(ty: Scalar) -> Type {
    Type::Scalar(ty)
}

/// The constants of a task, in order.
pub fn constants(task: &Task) -> Vec<Const> {
    fn walk(region: &Region, found: &mut Vec<Const>) {
        for stmt in &region.0 {
            match stmt {
                body::Stmt::Const { value, .. } => found.push(*value),
                body::Stmt::If { then, otherwise, .. } => [then, otherwise].iter().for_each(|r| walk(r, found)),
                body::Stmt::For { body, .. } | body::Stmt::Loop { body, .. } => walk(body, found),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    walk(&task.body, &mut found);
    found
}

/// Checks a text against the expected one, indentation of the whole aside.
#[track_caller]
pub fn expect(found: &str, wanted: &str) {
    let lines = |text: &str| {
        let lines: Vec<String> = text.lines().filter(|l| !l.trim().is_empty()).map(String::from).collect();
        let margin = lines.iter().map(|l| l.len() - l.trim_start().len()).min().unwrap_or(0);
        lines.into_iter().map(|l| l[margin..].to_string()).collect::<Vec<_>>().join("\n")
    };
    assert!(lines(found) == lines(wanted), "found:\n{}\n\nwanted:\n{}", lines(found), lines(wanted));
}
