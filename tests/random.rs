//! `qd::Rng` against what is published about its function, and against what random numbers are: hypotheses that true
//! random numbers pass. The seeds are fixed, so each figure is the same every time. A figure that is normally distributed
//! may be 5 deviations off, which happens once in two million; one between 0 and 1 may not be closer to 0 than 1e-6.
use qd::prelude::*;
use qd::{Float, Random, Rng};

/// The vectors of the authors' library (Random123, `tests/kat_vectors`): counter, key, words.
const KNOWN: [([u32; 4], [u32; 2], [u32; 4]); 3] = [
    ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
    ([u32::MAX; 4], [u32::MAX; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
    (
        [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
        [0xa409_3822, 0x299f_31d0],
        [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
    ),
];

#[qd::kernel]
fn blocks(words: &mut [[u32; 4]], places: &[(u64, u64, u64)]) {
    for i in 0..words.len() {
        let (seed, stream, block) = places[i];
        let mut rng = Rng::new(seed, stream);
        rng.seek(block);
        for k in 0..4 {
            words[i][k] = rng.next();
        }
    }
}

#[test]
fn known_answers() {
    let pair = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
    let place = |([a, b, c, d], [k, l], _): ([u32; 4], [u32; 2], [u32; 4])| (pair(k, l), pair(c, d), pair(a, b));
    let places = KNOWN.map(place);
    let mut words = [[0; 4]; 3];
    blocks(&mut words, &places);
    assert_eq!(words, KNOWN.map(|(_, _, words)| words));
    words = [[0; 4]; 3];
    blocks.native(&mut words, &places);
    assert_eq!(words, KNOWN.map(|(_, _, words)| words));
}

#[test]
fn values_are_made_of_the_words_of_one_block() {
    let mut rng = Rng::new(9, 4);
    let words: [u32; 20] = std::array::from_fn(|_| rng.next());
    let joined =
        |from: usize, to: usize| words[from..to].iter().rev().fold(0, |all, &word| all << 32 | u128::from(word));
    let mut rng = Rng::new(9, 4);
    assert_eq!(rng.next::<i8>(), words[0] as i8);
    assert_eq!(u128::from(rng.next::<u64>()), joined(1, 3));
    assert_eq!(rng.next::<isize>(), joined(4, 6) as isize, "one word was too few");
    assert_eq!(rng.next::<u16>(), words[6] as u16);
    assert_eq!(rng.next::<u128>(), joined(8, 12));
    assert_eq!(rng.next::<bool>(), words[12] >> 31 == 1);
    assert_eq!(rng.next::<f32>(), (words[13] >> 8) as f32 / 16_777_216.0);
    assert_eq!(rng.next::<f64>(), (joined(14, 16) >> 11) as f64 / 9_007_199_254_740_992.0);
    rng.seek(4);
    assert_eq!(rng.next::<u32>(), words[16]);
    rng.seek(u64::MAX);
    let last: [u32; 4] = std::array::from_fn(|_| rng.next());
    assert_ne!(last, words[..4]);
    assert_eq!([(); 4].map(|()| rng.next::<u32>()), words[..4], "a sequence is a circle");
}

/// The numbers of one sequence, in order.
#[qd::kernel]
fn along<T: Random>(out: &mut [T], seed: u64, stream: u64) {
    let mut rng = Rng::new(seed, stream);
    #[qd::serial]
    for i in 0..out.len() {
        out[i] = rng.next();
    }
}

/// The first number of each sequence.
#[qd::kernel]
fn across<T: Random>(out: &mut [T], seed: u64) {
    for i in 0..out.len() {
        out[i] = Rng::new(seed, i as u64).next();
    }
}

/// The deviations that `count` of `trials` is off, each of probability `p`.
fn binomial(count: usize, trials: usize, p: f64) -> f64 {
    let trials = trials as f64;
    (count as f64 - trials * p) / (trials * p * (1.0 - p)).sqrt()
}

/// Chi-square of counts that should be equal, as a normal deviation (Wilson and Hilferty 1931).
fn chi_square(counts: &[u32]) -> f64 {
    let expected = counts.iter().map(|&n| f64::from(n)).sum::<f64>() / counts.len() as f64;
    let square: f64 = counts.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
    let freedom = (counts.len() - 1) as f64;
    let spread = 2.0 / (9.0 * freedom);
    ((square / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

/// Correlation of values of which mean and variance are known, as a normal deviation.
fn correlation(pairs: impl Iterator<Item = (f64, f64)>, mean: f64, variance: f64) -> f64 {
    let (count, sum) = pairs.fold((0.0, 0.0), |(n, sum), (a, b)| (n + 1.0, sum + (a - mean) * (b - mean)));
    sum / variance / f64::sqrt(count)
}

/// The probability that so many values are as far from their distribution (Kolmogorov and Smirnov), and as near.
fn kolmogorov_smirnov(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let gap = |(i, v): (usize, &f64)| (v - i as f64 / n).max((i + 1) as f64 / n - v);
    let distance = values.iter().enumerate().map(gap).fold(0.0, f64::max);
    let lambda = (n.sqrt() + 0.12 + 0.11 / n.sqrt()) * distance;
    let term = |k: i32| 2.0 * (-1f64).powi(k - 1) * (-2.0 * f64::from(k * k) * lambda * lambda).exp();
    let far: f64 = (1..=100).map(term).sum();
    (far, 1.0 - far)
}

/// The normal distribution's probability of a value below `x`, by its series.
fn below(x: f64) -> f64 {
    let (mut term, mut sum, mut k) = (x, 0.0, 1.0);
    while f64::abs(term) > 1e-17 {
        sum += term;
        k += 2.0;
        term *= x * x / k;
    }
    0.5 + sum * (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt()
}

/// So many neighbours among the spacings of so many birthdays are equal (Marsaglia's test), against Poisson's law.
fn birthdays(words: &[u32]) -> f64 {
    const BIRTHDAYS: usize = 4096;
    let mut equal = 0;
    for days in words.chunks_exact(BIRTHDAYS) {
        let mut days = days.to_vec();
        days.sort_unstable();
        let mut spacings: Vec<u32> = days.windows(2).map(|pair| pair[1] - pair[0]).collect();
        spacings.sort_unstable();
        equal += spacings.windows(2).filter(|pair| pair[0] == pair[1]).count();
    }
    let expected = (words.len() / BIRTHDAYS) as f64 * (BIRTHDAYS as f64).powi(3) / 4.0 / 2f64.powi(32);
    (equal as f64 - expected) / expected.sqrt()
}

/// All figures that are off.
fn faults(words: &[u32]) -> Vec<String> {
    let mut figures = Vec::new();
    for bit in 0..32 {
        let ones = words.iter().filter(|&word| word >> bit & 1 == 1).count();
        figures.push((format!("bit {bit}"), binomial(ones, words.len(), 0.5)));
    }
    for byte in 0..4 {
        let mut counts = vec![0; 256];
        words.iter().for_each(|word| counts[word.to_le_bytes()[byte] as usize] += 1);
        figures.push((format!("byte {byte}"), chi_square(&counts)));
    }
    for lag in [1, 2, 3, 4, 8, 1024] {
        let pairs = || words.iter().zip(&words[lag..]);
        let units = pairs().map(|(a, b)| (f64::from(*a) / 2f64.powi(32), f64::from(*b) / 2f64.powi(32)));
        figures.push((format!("correlation at lag {lag}"), correlation(units, 0.5, 1.0 / 12.0)));
        for (end, shift) in [("lower", 0), ("upper", 26)] {
            let mut counts = vec![0; 1 << 12];
            pairs().for_each(|(a, b)| counts[((a >> shift & 0x3f) << 6 | (b >> shift & 0x3f)) as usize] += 1);
            figures.push((format!("pairs of the {end} six bits at lag {lag}"), chi_square(&counts)));
        }
    }
    figures.push(("birthdays".to_owned(), birthdays(words)));
    let off = figures.into_iter().filter(|(_, deviation)| deviation.abs() >= 5.0);
    off.map(|(name, deviation)| format!("{name}: {deviation:.1} deviations")).collect()
}

const COUNT: usize = 1 << 18;

#[test]
fn words_of_a_sequence_are_random() {
    for (seed, stream) in [(0, 0), (1, 0), (0x1234_5678_9abc_def0, 1 << 40)] {
        let mut words = vec![0u32; COUNT];
        along(&mut words, seed, stream);
        assert_eq!(faults(&words), [""; 0], "seed {seed}, stream {stream}");
    }
}

#[test]
fn first_words_of_all_sequences_are_random() {
    for seed in [0, 1, u64::MAX] {
        let mut words = vec![0u32; COUNT];
        across(&mut words, seed);
        assert_eq!(faults(&words), [""; 0], "seed {seed}");
    }
}

#[test]
fn sequences_beside_each_other_are_independent() {
    let make = |seed, stream| {
        let mut words = vec![0u32; COUNT];
        along(&mut words, seed, stream);
        words
    };
    let first = make(7, 7);
    for (seed, stream) in [(7, 8), (8, 7), (8, 8), (7, 6), (7 + (1 << 32), 7), (7, 7 + (1 << 32))] {
        let other = make(seed, stream);
        let differences: Vec<u32> = first.iter().zip(&other).map(|(a, b)| a ^ b).collect();
        assert_eq!(faults(&differences), [""; 0], "seed {seed}, stream {stream}");
        let mixed: Vec<u32> = first.iter().zip(&other).flat_map(|(a, b)| [*a, *b]).take(COUNT).collect();
        assert_eq!(faults(&mixed), [""; 0], "seed {seed}, stream {stream}");
    }
}

/// What the figures are worth: they see what is wrong with poor generators.
#[test]
fn poor_generators_are_found_out() {
    let mut state = 1u32;
    let congruential = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state
    };
    let lcg: Vec<u32> = std::iter::repeat_with(congruential).take(COUNT).collect();
    assert!(faults(&lcg).iter().any(|fault| fault.starts_with("pairs of the lower six bits")), "{:?}", faults(&lcg));
    let weyl: Vec<u32> = (0..COUNT as u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    assert!(faults(&weyl).iter().any(|fault| fault.starts_with("birthdays")), "{:?}", faults(&weyl));
    // One in fifty words is the one before.
    let mut sticky = vec![0u32; COUNT];
    across(&mut sticky, 3);
    (1..COUNT).filter(|i| i % 50 == 0).for_each(|i| sticky[i] = sticky[i - 1]);
    assert!(faults(&sticky).iter().any(|fault| fault.starts_with("correlation at lag 1:")), "{:?}", faults(&sticky));
}

#[test]
fn floats_are_uniform_to_their_last_bit() {
    fn check<T: Float + Random>(bits: i32) {
        let mut values = vec![T::ZERO; COUNT];
        across(&mut values, 11);
        let units: Vec<f64> = values.iter().map(|v| v.cast()).collect();
        assert!(units.iter().all(|v| (0.0..1.0).contains(v)));
        let steps = units.iter().map(|v| v * 2f64.powi(bits));
        let odd = steps.map(|step| assert_eq!(step.fract(), 0.0)).zip(&units);
        let odd = odd.filter(|(_, v)| *v * 2f64.powi(bits) % 2.0 == 1.0).count();
        assert!(binomial(odd, COUNT, 0.5).abs() < 5.0, "{odd} odd ones");
        let (far, near) = kolmogorov_smirnov(units.clone());
        assert!(far > 1e-6 && near > 1e-6, "{far}");
        let mean = units.iter().sum::<f64>() / COUNT as f64;
        assert!((mean - 0.5).abs() < 5.0 * (1.0 / 12.0 / COUNT as f64).sqrt(), "{mean}");
    }
    check::<f32>(24);
    check::<f64>(53);
}

#[qd::kernel]
fn normals<T: Float>(out: &mut [[T; 4]], seed: u64) {
    for i in 0..out.len() {
        let mut rng = Rng::new(seed, i as u64);
        for k in 0..4 {
            out[i][k] = rng.normal();
        }
    }
}

#[test]
fn normal_numbers_are_normal() {
    fn check<T: Float>() {
        let mut values = vec![[T::ZERO; 4]; COUNT / 4];
        normals(&mut values, 5);
        let values: Vec<f64> = values.into_iter().flatten().map(|v| v.cast()).collect();
        let n = COUNT as f64;
        let moment = |k: i32| values.iter().map(|v| v.powi(k)).sum::<f64>() / n;
        // Means of the first powers, and the variances of those.
        for (power, mean, variance) in [(1, 0.0, 1.0), (2, 1.0, 2.0), (3, 0.0, 15.0), (4, 3.0, 96.0)] {
            let found = moment(power);
            assert!((found - mean).abs() < 5.0 * (variance / n).sqrt(), "moment {power} is {found}");
        }
        for border in [1.0, 2.0, 3.0, 4.0] {
            let beyond = values.iter().filter(|v| v.abs() > border).count();
            assert!(binomial(beyond, COUNT, 2.0 * below(-border)).abs() < 5.0, "{beyond} beyond {border}");
        }
        for lag in [1, 2, 3, 4, 5, 8] {
            let found = correlation(values.iter().zip(&values[lag..]).map(|(a, b)| (*a, *b)), 0.0, 1.0);
            assert!(found.abs() < 5.0, "{found} at lag {lag}");
        }
        let (far, near) = kolmogorov_smirnov(values.iter().map(|v| below(*v)).collect());
        assert!(far > 1e-6 && near > 1e-6, "{far}");
    }
    check::<f32>();
    check::<f64>();
}

#[qd::kernel]
fn dice(
    six: &mut [u8],
    hundred: &mut [i32],
    third: &mut [u32],
    wide: &mut [u64],
    widest: &mut [i128],
    real: &mut [f64],
) {
    for i in 0..six.len() {
        let mut rng = Rng::new(17, i as u64);
        six[i] = rng.range(1..=6);
        hundred[i] = rng.range(-50..50);
        third[i] = rng.range(0..3 << 30);
        wide[i] = rng.range(1 << 62..=1u64 << 63);
        widest[i] = rng.range(-(1i128 << 125)..1 << 126);
        real[i] = rng.range(-3.0..5.0);
    }
}

/// With a remainder instead of a rejection, the numbers of the third to fifth row would be twice as likely in one part.
#[test]
fn numbers_of_ranges_are_equally_likely() {
    const N: usize = 300_000;
    let (mut six, mut hundred, mut third) = (vec![0; N], vec![0; N], vec![0; N]);
    let (mut wide, mut widest, mut real) = (vec![0; N], vec![0; N], vec![0.0; N]);
    dice(&mut six, &mut hundred, &mut third, &mut wide, &mut widest, &mut real);
    fn even(name: &str, cells: usize, numbers: impl Iterator<Item = usize>) {
        let mut counts = vec![0; cells];
        numbers.for_each(|n| counts[n] += 1);
        assert!(chi_square(&counts).abs() < 5.0, "{name}: {counts:?}");
    }
    even("six", 6, six.iter().map(|n| *n as usize - 1));
    even("hundred", 100, hundred.iter().map(|n| (n + 50) as usize));
    even("third", 3, third.iter().map(|n| (n >> 30) as usize));
    even("third, in detail", 192, third.iter().map(|n| (n >> 24) as usize));
    even("wide", 64, wide.iter().map(|n| ((n - (1 << 62)).min((1 << 62) - 1) >> 56) as usize));
    even("widest", 96, widest.iter().map(|n| ((n + (1 << 125)) >> 120) as usize));
    let (far, near) = kolmogorov_smirnov(real.iter().map(|v| (v + 3.0) / 8.0).collect());
    assert!(far > 1e-6 && near > 1e-6, "{far}");
}
