//! Functions that kernels call: what a parameter may be, how a call tells which function rustc chose, and what the macro
//! writes down about one.
//!
//! Beside a `#[qd::func]` stands its *twin*: a struct of the same name, which lives where types do, so that a path that
//! names the function names it too, through imports, renames and generics. In the never-run copy of a body a call goes to
//! the twin's `with_qd_func`, which has the function's signature: so rustc infers as for the call itself, and the type it comes
//! to says which instance is meant. The function's own name is looked at beside it: where the two names have different
//! origins (a glob import beside a local function), [`CallRef`] shows it.
use std::any::TypeId;
use std::marker::PhantomData;

use qd_ir::sketch::Constant;
use qd_ir::types::{ParamType, Type};

use super::arg::array;
use super::array::NdArray;
use super::element::Data;
use super::operator;
use super::tap::{Report, Reports};

/// What rustc chose in a kernel or a function, in the order in which the macro numbered it.
pub struct Chosen {
    /// The parameters.
    pub params: Vec<ParamType>,
    /// The result.
    pub result: Type,
    /// The taps.
    pub taps: Vec<Type>,
    /// The constants.
    pub consts: Vec<Constant>,
    /// The calls and operators.
    pub calls: Vec<operator::Called>,
    /// For each update that was asked about: the place comes before the value.
    pub place_first: Vec<bool>,
}

/// What the macro writes down about a function; of a generic one, about an instance.
#[derive(Debug, Clone, Copy)]
pub struct FuncDesc {
    /// Its name.
    pub name: &'static str,
    /// The module it stands in.
    pub module: &'static str,
    /// The file, as `file!()` gives it.
    pub file: &'static str,
    /// The line of its name.
    pub line: u32,
    /// It is `#[track_caller]`: what fails in it fails where it is called.
    pub tracked: bool,
    /// The encoded sketch.
    pub sketch: &'static [u8],
    /// What rustc chose for the sketch's open types.
    pub types: fn() -> Chosen,
    /// `TypeId` of the function item.
    pub item: fn() -> TypeId,
    /// The function item that its name means on its type, and that item's name: another one, if a method of a trait is
    /// hidden by one of the type.
    pub named: fn() -> (TypeId, &'static str),
}

/// The twin of a function.
pub trait Func {
    /// What is known of the function; of a method of a trait, of the one that the type has.
    fn desc() -> FuncDesc;
}

/// What the name of a called function means where types are.
pub trait Callee {
    /// What the call is, of a function item and its name.
    fn called(item: TypeId, item_name: &'static str) -> operator::Called;
}

impl<D: Func> Callee for D {
    fn called(item: TypeId, item_name: &'static str) -> operator::Called {
        operator::Called::Function(CallRef { func: D::desc(), item, item_name })
    }
}

/// A call, as rustc resolved it.
#[derive(Debug, Clone, Copy)]
pub struct CallRef {
    /// The function whose twin the name means.
    pub func: FuncDesc,
    /// `TypeId` of the function item that the name means.
    pub item: TypeId,
    /// That item's name.
    pub item_name: &'static str,
}

impl CallRef {
    /// A function that was found by its name on a type.
    pub fn of(func: FuncDesc) -> CallRef {
        let (item, item_name) = (func.named)();
        CallRef { func, item, item_name }
    }
}

/// The twin of a method.
///
/// A kernel finds a method by its hidden sibling. The method is the one that rustc calls unless another of its name, which
/// has no sibling, comes before it in the order in which rustc looks: by value, by `&`, by `&mut`, and in each first among
/// the type's own. So beside a call stand others, never run, of a method of that name that all types have, by value and
/// by `&`, on what these types say. Where rustc finds another one there, too, the call is ambiguous or gives something
/// else. What hides a trait's method that is taken alike, [`FuncDesc::named`] tells.
pub trait Method: Func {
    /// How it takes what it is called on.
    type Taken: Taken;
}

/// How a method takes what it is called on: which levels of rustc's search come before it.
pub trait Taken {
    /// `T` if a method by value would come first.
    type NotByValue<T>;
    /// `T` if a method by `&` would come first.
    type NotByReference<T>;
    /// What has the method: `T`, if kernels don't know it, else its twin `D`.
    type Asked<T, D>;
}

/// `self`
pub struct ByValue;

/// `&self`
pub struct ByReference;

/// `&mut self`
pub struct ByMutable;

/// By no method that kernels know.
pub struct ByNobody;

impl Taken for ByNobody {
    type NotByValue<T> = Nothing;
    type NotByReference<T> = Nothing;
    type Asked<T, D> = T;
}

impl Taken for ByValue {
    type NotByValue<T> = Nothing;
    type NotByReference<T> = Nothing;
    type Asked<T, D> = D;
}

impl Taken for ByReference {
    type NotByValue<T> = T;
    type NotByReference<T> = Nothing;
    type Asked<T, D> = D;
}

impl Taken for ByMutable {
    type NotByValue<T> = T;
    type NotByReference<T> = T;
    type Asked<T, D> = D;
}

/// The twin of a method of the type `T` itself.
#[diagnostic::on_unimplemented(
    message = "this method is not one of `{T}` [QD0013]",
    label = "found behind a `Deref`, which kernels don't follow",
    note = "call it on the value that has it"
)]
pub trait On<T> {}

/// The twin of a method of a `T` that kernels don't know: the hidden sibling of that name is one that all values have, and
/// that comes last in rustc's search.
pub struct Unknown<T>(PhantomData<T>);

/// What a method of a `T` gives that kernels know. Where they don't, the method itself is asked: of one that isn't there
/// rustc says what it says of the native body, and nothing further.
#[diagnostic::on_unimplemented(
    message = "kernels don't know this method of `{T}` [QD0013]",
    label = "in no `impl` or trait with `#[qd::funcs]`",
    note = "write `#[qd::funcs]` on the `impl` block that has it, and on the trait if it is a trait's",
    note = "kernels don't follow `Deref`: call a method of what is behind it on the value that has it",
    note = "of std's methods kernels know many of numbers and few of arrays; what another one does is written out"
)]
pub trait OfFuncs<T> {}

#[diagnostic::do_not_recommend]
impl<T> OfFuncs<T> for Other {}

impl<T> On<T> for Unknown<T> {}

#[diagnostic::do_not_recommend]
impl<T> Shares for Unknown<T> {}

impl<T> Func for Unknown<T> {
    fn desc() -> FuncDesc {
        never()
    }
}

impl<T> Method for Unknown<T> {
    type Taken = ByNobody;
}

/// What has no methods.
pub struct Nothing;

/// What the never-run calls give that look for other methods of a name.
pub struct Other;

/// What such a call gives if it found no other.
#[diagnostic::on_unimplemented(
    message = "the method that rustc calls here is not the one that kernels know by this name [QD0013]",
    label = "another method of this name comes before it",
    note = "rustc takes a method by value before one by `&`, that before one by `&mut`, and in each the type's own first",
    note = "give one of them another name, or call by path: `Type::method(&value)`"
)]
pub trait NoOther {}

impl NoOther for Other {}

/// The twin of a method that leaves what it is called on as it is.
#[diagnostic::on_unimplemented(
    message = "a method that takes `&mut self` is called on a variable from outside the parallel loop [QD0022]",
    label = "takes `&mut self`",
    note = "iterations run in any order: they can't hand a value from one to the next through a variable",
    note = "declare the variable inside the loop, or change it after the loop; or run the iterations in order, by \
            `#[qd::serial]` before the loop"
)]
pub trait Shares {}

/// What `with_qd_func` of a twin gives: the twin, the function's signature, and its result.
pub struct Called<D, S, R>(PhantomData<(D, S, R)>);

/// What a call in the never-run copy of a body gives.
pub struct Returned<R> {
    /// The result.
    pub result: R,
}

/// A call in the never-run copy of a body.
pub struct CallTap<D, F>(PhantomData<fn() -> (D, F)>);

/// The result of a call through the twin, beside the function item of the same name.
pub fn called<D, S, R, F: Item<S>>(_: &CallTap<D, F>, _: Called<D, S, R>, _: F) -> Returned<R> {
    never()
}

impl<D: Callee, F: 'static> Report for CallTap<D, F> {
    fn report(into: &mut Reports) {
        into.call(D::called(TypeId::of::<F>(), std::any::type_name::<F>()));
    }
}

/// A call of a method of a `T` in the never-run copy of a body.
pub struct MethodTap<T, D>(PhantomData<fn() -> (T, D)>);

/// Gives the value back that a method is called on.
pub fn on<T, D>(_: &MethodTap<T, D>, receiver: T) -> T {
    receiver
}

/// What has the method that was found: its name is called on it.
pub fn asked<T, D: Method>(_: &MethodTap<T, D>) -> <D::Taken as Taken>::Asked<T, D> {
    never()
}

/// The result of a call through the hidden sibling of the method, beside the place that it is called on.
pub fn method<T, D: On<T>, S, R, O: OfFuncs<T>>(_: &MethodTap<T, D>, _: &T, _: Called<D, S, R>, _: O) -> Returned<R> {
    never()
}

/// Of one on a place that must not change.
pub fn method_shared<T, D: On<T> + Shares, S, R, O: OfFuncs<T>>(
    _: &MethodTap<T, D>,
    _: &T,
    _: Called<D, S, R>,
    _: O,
) -> Returned<R> {
    never()
}

/// Of one on a value, which went through [`on`].
pub fn method_of<T, D: On<T>, S, R, O: OfFuncs<T>>(_: &MethodTap<T, D>, _: Called<D, S, R>, _: O) -> Returned<R> {
    never()
}

/// Of one on a value that must not change.
pub fn method_of_shared<T, D: On<T> + Shares, S, R, O: OfFuncs<T>>(
    _: &MethodTap<T, D>,
    _: Called<D, S, R>,
    _: O,
) -> Returned<R> {
    never()
}

/// A call of a method that was looked for on the same type before.
pub struct SeenTap<D>(PhantomData<fn() -> D>);

/// The result of such a call.
pub fn seen<D, S, R>(_: &SeenTap<D>, _: Called<D, S, R>) -> Returned<R> {
    never()
}

/// Of one on what must not change.
pub fn seen_shared<D: Shares, S, R>(_: &SeenTap<D>, _: Called<D, S, R>) -> Returned<R> {
    never()
}

fn never() -> ! {
    unreachable!("a never-run copy of a kernel was run")
}

impl<D: Method> Report for SeenTap<D> {
    fn report(into: &mut Reports) {
        into.call(operator::Called::Function(CallRef::of(D::desc())));
    }
}

impl<T, D> MethodTap<T, D> {
    /// A receiver by value, in a call that never runs.
    pub fn by_value(&self) -> <D::Taken as Taken>::NotByValue<T>
    where
        D: Method,
    {
        never()
    }

    /// A receiver by `&`, in a call that never runs.
    pub fn by_reference(&self) -> <D::Taken as Taken>::NotByReference<T>
    where
        D: Method,
    {
        never()
    }
}

impl<T, D: Method> Report for MethodTap<T, D> {
    fn report(into: &mut Reports) {
        into.call(operator::Called::Function(CallRef::of(D::desc())));
    }
}

/// A function item of the signature `S`.
#[diagnostic::on_unimplemented(
    message = "the name of this function means two things here: a `#[qd::func]`, and another function [QD0108]",
    label = "names a function of another signature than the `#[qd::func]` of this name",
    note = "an imported `#[qd::func]` and a function without the attribute share the name: rename one of them"
)]
pub trait Item<S> {}

/// Of a function whose signature can't be written down: it has lifetimes without a name. That the two names mean one
/// function is then found out when the kernel is linked.
pub struct AnySignature;

impl<F> Item<AnySignature> for F {}

macro_rules! items {
    ($($part:ident)*) => { items! { @step [] $($part)* } };
    (@step [$($part:ident)*]) => { items! { @impl $($part)* } };
    (@step [$($part:ident)*] $next:ident $($rest:ident)*) => {
        items! { @impl $($part)* }
        items! { @step [$($part)* $next] $($rest)* }
    };
    (@impl $($part:ident)*) => {
        impl<F, R, $($part),*> Item<fn($($part),*) -> R> for F where F: Fn($($part),*) -> R {}
    };
}
items! { A B C D E F0 G H I J K L M N O P }

/// The type of a function's parameter that is a reference.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the type of a parameter of a `#[qd::func]` [QD0005]",
    label = "not a parameter type of a function of the kernel language",
    note = "references are to values, to `NdArray<T, N>`, to slices, and to bundles, structs with `#[derive(qd::Bundle)]`",
    note = "a type parameter needs a bound that makes it a number, such as `T: qd::Float`"
)]
pub trait FuncReference {
    /// The type as the IR knows it; of a reference to a value, that of the value.
    fn ty() -> ParamType;
}

impl<T: Data> FuncReference for &T {
    fn ty() -> ParamType {
        <T as Data>::qd_type().into()
    }
}
impl<T: Data> FuncReference for &mut T {
    fn ty() -> ParamType {
        <T as Data>::qd_type().into()
    }
}

impl<T: Data, const N: usize> FuncReference for &NdArray<T, N> {
    fn ty() -> ParamType {
        array::<T>(N, false).into()
    }
}
impl<T: Data, const N: usize> FuncReference for &mut NdArray<T, N> {
    fn ty() -> ParamType {
        array::<T>(N, true).into()
    }
}
impl<T: Data> FuncReference for &[T] {
    fn ty() -> ParamType {
        ParamType::Slice(array::<T>(1, false))
    }
}
impl<T: Data> FuncReference for &mut [T] {
    fn ty() -> ParamType {
        ParamType::Slice(array::<T>(1, true))
    }
}
