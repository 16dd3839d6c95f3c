#[derive(Clone, Copy, qd::Data)]
struct P {
    a: f32,
    b: [i32; 4],
    c: (u32, u32),
}

#[qd::kernel]
fn two_operations(x: &[i32], mut p: P) -> P {
    for i in 0..x.len() {
        p.a += 1.0;
        p.b[0] += x[i];
        p.b[1] *= x[i];
        p.b[x[i] as usize] *= x[i];
    }
    p
}

#[qd::kernel]
fn read(x: &[i32], mut p: P) -> P {
    for i in 0..x.len() {
        p.c.0 += p.c.1;
        p.b[2] = p.b[2].max(p.b[3]);
        p.b[i % 4] += x[i];
    }
    p
}

#[qd::kernel]
fn replaced(x: &[u32], mut p: P) -> P {
    for i in 0..x.len() {
        p.c = (x[i], 0);
    }
    p
}

fn main() {}
