//! `cargo xtask docs`: the pages that are written from code, so that they can't be wrong for long.
use std::fs;

use qd_ir::op::{BitClass, Effect, Form, Op, Operand, Output, Receiver};
use qd_ir::refusal::Refusal;

use crate::process::{Result, workspace};

/// The generated pages, relative to the workspace's root.
fn pages() -> Result<Vec<(&'static str, String)>> {
    Ok(vec![
        ("docs/environment.md", qd_runtime::config::environment::markdown()),
        ("docs/errors.md", errors()?),
        ("docs/operations.md", operations()),
    ])
}

/// Writes them.
pub(crate) fn write() -> Result {
    for (name, text) in pages()? {
        fs::write(workspace().join(name), text).map_err(|error| format!("can't write {name}: {error}"))?;
    }
    Ok(())
}

/// Fails where a committed page differs from a fresh one.
pub(crate) fn check() -> Result {
    for (name, text) in pages()? {
        let committed = fs::read_to_string(workspace().join(name)).map_err(|error| format!("{name}: {error}"))?;
        if committed.replace("\r\n", "\n") != text {
            return Err(format!("{name} is not what the code says; run `cargo xtask docs`").into());
        }
    }
    Ok(())
}

/// The operation table.
fn operations() -> String {
    let mut page = String::from(
        "# Operations

What a kernel can do with scalars, beside control flow and arrays. Names and meanings are Rust's. *int* stands for the
integers, *float* for `f32`, `f64`, `f16` and `bf16`, *number* for both, `Self` for the type of the receiver. An operation
that can fail ends the launch with an error where Rust panics; integer arithmetic wraps. The class says
[which bits agree with rustc](language.md#which-bits-agree-with-rustc).

| operation | of | gives | can fail | class |
|---|---|---|---|---|
",
    );
    for op in Op::ALL.iter().copied().filter(|op| op.row().form != Form::Debug) {
        let row = op.row();
        let operands: Vec<&str> = row.operands.iter().copied().map(operand).collect();
        let written = match row.form {
            Form::Operator | Form::Debug => operator(op).to_owned(),
            Form::Method => format!(".{}({})", row.text, operands.join(", ")),
            Form::Function => format!("T::{}(a)", row.text),
        };
        let fails = match row.effect {
            Effect::Pure => "",
            Effect::FaultsOnInt => "int",
            Effect::Faults => "yes",
        };
        let class = match row.class {
            BitClass::Exact => "exact",
            BitClass::Platform => "platform",
        };
        let (of, gives) = (receiver(row.receiver), output(row.output));
        page.push_str(&format!("| `{written}` | {of} | {gives} | {fails} | {class} |\n"));
    }
    page.push_str("\nThis file is written from the table in `qd-ir/src/op.rs` by `cargo xtask docs`.\n");
    page
}

fn operand(operand: Operand) -> &'static str {
    match operand {
        Operand::Same => "Self",
        Operand::U32 => "u32",
        Operand::I32 => "i32",
        Operand::Int => "int",
    }
}

fn receiver(receiver: Receiver) -> &'static str {
    match receiver {
        Receiver::Any => "any",
        Receiver::Number => "number",
        Receiver::Int => "int",
        Receiver::Signed => "signed int",
        Receiver::Unsigned => "unsigned int",
        Receiver::Float => "float",
        Receiver::SignedOrFloat => "signed int, float",
        Receiver::IntOrBool => "int, `bool`",
        Receiver::Bits => "`u16`, `u32`, `u64`",
        Receiver::Double => "`f64`",
    }
}

fn output(output: Output) -> &'static str {
    match output {
        Output::Same => "`Self`",
        Output::Bool => "`bool`",
        Output::U32 => "`u32`",
        Output::Unsigned => "unsigned of the width",
        Output::Float => "float of the width",
        Output::Half => "`f16`, `bf16`",
        Output::Given => "the type named",
    }
}

/// How an operator is written; for other operations the name in the table.
fn operator(op: Op) -> &'static str {
    // Only rows of `Form::Operator` get here; naming all others would say nothing.
    const OPERATORS: [(Op, &str); 19] = [
        (Op::Cast, "a as T"),
        (Op::Neg, "-a"),
        (Op::Not, "!a"),
        (Op::Add, "a + b"),
        (Op::Sub, "a - b"),
        (Op::Mul, "a * b"),
        (Op::Div, "a / b"),
        (Op::Rem, "a % b"),
        (Op::And, "a & b"),
        (Op::Or, "a \\| b"),
        (Op::Xor, "a ^ b"),
        (Op::Shl, "a << b"),
        (Op::Shr, "a >> b"),
        (Op::Eq, "a == b"),
        (Op::Ne, "a != b"),
        (Op::Lt, "a < b"),
        (Op::Le, "a <= b"),
        (Op::Gt, "a > b"),
        (Op::Ge, "a >= b"),
    ];
    OPERATORS.iter().find(|(known, _)| *known == op).map_or(op.row().text, |(_, written)| written)
}

/// The rules whose breach the macros report, read from their source: a proc-macro crate exports nothing else.
fn errors() -> Result<String> {
    const SOURCE: &str = "qd-macros/src/diagnostic.rs";
    let source = fs::read_to_string(workspace().join(SOURCE)).map_err(|error| format!("{SOURCE}: {error}"))?;
    let file = syn::parse_file(&source).map_err(|error| format!("{SOURCE}: {error}"))?;
    let codes = file.items.into_iter().find_map(|item| match item {
        syn::Item::Macro(item) if item.mac.path.is_ident("codes") => Some(item.mac.tokens),
        _ => None,
    });
    let codes = codes.ok_or_else(|| format!("{SOURCE} has no codes! table"))?;
    let codes: Codes = syn::parse2(codes).map_err(|error| format!("{SOURCE}: {error}"))?;
    let mut page = String::from(
        "# Errors of kernels

Each message says what is wrong and what to write instead, with a code in brackets.

## When the program is compiled

What the attributes and derives of qd report. Types and unknown names are rustc's to report.

| code | about |
|---|---|
",
    );
    for (code, about) in codes.0 {
        page.push_str(&format!("| `QD{code:04}` | {} |\n", about.replace('|', "\\|")));
    }
    page.push_str(
        "
## At the first launch

What only the types show, or the functions that are called: an error of the first launch, or of `kernel.prepare()`. Of
codes below `QD0100` the macro sees some cases already.

| code | about |
|---|---|
",
    );
    for refusal in Refusal::ALL {
        page.push_str(&format!("| `{refusal}` | {} |\n", refusal.about()));
    }
    page.push_str(&format!(
        "\nThis file is written from the tables in `{SOURCE}` and `qd-ir/src/refusal.rs` by `cargo xtask docs`.\n"
    ));
    Ok(page)
}

/// Rows `/// about` `Name = number;`.
struct Codes(Vec<(u16, String)>);

impl syn::parse::Parse for Codes {
    fn parse(input: syn::parse::ParseStream) -> syn::Result<Self> {
        let mut rows = Vec::new();
        while !input.is_empty() {
            let docs = input.call(syn::Attribute::parse_outer)?;
            input.parse::<syn::Ident>()?;
            input.parse::<syn::Token![=]>()?;
            let code = input.parse::<syn::LitInt>()?.base10_parse()?;
            input.parse::<syn::Token![;]>()?;
            rows.push((code, docs.iter().filter_map(doc_line).collect::<Vec<_>>().join(" ")));
        }
        Ok(Codes(rows))
    }
}

fn doc_line(attribute: &syn::Attribute) -> Option<String> {
    match &attribute.meta {
        syn::Meta::NameValue(syn::MetaNameValue {
            value: syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }),
            ..
        }) => Some(text.value().trim().to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_pages_are_what_the_code_says() {
        check().unwrap();
    }

    #[test]
    fn every_operator_has_a_way_to_write_it() {
        for op in Op::ALL.iter().copied().filter(|op| op.row().form == Form::Operator) {
            assert_ne!(operator(op), op.row().text, "{op}");
        }
    }
}
