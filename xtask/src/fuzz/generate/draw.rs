//! Random numbers of the language.
use qd_ir::types::Scalar;

use super::Generator;
use crate::fuzz::form::Form;
use crate::fuzz::program::{Stmt, pieces};

impl Generator {
    /// A generator, and a few numbers of it, which are bound.
    pub(super) fn draws(&mut self) -> Vec<Stmt> {
        let name = format!("g{}", self.number());
        let (seed, stream) = (self.expr(&Scalar::U64.into(), 1), self.expr(&Scalar::U64.into(), 1));
        let head = format!("let mut {name} = qd::Rng::new(");
        let mut stmts = vec![Stmt::new(Form::Let, pieces![head, seed, ", ", stream, ");"])];
        if self.chance(30) {
            let block = self.expr(&Scalar::U64.into(), 1);
            stmts.push(Stmt::new(Form::Draw, pieces![format!("{name}.seek("), block, ");"]));
        }
        for _ in 0..1 + self.rng.usize(..3) {
            let ty = self.such(|_| true);
            let call = match self.rng.u32(..10) {
                0..=3 if ty.is_int() => {
                    let (lo, dots) = (self.rng.u32(..9), if self.chance(50) { ".." } else { "..=" });
                    format!("range({lo}{ty}{dots}{}{ty})", lo + self.rng.u32(1..100))
                }
                0..=3 if ty.is_float() => format!("range(-{}.5{ty}..{}.25{ty})", self.rng.u32(..9), self.rng.u32(..9)),
                _ => format!("next::<{ty}>()"),
            };
            let drawn = format!("v{}", self.number());
            self.bind(&drawn, ty, false);
            stmts.push(Stmt::new(Form::Draw, pieces![format!("let {drawn}: {ty} = {name}.{call};")]));
        }
        stmts
    }
}
