//! Linear equations over bounded integers: is there a solution in which two iterations differ?
//!
//! Bounds are narrowed until nothing moves, each equation is tested for a common divisor, and what is then still open is
//! tried value by value, as long as that is few. Sums that must not have a value take that value from what has come down
//! to one variable. If this doesn't answer, equations are split by their digits and variables eliminated, and it is
//! tried again with what follows: so it is seen that `2 * a - b = 0` and `b - 2 * c = 1` have no solution, of which no
//! bound tells. An answer of *none* is a proof;
//! running out of patience isn't one.

use std::collections::BTreeSet;

/// Branches that are tried before giving up.
const PATIENCE: u32 = 400;

/// Rounds of narrowing before branching.
const ROUNDS: u32 = 24;

/// A variable with more values than that isn't tried value by value.
const MOST_VALUES: i128 = 16;

/// With what follows from them, equations are no more than so many.
const MOST_DERIVED: usize = 64;

/// The equations.
#[derive(Debug, Clone, Default)]
pub(super) struct System {
    /// The least and greatest value of each variable.
    pub ranges: Vec<(i128, i128)>,
    pub equations: Vec<Equation>,
    /// Equations that don't hold.
    pub unequal: Vec<Equation>,
    /// Differences of loop variables: where all are zero, the two iterations are one.
    pub differences: Vec<usize>,
}

/// `sum of coefficient * variable = value`
#[derive(Debug, Clone)]
pub(super) struct Equation {
    pub terms: Vec<(usize, i128)>,
    pub value: i128,
}

impl System {
    /// A new variable.
    pub fn variable(&mut self, range: (i128, i128)) -> usize {
        self.ranges.push(range);
        self.ranges.len() - 1
    }

    /// True if it is proved that no solution has a difference other than zero.
    pub fn has_none(&self) -> bool {
        let tried = |system: &System| system.search(system.ranges.clone(), &mut { PATIENCE });
        if tried(self) {
            return true;
        }
        let split = self.split();
        // A variable that goes takes its bounds with it, so it matters which go first.
        let orders: [Vec<usize>; 2] = [(0..self.ranges.len()).rev().collect(), (0..self.ranges.len()).collect()];
        orders.iter().any(|order| split.eliminated(order).is_some_and(|system| tried(&system)))
    }

    /// With equations split in two where one part can only be one multiple of the other's coefficients, as the rows and
    /// columns of `n * a + b = n * c + d` with `b` and `d` below `n`.
    fn split(&self) -> System {
        let mut more = self.clone();
        for equation in &self.equations {
            let factors: BTreeSet<i128> =
                equation.terms.iter().filter_map(|(_, coefficient)| coefficient.checked_abs()).collect();
            for factor in factors.into_iter().filter(|factor| *factor > 1) {
                more.equations.extend(equation.split(factor, &self.ranges).into_iter().flatten());
            }
        }
        more
    }

    /// The same system with what follows by elimination, of variables in this order; `None` if nothing does.
    fn eliminated(&self, order: &[usize]) -> Option<System> {
        let mut more = self.clone();
        let mut open = self.equations.clone();
        let mut unequal = self.unequal.clone();
        // What tells iterations apart stays.
        for &variable in order.iter().filter(|variable| !self.differences.contains(variable)) {
            let unit = |equation: &Equation| matches!(equation.coefficient(variable), 1 | -1);
            let pivots = open.iter().enumerate().filter(|(_, equation)| unit(equation));
            let Some((at, _)) = pivots.min_by_key(|(_, equation)| equation.terms.len()) else { continue };
            let pivot = open.swap_remove(at);
            for (equations, derived) in [(&mut open, &mut more.equations), (&mut unequal, &mut more.unequal)] {
                for equation in equations.iter_mut().filter(|equation| equation.coefficient(variable) != 0) {
                    // Beyond 128 bits, or where there are many, it stays as it is.
                    if derived.len() < MOST_DERIVED
                        && let Some(next) = equation.without(variable, &pivot)
                    {
                        derived.push(next.clone());
                        *equation = next;
                    }
                }
            }
        }
        (more.equations.len() + more.unequal.len() > self.equations.len() + self.unequal.len()).then_some(more)
    }

    fn search(&self, mut ranges: Vec<(i128, i128)>, patience: &mut u32) -> bool {
        if !self.narrow(&mut ranges) || self.differences.iter().all(|&d| ranges[d] == (0, 0)) {
            return true;
        }
        let equations = self.equations.iter().chain(&self.unequal);
        let open = equations.flat_map(|equation| equation.terms.iter().map(|(variable, _)| *variable));
        let width = |variable: usize| ranges[variable].1.saturating_sub(ranges[variable].0);
        let Some(next) = open.filter(|&v| width(v) > 0).min_by_key(|&v| width(v)) else { return false };
        if width(next) >= MOST_VALUES {
            return false;
        }
        (ranges[next].0..=ranges[next].1).all(|value| {
            *patience = patience.saturating_sub(1);
            if *patience == 0 {
                return false;
            }
            let mut tried = ranges.clone();
            tried[next] = (value, value);
            self.search(tried, patience)
        })
    }

    /// Narrows the ranges to what the equations allow; false if they allow nothing.
    fn narrow(&self, ranges: &mut [(i128, i128)]) -> bool {
        if ranges.iter().any(|(lo, hi)| lo > hi) {
            return false;
        }
        for _ in 0..ROUNDS {
            let mut moved = false;
            for equation in &self.equations {
                match equation.narrow(ranges) {
                    Some(more) => moved |= more,
                    None => return false,
                }
            }
            for equation in &self.unequal {
                match equation.avoid(ranges) {
                    Some(more) => moved |= more,
                    None => return false,
                }
            }
            if !moved {
                break;
            }
        }
        true
    }
}

impl Equation {
    fn coefficient(&self, variable: usize) -> i128 {
        self.terms.iter().find(|(v, _)| *v == variable).map_or(0, |(_, coefficient)| *coefficient)
    }

    /// Both parts of it, if what isn't a multiple of `factor` can have one value only; what never holds, if it has none.
    fn split(&self, factor: i128, ranges: &[(i128, i128)]) -> Option<Vec<Equation>> {
        let whole = |(_, coefficient): &(usize, i128)| coefficient % factor == 0;
        let (high, low): (Vec<_>, Vec<_>) = self.terms.iter().copied().partition(whole);
        let (mut least, mut most) = (0i128, 0i128);
        for &(variable, coefficient) in &low {
            let (lo, hi) = ranges[variable];
            let (a, b) = (lo.checked_mul(coefficient)?, hi.checked_mul(coefficient)?);
            (least, most) = (least.checked_add(a.min(b))?, most.checked_add(a.max(b))?);
        }
        let first = ceil(self.value.checked_sub(most)?, factor);
        let last = floor(self.value.checked_sub(least)?, factor);
        if first > last {
            return Some(vec![Equation { terms: Vec::new(), value: 1 }]);
        }
        if low.is_empty() || first < last {
            return None;
        }
        let rest = self.value.checked_sub(first.checked_mul(factor)?)?;
        let high = high.into_iter().map(|(variable, coefficient)| (variable, coefficient / factor)).collect();
        Some(vec![Equation { terms: high, value: first }, Equation { terms: low, value: rest }])
    }

    /// The equation without a variable that counts once in `pivot`, which holds; `None` if a number leaves 128 bits.
    fn without(&self, variable: usize, pivot: &Equation) -> Option<Equation> {
        let factor = self.coefficient(variable).checked_mul(pivot.coefficient(variable))?;
        let mut terms = self.terms.clone();
        for &(v, coefficient) in &pivot.terms {
            let less = coefficient.checked_mul(factor)?;
            match terms.iter_mut().find(|(known, _)| *known == v) {
                Some((_, coefficient)) => *coefficient = coefficient.checked_sub(less)?,
                None => terms.push((v, less.checked_neg()?)),
            }
        }
        terms.retain(|(_, coefficient)| *coefficient != 0);
        let value = self.value.checked_sub(pivot.value.checked_mul(factor)?)?;
        Some(Equation { terms, value })
    }

    /// Of an equation that doesn't hold: `None` if it surely does; otherwise whether a range became narrower.
    fn avoid(&self, ranges: &mut [(i128, i128)]) -> Option<bool> {
        let (mut rest, mut open) = (self.value, None);
        for &(variable, coefficient) in &self.terms {
            let (lo, hi) = ranges[variable];
            if lo == hi {
                // Beyond 128 bits nothing is concluded.
                let Some(left) = lo.checked_mul(coefficient).and_then(|known| rest.checked_sub(known)) else {
                    return Some(false);
                };
                rest = left;
            } else if open.replace((variable, coefficient)).is_some() {
                return Some(false);
            }
        }
        let Some((variable, coefficient)) = open else { return (rest != 0).then_some(false) };
        if rest.checked_rem(coefficient) != Some(0) {
            return Some(false);
        }
        let value = rest / coefficient;
        // Of more than one value.
        let (lo, hi) = &mut ranges[variable];
        if value == *lo {
            *lo += 1;
        } else if value == *hi {
            *hi -= 1;
        } else {
            return Some(false);
        }
        Some(true)
    }

    /// `None` if no values satisfy it; otherwise whether a range became narrower.
    fn narrow(&self, ranges: &mut [(i128, i128)]) -> Option<bool> {
        let (mut least, mut most, mut divisor, mut fixed) = (0i128, 0i128, 0u128, 0i128);
        for &(variable, coefficient) in &self.terms {
            let (lo, hi) = ranges[variable];
            // Beyond 128 bits nothing is concluded.
            let (Some(a), Some(b)) = (lo.checked_mul(coefficient), hi.checked_mul(coefficient)) else {
                return Some(false);
            };
            let sums = (least.checked_add(a.min(b)), most.checked_add(a.max(b)));
            let (Some(low), Some(high)) = sums else { return Some(false) };
            (least, most) = (low, high);
            if lo == hi {
                let Some(sum) = fixed.checked_add(a) else { return Some(false) };
                fixed = sum;
            } else {
                divisor = gcd(divisor, coefficient.unsigned_abs());
            }
        }
        if self.value < least || self.value > most {
            return None;
        }
        let Some(rest) = self.value.checked_sub(fixed) else { return Some(false) };
        if divisor > 1 && rest.unsigned_abs() % divisor != 0 {
            return None;
        }
        let mut moved = false;
        for &(variable, coefficient) in &self.terms {
            let (lo, hi) = ranges[variable];
            let (a, b) = (lo * coefficient, hi * coefficient);
            // What the others leave for this one.
            let (Some(others_least), Some(others_most)) = (least.checked_sub(a.min(b)), most.checked_sub(a.max(b)))
            else {
                return Some(moved);
            };
            let left = (self.value.checked_sub(others_most), self.value.checked_sub(others_least));
            // The least number can't be divided by -1.
            let left = (left.0.filter(|from| *from > i128::MIN), left.1);
            let (Some(from), Some(to)) = left else { return Some(moved) };
            let (low, high) = if coefficient > 0 {
                (ceil(from, coefficient), floor(to, coefficient))
            } else {
                (ceil(to, coefficient), floor(from, coefficient))
            };
            let narrower = (lo.max(low), hi.min(high));
            if narrower.0 > narrower.1 {
                return None;
            }
            if narrower != (lo, hi) {
                moved = true;
                ranges[variable] = narrower;
                let (c, d) = (narrower.0 * coefficient, narrower.1 * coefficient);
                // Both lie between what they were.
                (least, most) = (others_least + c.min(d), others_most + c.max(d));
            }
        }
        Some(moved)
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn floor(a: i128, by: i128) -> i128 {
    let quotient = a / by;
    if a % by != 0 && (a < 0) != (by < 0) { quotient - 1 } else { quotient }
}

fn ceil(a: i128, by: i128) -> i128 {
    let quotient = a / by;
    if a % by != 0 && (a < 0) == (by < 0) { quotient + 1 } else { quotient }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small systems against all their values.
    #[test]
    fn none_means_none() {
        let mut seed = 1u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % below
        };
        let (mut none, mut some) = (0, 0);
        for _ in 0..20_000 {
            let mut system = System::default();
            for _ in 0..3 {
                let lo = random(9) as i128 - 5;
                system.variable((lo, lo + random(6) as i128));
            }
            for n in 0..1 + random(4) {
                let most = if random(2) == 0 { 6 } else { 1 };
                let terms = (0..3).map(|v| (v, random(2 * most + 1) as i128 - most as i128));
                let terms = terms.filter(|(_, coefficient)| *coefficient != 0).collect();
                let equation = Equation { terms, value: random(15) as i128 - 7 };
                if n < 2 { system.equations.push(equation) } else { system.unequal.push(equation) }
            }
            system.differences = vec![0, 1];
            let range = |v: usize| system.ranges[v].0..=system.ranges[v].1;
            let mut exists = false;
            for a in range(0) {
                for b in range(1) {
                    for c in range(2) {
                        let at = [a, b, c];
                        let holds = |e: &Equation| e.terms.iter().map(|(v, by)| at[*v] * by).sum::<i128>() == e.value;
                        let apart = system.equations.iter().all(holds) && !system.unequal.iter().any(holds);
                        exists |= (a, b) != (0, 0) && apart;
                    }
                }
            }
            // Such small systems never try its patience.
            assert_eq!(system.has_none(), !exists, "{system:?}");
            if exists { some += 1 } else { none += 1 }
        }
        assert!(none > 1000 && some > 1000, "{none} {some}");
    }

    /// A system of these ranges and equations, whose first variable tells iterations apart.
    fn none(ranges: &[(i128, i128)], equations: &[(&[(usize, i128)], i128)]) -> bool {
        let equation = |(terms, value): &(&[(usize, i128)], i128)| Equation { terms: terms.to_vec(), value: *value };
        let equations = equations.iter().map(equation).collect();
        System { ranges: ranges.to_vec(), equations, unequal: Vec::new(), differences: vec![0] }.has_none()
    }

    #[test]
    fn bounds_far_away_do_not_hide_parities() {
        let far = (0, 1 << 40);
        // With d = a - c: 2a = b, b = 2c + 1.
        let ranges = [(-far.1, far.1), far, far, far];
        let apart: (&[_], _) = (&[(1, 1), (2, -1), (0, -1)], 0);
        assert!(none(&ranges, &[apart, (&[(1, 2), (3, -1)], 0), (&[(3, 1), (2, -2)], 1)]));
        assert!(!none(&ranges, &[apart, (&[(1, 2), (3, -1)], 0), (&[(3, 1), (2, -2)], 2)]));
    }

    #[test]
    fn the_lower_triangle_is_not_the_upper() {
        // Places (a, b) and (c, d) of rows of n, and b < a, d < c: n * a + b = n * d + c.
        let n = 1000;
        let (inside, above) = ((0, n - 1), (1, n - 1));
        let ranges = [(1 - n, n - 1), inside, inside, inside, inside, above, above];
        let (apart, lower): (&[_], &[_]) = (&[(1, 1), (3, -1), (0, -1)], &[(1, 1), (2, -1), (5, -1)]);
        let met: &[_] = &[(1, n), (2, 1), (4, -n), (3, -1)];
        assert!(none(&ranges, &[(apart, 0), (met, 0), (lower, 0), (&[(3, 1), (4, -1), (6, -1)], 0)]));
        assert!(!none(&ranges, &[(apart, 0), (met, 0), (lower, 0), (&[(4, 1), (3, -1), (6, -1)], 0)]));
        // The column beside them is the next row's.
        assert!(!none(&ranges, &[(apart, 0), (met, 1), (lower, 0), (&[(3, 1), (4, -1), (6, -1)], 0)]));
    }

    #[test]
    fn large_numbers_conclude_nothing() {
        let mut system = System::default();
        for _ in 0..2 {
            system.variable((-(1 << 97), 1 << 97));
        }
        system.equations.push(Equation { terms: vec![(0, 1 << 64), (1, 1)], value: 3 });
        system.differences = vec![0];
        assert!(!system.has_none());
    }
}
