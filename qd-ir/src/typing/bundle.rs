//! Bundles are taken apart before typing: each array and each value in one becomes a parameter of its own.
//!
//! The macro sees `s.grid.u[i]` and can't know where the bundle ends: `grid` may be a bundle and `u` an array, or `grid` a
//! value and `u` a fixed array in it. So it gives each such path a parameter of its own ([`ParamKind::Field`]), and here,
//! where the types are known, what stands for the path is put in its place: an array, a variable, or a part of one. A
//! bundle that is handed on is handed on in parts, and the function, whose parameters are taken apart by the same rule,
//! takes as many. Nothing behind this knows of bundles, so a task is the same whether its arrays came in one or not.
use std::collections::HashMap;

use super::{LocalId, TypeError};
use crate::arena::Id;
use crate::ownership;
use crate::sketch::{
    Arg, ConstructKind, Contribution, Domain, Expr, ExprKind, Local, Member, Param, ParamId, ParamKind, Place,
    Projection, Sketch,
};
use crate::source_map::Pos;
use crate::types::{ParamType, Type};

/// Takes the bundles of a kernel's or function's parameters apart; the types of what the parameters are then, and which
/// of them rustc indexes itself.
pub fn flatten(sketch: &mut Sketch, types: Vec<ParamType>) -> Result<(Vec<Type>, Vec<ParamId>), TypeError> {
    let is_field = |param: &Param| matches!(param.kind, ParamKind::Field { .. });
    let real = sketch.params.iter().position(is_field).unwrap_or(sketch.params.len());
    if real != types.len() {
        let message = format!("{real} parameters, {} types", types.len());
        return Err(Flatten::new(sketch).error(Pos::default(), message));
    }
    let plain: Option<Vec<Type>> = types.iter().map(|ty| ty.plain().cloned()).collect();
    if let Some(plain) = plain
        && real == sketch.params.len()
    {
        let slices = types.iter().zip(0..).filter(|(ty, _)| matches!(ty, ParamType::Slice(_)));
        let slices = slices.map(|(_, number)| ParamId(number)).collect();
        return Ok((plain, slices));
    }
    let sources = std::mem::take(&mut sketch.params);
    let mut walk = Flatten::new(sketch);
    for (source, ty) in sources.iter().zip(types) {
        let node = walk.leaves(&source.name, source, ty, true)?;
        walk.params.push(node);
    }
    for source in &sources[real..] {
        walk.field(source)?;
    }
    let before = Sketch { params: sources, ..walk.sketch.clone() };
    walk.sketch.params = std::mem::take(&mut walk.flat);
    walk.rewrite()?;
    walk.renumber(&before)?;
    Ok((walk.types, walk.slices))
}

/// What a parameter is once bundles are taken apart.
#[derive(Debug, Clone)]
enum Node {
    /// The flat parameter of that number.
    Leaf(usize),
    /// A bundle.
    Bundle(Vec<(String, Node)>),
}

/// What a path leads to.
#[derive(Debug, Clone)]
enum Found {
    /// The flat parameter of that number, or what the path goes on to in its value.
    Leaf(usize, Vec<Projection>),
    /// A bundle in a bundle.
    Bundle(Node),
}

struct Flatten<'a> {
    sketch: &'a mut Sketch,
    /// For each parameter.
    params: Vec<Node>,
    /// For each field parameter, which come behind the others.
    fields: Vec<Found>,
    /// The field parameter for which a local stands.
    locals: HashMap<LocalId, usize>,
    /// The new parameters.
    flat: Vec<Param>,
    types: Vec<Type>,
    slices: Vec<ParamId>,
}

impl<'a> Flatten<'a> {
    fn new(sketch: &'a mut Sketch) -> Self {
        Flatten {
            sketch,
            params: Vec::new(),
            fields: Vec::new(),
            locals: HashMap::new(),
            flat: Vec::new(),
            types: Vec::new(),
            slices: Vec::new(),
        }
    }

    fn error(&self, pos: Pos, message: impl Into<String>) -> TypeError {
        TypeError { kernel: self.sketch.name.clone(), pos, message: message.into(), refusal: None }
    }

    /// The flat parameters of one that is called `name`.
    fn leaves(&mut self, name: &str, source: &Param, ty: ParamType, whole: bool) -> Result<Node, TypeError> {
        let slice = matches!(ty, ParamType::Slice(_));
        match ty {
            ParamType::Plain(ty) | ParamType::Slice(ty) => {
                let kind = match (whole, &source.kind) {
                    (true, kind) => kind.clone(),
                    (false, ParamKind::Reference(of)) => {
                        self.part_of(name, source.pos, self.sketch.locals[*of].assigned)
                    }
                    (
                        false,
                        ParamKind::Array | ParamKind::Value(_) | ParamKind::Specialized(_) | ParamKind::Field { .. },
                    ) => self.part_of(name, source.pos, false),
                };
                self.flat.push(Param { name: name.to_owned(), pos: source.pos, kind });
                let leaf = self.types.len();
                self.types.push(ty);
                if slice {
                    self.slices.push(ParamId(leaf as u32));
                }
                Ok(Node::Leaf(leaf))
            }
            ParamType::Bundle(fields) => {
                if !matches!(source.kind, ParamKind::Array | ParamKind::Reference(_)) {
                    return Err(self.error(source.pos, format!("the bundle `{name}` is passed by value")));
                }
                let parts = fields.into_iter().map(|(field, ty)| {
                    let node = self.leaves(&format!("{name}.{field}"), source, ty, false)?;
                    Ok((field, node))
                });
                Ok(Node::Bundle(parts.collect::<Result<_, TypeError>>()?))
            }
        }
    }

    /// A parameter of a bundle's part.
    fn part_of(&mut self, name: &str, pos: Pos, assigned: bool) -> ParamKind {
        ParamKind::Reference(self.sketch.locals.push(Local { name: name.to_owned(), pos, assigned, tap: None }))
    }

    /// Finds what a field parameter is.
    fn field(&mut self, source: &Param) -> Result<(), TypeError> {
        let ParamKind::Field { of, path, local } = &source.kind else {
            return Err(self.error(source.pos, format!("parameter `{}` stands behind fields", source.name)));
        };
        let missing = || self.error(source.pos, format!("`{}` leads nowhere", source.name));
        let mut node = self.params.get(of.0 as usize).ok_or_else(missing)?;
        let mut rest = path.as_slice();
        while let (Node::Bundle(parts), Some((member, behind))) = (node, rest.split_first()) {
            let name = member.to_string();
            node = parts.iter().find(|(part, _)| *part == name).map(|(_, node)| node).ok_or_else(missing)?;
            rest = behind;
        }
        let found = match node {
            Node::Leaf(leaf) => {
                let leaf = *leaf;
                if !rest.is_empty() && self.types[leaf].as_array().is_some() {
                    return Err(missing());
                }
                if self.sketch.locals[*local].assigned && self.types[leaf].as_array().is_none() {
                    self.assign(leaf, source.pos)?;
                }
                Found::Leaf(leaf, rest.iter().cloned().map(Projection::Field).collect())
            }
            Node::Bundle(_) => Found::Bundle(node.clone()),
        };
        self.locals.insert(*local, self.fields.len());
        self.fields.push(found);
        Ok(())
    }

    /// The local for which a flat parameter stands.
    fn local(&self, leaf: usize, pos: Pos) -> Result<LocalId, TypeError> {
        let params = if self.flat.is_empty() { &self.sketch.params } else { &self.flat };
        match params.get(leaf).map(|param| &param.kind) {
            Some(ParamKind::Reference(local)) => Ok(*local),
            Some(ParamKind::Array | ParamKind::Value(_) | ParamKind::Specialized(_) | ParamKind::Field { .. })
            | None => Err(self.error(pos, format!("parameter {leaf} has no value"))),
        }
    }

    fn assign(&mut self, leaf: usize, pos: Pos) -> Result<(), TypeError> {
        let local = self.local(leaf, pos)?;
        self.sketch.locals[local].assigned = true;
        Ok(())
    }

    fn is_array(&self, leaf: usize) -> bool {
        self.types.get(leaf).is_some_and(|ty| ty.as_array().is_some())
    }

    /// What a parameter of the sketch as it was leads to.
    fn found(&self, param: ParamId, pos: Pos) -> Result<Found, TypeError> {
        let number = param.0 as usize;
        let found = match self.params.get(number) {
            Some(Node::Leaf(leaf)) => Some(Found::Leaf(*leaf, Vec::new())),
            Some(node @ Node::Bundle(_)) => Some(Found::Bundle(node.clone())),
            None => self.fields.get(number - self.params.len()).cloned(),
        };
        found.ok_or_else(|| self.error(pos, format!("parameter {number} doesn't exist")))
    }

    /// The new number of a parameter that is an array, or stands for one in a function.
    fn array(&self, param: ParamId, pos: Pos) -> Result<Option<ParamId>, TypeError> {
        match self.found(param, pos)? {
            Found::Leaf(leaf, path)
                if self.is_array(leaf) || self.params.len() > param.0 as usize && path.is_empty() =>
            {
                Ok(Some(ParamId(leaf as u32)))
            }
            Found::Leaf(..) => Ok(None),
            Found::Bundle(_) => Err(self.error(pos, "a bundle is used as an array")),
        }
    }

    /// The place of a parameter that is a value.
    fn value(&self, param: ParamId, pos: Pos) -> Result<(LocalId, Vec<Projection>), TypeError> {
        match self.found(param, pos)? {
            Found::Leaf(leaf, path) => Ok((self.local(leaf, pos)?, path)),
            Found::Bundle(_) => Err(self.error(pos, "a bundle is used as a value")),
        }
    }

    fn rewrite(&mut self) -> Result<(), TypeError> {
        for id in (0..self.sketch.exprs.len()).map(Id::<Expr>::new) {
            let pos = self.sketch.exprs[id].pos;
            let mut kind = self.sketch.exprs[id].kind.clone();
            self.expr(&mut kind, pos)?;
            self.sketch.exprs[id].kind = kind;
        }
        for id in (0..self.sketch.constructs.len()).map(Id::new) {
            let pos = self.sketch.constructs[id].pos;
            let mut kind = self.sketch.constructs[id].kind.clone();
            if let ConstructKind::Parallel { domain, reductions, .. } = &mut kind {
                self.domain(domain, pos)?;
                let mut flat: Vec<LocalId> = Vec::with_capacity(reductions.len());
                for local in std::mem::take(reductions) {
                    let local = self.place_of(local, pos)?.map_or(local, |(of, _)| of);
                    if !flat.contains(&local) {
                        flat.push(local);
                    }
                }
                *reductions = flat;
            }
            self.sketch.constructs[id].kind = kind;
        }
        Ok(())
    }

    /// What the race rule has left to launches, by the accesses that are there now.
    fn renumber(&mut self, before: &Sketch) -> Result<(), TypeError> {
        for id in (0..self.sketch.constructs.len()).map(Id::new) {
            let pos = self.sketch.constructs[id].pos;
            let array = |param| self.array(param, pos).ok().flatten();
            let apart = ownership::renumbered(before, self.sketch, id, &array);
            self.sketch.constructs[id].apart =
                apart.ok_or_else(|| self.error(pos, "the race rule is about accesses to what is no array"))?;
        }
        Ok(())
    }

    /// What stands for a local of a field parameter; `None` for other locals.
    fn place_of(&self, local: LocalId, pos: Pos) -> Result<Option<(LocalId, Vec<Projection>)>, TypeError> {
        match self.locals.get(&local) {
            Some(field) => self.value(ParamId((self.params.len() + field) as u32), pos).map(Some),
            None => Ok(None),
        }
    }

    fn domain(&self, domain: &mut Domain, pos: Pos) -> Result<(), TypeError> {
        match domain {
            Domain::Indices(array) | Domain::Segments(array) => {
                let missing = || self.error(pos, "a loop over what is no array");
                *array = self.array(*array, pos)?.ok_or_else(missing)?;
                Ok(())
            }
            Domain::Range { .. } | Domain::Steps(_) | Domain::Ndrange(_) => Ok(()),
        }
    }

    /// The expression of a part of a variable.
    fn read(&mut self, local: LocalId, path: Vec<Projection>, pos: Pos) -> ExprKind {
        path.into_iter().fold(ExprKind::Local(local), |kind, step| {
            let base = self.sketch.exprs.push(Expr { kind, pos });
            match step {
                Projection::Field(member) => ExprKind::Field(base, member),
                Projection::Index(index) => ExprKind::Index(base, index),
            }
        })
    }

    fn expr(&mut self, kind: &mut ExprKind, pos: Pos) -> Result<(), TypeError> {
        match kind {
            ExprKind::Local(local) => {
                // An array or a bundle by its name alone is an argument, which is rewritten by the call.
                if self.locals.get(local).is_some_and(|field| self.is_value(*field))
                    && let Some((of, path)) = self.place_of(*local, pos)?
                {
                    *kind = self.read(of, path, pos);
                }
            }
            ExprKind::Load { array, index } => match self.array(*array, pos)? {
                Some(id) => *array = id,
                None => {
                    let (of, mut path) = self.value(*array, pos)?;
                    path.extend(index.iter().copied().map(Projection::Index));
                    *kind = self.read(of, path, pos);
                }
            },
            ExprKind::Len(array) => match self.array(*array, pos)? {
                Some(id) => *array = id,
                None => *kind = self.len(*array, pos)?,
            },
            ExprKind::Extent(array, _) => {
                let missing = || self.error(pos, "the shape of what is no array");
                *array = self.array(*array, pos)?.ok_or_else(missing)?;
            }
            ExprKind::Atomic { array, .. } | ExprKind::CompareExchange { array, .. } => {
                let missing = || self.error(pos, "an atomic on what is no array");
                *array = self.array(*array, pos)?.ok_or_else(missing)?;
            }
            ExprKind::Scatter { array, .. } => {
                let missing = || self.error(pos, "a scatter to what is no array");
                *array = self.array(*array, pos)?.ok_or_else(missing)?;
            }
            ExprKind::For { domain, .. } => self.domain(domain, pos)?,
            ExprKind::Assign { place, value: _ } | ExprKind::AssignOp { op: _, place, value: _ } => {
                self.place(place, pos)?;
            }
            ExprKind::Contribute { what, in_order: _ } => match what.as_mut() {
                Contribution::Each { place, .. } => self.place(place, pos)?,
                Contribution::Extreme { best, with, .. } => {
                    self.place(best, pos)?;
                    with.iter_mut().try_for_each(|(place, _)| self.place(place, pos))?;
                }
            },
            ExprKind::Call { callee: _, args } => {
                let mut flat = Vec::with_capacity(args.len());
                for arg in std::mem::take(args) {
                    self.arg(arg, pos, &mut flat)?;
                }
                *args = flat;
            }
            ExprKind::Count(_)
            | ExprKind::Start { .. }
            | ExprKind::Int { .. }
            | ExprKind::Float { .. }
            | ExprKind::Bool(_)
            | ExprKind::Const(_)
            | ExprKind::Tapped { .. }
            | ExprKind::Op { .. }
            | ExprKind::Function { .. }
            | ExprKind::LazyAnd(..)
            | ExprKind::LazyOr(..)
            | ExprKind::Cast { .. }
            | ExprKind::Tuple(_)
            | ExprKind::Field(..)
            | ExprKind::Index(..)
            | ExprKind::Struct { .. }
            | ExprKind::Fixed { .. }
            | ExprKind::Linear { .. }
            | ExprKind::Repeat { .. }
            | ExprKind::Block(_)
            | ExprKind::If { .. }
            | ExprKind::While { .. }
            | ExprKind::Loop { .. }
            | ExprKind::Break { .. }
            | ExprKind::Continue(_)
            | ExprKind::Return(_)
            | ExprKind::Say { .. } => {}
        }
        Ok(())
    }

    fn is_value(&self, field: usize) -> bool {
        match self.fields.get(field) {
            Some(Found::Leaf(leaf, _)) => !self.is_array(*leaf),
            Some(Found::Bundle(_)) | None => false,
        }
    }

    /// The length of a fixed array.
    fn len(&self, param: ParamId, pos: Pos) -> Result<ExprKind, TypeError> {
        let missing = || self.error(pos, "the length of what is no array");
        let Found::Leaf(leaf, path) = self.found(param, pos)? else { return Err(missing()) };
        let ty = path.iter().try_fold(&self.types[leaf], |ty, step| match (ty, step) {
            (Type::Struct(of), Projection::Field(member)) => {
                let name = member.to_string();
                of.fields.iter().find(|(field, _)| *field == name).map(|(_, ty)| ty)
            }
            (Type::Tuple(parts), Projection::Field(Member::Index(index))) => parts.get(*index as usize),
            (_, Projection::Field(_) | Projection::Index(_)) => None,
        });
        let (_, len) = ty.and_then(Type::elements).ok_or_else(missing)?;
        Ok(ExprKind::Int { value: len.into(), suffix: Some(crate::types::Scalar::Usize) })
    }

    fn place(&mut self, place: &mut Place, pos: Pos) -> Result<(), TypeError> {
        let (of, mut to, behind) = match place {
            Place::Wild => return Ok(()),
            Place::Tuple(places) => return places.iter_mut().try_for_each(|place| self.place(place, pos)),
            Place::Local(local) => match self.place_of(*local, pos)? {
                Some((of, to)) => (of, to, Vec::new()),
                None => return Ok(()),
            },
            Place::Part(local, path) => match self.place_of(*local, pos)? {
                Some((of, to)) => (of, to, std::mem::take(path)),
                None => return Ok(()),
            },
            Place::Element { array, index, path } => match self.array(*array, pos)? {
                Some(id) => {
                    *array = id;
                    return Ok(());
                }
                None => {
                    let (of, to) = self.value(*array, pos)?;
                    let index = index.iter().copied().map(Projection::Index);
                    (of, to, index.chain(std::mem::take(path)).collect())
                }
            },
        };
        to.extend(behind);
        *place = if to.is_empty() { Place::Local(of) } else { Place::Part(of, to) };
        Ok(())
    }

    /// What takes the place of an argument: of a bundle, its parts.
    fn arg(&mut self, arg: Arg, pos: Pos, into: &mut Vec<Arg>) -> Result<(), TypeError> {
        match arg {
            Arg::Reference { param, shared } => {
                // A reference that is no bundle is handed on as it is.
                if let Some(Node::Leaf(leaf)) = self.params.get(param.0 as usize) {
                    into.push(Arg::Reference { param: ParamId(*leaf as u32), shared });
                    return Ok(());
                }
                self.hand_on(self.found(param, pos)?, shared, pos, into)
            }
            // `f(s.x)`, where `x` is a shared reference.
            Arg::Value(value) => {
                if let ExprKind::Local(local) = &self.sketch.exprs[value].kind
                    && let Some(field) = self.locals.get(local)
                    && !self.is_value(*field)
                {
                    let found = self.fields[*field].clone();
                    return self.hand_on(found, true, pos, into);
                }
                into.push(Arg::Value(value));
                Ok(())
            }
            Arg::Place(mut place) => {
                self.place(&mut place, pos)?;
                into.push(Arg::Place(place));
                Ok(())
            }
            arg @ Arg::Receiver { .. } => {
                into.push(arg);
                Ok(())
            }
        }
    }

    fn hand_on(&mut self, found: Found, shared: bool, pos: Pos, into: &mut Vec<Arg>) -> Result<(), TypeError> {
        match found {
            Found::Leaf(leaf, _) if self.is_array(leaf) => {
                into.push(Arg::Reference { param: ParamId(leaf as u32), shared });
            }
            Found::Leaf(leaf, path) => {
                let local = self.local(leaf, pos)?;
                into.push(if shared {
                    let kind = self.read(local, path, pos);
                    Arg::Value(self.sketch.exprs.push(Expr { kind, pos }))
                } else {
                    self.assign(leaf, pos)?;
                    Arg::Place(if path.is_empty() { Place::Local(local) } else { Place::Part(local, path) })
                });
            }
            Found::Bundle(Node::Leaf(leaf)) => self.hand_on(Found::Leaf(leaf, Vec::new()), shared, pos, into)?,
            Found::Bundle(Node::Bundle(parts)) => {
                for (_, node) in parts {
                    self.hand_on(Found::Bundle(node), shared, pos, into)?;
                }
            }
        }
        Ok(())
    }
}
