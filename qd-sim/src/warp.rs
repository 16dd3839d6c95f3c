//! Exchanges between the lanes of a warp (NVIDIA) or wave (AMD): who takes part, and what each gets.
//!
//! NVIDIA's name the lanes in a mask; AMD's are done by the lanes that come to the instruction together. This file
//! knows values, not memory and not code.

/// What is exchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Kind {
    /// Nothing: lanes wait for each other.
    Meet,
    /// The value of the lane of a number.
    Index,
    /// The value of a lower lane.
    Up,
    /// The value of a higher lane.
    Down,
    /// The value of the lane whose number differs in the bits of a mask.
    Butterfly,
    /// Whether any lane's value isn't 0.
    Any,
    /// Whether all lanes' values aren't 0.
    All,
    /// Whether all lanes' values are 0 or all aren't.
    Uniform,
    /// Which lanes' values aren't 0.
    Ballot,
    /// The value of the first lane.
    First,
    /// The value of the lane whose number is a quarter of an address.
    Permute,
}

impl Kind {
    pub(crate) const ALL: [Kind; 11] = [
        Kind::Meet,
        Kind::Index,
        Kind::Up,
        Kind::Down,
        Kind::Butterfly,
        Kind::Any,
        Kind::All,
        Kind::Uniform,
        Kind::Ballot,
        Kind::First,
        Kind::Permute,
    ];
}

/// What a lane brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Offer {
    /// Number of the instruction.
    pub(crate) site: u32,
    pub(crate) kind: Kind,
    /// The lanes that take part, where the instruction names them.
    pub(crate) mask: Option<u32>,
    pub(crate) value: u64,
    /// Which lane it asks for.
    pub(crate) from: u32,
    /// The segments that exchange among themselves (the last operand of `shfl.sync`).
    pub(crate) clamp: u32,
}

/// What a lane gets: a value, and whether the lane it asked for exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Got {
    pub(crate) value: u64,
    pub(crate) valid: bool,
}

/// What lane `lane` of a warp gets, where `offers` holds what each lane that takes part brings. An error names a lane
/// that was asked and doesn't take part.
pub(crate) fn exchange(lane: usize, offers: &[Option<Offer>]) -> Result<Got, u32> {
    let Some(own) = offers[lane] else { return Err(lane as u32) };
    let all = || offers.iter().flatten();
    let value = |value: u64| Ok(Got { value, valid: true });
    let lane = lane as u32;
    let ask = |from: u32, valid: bool| match offers.get(from as usize).copied().flatten() {
        Some(offer) => Ok(Got { value: offer.value, valid }),
        None => Err(from),
    };
    // Of shfl: PTX ISA, "shfl.sync".
    let (clamp, segment) = (own.clamp & 31, own.clamp >> 8 & 31);
    let last = lane & segment | clamp & !segment;
    let first = lane & segment;
    let within = |from: u32, valid: bool| ask(if valid { from } else { lane }, valid);
    match own.kind {
        Kind::Meet => value(0),
        Kind::Index => {
            let from = first | own.from & 31 & !segment;
            within(from, from <= last)
        }
        Kind::Up => {
            let from = i64::from(lane) - i64::from(own.from & 31);
            within(from.max(0) as u32, from >= i64::from(last))
        }
        Kind::Down => {
            let from = lane + (own.from & 31);
            within(from, from <= last)
        }
        Kind::Butterfly => {
            let from = lane ^ own.from & 31;
            within(from, from <= last)
        }
        Kind::Any => value(u64::from(all().any(|offer| offer.value != 0))),
        Kind::All => value(u64::from(all().all(|offer| offer.value != 0))),
        Kind::Uniform => value(u64::from(all().all(|offer| (offer.value != 0) == (own.value != 0)))),
        Kind::Ballot => {
            let bit =
                |(lane, offer): (usize, &Option<Offer>)| u64::from(offer.is_some_and(|offer| offer.value != 0)) << lane;
            value(offers.iter().enumerate().map(bit).sum())
        }
        Kind::First => match all().next() {
            Some(offer) => value(offer.value),
            None => Err(lane),
        },
        Kind::Permute => ask(own.from / 4 % offers.len() as u32, true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lanes(kind: Kind, from: u32, clamp: u32) -> Vec<Option<Offer>> {
        (0..32).map(|n| Some(Offer { site: 0, kind, mask: None, value: 100 + n, from, clamp })).collect()
    }

    fn got(kind: Kind, from: u32, clamp: u32) -> Vec<(u64, bool)> {
        let offers = lanes(kind, from, clamp);
        (0..32).map(|lane| exchange(lane, &offers).unwrap()).map(|got| (got.value - 100, got.valid)).collect()
    }

    #[test]
    fn shuffles_are_those_of_cuda() {
        // As CUDA's intrinsics make the last operand: ((32 - width) << 8) | (0 for up, else 31).
        let of_width = |width: u32, clamp: u32| (32 - width) << 8 | clamp;
        for lane in 0..32u64 {
            let at = lane as usize;
            assert_eq!(got(Kind::Down, 1, 31)[at], if lane < 31 { (lane + 1, true) } else { (31, false) });
            assert_eq!(got(Kind::Up, 4, 0)[at], if lane >= 4 { (lane - 4, true) } else { (lane, false) });
            assert_eq!(got(Kind::Butterfly, 16, 31)[at], (lane ^ 16, true));
            assert_eq!(got(Kind::Index, 7, 31)[at], (7, true));
            // In eights.
            assert_eq!(got(Kind::Index, 3, of_width(8, 31))[at], (lane / 8 * 8 + 3, true));
            let down = if lane % 8 < 6 { (lane + 2, true) } else { (lane, false) };
            assert_eq!(got(Kind::Down, 2, of_width(8, 31))[at], down);
            let up = if lane % 8 >= 2 { (lane - 2, true) } else { (lane, false) };
            assert_eq!(got(Kind::Up, 2, of_width(8, 0))[at], up);
        }
    }

    #[test]
    fn votes_count_who_takes_part() {
        let mut offers = lanes(Kind::Ballot, 0, 0);
        for (lane, offer) in offers.iter_mut().enumerate() {
            offer.as_mut().unwrap().value = u64::from(lane % 3 == 0);
        }
        let all = (0..32).filter(|lane| lane % 3 == 0).map(|lane| 1u64 << lane).sum();
        assert_eq!(exchange(5, &offers), Ok(Got { value: all, valid: true }));
        offers[0] = None;
        assert_eq!(exchange(5, &offers), Ok(Got { value: all - 1, valid: true }));
    }

    #[test]
    fn a_lane_that_takes_no_part_has_no_value() {
        let mut offers = lanes(Kind::Index, 7, 31);
        offers[7] = None;
        assert_eq!(exchange(3, &offers), Err(7));
    }

    #[test]
    fn numbers_of_kinds_are_their_places() {
        for (place, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, place);
        }
    }
}
