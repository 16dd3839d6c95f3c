#[allow(non_upper_case_globals)]
const limit: i32 = 5;

// A small name binds, unless it is a constant: then the two would differ.
#[qd::kernel]
fn k(x: &mut [i32]) {
    for i in 0..x.len() {
        x[i] = match x[i] {
            limit => 1,
            _ => 0,
        };
    }
}

// A name in capitals is a constant.
#[qd::kernel]
fn l(x: &mut [i32]) {
    for i in 0..x.len() {
        x[i] = match x[i] {
            MISSING => 1,
        };
    }
}

fn main() {}
