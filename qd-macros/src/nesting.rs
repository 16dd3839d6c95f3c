//! How deep a piece of source nests, before anything goes down into it.
//!
//! The syntax tree is walked by functions that call themselves, here and in rustc, and a macro that runs out of stack takes
//! the compiler with it, without a word. So what nests too deep is refused while it is still tokens. The measure goes by
//! the tokens alone and errs upwards: in a statement everything counts that can make its tree deeper, and what is inside of
//! a group comes on top of what stands before it.
use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree, token_stream};

/// The most there may be. Measured: rustc's stack takes twice as much from a debug build of the macro.
const MOST: u32 = 1500;

/// What a group takes: an operand in parentheses, a block.
const GROUP: u32 = 12;

/// What an `else` takes.
const ELSE: u32 = 2;

/// How many classes of operators there are.
const CLASSES: usize = 4;

/// The class of an operator: in `a * b + c * d` the sum nests, and the products lie beside each other.
fn class(operator: char) -> usize {
    match operator {
        // Comparisons and what binds weaker; shifts and `&&`, too, by their last character.
        '<' | '>' | '=' | '&' | '|' | '^' => 3,
        '+' | '-' => 2,
        '*' | '/' | '%' => 1,
        // `.`, `?`, `!` and what isn't an operator.
        _ => 0,
    }
}

/// Operators of a class in a row.
#[derive(Clone, Copy, Default)]
struct Chain {
    now: u32,
    most: u32,
}

/// What a token may begin or end, by the one before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A block: a statement may begin.
    Block,
    /// The `=` of a `=>`: a pattern may end.
    Equals,
    Other,
}

/// An open group.
struct Level {
    rest: token_stream::IntoIter,
    /// What is round it.
    above: u32,
    /// The operators of the statement so far, by how tight they bind.
    operators: [Chain; CLASSES],
    /// What its `else`s take.
    arms: u32,
    before: Before,
}

impl Level {
    fn new(tokens: TokenStream, above: u32) -> Level {
        Level {
            rest: tokens.into_iter(),
            above,
            operators: [Chain::default(); CLASSES],
            arms: 0,
            before: Before::Other,
        }
    }

    /// An operator; those that bind tighter begin anew behind it.
    fn operator(&mut self, class: usize) {
        self.operators[..class].iter_mut().for_each(|chain| chain.now = 0);
        let chain = &mut self.operators[class];
        chain.now += 1;
        chain.most = chain.most.max(chain.now);
    }

    /// What the operators of the statement take.
    fn chains(&self) -> u32 {
        self.operators.iter().map(|chain| chain.most).sum()
    }

    /// Another statement.
    fn begin(&mut self) {
        (self.operators, self.arms) = ([Chain::default(); CLASSES], 0);
    }
}

/// Where the tokens nest too deep.
pub fn too_deep(tokens: &TokenStream) -> Option<Span> {
    let mut open = vec![Level::new(tokens.clone(), 0)];
    while let Some(level) = open.last_mut() {
        let Some(token) = level.rest.next() else {
            open.pop();
            continue;
        };
        let span = token.span();
        let before = std::mem::replace(&mut level.before, Before::Other);
        let begins = before == Before::Block;
        let mut inside = None;
        match token {
            TokenTree::Group(group) => {
                if begins {
                    level.begin();
                }
                if group.delimiter() == Delimiter::Brace {
                    level.before = Before::Block;
                }
                inside = Some(group.stream());
            }
            TokenTree::Punct(punct) => match (punct.as_char(), punct.spacing()) {
                (';' | ',', _) => level.begin(),
                ('>', _) if before == Before::Equals => level.begin(),
                ('=', Spacing::Joint) => level.before = Before::Equals,
                (_, Spacing::Joint) => {}
                (operator, Spacing::Alone) => level.operator(class(operator)),
            },
            TokenTree::Ident(word) if word == "else" => {
                level.arms += ELSE;
                level.operators = [Chain::default(); CLASSES];
            }
            TokenTree::Ident(word) if word == "as" => level.operator(0),
            TokenTree::Ident(_) | TokenTree::Literal(_) if begins => level.begin(),
            TokenTree::Ident(_) | TokenTree::Literal(_) => {}
        }
        let depth = level.above + level.arms + level.chains() + if inside.is_some() { GROUP } else { 0 };
        if depth > MOST {
            return Some(span);
        }
        open.extend(inside.map(|tokens| Level::new(tokens, depth)));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_too_deep(body: &str) -> bool {
        let text = format!("fn k(x: &mut [f32]) {{ {body} }}");
        too_deep(&text.parse().unwrap()).is_some()
    }

    #[test]
    fn long_code_is_not_deep() {
        assert!(!is_too_deep(&"for i in 0..9 { x[i] = x[i] * 2.0 + 1.0; } ".repeat(3000)));
        assert!(!is_too_deep(&"x[0] += if a { 1.0 } else { 2.0 };".repeat(3000)));
        assert!(!is_too_deep(&format!("match n {{ {} _ => 2 }}", "3..=4 => 1 + 2, 5 => { n } ".repeat(3000))));
        assert!(!is_too_deep(&format!("let a = 1{};", "+ 3 * x[i].sqrt() / 2".repeat(1400))));
        assert!(!is_too_deep(&format!("let a = [{}];", "1.0 + 2.0,".repeat(3000))));
    }

    #[test]
    fn chains_and_nests_are_deep_from_some_length_on() {
        for (most, piece) in [(1450, " + x[i]"), (1450, ".sqrt()"), (1450, " as f32")] {
            let sum = |n| format!("x[0] = x[1]{};", piece.repeat(n));
            assert!(!is_too_deep(&sum(most)) && is_too_deep(&sum(2100)), "{piece}");
        }
        let chain = |n| format!("if a {{ b() }}{}", " else if a == b { b() }".repeat(n));
        assert!(!is_too_deep(&chain(700)) && is_too_deep(&chain(800)));
        for (open, close) in [("{ ", " }"), ("(1.0 + ", ")"), ("if a { ", "}"), ("f(", ")")] {
            let nest = |n| format!("x[0] = {}x[1]{};", open.repeat(n), close.repeat(n));
            assert!(!is_too_deep(&nest(100)) && is_too_deep(&nest(200)), "{open}");
        }
    }
}
