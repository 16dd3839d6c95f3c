//! Loops inside of iterations, functions and serial code.
use qd_ir::op::Op;
use qd_ir::types::Scalar;

use super::{Access, Array, Generator, Loop, label_text};
use crate::fuzz::form::Form;
use crate::fuzz::program::{Expr, Stmt, pieces};

impl Generator {
    fn label(&mut self, percent: u32) -> Option<String> {
        self.chance(percent).then(|| format!("'l{}", self.number()))
    }

    /// A `while` or `loop` that ends after a few rounds.
    pub(super) fn counted(
        &mut self,
        depth: usize,
        of_while: Form,
        of_loop: Form,
        inside: impl FnOnce(&mut Self, usize) -> Vec<Stmt>,
    ) -> Stmt {
        let (counter, limit) = (format!("k{}", self.number()), self.rng.u32(1..4));
        let label = self.label(40);
        let before = self.names.len();
        let mut form = of_while;
        let mut head = pieces![format!("let mut {counter} = 0u32;\n{}", label_text(&label))];
        self.bind(&counter, Scalar::U32, false);
        match self.rng.u32(..10) {
            0..=4 => {
                let cond = self.expr(&Scalar::Bool.into(), 1);
                head.extend(pieces![format!("while {counter} < {limit} && "), cond, format!(" {{\n{counter} += 1;\n")]);
            }
            5..=6 if of_while == Form::While => {
                form = Form::WhileLet;
                let of = self.matched();
                let value = self.expr(&of, 1);
                let pattern = self.pattern(&of);
                let head_text = format!("while {counter} < {limit} && let {pattern} = ");
                head.extend(pieces![head_text, value, format!(" {{\n{counter} += 1;\n")]);
            }
            _ => {
                form = of_loop;
                head.push(format!("loop {{\n{counter} += 1;\nif {counter} > {limit} {{ break; }}\n").into());
            }
        }
        self.loops.push(Loop { label, breaks: true });
        let body = inside(self, depth);
        self.loops.pop();
        self.names.truncate(before);
        head.extend(pieces![body, "}"]);
        Stmt::new(form, head)
    }

    /// What a `for` runs over: its text, and its form.
    pub(super) fn range(&mut self, ty: Scalar, lo: Expr, hi: Expr) -> (super::Pieces, Form) {
        let step = self.rng.u32(1..4);
        match self.rng.u32(..10) {
            // Ranges of 128 bits have no other forms.
            _ if ty.size() > 8 => (pieces![lo, "..", hi], Form::Range),
            0..=1 => (pieces!["(", lo, "..=", hi, ")"], Form::Inclusive),
            2 => (pieces!["(", lo, "..", hi, ").rev()"], Form::Reversed),
            3 => (pieces!["(", lo, "..", hi, format!(").step_by({step})")], Form::Stepped),
            4 => (pieces!["(", lo, "..=", hi, format!(").rev().step_by({step})")], Form::Stepped),
            // Backwards only where std knows how many steps there are.
            5 if ty.size() < 8 || matches!(ty, Scalar::Usize | Scalar::Isize) => {
                (pieces!["(", lo, "..", hi, format!(").step_by({step}).rev()")], Form::Stepped)
            }
            _ => (pieces![lo, "..", hi], Form::Range),
        }
    }

    /// A few numbers from a small one on.
    pub(super) fn few(&mut self, ty: Scalar) -> (Expr, Expr) {
        let lo = Expr::literal(ty, format!("{}{ty}", self.rng.u32(..3)));
        let hi = if self.chance(50) {
            Expr::literal(ty, self.rng.u32(1..6).to_string())
        } else {
            let value = self.expr(&ty.into(), 1);
            Expr::new(ty, Form::Op(Op::Rem), pieces!["(", value, " % 6)"])
        };
        (lo, hi)
    }

    pub(super) fn nested_for(&mut self, depth: usize) -> Stmt {
        let ty = self.integer();
        let (var, label) = (format!("n{}", self.number()), self.label(40));
        let (lo, hi) = self.few(ty);
        let (domain, mut form) = self.range(ty, lo, hi);
        let body = self.scope(|this| {
            this.bind(&var, ty, false);
            this.looped(&label, |this| this.stmts(depth))
        });
        let attribute = match self.rng.u32(..20) {
            0 => "#[qd::unroll]\n",
            1 => "#[qd::unroll(3)]\n",
            _ => "",
        };
        if !attribute.is_empty() {
            form = Form::Unroll;
        }
        let head = pieces![format!("{attribute}{}for {var} in ", label_text(&label))];
        Stmt::new(form, [head, domain, pieces![" {\n", body, "}"]].concat())
    }

    /// Makes the body of a loop that can be left.
    fn looped(&mut self, label: &Option<String>, body: impl FnOnce(&mut Self) -> Vec<Stmt>) -> Vec<Stmt> {
        self.loops.push(Loop { label: label.clone(), breaks: true });
        let body = body(self);
        self.loops.pop();
        body
    }

    /// A loop over the elements of an array that is only read.
    pub(super) fn over_elements(&mut self, depth: usize) -> Option<Stmt> {
        let reads = |array: &&Array| array.rank == 1 && array.access == Access::Read && !array.mutable;
        let part = self.chance(30);
        let arrays: Vec<Array> = self.arrays.iter().filter(reads).cloned().collect();
        let array = self.pick(&arrays)?;
        let label = self.label(30);
        let (element, number) = (format!("e{}", self.number()), format!("n{}", self.number()));
        let (counter, limit) = (format!("k{}", self.number()), self.rng.u32(1..6));
        let few = self.rng.u32(1..7);
        let bracket = if part && array.slice { self.part(&array, few) } else { Vec::new() };
        let form = if bracket.is_empty() { Form::Elements } else { Form::ElementsOfPart };
        let (pattern, items) = match self.rng.u32(..4) {
            _ if form == Form::ElementsOfPart => (element.clone(), format!("&{}", array.name)),
            0 => (element.clone(), format!("{}.iter()", array.name)),
            1 => (format!("({number}, {element})"), format!("{}.iter().enumerate()", array.name)),
            // What a bundle owns is lent.
            2 if array.name.contains('.') => (format!("&{element}"), format!("&{}", array.name)),
            2 => (format!("&{element}"), array.name.clone()),
            _ => (format!("({number}, &{element})"), format!("{}.iter().enumerate()", array.name)),
        };
        let body = self.scope(|this| {
            if pattern.contains(&number) {
                this.bind(&number, Scalar::Usize, false);
            }
            if pattern.contains('&') {
                this.bind(&element, array.element.clone(), false);
            } else {
                this.bind_reference(&element, array.element.clone(), false, true);
            }
            this.looped(&label, |this| {
                // It runs over the whole array, so it is left early.
                let leave = vec![Stmt::new(Form::Jump, pieces!["break;"])];
                let text = format!("{counter} += 1;\nif {counter} > {limit} {{\n");
                let mut body = vec![Stmt::new(Form::IfStmt, pieces![text, leave, "}"])];
                body.extend(this.stmts(depth.min(1)));
                body
            })
        });
        let head = format!("let mut {counter} = 0u32;\n{}for {pattern} in {items}", label_text(&label));
        Some(Stmt::new(form, [pieces![head], bracket, pieces![" {\n", body, "}"]].concat()))
    }
}
