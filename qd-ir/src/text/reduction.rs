//! Reductions in the text form: `add f32`, `add u32 x 16`, `first least(f32) with(u64, u64)`.
use std::fmt::{self, Display, Formatter};

use super::{Parse, Parser, list};
use crate::op::ReduceOp;
use crate::task::{Order, Reduction};
use crate::types::Scalar;

impl Display for Reduction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Reduction::Each { op, ty, len: 1 } => write!(f, "{} {ty}", op.op()),
            Reduction::Each { op, ty, len } => write!(f, "{} {ty} x {len}", op.op()),
            Reduction::Extreme { order: Order { greatest, last }, key, with } => {
                let which = if *last { "last" } else { "first" };
                let extreme = if *greatest { "greatest" } else { "least" };
                write!(f, "{which} {extreme}({}) with({})", list(key), list(with))
            }
        }
    }
}

impl Parser<'_> {
    pub(super) fn reduction(&mut self) -> Parse<Reduction> {
        let last = self.eat("last");
        if last || self.eat("first") {
            let greatest = self.eat("greatest");
            if !greatest {
                self.expect("least")?;
            }
            let key = self.scalars()?;
            self.expect("with")?;
            return Ok(Reduction::Extreme { order: Order { greatest, last }, key, with: self.scalars()? });
        }
        let op = self.read("a reduction", |t| ReduceOp::ALL.into_iter().find(|op| op.op().row().text == t))?;
        let ty = self.scalar()?;
        Ok(Reduction::Each { op, ty, len: if self.eat("x") { self.number()? } else { 1 } })
    }

    /// `(f32, u64)`
    fn scalars(&mut self) -> Parse<Vec<Scalar>> {
        self.listed(Self::scalar)
    }
}
