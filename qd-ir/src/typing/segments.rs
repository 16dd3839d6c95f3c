//! Loops over segments: before such a loop its offsets are looked through once, and a fall fails there.
use super::task::{Builder, Ends, Lower};
use crate::body::{Part, Region, Stmt, Unroll};
use crate::fault::{Site, falling_offsets};
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
            let site = s.speaking(Site::Panic, words(), types, pos);
            let then = Region(vec![Stmt::Fail { site, values: vec![var, offset, after] }]);
            s.push(Stmt::If { cond, then, otherwise: Region::default() });
            Ok(())
        })?;
        self.push(Stmt::For { id, var, lo: zero, hi: count, unroll: Unroll::Auto, body });
        Ok(Ends { ty: Scalar::Usize, lo: zero, hi: count })
    }
}

/// [`falling_offsets`] with holes.
fn words() -> Message {
    const HOLE: char = '\0';
    let text = falling_offsets(HOLE, HOLE, HOLE);
    let mut pieces = Vec::new();
    for (value, part) in text.split(HOLE).enumerate() {
        if value > 0 {
            pieces.push(Piece::Value { value: value as u32 - 1, spec: Spec::plain(Style::Display) });
        }
        pieces.push(Piece::Text(part.to_owned()));
    }
    Message(pieces)
}
