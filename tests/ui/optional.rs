//! `Option` and `Result` of functions and variables.
#[qd::func]
fn half(v: i32) -> Option<i32> {
    if v % 2 == 0 { Some(v / 2) } else { None }
}

#[qd::func]
fn checked(v: u32) -> Result<u32, u8> {
    Ok(v)
}

#[qd::kernel]
fn taken(x: &mut [i32]) {
    for i in 0..x.len() {
        if let Some(v) = half(x[i]) {
            x[i] = v;
        }
    }
}

#[qd::kernel]
fn local(x: &mut [i32], limit: Option<i32>) -> std::option::Option<i32> {
    let mut last = None;
    for i in 0..x.len() {
        let v = Some(x[i]);
        if v.is_some() {
            x[i] = limit.unwrap_or(1);
        }
    }
    last = Some(1);
    last
}

fn main() {}
