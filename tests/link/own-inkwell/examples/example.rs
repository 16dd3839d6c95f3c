//! An example target of a user's crate.
fn main() {
    println!("{}", own_inkwell::answer());
}
