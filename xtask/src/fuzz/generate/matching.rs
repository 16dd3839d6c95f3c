//! `match` and the other forms with patterns that may fail.
use qd_ir::types::{Scalar, ScalarClass};

use super::Generator;
use crate::fuzz::form::Form;
use crate::fuzz::program::{Expr, pieces};
use crate::fuzz::ty::Ty;

impl Generator {
    /// A `match` on an integer, an enum or a tuple.
    pub(super) fn matching(&mut self, ty: &Ty, depth: usize) -> Expr {
        let of = self.matched();
        let value = self.expr(&of, depth);
        let mut pieces = pieces!["(match ", value, " {\n"];
        let form = match &of {
            Ty::Enum(_) => Form::MatchEnum,
            Ty::Tuple(_) => Form::MatchTuple,
            _ => Form::Match,
        };
        if let (Ty::Enum(number), true) = (&of, self.chance(50)) {
            // Every variant has an arm, and no other is needed.
            let count = self.defs.enums[*number].values.len();
            let mut variants: Vec<String> = (0..count).map(|k| format!("E{number}::V{k}")).collect();
            self.rng.shuffle(&mut variants);
            while !variants.is_empty() {
                let arm = variants.split_off(variants.len() - 1 - self.rng.usize(..variants.len().min(2)));
                let block = self.block(ty, depth, Form::Block, "", "");
                pieces.extend(pieces![format!("{} => ", arm.join(" | ")), block, ",\n"]);
            }
        } else {
            for _ in 0..1 + self.rng.usize(..3) {
                let arm = self.scope(|this| {
                    let pattern = this.pattern(&of);
                    let guard = this.guard(depth);
                    let block = this.block(ty, depth, Form::Block, "", "");
                    [pieces![pattern], guard, pieces![" => ", block, ",\n"]].concat()
                });
                pieces.extend(arm);
            }
            let otherwise = self.block(ty, depth, Form::Block, "", "");
            pieces.extend(pieces!["_ => ", otherwise, ",\n"]);
        }
        pieces.push("})".into());
        Expr::new(ty.clone(), form, pieces)
    }

    /// `matches!(value, pattern if guard)`
    pub(super) fn matches(&mut self, depth: usize) -> Expr {
        let of = self.matched();
        // To the macro it is no macro's text.
        let value = self.speaking(|this| this.expr(&of, depth));
        let test = self.scope(|this| {
            let pattern = this.pattern(&of);
            let guard = this.speaking(|this| this.guard(depth));
            [pieces![format!(", {pattern}")], guard].concat()
        });
        Expr::new(Scalar::Bool, Form::Matches, [pieces!["matches!(", value], test, pieces![")"]].concat())
    }

    fn guard(&mut self, depth: usize) -> super::Pieces {
        if self.chance(30) {
            let guard = self.expr(&Scalar::Bool.into(), depth.min(1));
            return pieces![" if ", guard];
        }
        Vec::new()
    }

    /// The type of what a `match` looks at.
    pub(super) fn matched(&mut self) -> Ty {
        match self.rng.u32(..10) {
            0..=2 if !self.defs.enums.is_empty() => Ty::Enum(self.rng.usize(..self.defs.enums.len())),
            3..=4 => {
                let parts = (0..2 + self.rng.usize(..2)).map(|_| match self.rng.u32(..5) {
                    0 => Scalar::Bool.into(),
                    1 if !self.defs.enums.is_empty() => Ty::Enum(self.rng.usize(..self.defs.enums.len())),
                    _ => self.integer().into(),
                });
                Ty::Tuple(parts.collect())
            }
            5 => self.such(Scalar::is_float).into(),
            _ => self.integer().into(),
        }
    }

    /// A pattern for a value of that type, whose names are bound from here on.
    pub(super) fn pattern(&mut self, ty: &Ty) -> String {
        let (low, span) = (self.rng.u32(..10), self.rng.u32(1..20));
        match ty {
            Ty::Tuple(parts) => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|part| match self.rng.u32(..10) {
                        0..=1 => "_".to_owned(),
                        2..=4 => self.binding(part),
                        _ => self.pattern(part),
                    })
                    .collect();
                format!("({})", parts.join(", "))
            }
            Ty::Enum(number) => {
                let count = self.defs.enums[*number].values.len();
                let (a, b) = (self.rng.usize(..count), self.rng.usize(..count));
                match self.rng.u32(..10) {
                    0..=5 => format!("E{number}::V{a}"),
                    6..=7 if a != b => format!("(E{number}::V{a} | E{number}::V{b})"),
                    8 => format!("{} @ E{number}::V{b}", self.binding(ty)),
                    _ => format!("E{number}::V{b}"),
                }
            }
            Ty::Scalar(Scalar::Bool) => self.chance(50).to_string(),
            Ty::Scalar(scalar) if scalar.class() == ScalarClass::Float => match self.rng.u32(..3) {
                0 => format!("{low}.0"),
                1 => format!("{low}.5..={}.0", low + span),
                _ => format!("..{low}.25"),
            },
            Ty::Scalar(scalar) => match self.rng.u32(..9) {
                0 => low.to_string(),
                1 => format!("({low} | {})", low + span),
                2 => format!("{low}..={}", low + span),
                3 => format!("{low}.."),
                4 => format!("{scalar}::MAX"),
                5 if scalar.is_signed() => format!("-{}..={low}", span),
                6 => format!("..{}", low + 1),
                7 => {
                    // A constant of that type.
                    let constants: Vec<String> = self
                        .names
                        .iter()
                        .filter(|name| name.ident.starts_with('C') && name.ty == *ty)
                        .map(|name| name.ident.clone())
                        .collect();
                    self.pick(&constants).unwrap_or_else(|| low.to_string())
                }
                _ => format!("{} @ {low}..{}", self.binding(ty), low + span),
            },
            // Nothing else is matched.
            Ty::List(..) | Ty::Struct(..) | Ty::Vector(..) | Ty::Matrix(..) | Ty::Param => "_".to_owned(),
        }
    }

    /// A new name in a pattern.
    fn binding(&mut self, ty: &Ty) -> String {
        let name = format!("m{}", self.number());
        self.bind(&name, ty.clone(), false);
        name
    }
}
