//! Kernels made by a `macro_rules!`, of what it was given.
use qd::prelude::*;

use crate::support::agree;

/// Statements, items and blocks.
macro_rules! made {
    ($name:ident, $x:ident, $i:ident, $block:block, [$($statement:stmt),*] $item:item) => {
        #[qd::kernel]
        fn $name($x: &mut [i32]) {
            $item
            for $i in 0..$x.len() {
                $($statement;)*
                if $x[$i] > 3 $block
            }
        }
    };
}

made!(
    statements,
    x,
    i,
    {
        x[i] += 2;
    },
    [
        let mut a = 3 + i as i32,
        a += 4,
        let b = [a; 2],
        x[i] = a * b[1] + N,
        x[i] += 4,
        if a > 8 {
            a = 1;
        },
        for k in 0..3 {
            a += k;
        },
        x[i] += a
    ]
    const N: i32 = 4;
);

#[test]
fn statements_handed_to_a_macro() {
    agree(&[1; 20], |x| statements.native(x), |x| statements.try_call(x));
}
