//! A program that uses qd and knows nothing of LLVM. Prints which LLVM it got, or why none.
fn main() -> qd::Result<()> {
    println!("{}", qd::llvm::get()?);
    Ok(())
}
