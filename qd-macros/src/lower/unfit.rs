//! Types of signatures that are none of kernels, as they are written: said once, where rustc would say it of each use.
//!
//! Only what surely is such a type, or has the name of one of std's: of all others rustc says it.
use syn::visit::Visit;

use super::item::Role;

/// What is wrong with the type of a parameter, and what to write instead.
pub(super) fn parameter(ty: &syn::Type, role: Role) -> Option<(String, &'static str)> {
    let what = role.name();
    match ty {
        syn::Type::Paren(inner) => parameter(&inner.elem, role),
        syn::Type::Group(inner) => parameter(&inner.elem, role),
        syn::Type::FnPtr(_) => Some((
            format!("a function can't be a parameter of a {what}: every call is resolved at compile time"),
            "call a `#[qd::func]` by its name, or pass a type by a type parameter, `F: Curve`, whose trait has `#[qd::funcs]`",
        )),
        syn::Type::Reference(reference) => match &*reference.elem {
            syn::Type::Array(_) if role == Role::Kernel => Some((
                "a fixed array can't be passed to a kernel by reference".to_owned(),
                if reference.mutability.is_some() {
                    "take it as a slice, `x: &mut [f32]`"
                } else {
                    "take it as a slice, `x: &[f32]`; a short one also by value, `x: [f32; 4]`"
                },
            )),
            syn::Type::Path(path) if path.path.is_ident("str") => Some((
                format!("text can't be a parameter of a {what}"),
                "take its bytes, `s: &[u8]`, and pass `s.as_bytes()`",
            )),
            _ => optional(ty),
        },
        _ => optional(ty),
    }
}

/// What is wrong with the type of a result, and what to write instead.
pub(super) fn result(ty: &syn::Type) -> Option<(String, &'static str)> {
    optional(ty)
}

/// `Option<..>` and `Result<..>` in a type.
fn optional(ty: &syn::Type) -> Option<(String, &'static str)> {
    #[derive(Default)]
    struct Optional(Option<String>);
    impl<'ast> Visit<'ast> for Optional {
        fn visit_path(&mut self, path: &'ast syn::Path) {
            if let Some(last) = path.segments.last()
                && (last.ident == "Option" || last.ident == "Result")
                && !last.arguments.is_none()
            {
                self.0.get_or_insert(last.ident.to_string());
            }
            syn::visit::visit_path(self, path);
        }
    }
    let mut found = Optional::default();
    found.visit_type(ty);
    found.0.map(|name| {
        (
            format!("kernels have no `{name}`"),
            "write `(bool, T)`, or a struct that says by a field whether there is a value; a type of your own needs another \
             name",
        )
    })
}
