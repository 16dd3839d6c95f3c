//! Fields of references: `s.grid.u` is a name of its own, of an array or of a value; which of them, rustc says later.
//!
//! Each such path is a parameter behind the real ones ([`ParamKind::Field`]), with a local for the case that it is a value:
//! as for a reference of a function, whatever uses it says how. To the race rule it is an array like any other: paths to
//! two arrays are either equal or of disjoint arrays, since an array has no fields.
use qd_ir::arena::Id;
use qd_ir::sketch::{Expr, ExprKind, Local, Member, Param, ParamId, ParamKind};

use super::carried::{Part, Step};
use super::expr::rename_array;
use super::place::member;
use super::scope::Binding;
use super::{Lower, Own, Reference, position};
use crate::reach::Reach;

impl Lower<'_> {
    /// What a name, maybe with fields, stands for: a parameter that is a reference, and the path from it.
    pub(super) fn reference_path(&self, syntax: &syn::Expr) -> Option<(ParamId, Vec<Member>)> {
        match peeled(syntax) {
            syn::Expr::Path(path) => match self.scope.find(path.path.get_ident()?)? {
                Binding::Array(param) => Some((param, Vec::new())),
                Binding::Local(_) | Binding::Element(_) | Binding::Item => None,
            },
            syn::Expr::Field(field) => {
                let (param, mut path) = self.reference_path(&field.base)?;
                path.push(member(&field.member));
                Some((param, path))
            }
            _ => None,
        }
    }

    /// True for fields of a reference.
    pub(super) fn names_field(&self, syntax: &syn::Expr) -> bool {
        self.reference_path(syntax).is_some_and(|(_, path)| !path.is_empty())
    }

    /// The array that a name or fields stand for, renamed in the copy; `None`, and nothing changed, for any other
    /// expression.
    pub(super) fn array_of(&mut self, syntax: &mut syn::Expr) -> Option<ParamId> {
        let (of, path) = self.reference_path(syntax)?;
        let at = Reach::of_expr(syntax);
        if let syn::Expr::Path(path) = base(syntax) {
            rename_array(path, of);
        }
        Some(if path.is_empty() { of } else { self.field_param(of, path, at) })
    }

    /// The parameter of a path.
    fn field_param(&mut self, real: ParamId, fields: Vec<Member>, at: Reach) -> ParamId {
        let is_it = |param: &Param| match &param.kind {
            ParamKind::Field { of, path, local: _ } => *of == real && *path == fields,
            ParamKind::Array | ParamKind::Reference(_) | ParamKind::Value(_) | ParamKind::Specialized(_) => false,
        };
        if let Some(known) = self.params.iter().position(is_it) {
            return ParamId(known as u32);
        }
        let shared = self.references.get(&real).is_some_and(|reference| reference.shared);
        let mut name = self.params.get(real.0 as usize).map(|param| param.name.clone()).unwrap_or_default();
        fields.iter().for_each(|field| name += &format!(".{field}"));
        let pos = position(at);
        // Of a function's `&mut`, as of the reference itself, every use may be the one that writes.
        let assigned = self.func.is_some() && !shared;
        let local = self.locals.push(Local { name: name.clone(), pos, assigned, tap: None });
        if self.func.is_none() && !shared {
            self.mutable.insert(local);
        }
        if let Some(carried) = &mut self.carried {
            carried.comes_from_outside(local);
        }
        let id = ParamId(self.params.len() as u32);
        self.params.push(Param { name, pos, kind: ParamKind::Field { of: real, path: fields, local } });
        self.references.insert(id, Reference { shared, local: Some(local), slice: false });
        id
    }

    /// The local of a parameter that is a path.
    pub(super) fn field_local(&self, param: ParamId) -> Option<Id<Local>> {
        match self.params.get(param.0 as usize).map(|param| &param.kind) {
            Some(ParamKind::Field { local, .. }) => Some(*local),
            Some(ParamKind::Array | ParamKind::Reference(_) | ParamKind::Value(_) | ParamKind::Specialized(_))
            | None => None,
        }
    }

    /// The parameter that fields of a reference stand for, and its local, if they are a value; `None`, and nothing changed,
    /// for any other expression.
    pub(super) fn field_of(&mut self, syntax: &mut syn::Expr) -> Option<(ParamId, Id<Local>)> {
        if !self.names_field(syntax) {
            return None;
        }
        let param = self.array_of(syntax)?;
        Some((param, self.field_local(param)?))
    }

    /// The value of fields of a reference.
    pub(super) fn field_value(&mut self, local: Id<Local>, at: Reach) -> Id<Expr> {
        let id = self.push(ExprKind::Local(local), Own::Closed, at);
        if let Some(carried) = &mut self.carried {
            carried.read(local, id);
        }
        id
    }

    /// A place behind a shared reference is to be written.
    pub(super) fn unlock(&self, syntax: &mut syn::Expr, param: ParamId) {
        if self.references.get(&param).is_some_and(|reference| reference.shared) {
            self.taps.writable(base(syntax));
        }
    }

    /// An element is read: if the path leads to a value, that value is.
    pub(super) fn reads_elements(&mut self, param: ParamId, access: Id<Expr>) {
        if let (Some(local), Some(carried)) = (self.field_local(param), &mut self.carried) {
            carried.read(local, access);
        }
    }

    /// An element is stored to: if the path leads to a value, that value is, which a parallel loop can't do.
    pub(super) fn writes_elements(&mut self, param: ParamId, syntax: &syn::Expr) {
        let Some(local) = self.field_local(param) else { return };
        if self.references.get(&param).is_some_and(|reference| reference.shared) {
            return;
        }
        self.locals[local].assigned = true;
        if self.carried.is_some() {
            self.taps.elements(syntax);
        }
    }

    /// A reference is handed to a function.
    pub(super) fn hands_on(&mut self, param: ParamId, shared: bool, at: Reach) {
        if !shared {
            self.lent.insert(param);
        }
        if let Some(carried) = &mut self.carried {
            carried.hand_on(param, at);
        }
    }

    /// The part of a variable that a local and steps from it lead to. Fields of one reference are parts of it.
    pub(super) fn part_of(&self, local: Id<Local>, behind: Vec<Step>) -> Part {
        let fields = self.fields();
        let Some(field) = fields.iter().find(|field| field.local == local) else {
            return Part { local, root: local, steps: behind };
        };
        let root = fields.iter().find(|other| other.of == field.of).map_or(local, |first| first.local);
        let steps = field.path.iter().cloned().map(Step::Field).chain(behind).collect();
        Part { local, root, steps }
    }

    /// What a function is given of a reference of which the body names fields.
    pub(super) fn part_of_reference(&self, param: ParamId) -> Option<Part> {
        let (of, path) = self.resolved(param);
        let root = self.fields().iter().find(|field| field.of == of)?.local;
        Some(Part { local: root, root, steps: path.iter().cloned().map(Step::Field).collect() })
    }

    /// The name of a variable; of a field that of the reference.
    pub(super) fn root_name(&self, local: Id<Local>) -> String {
        let of = self.fields().iter().find(|field| field.local == local).map(|field| field.of);
        match of.and_then(|of| self.params.get(of.0 as usize)) {
            Some(param) => param.name.clone(),
            None => self.locals[local].name.clone(),
        }
    }

    /// Says of each value whether it is assigned: also where a part of it is, or what it is a part of. Returns the
    /// parameters of which something is assigned.
    pub(super) fn settle_fields(&mut self) -> std::collections::BTreeSet<ParamId> {
        let fields = self.fields();
        let mut assigned: Vec<(ParamId, &[Member])> = Vec::new();
        assigned.extend(fields.iter().filter(|f| self.locals[f.local].assigned).map(|f| (f.of, f.path)));
        assigned.extend(self.lent.iter().map(|param| self.resolved(*param)));
        let is_assigned =
            |field: &&Field<'_>| assigned.iter().any(|(of, path)| field.of == *of && overlap(field.path, path));
        let settled: Vec<Id<Local>> = fields.iter().filter(is_assigned).map(|field| field.local).collect();
        let params = assigned.iter().map(|(of, _)| *of).collect();
        settled.into_iter().for_each(|local| self.locals[local].assigned = true);
        params
    }

    /// The parameter and the path of one that may be a path.
    fn resolved(&self, param: ParamId) -> (ParamId, &[Member]) {
        match self.params.get(param.0 as usize).map(|param| &param.kind) {
            Some(ParamKind::Field { of, path, local: _ }) => (*of, path),
            Some(ParamKind::Array | ParamKind::Reference(_) | ParamKind::Value(_) | ParamKind::Specialized(_))
            | None => (param, &[]),
        }
    }

    fn fields(&self) -> Vec<Field<'_>> {
        let mut fields = Vec::new();
        for param in &self.params {
            if let ParamKind::Field { of, path, local } = &param.kind {
                fields.push(Field { of: *of, path, local: *local });
            }
        }
        fields
    }
}

/// A path.
struct Field<'a> {
    of: ParamId,
    path: &'a [Member],
    local: Id<Local>,
}

/// True if one path leads through the other.
fn overlap(a: &[Member], b: &[Member]) -> bool {
    a.starts_with(b) || b.starts_with(a)
}

/// Without parentheses, and behind a `*`, which fields and indices need not write.
fn peeled(mut syntax: &syn::Expr) -> &syn::Expr {
    loop {
        syntax = match syntax {
            syn::Expr::Paren(inner) => &inner.expr,
            syn::Expr::Group(inner) => &inner.expr,
            syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => expr,
            other => return other,
        }
    }
}

/// The name at the root of a path.
fn base(mut syntax: &mut syn::Expr) -> &mut syn::Expr {
    loop {
        syntax = match syntax {
            syn::Expr::Paren(inner) => &mut inner.expr,
            syn::Expr::Group(inner) => &mut inner.expr,
            syn::Expr::Unary(unary) => &mut unary.expr,
            syn::Expr::Field(field) => &mut field.base,
            other => return other,
        }
    }
}
