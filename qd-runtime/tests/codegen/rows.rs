//! The operation table as tasks: every row on every type it takes.
use qd_ir::op::{Op, Operand};
use qd_ir::types::Scalar;

/// An operation with the types of its operands and result.
#[derive(Clone)]
pub struct Row {
    pub op: Op,
    pub operands: Vec<Scalar>,
    pub output: Scalar,
}

/// All rows for a receiver, shifts once for each of some amount types.
pub fn rows(ty: Scalar) -> Vec<Row> {
    let mut rows = Vec::new();
    for &op in Op::ALL {
        let Some(output) = op.output(ty).filter(|_| op.row().receiver.accepts(ty)) else { continue };
        let amounts: &[Scalar] = if op.row().operands == [Operand::Int] {
            &[Scalar::U32, Scalar::I8, Scalar::I64, Scalar::U128]
        } else {
            &[Scalar::U32]
        };
        for &amount in amounts {
            let operands = (0..op.arity()).map(|k| op.operand(ty, k).unwrap_or(amount)).collect();
            rows.push(Row { op, operands, output });
        }
    }
    rows
}

/// The casts from a type, each a row.
pub fn casts(from: Scalar) -> Vec<Row> {
    let exists = |to: &Scalar| *to != Scalar::Bool && !(from == Scalar::Bool && to.is_float());
    let targets = Scalar::ALL.into_iter().filter(exists);
    targets.map(|output| Row { op: Op::Cast, operands: vec![from], output }).collect()
}

/// Rows in groups of equal operands.
pub fn grouped(rows: Vec<Row>) -> Vec<Vec<Row>> {
    let mut groups: Vec<Vec<Row>> = Vec::new();
    for row in rows {
        match groups.iter_mut().find(|group| group[0].operands == row.operands) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups
}

/// A task that applies rows of equal operands, each to an array of its own.
pub fn text(rows: &[Row]) -> String {
    let operands = &rows[0].operands;
    let inputs = operands.len();
    let mut text = String::from("task parallel {\n");
    for (k, ty) in operands.iter().enumerate() {
        text += &format!("array a{k}: &NdArray<{ty}, 1>\n");
    }
    for (k, row) in rows.iter().enumerate() {
        text += &format!("array a{}: &mut NdArray<{}, 1>\n", inputs + k, row.output);
    }
    let (mut body, mut sites, mut value) = (String::new(), Vec::new(), 3);
    for (k, ty) in operands.iter().enumerate() {
        body += &format!("v{value}: {ty} = load a{k}[v2] !s{}\n", sites.len());
        sites.push(format!("index a{k}"));
        value += 1;
    }
    for (k, row) in rows.iter().enumerate() {
        let args: String = (0..inputs).map(|k| format!(" v{}", 3 + k)).collect();
        body += &format!("v{value}: {} = {}{args}", row.output, row.op);
        if row.op.faults(operands[0]) {
            body += &format!(" !s{}", sites.len());
            sites.push(format!("{} {}", row.op, operands[0]));
        }
        body += &format!("\nstore a{}[v2] = v{value} !s{}\n", inputs + k, sites.len());
        sites.push(format!("index a{}", inputs + k));
        value += 1;
    }
    for (k, site) in sites.iter().enumerate() {
        text += &format!("site s{k}: {site}\n");
    }
    text + "bounds {\nv0: usize = const 0\nv1: usize = extent a0 0\n}\ndim v2: usize in v0..v1\nbody {\n"
        + &body
        + "}\n}\n"
}
