// Every error of a kernel is shown in one build, and the function stays for its callers.
#[qd::kernel]
fn k(x: &mut [f32]) {
    for i in 0..x.len() {
        println!("{i}");
        x[i] = x[i].clone() + (|| 1.0)();
        return;
    }
}

fn caller() {
    k(&mut [1.0]);
}

fn main() {}
