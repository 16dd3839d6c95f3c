//! What the iterations that a thread has run come to, and how that of several threads becomes one result.
use qd_ir::op::ReduceOp;
use qd_ir::reduce::{Layout, Tree, combine_bits, compare, identity_bits};
use qd_ir::task::{Order, Reduction};
use qd_ir::types::Scalar;
use qd_ir::words;

/// The reductions of a task and where their words are.
pub(in crate::backend) struct Reductions {
    list: Box<[Reduction]>,
    pub(in crate::backend) layout: Layout,
}

/// What some iterations come to. The words that are accumulated in place are elsewhere.
pub(super) struct Accumulated(Vec<Part>);

enum Part {
    /// Accumulated in place.
    Free,
    Tree(Tree<u128>),
    /// The best offer so far: its leaf and its scalars.
    Extreme(Option<(u64, Box<[u64]>)>),
}

impl Reductions {
    pub(in crate::backend) fn new(list: &[Reduction]) -> Self {
        Reductions { list: list.into(), layout: Layout::of(list) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// What no iterations come to.
    pub(super) fn nothing(&self) -> Accumulated {
        let part = |reduction: &Reduction| match reduction {
            Reduction::Each { .. } if reduction.is_order_free() => Part::Free,
            Reduction::Each { .. } => Part::Tree(Tree::new()),
            Reduction::Extreme { .. } => Part::Extreme(None),
        };
        Accumulated(self.list.iter().map(part).collect())
    }

    /// Writes the words of no iterations, in the form of a result.
    pub(in crate::backend) fn clear(&self, result: &mut [u64]) {
        self.each(|number, reduction| match reduction {
            Reduction::Each { op, ty, len } => {
                let first = self.layout.in_result(number, reduction);
                let identity = identity_bits(*op, *ty);
                (0..*len as usize).for_each(|k| words::put(*ty, identity, &mut result[first + k * ty.words()..]));
            }
            Reduction::Extreme { .. } => result[self.layout.in_result(number, reduction)] = 0,
        });
    }

    fn each(&self, mut visit: impl FnMut(usize, &Reduction)) {
        self.list.iter().enumerate().for_each(|(number, reduction)| visit(number, reduction));
    }

    /// Combines words accumulated in place into others.
    pub(super) fn merge_free(&self, into: &mut [u64], from: &[u64]) {
        self.each(|number, reduction| {
            let Reduction::Each { op, ty, len } = reduction else { return };
            if !reduction.is_order_free() {
                return;
            }
            for k in 0..*len as usize {
                let at = self.layout.offsets[number] + k * ty.words();
                let total = combine_bits(*op, *ty, words::get(*ty, &into[at..]), words::get(*ty, &from[at..]));
                words::put(*ty, total, &mut into[at..]);
            }
        });
    }

    /// Takes in the records of the leaves from number `first` on.
    pub(super) fn absorb(&self, own: &mut Accumulated, first: u64, records: &[u64]) {
        let mut run = Vec::new();
        for (number, (reduction, part)) in self.list.iter().zip(&mut own.0).enumerate() {
            let leaves = records.chunks_exact(self.layout.record).map(|record| &record[self.layout.offsets[number]..]);
            match (reduction, part) {
                (Reduction::Each { op, ty, len: _ }, Part::Tree(tree)) => {
                    run.clear();
                    run.extend(leaves.map(|words| words::get(*ty, words)));
                    tree.insert_run(first, &mut run, combined(*op, *ty));
                }
                (Reduction::Extreme { order, key, with: _ }, Part::Extreme(best)) => {
                    let width: usize = reduction.scalars().map(Scalar::words).sum();
                    let offers = (first..).zip(leaves).filter(|(_, words)| words[0] != 0);
                    for (leaf, words) in offers {
                        take(*order, key, best, leaf, &words[1..=width]);
                    }
                }
                // Accumulated in place.
                (Reduction::Each { .. }, Part::Free) => {}
                (Reduction::Each { .. } | Reduction::Extreme { .. }, Part::Free | Part::Tree(_) | Part::Extreme(_)) => {
                    debug_assert!(false, "`nothing` makes a part for each reduction");
                }
            }
        }
    }

    /// Takes in what other leaves came to.
    pub(super) fn merge(&self, whole: &mut Accumulated, part: Accumulated) {
        for ((reduction, into), from) in self.list.iter().zip(&mut whole.0).zip(part.0) {
            match (reduction, into, from) {
                (Reduction::Each { op, ty, len: _ }, Part::Tree(into), Part::Tree(from)) => {
                    into.append(from, combined(*op, *ty));
                }
                (Reduction::Extreme { order, key, with: _ }, Part::Extreme(into), Part::Extreme(from)) => {
                    if let Some((leaf, words)) = from {
                        take(*order, key, into, leaf, &words);
                    }
                }
                (
                    Reduction::Each { .. } | Reduction::Extreme { .. },
                    Part::Free | Part::Tree(_) | Part::Extreme(_),
                    Part::Free | Part::Tree(_) | Part::Extreme(_),
                ) => {}
            }
        }
    }

    /// Writes what all leaves came to, in the form of a result; words accumulated in place are left as they are.
    pub(super) fn finish(&self, whole: Accumulated, result: &mut [u64]) {
        for (number, (reduction, part)) in self.list.iter().zip(whole.0).enumerate() {
            let words = &mut result[self.layout.in_result(number, reduction)..];
            match (reduction, part) {
                (Reduction::Each { op, ty, len: _ }, Part::Tree(tree)) => {
                    // A domain that has iterations has leaves.
                    if let Some(total) = tree.finish(combined(*op, *ty)) {
                        words::put(*ty, total, words);
                    }
                }
                (Reduction::Extreme { .. }, Part::Extreme(Some((_, best)))) => {
                    words[0] = 1;
                    words[1..=best.len()].copy_from_slice(&best);
                }
                (
                    Reduction::Each { .. } | Reduction::Extreme { .. },
                    Part::Free | Part::Tree(_) | Part::Extreme(None) | Part::Extreme(Some(_)),
                ) => {}
            }
        }
    }
}

fn combined(op: ReduceOp, ty: Scalar) -> impl Fn(u128, u128) -> u128 {
    move |a, b| combine_bits(op, ty, a, b)
}

/// Takes an offer of a leaf if it wins, whichever of the two leaves comes first.
fn take(order: Order, key: &[Scalar], best: &mut Option<(u64, Box<[u64]>)>, leaf: u64, words: &[u64]) {
    let wins = match best {
        None => true,
        Some((other, so_far)) if leaf >= *other => order.takes(compare(key, words, so_far)),
        Some((_, so_far)) => !order.takes(compare(key, so_far, words)),
    };
    if wins {
        *best = Some((leaf, words.into()));
    }
}
