//! Loops over segments: before such a loop its offsets are looked through once, and a first one below zero or a fall fails
//! there.
use super::task::{Builder, Ends, Lower};
use crate::body::{Part, Region, Stmt, Unroll};
use crate::fault::{Site, falling_offsets, negative_offset};
use crate::message::{Message, Piece, Spec, Style};
use crate::op::Op;
use crate::sketch::ParamId;
use crate::source_map::Pos;
use crate::types::{Const, Scalar, Type};

impl Builder<'_> {
    /// The numbers of the segments between the offsets of an array.
    pub fn segments(&mut self, param: ParamId, pos: Pos) -> Lower<Ends> {
        let ty = match self.facts.element(param, pos)?.as_scalar() {
            Some(ty) if ty.is_int() && ty.bits() <= 64 => ty,
            Some(_) | None => return Err(self.facts.error(pos, "segments of what are no offsets").into()),
        };
        let len = self.len(param, pos)?;
        let [zero, one] = [0, 1].map(|bits| self.constant(Const { ty: Scalar::Usize, bits }));
        let count = self.op(Op::SaturatingSub, vec![len, one], Scalar::Usize, pos);
        let array = self.array(param, pos)?;
        if ty.is_signed() {
            // Those behind it aren't smaller.
            let some = self.op(Op::Lt, vec![zero, count], Scalar::Bool, pos);
            let (then, _) = self.region(|s| {
                let first = s.task.value(ty);
                s.push(Stmt::Load { dst: first, array, index: vec![zero], part: Part::at(0), site: None });
                let least = s.constant(Const { ty, bits: 0 });
                let cond = s.op(Op::Lt, vec![first, least], Scalar::Bool, pos);
                let message = with_holes(|[offset]| negative_offset(offset));
                let site = s.speaking(Site::Panic, message, vec![Type::Scalar(ty)], pos);
                let then = Region(vec![Stmt::Fail { site, values: vec![first] }]);
                s.push(Stmt::If { cond, then, otherwise: Region::default() });
                Ok(())
            })?;
            self.push(Stmt::If { cond: some, then, otherwise: Region::default() });
        }
        let (id, var) = (self.loop_id(), self.task.value(Scalar::Usize));
        let (body, _) = self.region(|s| {
            let next = s.op(Op::WrappingAdd, vec![var, one], Scalar::Usize, pos);
            let [offset, after] = [var, next].map(|index| {
                let dst = s.task.value(ty);
                // Both are below the length.
                s.push(Stmt::Load { dst, array, index: vec![index], part: Part::at(0), site: None });
                dst
            });
            let cond = s.op(Op::Lt, vec![after, offset], Scalar::Bool, pos);
            let types = [Scalar::Usize, ty, ty].map(Type::Scalar).to_vec();
            let message = with_holes(|[at, offset, next]| falling_offsets(at, offset, next));
            let site = s.speaking(Site::Panic, message, types, pos);
            let then = Region(vec![Stmt::Fail { site, values: vec![var, offset, after] }]);
            s.push(Stmt::If { cond, then, otherwise: Region::default() });
            Ok(())
        })?;
        self.push(Stmt::For { id, var, lo: zero, hi: count, unroll: Unroll::Auto, body });
        Ok(Ends { ty: Scalar::Usize, lo: zero, hi: count })
    }
}

/// Words with holes for their values, which they name in order.
fn with_holes<const N: usize>(words: impl FnOnce([char; N]) -> String) -> Message {
    const HOLE: char = '\0';
    let text = words([HOLE; N]);
    let mut pieces = Vec::new();
    for (value, part) in text.split(HOLE).enumerate() {
        if value > 0 {
            pieces.push(Piece::Value { value: value as u32 - 1, spec: Spec::plain(Style::Display) });
        }
        pieces.push(Piece::Text(part.to_owned()));
    }
    Message(pieces)
}
