//! What to write instead of std's methods, by what they are called on.
#[qd::kernel]
fn numbers(x: &mut [i32], y: &[f32]) {
    for i in 0..x.len() {
        x[i] = x[i].checked_add(1).unwrap();
        x[i] = i32::overflowing_rem(x[i], 3).0;
        x[i] = f32::sqr(2.0) as i32 + i32::dott(1, 2);
        x[i] = x[i].clone().checked_pow(2).unwrap_or(3);
        x[i] = y[i].minimum(y[0]) as i32;
        x[i] = i32::isqrtt(x[i]);
        x[i] = y[i].to_le_bytes()[0] as i32;
        x[i] += (x[i].cmp(&3) as i8) as i32;
    }
    for i in 3 {}
}

fn main() {}
