//! What a task does, as far as the code of a GPU depends on it.
use qd_ir::body::{Region, Stmt};
use qd_ir::op::Op;
use qd_ir::task::{Task, TaskKind};

/// Shows every statement of a task.
pub(super) fn statements<'a>(task: &'a Task, see: &mut impl FnMut(&'a Stmt)) {
    match &task.kind {
        TaskKind::Serial => {}
        TaskKind::Parallel { bounds, .. } => region(bounds, see),
    }
    region(&task.body, see);
}

fn region<'a>(of: &'a Region, see: &mut impl FnMut(&'a Stmt)) {
    for stmt in &of.0 {
        see(stmt);
        stmt.regions().for_each(|inside| region(inside, see));
    }
}

/// Whether a task has an operation for which `holds`.
pub(super) fn any_op(task: &Task, holds: impl Fn(Op) -> bool) -> bool {
    let mut any = false;
    statements(task, &mut |stmt| {
        if let Stmt::Op { op, .. } = stmt {
            any |= holds(*op);
        }
    });
    any
}
