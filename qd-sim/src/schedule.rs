//! In which order lanes and blocks run, where a lane is interrupted, and what is watched.
//!
//! A GPU promises nothing about order, so a kernel that is right is right under each of these. Everything here is
//! deterministic: one value, one execution.

/// An order of lanes or of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// By number.
    Forward,
    /// The last one first.
    Backward,
    /// Drawn anew for each stretch between two barriers.
    Random(u64),
}

/// Where a lane that could go on gives way to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Preemption {
    /// Only where it has to wait.
    Never,
    /// Before each atomic operation, so that lanes meet in the middle of loops that retry.
    Atomics,
    /// Before each atomic operation, and before about one of so many other accesses to memory that lanes share.
    Accesses(u32),
}

/// How a launch is executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Schedule {
    /// Of the lanes of a block.
    pub lanes: Order,
    /// Of the blocks of a launch.
    pub blocks: Order,
    /// Where lanes give way.
    pub preemption: Preemption,
    /// Whether unordered accesses of two lanes to one byte are an error where one of them writes and not both are
    /// atomic. Order comes from barriers only: what atomics order among lanes is not known.
    pub races: bool,
    /// A launch has at most so many blocks, so that with few of them lanes run several iterations.
    pub most_blocks: u32,
    /// After so many rounds of loops without a lane's waiting, it counts as hanging.
    pub rounds: u64,
}

impl Schedule {
    /// Lanes and blocks by number, uninterrupted, with races watched.
    pub const fn forward() -> Self {
        Schedule {
            lanes: Order::Forward,
            blocks: Order::Forward,
            preemption: Preemption::Never,
            races: true,
            most_blocks: 64,
            rounds: 1 << 32,
        }
    }

    /// The last lane of the last block first, giving way at atomics; a few blocks.
    pub const fn backward() -> Self {
        Schedule {
            lanes: Order::Backward,
            blocks: Order::Backward,
            preemption: Preemption::Atomics,
            most_blocks: 7,
            ..Schedule::forward()
        }
    }

    /// Everything by chance, which `seed` decides; a few blocks.
    pub const fn random(seed: u64) -> Self {
        Schedule {
            lanes: Order::Random(seed),
            blocks: Order::Random(!seed),
            preemption: Preemption::Accesses(8),
            most_blocks: 3,
            ..Schedule::forward()
        }
    }
}

/// Chance, from a seed (splitmix64, Steele, Lea and Flood 2014).
#[derive(Debug, Clone)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Chance(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which isn't 0.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}

/// The numbers `0..count` in an order; `chance` decides the random ones.
pub(crate) fn numbers(count: u32, order: Order, chance: &mut Chance) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..count).collect();
    arrange(&mut numbers, order, chance);
    numbers
}

/// Brings ascending `numbers` into an order.
pub(crate) fn arrange(numbers: &mut [u32], order: Order, chance: &mut Chance) {
    match order {
        Order::Forward => {}
        Order::Backward => numbers.reverse(),
        Order::Random(_) => {
            for last in (1..numbers.len()).rev() {
                // Positions fit in 64 bits.
                numbers.swap(last, chance.below(last as u64 + 1) as usize);
            }
        }
    }
}

impl Order {
    pub(crate) fn chance(self) -> Chance {
        match self {
            Order::Forward | Order::Backward => Chance::new(0),
            Order::Random(seed) => Chance::new(seed),
        }
    }
}
