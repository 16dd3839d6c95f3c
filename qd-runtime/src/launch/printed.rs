//! What the kernels of a launch print: collected task by task, written when the launch ends.
//!
//! It goes through `print!`, so it is captured in tests as the native kernel's lines are. A launch without a
//! `println!` in it pays nothing.
use std::cell::RefCell;
use std::fmt::Write as _;

use qd_ir::plan::{Construct, Words};

use crate::codegen::say::Line;

/// The text of a launch so far.
#[derive(Default)]
pub(super) struct Printed(RefCell<String>);

impl Printed {
    /// Adds the lines of one run of a task.
    pub(super) fn task(&self, construct: &Construct, lines: Vec<Line>) {
        let mut text = self.0.borrow_mut();
        for line in lines {
            if let Some(Some(Words { message, types })) = construct.words.get(line.site as usize) {
                // Writing to a string can't fail.
                let _ = writeln!(text, "{}", message.render(types, &line.values));
            }
        }
    }

    /// Writes it.
    pub(super) fn flush(&self) {
        let text = self.0.take();
        if !text.is_empty() {
            print!("{text}");
        }
    }
}
