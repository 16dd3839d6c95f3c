//! The tree of a reduction: in which order the values of a parallel loop are combined, in plain Rust.
//!
//! It is part of the language, the same on every machine and for every number of threads, so changing it changes
//! everybody's results:
//!
//! 1. Iterations are numbered in linear order. A *leaf* is [`LEAF`] consecutive iterations, the last one may be short.
//! 2. A leaf has [`LANES`] accumulators that start at the identity; iteration `i` is combined into lane `i % LANES`,
//!    as `lane op value`. Vectors of any width up to that compute it exactly.
//! 3. The lanes are folded in halves: for a stride of 16, 8, 4, 2, 1, lane `l` becomes `lane l op lane l + stride`.
//! 4. Leaves are combined by a left-balanced binary tree: of `n` leaves, the left half has the largest power of two
//!    below `n`. See [`Tree`]. Without iterations the result is the identity.
//! 5. The variable's prior value comes last, as `prior op tree`.
//!
//! Integers wrap. `f16` and `bf16` are combined in `f32` and rounded each time. `min` and `max` of floats are
//! `f32::min` and `f32::max`: a NaN is their identity.
mod extreme;
mod layout;

use half::{bf16, f16};

use crate::op::ReduceOp;
use crate::types::Scalar;

pub use extreme::compare;
pub use layout::Layout;

/// Iterations of a leaf.
pub const LEAF: u64 = 1024;
/// Accumulators of a leaf.
pub const LANES: usize = 32;

/// A scalar that can be reduced.
pub trait Reduce: Copy {
    /// Which scalar.
    const SCALAR: Scalar;

    /// The value that changes nothing.
    ///
    /// # Panics
    /// If the type doesn't take the operation; [`takes`] tells.
    fn identity(op: ReduceOp) -> Self;

    /// `a op b`.
    ///
    /// # Panics
    /// If the type doesn't take the operation; [`takes`] tells.
    fn combine(op: ReduceOp, a: Self, b: Self) -> Self;

    /// The value's bits, zero above its width.
    fn to_bits(self) -> u128;

    /// The value of the low bits.
    fn from_bits(bits: u128) -> Self;
}

/// True if values of type `ty` can be reduced by `op`.
pub fn takes(ty: Scalar, op: ReduceOp) -> bool {
    match op {
        ReduceOp::Add | ReduceOp::Mul => ty != Scalar::Bool,
        ReduceOp::Min | ReduceOp::Max => true,
        ReduceOp::And | ReduceOp::Or | ReduceOp::Xor => !ty.is_float(),
    }
}

/// True if the order in which values of type `ty` are combined by `op` doesn't show in a single bit: that of integers
/// and `bool`. Of floats `min` and `max` may keep one zero or the other.
pub fn is_order_free(ty: Scalar, op: ReduceOp) -> bool {
    takes(ty, op) && !ty.is_float()
}

#[cold]
fn not_taken(op: ReduceOp, ty: Scalar) -> ! {
    panic!("values of `{ty}` can't be reduced by `{}`", op.op())
}

macro_rules! integers {
    ($($ty:ident $unsigned:ident $scalar:ident)*) => { $(
        impl Reduce for $ty {
            const SCALAR: Scalar = Scalar::$scalar;
            fn identity(op: ReduceOp) -> Self {
                match op {
                    ReduceOp::Add | ReduceOp::Or | ReduceOp::Xor => 0,
                    ReduceOp::Mul => 1,
                    ReduceOp::Min => $ty::MAX,
                    ReduceOp::Max => $ty::MIN,
                    ReduceOp::And => !0,
                }
            }
            #[inline]
            fn combine(op: ReduceOp, a: Self, b: Self) -> Self {
                match op {
                    ReduceOp::Add => a.wrapping_add(b),
                    ReduceOp::Mul => a.wrapping_mul(b),
                    ReduceOp::Min => a.min(b),
                    ReduceOp::Max => a.max(b),
                    ReduceOp::And => a & b,
                    ReduceOp::Or => a | b,
                    ReduceOp::Xor => a ^ b,
                }
            }
            fn to_bits(self) -> u128 {
                self as $unsigned as u128
            }
            fn from_bits(bits: u128) -> Self {
                bits as $ty
            }
        }
    )* };
}
integers! {
    i8 u8 I8 i16 u16 I16 i32 u32 I32 i64 u64 I64 isize usize Isize i128 u128 I128
    u8 u8 U8 u16 u16 U16 u32 u32 U32 u64 u64 U64 usize usize Usize u128 u128 U128
}

macro_rules! floats {
    ($($ty:ident $bits:ident $scalar:ident)*) => { $(
        impl Reduce for $ty {
            const SCALAR: Scalar = Scalar::$scalar;
            fn identity(op: ReduceOp) -> Self {
                match op {
                    // `-0.0 + x` is `x` for every `x`, `0.0 + -0.0` is not.
                    ReduceOp::Add => -0.0,
                    ReduceOp::Mul => 1.0,
                    // An infinity would turn a minimum of only NaNs, which is NaN in Rust, into itself.
                    ReduceOp::Min | ReduceOp::Max => $ty::NAN,
                    ReduceOp::And | ReduceOp::Or | ReduceOp::Xor => not_taken(op, Self::SCALAR),
                }
            }
            #[inline]
            fn combine(op: ReduceOp, a: Self, b: Self) -> Self {
                match op {
                    ReduceOp::Add => a + b,
                    ReduceOp::Mul => a * b,
                    ReduceOp::Min => a.min(b),
                    ReduceOp::Max => a.max(b),
                    ReduceOp::And | ReduceOp::Or | ReduceOp::Xor => not_taken(op, Self::SCALAR),
                }
            }
            fn to_bits(self) -> u128 {
                u128::from($ty::to_bits(self))
            }
            fn from_bits(bits: u128) -> Self {
                $ty::from_bits(bits as $bits)
            }
        }
    )* };
}
floats! { f32 u32 F32 f64 u64 F64 }

/// The arithmetic is that of crate `half`: in `f32`, rounded after each operation.
macro_rules! halves {
    ($($ty:ident $scalar:ident)*) => { $(
        impl Reduce for $ty {
            const SCALAR: Scalar = Scalar::$scalar;
            fn identity(op: ReduceOp) -> Self {
                match op {
                    // As for the other floats.
                    ReduceOp::Add => $ty::NEG_ZERO,
                    ReduceOp::Mul => $ty::ONE,
                    ReduceOp::Min | ReduceOp::Max => $ty::NAN,
                    ReduceOp::And | ReduceOp::Or | ReduceOp::Xor => not_taken(op, Self::SCALAR),
                }
            }
            #[inline]
            fn combine(op: ReduceOp, a: Self, b: Self) -> Self {
                match op {
                    ReduceOp::Add => a + b,
                    ReduceOp::Mul => a * b,
                    ReduceOp::Min => a.min(b),
                    ReduceOp::Max => a.max(b),
                    ReduceOp::And | ReduceOp::Or | ReduceOp::Xor => not_taken(op, Self::SCALAR),
                }
            }
            fn to_bits(self) -> u128 {
                u128::from($ty::to_bits(self))
            }
            fn from_bits(bits: u128) -> Self {
                $ty::from_bits(bits as u16)
            }
        }
    )* };
}
halves! { f16 F16 bf16 Bf16 }

impl Reduce for bool {
    const SCALAR: Scalar = Scalar::Bool;
    fn identity(op: ReduceOp) -> Self {
        match op {
            ReduceOp::And | ReduceOp::Min => true,
            ReduceOp::Or | ReduceOp::Xor | ReduceOp::Max => false,
            ReduceOp::Add | ReduceOp::Mul => not_taken(op, Self::SCALAR),
        }
    }
    #[inline]
    fn combine(op: ReduceOp, a: Self, b: Self) -> Self {
        match op {
            ReduceOp::And | ReduceOp::Min => a & b,
            ReduceOp::Or | ReduceOp::Max => a | b,
            ReduceOp::Xor => a ^ b,
            ReduceOp::Add | ReduceOp::Mul => not_taken(op, Self::SCALAR),
        }
    }
    fn to_bits(self) -> u128 {
        u128::from(self)
    }
    fn from_bits(bits: u128) -> Self {
        bits as u8 != 0
    }
}

/// Evaluates an expression with the alias `$T` standing for the Rust type of a [`Scalar`].
macro_rules! for_scalar {
    ($ty:expr, $T:ident => $expr:expr) => {
        for_scalar! { @match $ty, $T, $expr;
            Bool bool, I8 i8, I16 i16, I32 i32, I64 i64, Isize isize,
            U8 u8, U16 u16, U32 u32, U64 u64, Usize usize, F32 f32, F64 f64, I128 i128, U128 u128,
            F16 f16, Bf16 bf16 }
    };
    (@match $ty:expr, $T:ident, $expr:expr; $($scalar:ident $rust:ident),*) => {
        match $ty { $(Scalar::$scalar => { type $T = $rust; $expr })* }
    };
}
use for_scalar;

/// The identity of `op` for values of type `ty`, as bits.
///
/// # Panics
/// If the type doesn't take the operation, which a verified task rules out.
pub fn identity_bits(op: ReduceOp, ty: Scalar) -> u128 {
    for_scalar!(ty, T => <T as Reduce>::to_bits(T::identity(op)))
}

/// `a op b` for values of type `ty` given as bits, zero above the width.
///
/// # Panics
/// If the type doesn't take the operation, which a verified task rules out.
pub fn combine_bits(op: ReduceOp, ty: Scalar, a: u128, b: u128) -> u128 {
    for_scalar!(ty, T => {
        <T as Reduce>::to_bits(T::combine(op, <T as Reduce>::from_bits(a), <T as Reduce>::from_bits(b)))
    })
}

/// The leaves combined so far, in any order of arrival, as few finished subtrees.
///
/// Subtrees of `2^k` leaves that start at a multiple of `2^k` are nodes of the tree whatever the number of leaves, so
/// siblings are combined as soon as both are there. Leaves that arrive in order need a logarithmic number of nodes, a
/// thread that works on a run of leaves can combine its own first ([`append`](Tree::append)), and the result doesn't
/// depend on who did what.
#[derive(Debug, Clone)]
pub struct Tree<T> {
    /// By first leaf.
    nodes: Vec<Node<T>>,
}

#[derive(Debug, Clone, Copy)]
struct Node<T> {
    /// First leaf, a multiple of `1 << level`.
    leaf: u64,
    /// It spans `1 << level` leaves.
    level: u32,
    value: T,
}

impl<T> Default for Tree<T> {
    fn default() -> Self {
        Tree { nodes: Vec::new() }
    }
}

impl<T: Copy> Tree<T> {
    /// No leaves yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the value of leaf number `leaf`.
    pub fn insert(&mut self, leaf: u64, value: T, combine: impl Fn(T, T) -> T) {
        self.insert_node(leaf, 0, value, combine);
    }

    /// Adds the values of the leaves from number `first` on, and leaves other values in their place.
    pub fn insert_run(&mut self, first: u64, values: &mut [T], combine: impl Fn(T, T) -> T) {
        let (mut leaf, mut values) = (first, values);
        while !values.is_empty() {
            // The largest subtree that starts here and is all there.
            let level = leaf.trailing_zeros().min(values.len().ilog2());
            let (subtree, rest) = values.split_at_mut(1 << level);
            let mut len = subtree.len();
            while len > 1 {
                len /= 2;
                for k in 0..len {
                    subtree[k] = combine(subtree[2 * k], subtree[2 * k + 1]);
                }
            }
            self.insert_node(leaf, level, subtree[0], &combine);
            (leaf, values) = (leaf + (1 << level), rest);
        }
    }

    /// Adds the value of the `1 << level` leaves from number `leaf`, a multiple of that.
    pub fn insert_node(&mut self, leaf: u64, level: u32, value: T, combine: impl Fn(T, T) -> T) {
        debug_assert!(leaf.is_multiple_of(1 << level), "{leaf} starts no subtree of level {level}");
        let mut node = Node { leaf, level, value };
        let mut at = self.nodes.partition_point(|other| other.leaf < leaf);
        loop {
            let sibling = node.leaf ^ (1 << node.level);
            let is_sibling =
                |other: Option<&Node<T>>| other.is_some_and(|o| o.leaf == sibling && o.level == node.level);
            if sibling < node.leaf && is_sibling(self.nodes[..at].last()) {
                at -= 1;
                let left = self.nodes.remove(at);
                node = Node { leaf: sibling, level: node.level + 1, value: combine(left.value, node.value) };
            } else if sibling > node.leaf && is_sibling(self.nodes.get(at)) {
                let right = self.nodes.remove(at);
                node = Node { leaf: node.leaf, level: node.level + 1, value: combine(node.value, right.value) };
            } else {
                self.nodes.insert(at, node);
                return;
            }
        }
    }

    /// Adds all leaves of another tree.
    pub fn append(&mut self, other: Tree<T>, combine: impl Fn(T, T) -> T) {
        for node in other.nodes {
            self.insert_node(node.leaf, node.level, node.value, &combine);
        }
    }

    /// The value of the whole tree, whose leaves from 0 on are all there; `None` if there is none.
    pub fn finish(self, combine: impl Fn(T, T) -> T) -> Option<T> {
        debug_assert!(
            self.nodes
                .iter()
                .scan(0, |end, n| Some(n.leaf == std::mem::replace(end, n.leaf + (1 << n.level))))
                .all(|b| b),
            "a leaf is missing"
        );
        // What is left are the powers of two in the number of leaves, the largest first: the right spine.
        self.nodes.into_iter().map(|node| node.value).rev().reduce(|right, left| combine(left, right))
    }
}

/// The value of one leaf: at most [`LEAF`] values in the order of their iterations.
fn leaf<T: Reduce>(op: ReduceOp, values: impl Iterator<Item = T>) -> T {
    let mut lanes = [T::identity(op); LANES];
    for (i, value) in values.enumerate() {
        let lane = &mut lanes[i % LANES];
        *lane = T::combine(op, *lane, value);
    }
    let mut stride = LANES / 2;
    while stride > 0 {
        for l in 0..stride {
            lanes[l] = T::combine(op, lanes[l], lanes[l + stride]);
        }
        stride /= 2;
    }
    lanes[0]
}

/// What a parallel loop makes of a variable that is `init` before it and takes each of `values` by `op`, to the bit.
///
/// ```
/// # use qd_ir::{op::ReduceOp, reduce::reduce_reference};
/// assert_eq!(reduce_reference(ReduceOp::Add, 10, 1..=4), 20);
/// ```
///
/// # Panics
/// If the type doesn't take the operation: `+` and `*` of `bool`, `&`, `|` and `^` of floats.
pub fn reduce_reference<T: Reduce>(op: ReduceOp, init: T, values: impl IntoIterator<Item = T>) -> T {
    let combine = |a, b| T::combine(op, a, b);
    let mut values = values.into_iter().fuse().peekable();
    let mut tree = Tree::new();
    for number in 0.. {
        if values.peek().is_none() {
            break;
        }
        tree.insert(number, leaf(op, values.by_ref().take(LEAF as usize)), combine);
    }
    combine(init, tree.finish(combine).unwrap_or(T::identity(op)))
}
