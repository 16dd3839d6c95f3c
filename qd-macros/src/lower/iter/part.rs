//! Parts of arrays, `x[a..b]`: checked as std does, in its words.
use qd_ir::arena::Id;
use qd_ir::message::{Message, Piece, Spec, Style};
use qd_ir::op::Op;
use qd_ir::sketch::{Expr, ExprKind, Saying, Stmt};

use super::super::{Lower, Own};
use super::Chain;
use super::indexed::Len;
use crate::reach::Reach;

impl Lower<'_> {
    /// Where `[range]` of an array starts, and how many elements it has. It is checked as std does, in its words.
    pub(super) fn sub_slice(
        &mut self,
        range: &mut syn::ExprRange,
        len: Len,
        chain: &mut Chain<'_>,
        at: Reach,
    ) -> (Option<Id<Expr>>, Len) {
        let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
        let start = range.start.as_mut().map(|start| self.operand(start, None, chain));
        let end = range.end.as_mut().map(|end| self.operand(end, None, chain));
        let total = self.len_value(&len, at);
        let (end, beyond) = match (end, inclusive) {
            (None, _) => (total, None),
            (Some(end), false) => (end, Some(self.of_two(Op::Gt, end, total, at))),
            (Some(last), true) => {
                let one = self.number_of(1, at);
                let end = self.of_two(Op::Add, last, one, at);
                (end, Some(self.of_two(Op::Ge, last, total, at)))
            }
        };
        let before = start.map(|start| self.of_two(Op::Gt, start, end, at));
        let bad = match (before, beyond) {
            (Some(a), Some(b)) => Some(self.push(ExprKind::LazyOr(b, a), Own::Closed, at)),
            (one, other) => one.or(other),
        };
        if let Some(bad) = bad {
            let shown = match (inclusive, &self.exprs[end].kind) {
                (true, ExprKind::Op { args, .. }) => args[0],
                _ => end,
            };
            let fail = self.part_fails(start, end, shown, total, at);
            let check = self.branch(bad, fail, Vec::new(), at);
            chain.before.push(check);
        }
        let len = match start {
            Some(start) => self.of_two(Op::Sub, end, start, at),
            None => end,
        };
        (start, Len::Value(len))
    }

    /// What std says of a range that is no part of a slice; `last` is the end as it was given.
    fn part_fails(
        &mut self,
        start: Option<Id<Expr>>,
        end: Id<Expr>,
        last: Id<Expr>,
        len: Id<Expr>,
        at: Reach,
    ) -> Vec<Stmt> {
        let ended = self.says(&[("range end index ", last), (" out of range for slice of length ", len)], at);
        let Some(start) = start else { return vec![ended] };
        // The end of `a..=b` is one more, except where that is more than there is.
        let crossed = self.says(&[("slice index starts at ", start), (" but ends at ", end)], at);
        let too_far = match last == end {
            true => self.of_two(Op::Gt, end, len, at),
            false => self.of_two(Op::Ge, last, len, at),
        };
        let first = self.branch(too_far, vec![ended], vec![crossed], at);
        let started = self.says(&[("range start index ", start), (" out of range for slice of length ", len)], at);
        let beyond = self.of_two(Op::Gt, start, len, at);
        vec![self.branch(beyond, vec![started], vec![first], at)]
    }

    /// A panic: words, each followed by a value.
    fn says(&mut self, words: &[(&str, Id<Expr>)], at: Reach) -> Stmt {
        let mut pieces = Vec::new();
        for (number, (text, _)) in (0..).zip(words) {
            pieces.push(Piece::Text((*text).to_owned()));
            pieces.push(Piece::Value { value: number, spec: Spec::plain(Style::Display) });
        }
        let args = words.iter().map(|(_, value)| *value).collect();
        let kind = ExprKind::Say { what: Saying::Panic, message: Message(pieces), args };
        Stmt::Expr(self.push(kind, Own::Never, at))
    }
}
