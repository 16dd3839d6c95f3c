//! Measuring in turns: every contender does the same work on the same data, one after the other, round after round.
//!
//! A ratio is taken within each round, so that what slows the machine for a while slows both of its sides. What it must
//! not know: what the work is.
use std::time::{Duration, Instant};

/// One way to do the work of a case whose data is an `S`.
pub struct Contender<S> {
    /// Its name in tables.
    pub name: &'static str,
    /// How long to wait after its turn, until its threads have gone to sleep and take nothing from the next.
    pub settle: Duration,
    /// The work.
    pub run: Box<dyn Fn(&mut S)>,
}

impl<S> Contender<S> {
    /// A contender whose threads go to sleep within a few milliseconds.
    pub fn new(name: &'static str, run: impl Fn(&mut S) + 'static) -> Self {
        Contender { name, settle: Duration::from_millis(5), run: Box::new(run) }
    }

    /// The same, with threads that spin for longer.
    pub fn settling(self, settle: Duration) -> Self {
        Contender { settle, ..self }
    }
}

/// How much is measured.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Rounds; each gives one time for each contender.
    pub rounds: usize,
    /// About how long the timed part of a turn takes.
    pub turn: Duration,
    /// How much of a turn is done untimed before, beside one call: it wakes the threads and lets the system spread them
    /// over the cores.
    pub warm_up: f64,
}

/// Seconds a call, one for each round.
#[derive(Debug, Clone)]
pub struct Times {
    /// Whose.
    pub name: &'static str,
    /// In the order of the rounds.
    pub seconds: Vec<f64>,
}

/// Lets the contenders take turns. `reset` runs untimed before each turn.
pub fn in_turns<S>(state: &mut S, contenders: &[Contender<S>], effort: Effort, reset: impl Fn(&mut S)) -> Vec<Times> {
    let mut counts = Vec::new();
    for contender in contenders {
        reset(state);
        counts.push(calls_in(effort.turn, || (contender.run)(state)));
        std::thread::sleep(contender.settle);
    }
    let mut times: Vec<Times> =
        contenders.iter().map(|contender| Times { name: contender.name, seconds: Vec::new() }).collect();
    for _ in 0..effort.rounds {
        for ((contender, calls), times) in contenders.iter().zip(&counts).zip(&mut times) {
            reset(state);
            let untimed = (*calls as f64 * effort.warm_up) as usize + 1;
            (0..untimed).for_each(|_| (contender.run)(state));
            let start = Instant::now();
            (0..*calls).for_each(|_| (contender.run)(state));
            times.seconds.push(start.elapsed().as_secs_f64() / *calls as f64);
            std::thread::sleep(contender.settle);
        }
    }
    times
}

/// How many calls take about `span`.
fn calls_in(span: Duration, mut run: impl FnMut()) -> usize {
    run();
    let mut calls = 1;
    loop {
        let start = Instant::now();
        (0..calls).for_each(|_| run());
        let spent = start.elapsed();
        if spent >= span / 2 || calls >= 1 << 24 {
            let wanted = calls as f64 * span.as_secs_f64() / spent.as_secs_f64().max(1e-9);
            return (wanted.ceil() as usize).max(1);
        }
        calls *= 2;
    }
}

/// The middle value, the quartiles round it, and the ends.
#[derive(Debug, Clone, Copy)]
pub struct Spread {
    /// The smallest value.
    pub least: f64,
    /// A quarter lies below it.
    pub low: f64,
    /// The middle.
    pub median: f64,
    /// A quarter lies above it.
    pub high: f64,
    /// The largest value.
    pub greatest: f64,
}

impl Spread {
    /// Of at least one value.
    pub fn of(values: &[f64]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let place = share * (sorted.len() - 1) as f64;
            let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
            below + (above - below) * place.fract()
        };
        Spread { least: at(0.0), low: at(0.25), median: at(0.5), high: at(0.75), greatest: at(1.0) }
    }
}

/// The time of `a` over that of `b`, within rounds.
pub fn ratio(a: &Times, b: &Times) -> Spread {
    let ratios: Vec<f64> = a.seconds.iter().zip(&b.seconds).map(|(a, b)| a / b).collect();
    Spread::of(&ratios)
}

/// Seconds as text with a fitting unit.
pub fn span(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s < 1e-6 => (s * 1e9, "ns"),
        s if s < 1e-3 => (s * 1e6, "µs"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    let digits = if value < 10.0 {
        2
    } else if value < 100.0 {
        1
    } else {
        0
    };
    format!("{value:.digits$} {unit}")
}

/// Median and least time: what a cell of a table shows.
pub fn cell(times: &Times) -> String {
    let spread = Spread::of(&times.seconds);
    format!("{} ({})", span(spread.median), span(spread.least))
}

/// The median of a ratio and its quartiles: what a cell of a table shows.
pub fn ratio_cell(a: &Times, b: &Times) -> String {
    let spread = ratio(a, b);
    format!("{:.2} [{:.2}–{:.2}]", spread.median, spread.low, spread.high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles() {
        let spread = Spread::of(&[5.0, 1.0, 3.0, 2.0, 4.0]);
        assert_eq!((spread.least, spread.low, spread.median, spread.high), (1.0, 2.0, 3.0, 4.0));
        assert_eq!(spread.greatest, 5.0);
        assert_eq!(Spread::of(&[1.0, 2.0]).median, 1.5);
    }

    #[test]
    fn ratios_are_taken_within_rounds() {
        let times = |name, seconds: &[f64]| Times { name, seconds: seconds.to_vec() };
        let spread = ratio(&times("a", &[2.0, 20.0, 200.0]), &times("b", &[1.0, 10.0, 100.0]));
        assert_eq!((spread.low, spread.median, spread.high), (2.0, 2.0, 2.0));
    }

    #[test]
    fn spans_have_units() {
        assert_eq!([2.5e-7, 1.234e-5, 0.1234, 3.0].map(span), ["250 ns", "12.3 µs", "123 ms", "3.00 s"]);
    }
}
