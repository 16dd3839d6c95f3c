//! Where the scalars of values are: in values, in variables, in elements; and parts of them.
//!
//! A variable is a scalar of its own for each scalar of its type, so that nothing of a struct that isn't used costs
//! anything. What is indexed at run time lies in lists: for each scalar of a fixed array's element there is one list
//! with that scalar of all elements. A [`Storage`] names a part of any of these, and is read and written alike.
use super::facts::Facts;
use super::task::{Binding, Builder, Lower, Val};
use super::{LocalId, Overflow, TypeError};
use crate::arena::Id;
use crate::body::{self, Part, Step, Stmt, Value};
use crate::fault::Site;
use crate::refusal::Refusal;
use crate::sketch::{Expr, ExprKind, Member, ParamId, Projection};
use crate::source_map::Pos;
use crate::task::Array;
use crate::types::{Const, Scalar, Type};

/// The most scalars of a variable.
pub const MOST_SCALARS: usize = 4096;

/// A scalar of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Var {
    pub local: Id<body::Local>,
    /// Which one, in a list.
    pub at: u32,
}

/// Where the scalars of a value are.
#[derive(Debug, Clone)]
enum Root {
    /// A name.
    Local(LocalId),
    /// Nowhere but in values.
    Values(Vec<Id<Value>>),
    /// Variables.
    Variables(Vec<Var>),
    /// A name that the loop reduces into: it can only be contributed to.
    Reduced(LocalId),
    /// An element of an array; `checked`: that it exists. If it doesn't, the message points at `pos`.
    Element { array: ParamId, index: Vec<Id<Value>>, checked: bool, pos: Pos },
}

/// An index into a fixed array.
enum At {
    Known(usize),
    Run(Id<Value>),
}

/// A part of something: what an expression such as `x[i].vel[k]` names.
#[derive(Debug, Clone)]
pub(super) struct Storage {
    pub ty: Type,
    root: Root,
    /// Its first scalar among those of the root.
    start: usize,
    /// Indices known at run time, outermost first.
    steps: Vec<Dynamic>,
    pos: Pos,
}

/// An index into a fixed array that is known at run time, and checked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dynamic {
    pub index: Id<Value>,
    pub len: u32,
    /// Scalars of an element of the fixed array.
    pub width: usize,
}

impl Storage {
    /// All of a variable that a loop reduces into: it is nowhere yet, but has parts.
    pub fn reduced(local: LocalId, ty: Type, pos: Pos) -> Self {
        Storage { ty, root: Root::Reduced(local), start: 0, steps: Vec::new(), pos }
    }

    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// Its first scalar among those of what it is a part of.
    pub fn start(&self) -> usize {
        self.start
    }

    /// The indices that are known only at run time.
    pub fn steps(&self) -> &[Dynamic] {
        &self.steps
    }

    pub fn pos(&self) -> Pos {
        self.pos
    }
}

impl Builder<'_> {
    /// The place an expression names; of one that names none, its value.
    pub fn storage(&mut self, expr: Id<Expr>, hint: &super::hint::Hint) -> Lower<Storage> {
        use super::hint::Hint;
        let facts = self.facts;
        let pos = facts.pos(expr);
        match &facts.sketch.exprs[expr].kind {
            ExprKind::Local(local) => self.local_storage(*local, pos),
            ExprKind::Load { array, index } => self.element(*array, index, pos),
            ExprKind::Field(base, member) => {
                // A part of a tuple that is written out: what the surroundings want is known of that part alone.
                let hint = match (&facts.sketch.exprs[*base].kind, member) {
                    (ExprKind::Tuple(parts), Member::Index(index)) if facts.own(*base).is_none() => {
                        let mut hints = vec![Hint::Free; parts.len()];
                        if let Some(wanted) = hints.get_mut(*index as usize) {
                            *wanted = hint.without_cast();
                        }
                        Hint::Tuple(hints)
                    }
                    _ => Hint::Free,
                };
                let base = self.storage(*base, &hint)?;
                Ok(self.field(base, member, pos)?)
            }
            ExprKind::Index(base, index) => {
                if let ExprKind::Index(of, first) = &facts.sketch.exprs[*base].kind
                    && facts.is_one_bracket(*first, *index)
                {
                    let of = self.storage(*of, &Hint::Free)?;
                    return self.indexed(of, &[*first, *index], pos);
                }
                let base = self.storage(*base, &Hint::Free)?;
                self.indexed(base, &[*index], pos)
            }
            // Whatever else it is, it is a value.
            _ => {
                let Val { ty, parts } = self.expr(expr, hint)?;
                Ok(Storage { ty, root: Root::Values(parts), start: 0, steps: Vec::new(), pos })
            }
        }
    }

    /// A name as a place.
    pub fn local_storage(&self, local: LocalId, pos: Pos) -> Lower<Storage> {
        let ty = self.facts.local(local, pos)?.clone();
        Ok(Storage { ty, root: Root::Local(local), start: 0, steps: Vec::new(), pos })
    }

    /// An element as a place: of an array, or in a function of the fixed array that a reference stands for.
    pub fn element(&mut self, array: ParamId, index: &[Id<Expr>], pos: Pos) -> Lower<Storage> {
        if self.facts.array(array, pos).is_err() {
            let stored = self.local_storage(self.facts.reference(array, pos)?, pos)?;
            return self.indexed(stored, index, pos);
        }
        let call = !self.facts.is_slice(array);
        let at = index.first().map_or(pos, |index| self.facts.index_pos(*index, call, pos));
        let checked = index.iter().all(|index| self.is_vouched(*index));
        let index = self.index(array, index, pos)?;
        let ty = self.facts.element(array, pos)?.clone();
        let root = Root::Element { array, index, checked, pos: at };
        Ok(Storage { ty, root, start: 0, steps: Vec::new(), pos })
    }

    /// What a path from a place leads to; its indices are evaluated in order.
    pub fn projected(&mut self, from: Storage, path: &[Projection], pos: Pos) -> Lower<Storage> {
        let (mut stored, mut steps) = (from, path.iter().peekable());
        while let Some(step) = steps.next() {
            stored = match step {
                Projection::Field(member) => self.field(stored, member, pos)?,
                Projection::Index(index) => {
                    let mut indices = vec![*index];
                    while let Some(Projection::Index(next)) = steps.peek()
                        && self.facts.is_one_bracket(*index, *next)
                    {
                        indices.push(*next);
                        steps.next();
                    }
                    self.indexed(stored, &indices, pos)?
                }
            };
        }
        Ok(stored)
    }

    fn field(&self, mut stored: Storage, member: &Member, pos: Pos) -> Result<Storage, TypeError> {
        let (ty, range) = self.facts.field(&stored.ty, member, pos)?;
        stored.ty = ty;
        stored.start += range.start;
        Ok(stored)
    }

    /// What the indices in one bracket lead to.
    fn indexed(&mut self, mut stored: Storage, indices: &[Id<Expr>], pos: Pos) -> Lower<Storage> {
        let facts = self.facts;
        // What stands in one bracket is evaluated before any of it is checked.
        let mut found = Vec::with_capacity(indices.len());
        let mut of = stored.ty.clone();
        for &index in indices {
            let (ty, len) = facts.elements(&of, pos)?;
            // An index out of bounds that is known has a check, too: it fails when it is reached.
            let at = match facts.constant_index(index).filter(|index| *index < u64::from(len)) {
                Some(index) => At::Known(index as usize),
                None => {
                    if len == 0 {
                        let message = "an index into an array of length 0 has no element";
                        return Err(facts.unsupported(Refusal::NoArray, pos, message).into());
                    }
                    // From left to right: what is indexed is checked before the index is evaluated.
                    stored = self.checked(stored)?;
                    At::Run(self.scalar(index, Scalar::Usize)?)
                }
            };
            let call = !matches!(of, Type::Fixed(..));
            of = ty.clone();
            found.push((at, facts.index_pos(index, call, pos), ty, len, self.is_vouched(index)));
        }
        for (at, fails, ty, len, vouched) in found {
            let width = facts.width(&ty, pos)?;
            match at {
                At::Known(index) => stored.start += index * width,
                At::Run(index) => {
                    if !vouched {
                        let site = self.site(Site::Step, fails);
                        self.push(Stmt::CheckStep { index, len, site });
                    }
                    stored = self.addressable(stored)?;
                    stored.steps.push(Dynamic { index, len, width });
                }
            }
            stored.ty = ty;
            stored.pos = pos;
        }
        Ok(stored)
    }

    /// Whether the source vouches for an index; where overflow fails, the index is checked nevertheless.
    fn is_vouched(&self, index: Id<Expr>) -> bool {
        self.overflow == Overflow::Wraps && self.facts.sketch.vouched.binary_search(&index).is_ok()
    }

    /// A place whose scalars can be found by an index at run time: values are copied into a list.
    fn addressable(&mut self, stored: Storage) -> Lower<Storage> {
        let root = match &stored.root {
            Root::Variables(_) | Root::Element { .. } | Root::Reduced(_) => return Ok(stored),
            Root::Local(local) => match self.binding(*local) {
                Some(Binding::Variables(variables)) if self.facts.is_indexed(*local) => {
                    return Ok(Storage { root: Root::Variables(variables.clone()), ..stored });
                }
                Some(Binding::Variables(_) | Binding::Values(_)) | None => {
                    let values = self.read(&stored)?;
                    self.list(&values, stored.pos)?
                }
            },
            Root::Values(_) => {
                let values = self.read(&stored)?;
                self.list(&values, stored.pos)?
            }
        };
        Ok(Storage { root: Root::Variables(root), start: 0, ..stored })
    }

    fn list(&mut self, values: &Val, pos: Pos) -> Lower<Vec<Var>> {
        let variables = self.variables_of(&values.ty, true, pos)?;
        self.set(&variables, &values.parts);
        Ok(variables)
    }

    /// New variables for a value of type `ty`; in lists where they are to be `indexed`.
    pub fn variables_of(&mut self, ty: &Type, indexed: bool, pos: Pos) -> Result<Vec<Var>, TypeError> {
        let scalars = ty.flatten().ok_or_else(|| self.facts.error(pos, format!("a binding of type {ty}")))?;
        if scalars.len() > MOST_SCALARS {
            let message = format!(
                "a variable of type `{ty}` lies on the stack of each iteration: {} scalars are more than the {MOST_SCALARS} that \
                 fit there; pass them as an array",
                scalars.len()
            );
            return Err(self.facts.unsupported(Refusal::Size, pos, message));
        }
        if !indexed {
            return Ok(scalars.into_iter().map(|ty| self.variable(ty)).collect());
        }
        let mut lists = Vec::new();
        let places = spread(self.facts, ty, &mut lists, pos)?;
        let locals: Vec<_> =
            lists.into_iter().map(|(ty, len)| self.task.locals.push(body::Local { ty, len })).collect();
        Ok(places.into_iter().map(|(list, at)| Var { local: locals[list], at }).collect())
    }

    /// The error for a reduced name that is read or assigned.
    pub fn reduced(&self, local: LocalId, pos: Pos) -> TypeError {
        let name = &self.facts.sketch.locals[local].name;
        self.facts.error(pos, format!("`{name}` is read in the loop that reduces into it"))
    }

    /// Checks that what a place is part of can be written to.
    pub fn writable(&self, stored: &Storage) -> Result<(), TypeError> {
        let Root::Element { array, .. } = &stored.root else { return Ok(()) };
        let ty = self.facts.array(*array, stored.pos)?;
        if ty.mutable { Ok(()) } else { Err(self.facts.error(stored.pos, format!("a store to {ty}"))) }
    }

    /// A place that surely exists, once it is reached.
    pub fn checked(&mut self, mut stored: Storage) -> Lower<Storage> {
        if let Root::Element { array, index, checked, pos } = &mut stored.root
            && !*checked
        {
            *checked = true;
            let (array, site) = self.access(*array, *pos)?;
            self.push(Stmt::Check { array, index: index.clone(), site });
        }
        Ok(stored)
    }

    /// An element that exists and belongs to the iteration, once it is reached.
    pub fn claimed(&mut self, mut stored: Storage) -> Lower<Storage> {
        if let Root::Element { array, index, checked, pos } = &mut stored.root {
            *checked = true;
            let (array, site) = self.access(*array, *pos)?;
            self.push(Stmt::Claim { array, index: index.clone(), site });
        }
        Ok(stored)
    }

    /// True if the storage is no place: nothing that is done to it can be seen.
    pub fn is_value(&self, stored: &Storage) -> bool {
        match &stored.root {
            Root::Values(_) => true,
            Root::Local(local) => !self.facts.sketch.locals[*local].assigned,
            Root::Variables(_) | Root::Element { .. } | Root::Reduced(_) => false,
        }
    }

    /// The variables that a place is made of, if it is made of them.
    pub fn variables_at(&self, stored: &Storage, pos: Pos) -> Lower<Option<Vec<Var>>> {
        let all = match &stored.root {
            Root::Local(local) => self.variables(*local, pos)?,
            Root::Variables(variables) => variables.clone(),
            Root::Values(_) | Root::Element { .. } | Root::Reduced(_) => return Ok(None),
        };
        let width = self.facts.width(&stored.ty, pos)?;
        Ok(stored.steps.is_empty().then(|| all[stored.start..stored.start + width].to_vec()))
    }

    /// The value of a place.
    pub fn read(&mut self, stored: &Storage) -> Lower<Val> {
        let site = self.site_of(stored)?;
        self.load_at(stored, site)
    }

    /// Writes a value to a place.
    pub fn write(&mut self, stored: &Storage, values: &[Id<Value>]) -> Lower<()> {
        let site = self.site_of(stored)?;
        self.store_at(stored, values, site)
    }

    /// Reads a place, makes new scalars of the old ones, and writes them to it. One place, one check: reading and writing
    /// share its site.
    pub fn update(
        &mut self,
        stored: &Storage,
        new: impl FnOnce(&mut Self, &Val) -> Lower<Vec<Id<Value>>>,
    ) -> Lower<()> {
        let site = self.site_of(stored)?;
        let old = self.load_at(stored, site)?;
        let values = new(self, &old)?;
        self.store_at(stored, &values, site)
    }

    /// The site of an access that has yet to be checked. Called right before its statements: arrays and sites are
    /// numbered by first use.
    pub fn site_of(&mut self, stored: &Storage) -> Lower<Option<Id<Site>>> {
        match &stored.root {
            Root::Element { array, index, checked: false, pos } => {
                let (array, site) = self.access(*array, *pos)?;
                if self.facts.width(&stored.ty, stored.pos)? > 0 {
                    return Ok(Some(site));
                }
                // No scalar is read or written, with which the element would be checked.
                self.push(Stmt::Check { array, index: index.clone(), site });
                Ok(None)
            }
            Root::Element { .. } | Root::Local(_) | Root::Values(_) | Root::Variables(_) | Root::Reduced(_) => Ok(None),
        }
    }

    pub fn load_at(&mut self, stored: &Storage, site: Option<Id<Site>>) -> Lower<Val> {
        let width = self.facts.width(&stored.ty, stored.pos)?;
        let range = stored.start..stored.start + width;
        let parts = match &stored.root {
            Root::Local(local) => self.read_parts(*local, range, stored.pos)?,
            Root::Values(values) => values[range].to_vec(),
            Root::Reduced(local) => return Err(self.reduced(*local, stored.pos).into()),
            Root::Variables(_) | Root::Element { .. } => {
                let mut parts = Vec::with_capacity(width);
                for part in 0..width {
                    let place = self.address(stored, part, site)?;
                    let dst = self.task.value(self.scalar_of(&place, stored.pos)?);
                    self.push(match place {
                        Address::Variable { local, part } => Stmt::GetPart { dst, local, part },
                        Address::Element { array, index, part, site } => Stmt::Load { dst, array, index, part, site },
                    });
                    parts.push(dst);
                }
                parts
            }
        };
        Ok(Val { ty: stored.ty.clone(), parts })
    }

    pub fn store_at(&mut self, stored: &Storage, values: &[Id<Value>], site: Option<Id<Site>>) -> Lower<()> {
        match &stored.root {
            Root::Local(local) => {
                let variables = self.variables(*local, stored.pos)?;
                self.set(&variables[stored.start..stored.start + values.len()], values);
            }
            Root::Values(_) => return Err(self.facts.error(stored.pos, "a value is assigned to").into()),
            Root::Reduced(local) => return Err(self.reduced(*local, stored.pos).into()),
            Root::Variables(_) | Root::Element { .. } => {
                for (part, &value) in values.iter().enumerate() {
                    match self.address(stored, part, site)? {
                        Address::Variable { local, part } => {
                            self.push(Stmt::SetPart { local, part, value });
                            self.show_list(local);
                        }
                        Address::Element { array, index, part, site } => {
                            self.push(Stmt::Store { array, index, part, value, site });
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Type of the scalar at a place.
    fn scalar_of(&self, address: &Address, pos: Pos) -> Result<Scalar, TypeError> {
        match address {
            Address::Variable { local, .. } => Ok(self.task.locals[*local].ty),
            Address::Element { array, part, .. } => {
                let field = self.task.arrays[*array].ty.element.fields.get(part.base as usize);
                Ok(field.ok_or_else(|| self.facts.error(pos, "an element has fewer scalars than its type"))?.ty)
            }
        }
    }

    /// One scalar of a place in memory. Only the first has the site of the check: when the others are reached, it has
    /// passed.
    pub fn address(&mut self, stored: &Storage, part: usize, site: Option<Id<Site>>) -> Lower<Address> {
        let number = stored.start + part;
        match &stored.root {
            Root::Variables(variables) => {
                let missing = || self.facts.error(stored.pos, "a variable has fewer scalars than its type");
                let Var { local, at } = *variables.get(number).ok_or_else(missing)?;
                // In a list the elements lie as far apart as this scalar in two of them.
                let step = |&Dynamic { index, len, width }: &Dynamic| Step {
                    index,
                    len,
                    stride: variables.get(number + width).filter(|_| len > 1).map_or(1, |next| next.at - at),
                };
                Ok(Address::Variable { local, part: Part { base: at, steps: stored.steps.iter().map(step).collect() } })
            }
            Root::Element { array, index, checked: _, pos: _ } => {
                let step = |&Dynamic { index, len, width }: &Dynamic| Step { index, len, stride: width as u32 };
                let part = Part { base: number as u32, steps: stored.steps.iter().map(step).collect() };
                let site = site.filter(|_| number == stored.start);
                Ok(Address::Element { array: self.array(*array, stored.pos)?, index: index.clone(), part, site })
            }
            Root::Local(_) | Root::Values(_) | Root::Reduced(_) => {
                Err(self.facts.error(stored.pos, "an address of what has none").into())
            }
        }
    }

    /// Reads variables.
    pub fn get(&mut self, variables: &[Var]) -> Vec<Id<Value>> {
        let mut values = Vec::with_capacity(variables.len());
        for &Var { local, at } in variables {
            let body::Local { ty, len } = self.task.locals[local];
            let dst = self.task.value(ty);
            self.push(if len == 1 {
                Stmt::Get { dst, local }
            } else {
                Stmt::GetPart { dst, local, part: Part::at(at) }
            });
            values.push(dst);
        }
        values
    }

    /// Writes variables.
    pub fn set(&mut self, variables: &[Var], values: &[Id<Value>]) {
        for (&Var { local, at }, &value) in variables.iter().zip(values) {
            self.push(if self.task.locals[local].len == 1 {
                Stmt::Set { local, value }
            } else {
                Stmt::SetPart { local, part: Part::at(at), value }
            });
            self.show(Var { local, at }, value);
        }
    }

    /// Constants as values.
    pub fn constants(&mut self, parts: &[Const]) -> Vec<Id<Value>> {
        parts.iter().map(|part| self.constant(*part)).collect()
    }
}

/// One scalar in memory.
pub(super) enum Address {
    Variable { local: Id<body::Local>, part: Part },
    Element { array: Id<Array>, index: Vec<Id<Value>>, part: Part, site: Option<Id<Site>> },
}

/// The lists for a value of type `ty`, each with its length, and for each scalar of the type its list and its place
/// there.
pub(super) fn spread(
    facts: &Facts<'_>,
    ty: &Type,
    lists: &mut Vec<(Scalar, u32)>,
    pos: Pos,
) -> Result<Vec<(usize, u32)>, TypeError> {
    let all = |parts: &mut dyn Iterator<Item = &Type>, lists: &mut Vec<(Scalar, u32)>| {
        let mut places = Vec::new();
        for part in parts {
            places.extend(spread(facts, part, lists, pos)?);
        }
        Ok(places)
    };
    match ty {
        Type::Scalar(scalar) | Type::Enum { name: _, tag: scalar } => {
            lists.push((*scalar, 1));
            Ok(vec![(lists.len() - 1, 0)])
        }
        Type::Tuple(parts) => all(&mut parts.iter(), lists),
        Type::Struct(of) => all(&mut of.fields.iter().map(|(_, ty)| ty), lists),
        Type::Fixed(..) | Type::Vector(..) | Type::Matrix(..) => {
            let (element, len) = facts.elements(ty, pos)?;
            let first = lists.len();
            let one = spread(facts, &element, lists, pos)?;
            let strides: Vec<u32> = lists[first..].iter().map(|(_, len)| *len).collect();
            lists[first..].iter_mut().for_each(|(_, of)| *of *= len);
            let places = (0..len).flat_map(|k| {
                let strides = &strides;
                one.iter().map(move |(list, at)| (*list, at + k * strides[list - first]))
            });
            Ok(places.collect())
        }
        Type::Never => Ok(Vec::new()),
        Type::Array { .. } => Err(facts.error(pos, format!("a binding of type {ty}"))),
    }
}
