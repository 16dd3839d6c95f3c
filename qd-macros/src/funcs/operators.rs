//! An `impl` block of an operator's trait, which is std's: what kernels know of its methods stands beside it, for the
//! operators that they are.
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse_quote;
use syn::visit_mut::VisitMut;

use super::{Member, tidy, type_name};
use crate::diagnostic::{Code, Diagnostics};
use crate::expand::quiet;
use crate::generics::Generics;

/// Traits of operators, with their methods; each method has the name of an operator among those of
/// `__private::operator`.
const TRAITS: [(&str, &[(&str, &str)]); 25] = [
    ("Add", &[("add", "Add")]),
    ("Sub", &[("sub", "Sub")]),
    ("Mul", &[("mul", "Mul")]),
    ("Div", &[("div", "Div")]),
    ("Rem", &[("rem", "Rem")]),
    ("BitAnd", &[("bitand", "BitAnd")]),
    ("BitOr", &[("bitor", "BitOr")]),
    ("BitXor", &[("bitxor", "BitXor")]),
    ("Shl", &[("shl", "Shl")]),
    ("Shr", &[("shr", "Shr")]),
    ("AddAssign", &[("add_assign", "AddAssign")]),
    ("SubAssign", &[("sub_assign", "SubAssign")]),
    ("MulAssign", &[("mul_assign", "MulAssign")]),
    ("DivAssign", &[("div_assign", "DivAssign")]),
    ("RemAssign", &[("rem_assign", "RemAssign")]),
    ("BitAndAssign", &[("bitand_assign", "BitAndAssign")]),
    ("BitOrAssign", &[("bitor_assign", "BitOrAssign")]),
    ("BitXorAssign", &[("bitxor_assign", "BitXorAssign")]),
    ("ShlAssign", &[("shl_assign", "ShlAssign")]),
    ("ShrAssign", &[("shr_assign", "ShrAssign")]),
    ("Neg", &[("neg", "Neg")]),
    ("Not", &[("not", "Not")]),
    (FROM, &[("from", CONVERSION)]),
    ("PartialEq", &[("eq", "Eq"), ("ne", "Ne")]),
    ("PartialOrd", &[("lt", "Lt"), ("le", "Le"), ("gt", "Gt"), ("ge", "Ge")]),
];

/// The trait of conversions: it has one operand, and what it is called on is the result.
const FROM: &str = "From";

/// As which kernels know it.
const CONVERSION: &str = "Conversion";

/// Traits of std that kernels call in other ways, or not at all.
const OTHERS: [(&str, &str); 9] = [
    ("Index", "write a method that gives the element, `fn at(&self, i: usize) -> f32`"),
    ("IndexMut", "write a method that sets the element"),
    ("Deref", "write methods of the type itself"),
    ("DerefMut", "write methods of the type itself"),
    ("Default", "remove the attribute: `P::default()` in a kernel is the value that it gives"),
    ("Eq", "remove the attribute: it has no methods"),
    ("Ord", "remove the attribute; kernels compare by the methods of `PartialOrd`"),
    ("Into", "write the `impl` of `From` that gives it"),
    ("Iterator", "write a loop over numbers"),
];

/// The operators of the trait that a path names by its last name.
fn operators(path: &syn::Path) -> Option<&'static [(&'static str, &'static str)]> {
    let last = path.segments.last()?;
    TRAITS.iter().find(|(name, _)| last.ident == name).map(|(_, methods)| *methods)
}

/// True for the block of an operator, and of what may be taken for one.
pub(super) fn is_one(block: &syn::ItemImpl) -> bool {
    block.trait_.as_ref().is_some_and(|(path, _)| {
        let known = path.segments.last().is_some_and(|last| OTHERS.iter().any(|(name, _)| last.ident == name));
        known || operators(path).is_some()
    })
}

/// The block, and what stands beside it.
pub(crate) fn expand(
    mut block: syn::ItemImpl,
    private: &TokenStream,
    diagnostics: &mut Diagnostics,
) -> (TokenStream, TokenStream) {
    let Some((path, _)) = block.trait_.clone() else { return (quote!(#block), TokenStream::new()) };
    let last = path.segments.last().map(|last| last.ident.clone());
    let Some(methods) = operators(&path) else {
        if let Some((name, help)) = OTHERS.iter().find(|(name, _)| last.as_ref().is_some_and(|last| last == name)) {
            let what = format!("kernels don't call the methods of `{name}`");
            diagnostics.on(Code::Operator, &path, what, help);
        }
        return (quote!(#block), TokenStream::new());
    };
    let operands = [(*block.self_ty).clone(), rhs(&path)];
    if let Some(reference) = operands.iter().find(|operand| matches!(operand, syn::Type::Reference(_))) {
        let what = "kernels know operators and conversions of values, and this one takes a reference";
        diagnostics.on(Code::Operator, reference, what, "write the `impl` for the values, and `*` before a reference");
        return (quote!(#block), TokenStream::new());
    }
    add_unequal(&mut block, &path);
    let output = block.items.iter().find_map(|item| match item {
        syn::ImplItem::Type(ty) if ty.ident == "Output" => Some(ty.ty.clone()),
        _ => None,
    });
    let of = type_name(&block.self_ty);
    let mut beside = TokenStream::new();
    let of_block = block.clone();
    for item in &mut block.items {
        let syn::ImplItem::Fn(method) = item else { continue };
        if let Some((_, operator)) = methods.iter().find(|(name, _)| method.sig.ident == name) {
            // In what stands beside, `Output` is no item of the trait.
            let (mut sig, mut body) = (method.sig.clone(), method.block.clone());
            if let Some(output) = &output {
                Outputs(output).visit_signature_mut(&mut sig);
                Outputs(output).visit_block_mut(&mut body);
            }
            let member = Member::operator(&method.vis, &sig, &body, &of, private, diagnostics).with(&method.attrs);
            beside.extend(part(&of_block, &path, &member, operator, private));
        }
        tidy(&mut method.attrs, &mut method.sig, Some(&mut method.block));
    }
    (quote!(#block), beside)
}

/// What `!=` is, where only `==` is written.
fn add_unequal(block: &mut syn::ItemImpl, path: &syn::Path) {
    let equality = path.segments.last().is_some_and(|last| last.ident == "PartialEq");
    let has =
        |wanted: &str| block.items.iter().any(|item| matches!(item, syn::ImplItem::Fn(f) if f.sig.ident == wanted));
    if equality && has("eq") && !has("ne") {
        let rhs = rhs(path);
        block.items.push(parse_quote! {
            #[allow(clippy::partialeq_ne_impl)]
            fn ne(&self, other: &#rhs) -> bool {
                !(*self == *other)
            }
        });
    }
}

/// The type of the right operand.
fn rhs(path: &syn::Path) -> syn::Type {
    let argument = path.segments.last().and_then(|last| match &last.arguments {
        syn::PathArguments::AngleBracketed(args) => args.args.iter().find_map(|arg| match arg {
            syn::GenericArgument::Type(ty) => Some(ty.clone()),
            _ => None,
        }),
        syn::PathArguments::None | syn::PathArguments::Parenthesized(_) => None,
    });
    argument.unwrap_or_else(|| parse_quote!(Self))
}

fn part(
    block: &syn::ItemImpl,
    path: &syn::Path,
    member: &Member,
    operator: &str,
    private: &TokenStream,
) -> Option<TokenStream> {
    let of = &block.self_ty;
    let generics = Generics::of(&block.generics, private);
    let (params, clause) = (&generics.params, generics.clause());
    let (name, span) = (member.name(), Span::mixed_site());
    let unary = matches!(operator, "Neg" | "Not");
    let right = if unary { quote!(()) } else { rhs(path).into_token_stream() };
    let operator = Ident::new(operator, span);
    // A trait of the user by the name of std's isn't the operator's.
    let last = path.segments.last()?;
    let (trait_name, args) = (&last.ident, &last.arguments);
    let module = match trait_name.to_string().as_str() {
        "PartialEq" | "PartialOrd" => "cmp",
        FROM => "convert",
        _ => "ops",
    };
    let module = Ident::new(module, span);
    let item = quote!(<Self as ::core::#module::#trait_name #args>::#name);
    let named = quote!(#private::item_of(<Self as #path>::#name));
    let description = member.description(&item, &named, private)?;
    let quiet = quiet();
    let known = known_as(&operator, &right, private);
    Some(quote! {
        const _: () = {
            #quiet
            impl<#params> #known for #of #clause {
                type Known = #private::operator::Seen<#private::operator::#operator, Self, #right>;
            }
            #quiet
            impl<#params> #private::operator::Described<#private::operator::#operator, #right> for #of #clause {
                fn operator() -> #private::operator::Called {
                    #private::operator::function(#description)
                }
            }
        };
    })
}

/// The trait that says what kernels know of an operator, or of a conversion.
fn known_as(operator: &Ident, right: &TokenStream, private: &TokenStream) -> TokenStream {
    match operator == CONVERSION {
        true => quote!(#private::operator::Convert<#right>),
        false => quote!(#private::Operate<#private::operator::#operator, #right>),
    }
}

/// Writes the type where `Self::Output` stood.
struct Outputs<'a>(&'a syn::Type);

impl VisitMut for Outputs<'_> {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        if let syn::Type::Path(path) = ty
            && path.qself.is_none()
            && path.path.segments.len() == 2
            && path.path.segments[0].ident == "Self"
            && path.path.segments[1].ident == "Output"
        {
            *ty = self.0.clone();
        } else {
            syn::visit_mut::visit_type_mut(self, ty);
        }
    }
}

/// What kernels have to know of a type parameter whose bound is an operator's trait.
pub(crate) fn bounds(generics: &syn::Generics, private: &TokenStream) -> Vec<syn::WherePredicate> {
    let mut found = Vec::new();
    let mut of = |ty: &dyn ToTokens, bounds: &syn::punctuated::Punctuated<syn::TypeParamBound, syn::Token![+]>| {
        for bound in bounds {
            let syn::TypeParamBound::Trait(bound) = bound else { continue };
            found.extend(
                bound_of(&bound.path, ty, private).map(|bound| -> syn::WherePredicate { parse_quote!(#bound) }),
            );
        }
    };
    for param in generics.type_params() {
        of(&param.ident, &param.bounds);
    }
    for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
        if let syn::WherePredicate::Type(predicate) = predicate {
            of(&predicate.bounded_ty, &predicate.bounds);
        }
    }
    found
}

/// `T: Operate<..>` for `T: Add`, and `U: Convert<T>` for `T: Into<U>`.
fn bound_of(path: &syn::Path, of: &dyn ToTokens, private: &TokenStream) -> Option<TokenStream> {
    if path.segments.last()?.ident == "Into" {
        let (result, of) = (rhs(path), of.to_token_stream());
        return Some(quote!(#result: #private::operator::Convert<#of>));
    }
    let methods = operators(path)?;
    let unary = matches!(methods.first()?.1, "Neg" | "Not");
    let mut right = rhs(path);
    let of = of.to_token_stream();
    if matches!(&right, syn::Type::Path(path) if path.path.is_ident("Self")) {
        right = parse_quote!(#of);
    }
    let right = if unary { quote!(()) } else { quote!(#right) };
    let known = methods.iter().map(|(_, name)| known_as(&Ident::new(name, Span::mixed_site()), &right, private));
    Some(quote!(#of: #(#known)+*))
}

/// What a trait whose supertraits are operators' has to have, too.
pub(super) fn supertraits(of: &syn::ItemTrait, private: &TokenStream) -> Vec<syn::TypeParamBound> {
    let bounds = of.supertraits.iter().filter_map(|bound| match bound {
        syn::TypeParamBound::Trait(bound) => operators(&bound.path).map(|methods| (&bound.path, methods)),
        _ => None,
    });
    let each = bounds.flat_map(|(path, methods)| {
        let unary = matches!(methods.first(), Some((_, "Neg" | "Not")));
        let right = if unary { quote!(()) } else { rhs(path).into_token_stream() };
        methods.iter().map(move |(_, name)| {
            let known = known_as(&Ident::new(name, Span::mixed_site()), &right, private);
            parse_quote!(#known)
        })
    });
    each.collect()
}
