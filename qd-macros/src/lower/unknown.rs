//! Methods that kernels don't have: what to write instead.
use qd_ir::linear::Method;
use qd_ir::op::{Form, Op};

use super::Lower;
use super::expr::name_reach;
use crate::diagnostic::{Code, nearest};

/// Methods of arrays.
pub(super) const ARRAY_METHODS: [&str; 4] = ["len", "is_empty", "shape", "indices"];

impl Lower<'_> {
    /// A method that kernels don't have: of a number by its type, `f32::name`, or of what only rustc knows.
    pub(super) fn unknown_method(&mut self, name: &proc_macro2::Ident, of_number: bool) {
        let text = name.to_string();
        let numbers = Op::ALL.iter().filter(|op| op.row().form == Form::Method).map(|op| op.row().text);
        let vectors = Method::ALL.into_iter().map(Method::name).filter(|_| !of_number);
        let known: Vec<&str> = numbers.chain(vectors).chain(["sin_cos"]).collect();
        let help = std_method_help(&text, &known).unwrap_or_else(|| match nearest(&text, known.iter().copied()) {
            Some(known) => format!("did you mean `{known}`?"),
            None => {
                "kernels have the std methods of `bool`, the integers and the floats that give such numbers".to_owned()
            }
        });
        let message = format!("`{text}` is not a method of the kernel language");
        self.diagnostics.push(Code::Method, name_reach(name), message, help);
    }
}

/// Methods that std's types have and kernels don't: no type's own are meant by these names.
pub fn is_std(name: &str) -> bool {
    const PREFIXES: [&str; 8] = [
        "checked_",
        "overflowing_",
        "unchecked_",
        "strict_",
        "to_ascii_",
        "make_ascii_",
        "is_ascii",
        "eq_ignore_ascii_",
    ];
    const NAMES: [&str; 34] = [
        "clone",
        "cloned",
        "copied",
        "into",
        "try_into",
        "to_owned",
        "to_string",
        "to_vec",
        "to_be_bytes",
        "to_le_bytes",
        "to_ne_bytes",
        "from_be_bytes",
        "from_le_bytes",
        "from_ne_bytes",
        "try_from",
        "from_str_radix",
        "then_some",
        "total_cmp",
        "cmp",
        "partial_cmp",
        "iter",
        "iter_mut",
        "into_iter",
        "enumerate",
        "step_by",
        "unwrap",
        "expect",
        "as_slice",
        "midpoint",
        "ilog",
        "next_up",
        "next_down",
        "minimum",
        "maximum",
    ];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || NAMES.contains(&name)
}

/// What to write instead of a method that std has and kernels don't.
fn std_method_help(name: &str, known: &[&str]) -> Option<String> {
    let help = match name {
        "clone" | "cloned" | "copied" | "to_owned" => "values are copied without a call",
        "try_into" | "try_from" => "test with `if` whether the value fits, and convert with `as`",
        "iter" | "iter_mut" | "into_iter" | "enumerate" | "step_by" => {
            "chains run over arrays and ranges, which stand at their start: `x.iter()`, `(0..n)`"
        }
        "unwrap" | "expect" => "kernels have `Option`s only at the end of chains of iterators: test with `if`",
        "to_string" => "kernels have no text; `qd::println!` shows numbers",
        "to_vec" | "as_slice" => "use the elements, `x[i]`",
        "to_be_bytes" | "to_le_bytes" | "to_ne_bytes" => "shift and cast: `(v >> 8) as u8`",
        "from_be_bytes" | "from_le_bytes" | "from_ne_bytes" => {
            "cast and shift: `(b[0] as u32) << 8 | b[1] as u32`; a float is `f32::from_bits` of that"
        }
        "then_some" => "write `if condition { .. } else { .. }`",
        "cmp" | "partial_cmp" | "total_cmp" => {
            "kernels have no `Ordering`, but in `min_by` and `max_by` of chains: compare with `<`, `==` and `>`"
        }
        "minimum" | "maximum" => "`min` and `max` are there, which ignore a NaN",
        _ if name.contains("ascii_") || name.starts_with("is_ascii") => {
            "compare with bytes: `if v.is_ascii_digit()` is `if (b'0'..=b'9').contains(&v)`"
        }
        _ => {
            let checked = ["checked_", "overflowing_"].iter().find_map(|prefix| name.strip_prefix(prefix));
            if let Some(operation) = checked {
                let forms = ["wrapping_", "saturating_"].map(|form| format!("{form}{operation}"));
                let known = forms.iter().filter(|form| known.contains(&form.as_str()));
                let forms: Vec<String> = known.map(|form| format!("`{form}`")).collect();
                return Some(match forms.as_slice() {
                    [] => "test with `if` before the operation".to_owned(),
                    forms => format!("test with `if` before the operation, or use {}", forms.join(" or ")),
                });
            }
            return name.starts_with("unchecked_").then(|| "use the operator".to_owned());
        }
    };
    Some(help.to_owned())
}

/// What is wrong with a method of a parameter that is a reference, and what to write instead.
pub(super) fn array_method_help(name: &str) -> (String, String) {
    let what = format!("arrays and bundles have no method `{name}` in a kernel");
    let help = match name {
        "swap" => "write `(x[i], x[j]) = (x[j], x[i]);`",
        "fill" => "write a loop: `for v in x.iter_mut() { *v = value; }`",
        "copy_from_slice" | "clone_from_slice" => "write a loop: `for i in 0..x.len() { x[i] = y[i]; }`",
        "get" | "get_mut" => {
            "write `x[i]`, which fails the launch where there is no such element, or `if i < x.len() { x[i] } else { .. }`"
        }
        "get_unchecked" | "get_unchecked_mut" => "write the `*` before it: `(*x.get_unchecked(i)).field`",
        "first" | "first_mut" => "write `x[0]`",
        "last" | "last_mut" => "write `x[x.len() - 1]`",
        "as_slice" | "as_mut_slice" | "as_ref" | "as_mut" => "use the array itself: `x[i]`, `x.iter()`",
        "sort"
        | "sort_by"
        | "sort_by_key"
        | "sort_unstable"
        | "sort_unstable_by"
        | "sort_unstable_by_key"
        | "reverse"
        | "rotate_left"
        | "rotate_right"
        | "binary_search"
        | "binary_search_by"
        | "binary_search_by_key"
        | "partition_point" => "do it outside of the kernel, or write it as loops over the elements",
        "par_iter" | "par_iter_mut" | "into_par_iter" => {
            "write `for v in x.iter_mut() { .. }`: a kernel's loops are parallel"
        }
        "contains" => "write `x.iter().any(|v| *v == value)`",
        "starts_with" | "ends_with" => "write `x[a..b].iter().zip(y).all(|(x, y)| *x == *y)`",
        "is_sorted" => "write `(1..x.len()).all(|i| x[i - 1] <= x[i])`",
        "push" | "pop" | "resize" | "extend" | "insert" | "remove" | "truncate" | "clear" => {
            "kernels don't allocate: pass an array that is large enough, and count what is used of it"
        }
        "clone" | "to_vec" | "to_owned" => {
            "kernels don't allocate: copy the elements into another parameter, in a loop"
        }
        "chunks" | "chunks_exact" | "chunks_mut" | "chunks_exact_mut" | "as_chunks" | "split_at" | "split_at_mut" => {
            "loop over numbers, and index: `for i in 0..x.len() / n { for k in 0..n { .. x[i * n + k] .. } }`"
        }
        "windows" => "loop over numbers, and index: `for i in 1..x.len() { .. x[i - 1] .. x[i] .. }`",
        "map" | "filter" | "enumerate" | "zip" | "rev" | "take" | "skip" | "step_by" | "copied" | "sum" | "max"
        | "min" => "chains begin with `iter`: `x.iter().map(|v| ..)`",
        _ => {
            let help = match nearest(name, ARRAY_METHODS.into_iter().chain(["iter", "iter_mut"])) {
                Some(known) => format!("did you mean `{known}`?"),
                None => format!(
                    "of an array use elements, in a loop; what takes a whole array or bundle is a `#[qd::func]` function: \
                     `{name}(&x, ..)`"
                ),
            };
            return (what, help);
        }
    };
    (what, help.to_owned())
}
