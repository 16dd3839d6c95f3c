//! The traits and functions by which rustc checks kernels: where one breaks a rule, rustc shows their names.
//!
//! Programs use none of them. What a message says is in the attributes of the traits; this page is where their names lead.
pub use crate::data::atomic::{AnyWidth, Atomic, Element, Fits, Integer, Narrow, TooWide, Wide, narrow};
pub use crate::data::bundle::{Elements, Field, elements};
pub use crate::data::element::Erase;
pub use crate::data::func::{
    CallTap, Called, FuncReference, Item, MethodTap, NoOther, OfFuncs, On, Other, Shares, Unknown, called, method,
    method_of, method_of_shared, method_shared, on, seen, seen_shared,
};
pub use crate::data::function::{Compared, InALoop, NoAtomic, NoDomain, NoScatter, OfAnElement, ToAnElement};
pub use crate::data::named::{
    Builtin, Found, Half, Language, Meant, Named, NamedMethod, Refers, builtin, builtin_place, found, halves,
    halves_place,
};
pub use crate::data::operator::{self, Operate, OperatorTap};
pub use crate::data::segments::Offsets;
pub use crate::data::tap::{
    Counter, Group, Injective, Line, Report, Shown, Tap, constant, counted, injective, line, line_mut, look, reported,
    shown,
};
pub use crate::data::{Arg, NdRange, Ret, Segments};
pub use crate::launch::entry::{launch, launch_lent};
pub use crate::private::{Ours, Primitive, array, only, other, primitive, reference_type, value_type};
