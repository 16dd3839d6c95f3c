//! Parallel loops in a block with a label, and jumps through one.
#[qd::kernel]
fn buried(x: &mut [usize], n: usize) {
    'a: {
        if n > 3 {
            break 'a;
        }
        for i in 0..x.len() {
            x[i] = n;
        }
    }
}

#[qd::kernel]
fn jumps(x: &mut [usize]) {
    for i in 0..x.len() {
        x[i] = 'a: {
            if i > 3 {
                continue;
            }
            if i > 2 {
                continue 'a;
            }
            2
        };
    }
}

fn main() {}
