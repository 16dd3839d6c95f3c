//! Lists of scalars: what parallel loops contribute to by an index that is known only at run time.
//!
//! Such a contribution may go to any of several scalars of a variable, so these are reduced together, as one list. Lists
//! that have a scalar in common are one; what no index chooses between is in none.
use super::super::LocalId;
use super::Facts;
use crate::sketch::{Member, Projection};
use crate::source_map::Pos;
use crate::types::Type;

/// Scalars of a variable that lie evenly: one path of fields and indices leads to all of them.
#[derive(Debug, Clone)]
pub struct List {
    /// The first scalar there is when all indices are 0.
    start: usize,
    /// The indices, outermost first.
    levels: Vec<Level>,
}

/// An index on the way.
#[derive(Debug, Clone, Copy)]
struct Level {
    /// Scalars of an element.
    width: usize,
    len: u32,
    /// Which element; any, if that is chosen at run time.
    at: Option<u32>,
}

impl List {
    /// True if the scalar is one of them.
    pub fn holds(&self, scalar: usize) -> bool {
        let Some(mut rest) = scalar.checked_sub(self.start) else { return false };
        for Level { width, len, at } in &self.levels {
            let index = rest / width;
            if index >= *len as usize || at.is_some_and(|at| at as usize != index) {
                return false;
            }
            rest -= index * width;
        }
        rest == 0
    }

    /// All of them, in order.
    pub fn scalars(&self) -> Vec<usize> {
        self.levels.iter().fold(vec![self.start], |scalars, Level { width, len, at }| {
            let indices = at.map_or(0..*len, |at| at..at + 1);
            let below = |scalar: usize| indices.clone().map(move |index| scalar + index as usize * width);
            scalars.into_iter().flat_map(below).collect()
        })
    }

    fn meets(&self, other: &List) -> bool {
        let meet = |(a, b): (&Level, &Level)| {
            (a.width, a.len) == (b.width, b.len) && (a.at == b.at || a.at.is_none() || b.at.is_none())
        };
        self.start == other.start
            && self.levels.len() == other.levels.len()
            && self.levels.iter().zip(&other.levels).all(meet)
    }

    /// The smallest list that holds both, which meet.
    fn joined(&self, other: &List) -> List {
        let level = |(a, b): (&Level, &Level)| Level { at: a.at.filter(|_| a.at == b.at), ..*a };
        List { start: self.start, levels: self.levels.iter().zip(&other.levels).map(level).collect() }
    }
}

impl Facts<'_> {
    /// Notes a contribution to a part of a local.
    pub(super) fn note_lists(&mut self, local: LocalId, path: &[Projection]) {
        // A path of no index, or of literals, leads to scalars that have reductions of their own.
        if !self.chosen(path) {
            return;
        }
        let Some(ty) = self.locals[local.index()].clone() else { return };
        let mut found = Vec::new();
        // What doesn't fit is reported where the contribution is lowered.
        if self.paths(&ty, path, List { start: 0, levels: Vec::new() }, &mut found).is_none() {
            return;
        }
        for mut list in found {
            let lists = &mut self.lists[local.index()];
            while let Some(known) = lists.iter().position(|known| known.meets(&list)) {
                list = lists.swap_remove(known).joined(&list);
            }
            lists.push(list);
        }
    }

    /// The lists of the scalars of what a path leads to.
    fn paths(&self, ty: &Type, path: &[Projection], mut so_far: List, found: &mut Vec<List>) -> Option<()> {
        let pos = Pos::default();
        match path.split_first() {
            Some((Projection::Field(member), rest)) => {
                let (part, range) = self.field(ty, member, pos).ok()?;
                so_far.start += range.start;
                self.paths(&part, rest, so_far, found)
            }
            Some((Projection::Index(index), rest)) => {
                let (element, len) = ty.elements()?;
                let known = self.constant_index(*index).filter(|index| *index < u64::from(len));
                let width = self.width(&element, pos).ok()?;
                so_far.levels.push(Level { width, len, at: known.map(|index| index as u32) });
                self.paths(&element, rest, so_far, found)
            }
            None => self.below(ty, &so_far, found),
        }
    }

    /// One list for each scalar of the type.
    fn below(&self, ty: &Type, so_far: &List, found: &mut Vec<List>) -> Option<()> {
        let pos = Pos::default();
        if let Some((element, len)) = ty.elements() {
            let width = self.width(&element, pos).ok()?;
            return (0..len).try_for_each(|at| {
                let mut list = so_far.clone();
                list.levels.push(Level { width, len, at: Some(at) });
                self.below(&element, &list, found)
            });
        }
        let members: Vec<Member> = match ty {
            Type::Tuple(parts) => (0..parts.len() as u32).map(Member::Index).collect(),
            Type::Struct(of) => of.fields.iter().map(|(name, _)| Member::Name(name.clone())).collect(),
            Type::Scalar(_) | Type::Enum { .. } => {
                found.push(so_far.clone());
                return Some(());
            }
            // The first three have elements, the others no scalars.
            Type::Fixed(..) | Type::Vector(..) | Type::Matrix(..) | Type::Array { .. } | Type::Never => return Some(()),
        };
        members.iter().try_for_each(|member| {
            let (part, range) = self.field(ty, member, pos).ok()?;
            self.below(&part, &List { start: so_far.start + range.start, levels: so_far.levels.clone() }, found)
        })
    }

    /// A scalar of a local as one would write it; `[..]` stands for an index that is chosen at run time.
    pub fn spelled(&self, local: LocalId, scalar: usize) -> String {
        let mut text = self.sketch.locals[local].name.clone();
        let Some(mut ty) = self.locals[local.index()].clone() else { return text };
        let list = self.list(local, scalar);
        let (mut rest, mut level) = (scalar, 0);
        loop {
            let next = if let Some((element, len)) = ty.elements() {
                let Ok(width @ 1..) = self.width(&element, Pos::default()) else { return text };
                let chosen = list.is_some_and(|list| list.levels.get(level).is_some_and(|level| level.at.is_none()));
                let index = (rest / width).min(len as usize);
                text += &if chosen { "[..]".to_owned() } else { format!("[{index}]") };
                level += 1;
                rest -= index * width;
                element
            } else {
                let members: Vec<Member> = match &ty {
                    Type::Tuple(parts) => (0..parts.len() as u32).map(Member::Index).collect(),
                    Type::Struct(of) => of.fields.iter().map(|(name, _)| Member::Name(name.clone())).collect(),
                    Type::Scalar(_)
                    | Type::Enum { .. }
                    | Type::Fixed(..)
                    | Type::Vector(..)
                    | Type::Matrix(..)
                    | Type::Array { .. }
                    | Type::Never => return text,
                };
                let mut fields = members.iter().filter_map(|member| {
                    let (part, range) = self.field(&ty, member, Pos::default()).ok()?;
                    range.contains(&rest).then(|| (member.clone(), part, range.start))
                });
                let Some((member, part, start)) = fields.next() else { return text };
                text += &format!(".{member}");
                rest -= start;
                part
            };
            ty = next;
        }
    }
}
