//! Functions that the macro takes for the language's own by the end of their path, `f32::max`, `cmp::min`: rustc says which
//! function the path names.
use std::any::TypeId;
use std::marker::PhantomData;

use super::func::{self, CallRef, CallTap, Callee, Func, Item};
use super::operator::Called;
use super::tap::{Report, Reports};

/// A call in the never-run copy of a body, of a function that may be another than it seems.
pub struct PresumedTap<F>(PhantomData<fn() -> F>);

/// Gives the function back.
pub fn presumed<F>(_: &PresumedTap<F>, function: F) -> F {
    function
}

impl<F> Report for PresumedTap<F> {
    fn report(into: &mut Reports) {
        into.call(Called::Presumed(std::any::type_name::<F>()));
    }
}

/// What stands for a function `T::name` of the language's own: the hidden function beside it gives this.
pub type ByPath<S> = func::Called<LanguageFunction, S, ()>;

/// The language's own function by such a path: linking looks at its name.
pub struct LanguageFunction;

impl Callee for LanguageFunction {
    fn called(_: TypeId, name: &'static str) -> Called {
        Called::Presumed(name)
    }
}

/// What the hidden functions give, which are never called.
pub fn by_path<S>() -> ByPath<S> {
    unreachable!("a never-run copy of a kernel was run")
}

/// Gives the function back that a path names, beside what the hidden one tells of it.
pub fn named_by_path<D, S, R, F: Item<S>>(_: &CallTap<D, F>, _: func::Called<D, S, R>, function: F) -> F {
    function
}

/// A call of a function of that name, for which `D` stands if it is one of the crates whose functions the language knows.
pub fn stands_for<D: Func>(function: &'static str) -> Called {
    if !is_known(function) {
        return Called::Presumed(function);
    }
    let func = D::desc();
    Called::Function(CallRef { func, item: (func.item)(), item_name: function })
}

/// Whether the function of that name, as rustc tells types, is one of the crates whose functions the language knows.
pub fn is_known(function: &str) -> bool {
    let path = of_trait(function).unwrap_or(function);
    let krate = path.split("::").next().unwrap_or(path);
    matches!(krate, "core" | "std" | "alloc" | "half" | "qd" | "qd_runtime")
}

/// `Trait::name` of `<T as Trait>::name`.
fn of_trait(function: &str) -> Option<&str> {
    let inner = function.strip_prefix('<')?;
    let mut depth = 0;
    for (at, c) in inner.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' if depth > 0 => depth -= 1,
            ' ' if depth == 0 => {
                if let Some(of) = inner[at..].strip_prefix(" as ") {
                    return Some(of);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::any::type_name_of_val;

    use super::*;
    use crate::data::{Number, Vector};

    trait Own {
        fn max(self, _: Self) -> Self;
    }

    impl Own for Vec<[u8; 2]> {
        fn max(self, _: Self) -> Self {
            self
        }
    }

    #[test]
    fn crates_are_told_by_names() {
        let known = [
            type_name_of_val(&f32::max),
            type_name_of_val(&<i32 as Ord>::max),
            type_name_of_val(&std::cmp::max::<(u8, [i8; 2])>),
            type_name_of_val(&<u64 as From<u8>>::from),
            type_name_of_val(&<f32 as Number>::cast::<i8>),
            type_name_of_val(&half::f16::to_f32),
            type_name_of_val(&Vector::<f32, 3>::dot),
        ];
        for function in known {
            assert!(is_known(function), "{function}");
        }
        for function in [
            "app::cmp::max",
            "<f32 as app::Own>::max",
            "<app::C<core::T as std::A>>::abs",
            "app::core::max",
            "core_app::max",
        ] {
            assert!(!is_known(function), "{function}");
        }
        // In the crate's own tests its own name comes first.
        assert_eq!(
            of_trait(type_name_of_val(&<Vec<[u8; 2]> as Own>::max)).map(|of| of.ends_with("Own>::max")),
            Some(true)
        );
    }
}
