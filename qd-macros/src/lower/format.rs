//! Format strings: `"{x} is {:>8.3}"` and the arguments behind it, to a message and its values.
use proc_macro2::Ident;
use qd_ir::arena::Id;
use qd_ir::message::{Align, Message, Piece, Spec, Style};
use qd_ir::sketch::Expr;

use super::Lower;
use crate::diagnostic::Code;

/// A message with what goes into it.
pub(super) struct Formatted {
    pub message: Message,
    /// The values, in the order in which std evaluates them.
    pub args: Vec<Id<Expr>>,
    /// Their copies.
    pub copies: Vec<syn::Expr>,
}

/// A hole: what it shows, and how.
struct Hole {
    arg: String,
    spec: Spec,
}

impl Lower<'_> {
    /// The format string and the arguments of a call; `None` if it was refused. Values get numbers from `first` on.
    pub(super) fn format(&mut self, args: Vec<syn::Expr>, first: usize) -> Option<Formatted> {
        let mut args = args.into_iter();
        let literal = match args.next() {
            None => return Some(Formatted { message: Message::default(), args: Vec::new(), copies: Vec::new() }),
            Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(literal), .. })) => literal,
            Some(other) => {
                let what = "the text of a message is written out in the call";
                self.diagnostics.on(Code::Macro, &other, what, "write `\"..\"` with the values in braces");
                return None;
            }
        };
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for arg in args {
            match arg {
                syn::Expr::Assign(named) => {
                    names.push(quote::ToTokens::to_token_stream(&named.left).to_string());
                    values.push(*named.right);
                }
                value => {
                    names.push(values.len().to_string());
                    values.push(value);
                }
            }
        }
        let mut message = Message::default();
        let mut next = 0;
        for piece in pieces(&literal.value()) {
            match piece {
                Ok(Part::Text(text)) => message.0.push(Piece::Text(text)),
                Ok(Part::Hole(Hole { arg, spec })) => {
                    let name = match arg.as_str() {
                        "" => {
                            next += 1;
                            (next - 1usize).to_string()
                        }
                        name => name.to_owned(),
                    };
                    let value = names.iter().position(|known| *known == name).or_else(|| {
                        // A variable by its name; numbers that are too large are rustc's to report.
                        let name = syn::parse_str::<Ident>(&name).ok()?;
                        let captured = Ident::new(&name.to_string(), literal.span());
                        names.push(name.to_string());
                        values.push(syn::parse_quote!(#captured));
                        Some(values.len() - 1)
                    });
                    message.0.push(Piece::Value { value: (first + value?) as u32, spec });
                }
                Err(what) => {
                    let help =
                        "kernels know widths and precisions that are numbers, and `?`, `x`, `X`, `o`, `b`, `e`, `E`";
                    self.diagnostics.on(Code::Macro, &literal, what, help);
                    return None;
                }
            }
        }
        let mut args = Vec::with_capacity(values.len());
        // They are evaluated only if the message is shown.
        let top = self.top.take();
        for value in &mut values {
            let id = self.expr(value);
            args.push(self.close(id, value));
        }
        self.top = top;
        Some(Formatted { message, args, copies: values })
    }
}

enum Part {
    Text(String),
    Hole(Hole),
}

/// The pieces of a format string; braces that don't match are rustc's to report.
fn pieces(text: &str) -> Vec<Result<Part, String>> {
    let mut found = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        plain.push_str(&rest[..at]);
        let brace = &rest[at..];
        if brace.starts_with("{{") || brace.starts_with("}}") {
            plain.push_str(&brace[..1]);
            rest = &brace[2..];
            continue;
        }
        let end = brace.find('}').unwrap_or(brace.len() - 1);
        if !plain.is_empty() {
            found.push(Ok(Part::Text(std::mem::take(&mut plain))));
        }
        let inside = brace.get(1..end).unwrap_or_default();
        found.push(hole(inside).map(Part::Hole));
        rest = &brace[end + 1..];
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        found.push(Ok(Part::Text(plain)));
    }
    found
}

/// `name:>+#08.3?`
fn hole(text: &str) -> Result<Hole, String> {
    let (arg, format) = text.split_once(':').unwrap_or((text, ""));
    let refused = |what: &str| Err(format!("`{{{text}}}`: {what}"));
    let mut spec = Spec::plain(Style::Display);
    let mut rest = format.trim_end();
    let align = |c: Option<char>| match c {
        Some('<') => Some(Align::Left),
        Some('^') => Some(Align::Center),
        Some('>') => Some(Align::Right),
        _ => None,
    };
    let mut chars = rest.chars();
    let (first, second) = (chars.next(), chars.next());
    if let (Some(fill), Some(found)) = (first, align(second)) {
        (spec.fill, spec.align) = (fill, Some(found));
        rest = &rest[fill.len_utf8() + 1..];
    } else if let Some(found) = align(first) {
        spec.align = Some(found);
        rest = &rest[1..];
    }
    let eat = |rest: &mut &str, flag: char| {
        let found = rest.strip_prefix(flag);
        *rest = found.unwrap_or(rest);
        found.is_some()
    };
    spec.plus = eat(&mut rest, '+');
    spec.alternate = eat(&mut rest, '#');
    if rest.contains(['$', '*']) {
        return refused("a width or precision that is a value isn't part of the kernel language");
    }
    spec.zero = eat(&mut rest, '0');
    let number = |rest: &mut &str| {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest[..end].parse::<u16>().ok().map(usize::from);
        *rest = &rest[end..];
        number
    };
    spec.width = number(&mut rest).unwrap_or(0);
    if eat(&mut rest, '.') {
        spec.precision = number(&mut rest);
    }
    spec.style = match rest {
        "" => Style::Display,
        "?" if spec.alternate => return refused("values aren't spread over lines in a kernel"),
        "?" => Style::Debug,
        "x" => Style::LowerHex,
        "X" => Style::UpperHex,
        "o" => Style::Octal,
        "b" => Style::Binary,
        "e" => Style::LowerExp,
        "E" => Style::UpperExp,
        _ => return refused("this format isn't part of the kernel language"),
    };
    Ok(Hole { arg: arg.trim().to_owned(), spec })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let part = |piece: Result<Part, String>| match piece {
            Ok(Part::Text(text)) => text,
            Ok(Part::Hole(Hole { arg, spec })) => {
                let Spec { style, fill, align, plus, alternate, zero, width, precision } = spec;
                let flags = [(plus, "+"), (alternate, "#"), (zero, "0")].map(|(on, flag)| if on { flag } else { "" });
                format!("<{arg} {style:?} {fill}{align:?} {} {width} {precision:?}>", flags.concat())
            }
            Err(what) => format!("<{what}>"),
        };
        pieces(text).into_iter().map(part).collect()
    }

    #[test]
    fn format_strings_are_read_as_std_reads_them() {
        assert_eq!(shown("a {{b}} c"), "a {b} c");
        assert_eq!(shown("{}"), "< Display  None  0 None>");
        assert_eq!(shown("{x:?}!"), "<x Debug  None  0 None>!");
        assert_eq!(shown("{0:*^+#08.3e}"), "<0 LowerExp *Some(Center) +#0 8 Some(3)>");
        assert_eq!(shown("{:>5}"), "< Display  Some(Right)  5 None>");
        assert_eq!(shown("{:06X}"), "< UpperHex  None 0 6 None>");
        for refused in ["{:w$}", "{:.*}", "{:#?}", "{:p}"] {
            assert!(shown(refused).contains("kernel"), "{refused}");
        }
    }
}
