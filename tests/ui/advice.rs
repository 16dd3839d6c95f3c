//! What to write instead, of common idioms.
#[qd::kernel]
fn running(counts: &[u32], sums: &mut [u32]) {
    let mut sum = 0;
    for i in 0..256 {
        sum += counts[i];
        sums[i] = sum;
    }
}

#[qd::kernel]
fn least(x: &[i32]) -> i32 {
    let mut least = 100;
    for i in 0..x.len() {
        least = least.min(x[i]).min(77);
    }
    least
}

#[qd::kernel]
fn letters(x: &mut [u8], y: &mut [u32]) {
    for i in 0..x.len() {
        x[i] = 'z' as u8;
        y[i] = 'ß' as u32;
    }
}

#[qd::kernel]
fn parts(x: &[f32], y: &mut [f32]) {
    for i in 0..y.len() {
        y[i] = x[i..].len() as f32;
    }
}

mod atomic {
    pub fn add(a: &mut i64, b: i64) -> i64 {
        *a + b
    }
}

#[qd::kernel]
fn counted(x: &mut [i64]) {
    for i in 0..3 {
        atomic::add(&mut x[i], 1);
    }
}

#[derive(Clone, Copy, qd::Data)]
struct Marks(i32);

impl Marks {
    fn iter(&self) -> Marks {
        *self
    }
    fn min(self, least: i32) -> i32 {
        least.max(self.0)
    }
}

#[qd::kernel]
fn marked(x: &mut [i32], marks: Marks) {
    for i in 0..x.len() {
        x[i] = marks.iter().min(4);
    }
}

fn main() {}
