//! `qd::println!`: what a process writes is the same natively and compiled, whatever the number of threads.
use std::process::Command;

use qd::prelude::*;

#[qd::kernel]
fn talks(x: &mut [i32], fails_at: usize) -> i32 {
    let mut total = 0;
    qd::println!("start with {} elements", x.len());
    for i in 0..x.len() {
        if x[i] % 100 == 7 {
            println!("{i}: {:>6} {:.2}", x[i], x[i] as f64 / 3.0);
        }
        if x[i] % 200 == 7 {
            println!("again {i}");
        }
        assert!(i != fails_at, "enough");
        total += x[i];
    }
    #[qd::steps]
    for s in (0..3u8).rev() {
        for i in 0..2usize {
            std::println!("step {s} {i}");
        }
    }
    println!();
    println!("{{total}} {total:?} {:?} {}", (total, 1.5f32), total > 0);
    total
}

/// Runs one of the two bodies, and reports the end as a line.
fn child(mode: &str) {
    let mut x: Vec<i32> = (0..5000).collect();
    let fails_at = if mode.ends_with("fails") { 1234 } else { usize::MAX };
    let result = std::panic::catch_unwind(move || match mode.split(' ').next() {
        Some("native") => talks.native(&mut x, fails_at),
        threads => {
            let threads = threads.and_then(|n| n.parse().ok()).expect("a number of threads");
            let config = qd::Config::default().ignore_env().offline_cache(false).num_threads(threads);
            qd::Runtime::new(config).expect("a runtime").scope(|| talks(&mut x, fails_at))
        }
    });
    println!("end: {:?}", result.ok());
}

/// The lines that a process of its own writes.
fn lines(mode: &str) -> Vec<String> {
    let mut command = Command::new(std::env::current_exe().expect("a path"));
    command.args(["--exact", "lines_are_ordered_by_iteration", "--nocapture"]).env("QD_TEST_CHILD", mode);
    let output = command.output().expect("a process");
    let text = String::from_utf8(output.stdout).expect("text");
    let lines = text.lines().map(str::to_owned);
    // What the test harness writes around it.
    lines.skip_while(|line| !line.starts_with("start with")).take_while(|line| !line.starts_with("test ")).collect()
}

#[test]
fn lines_are_ordered_by_iteration() {
    if let Ok(mode) = std::env::var("QD_TEST_CHILD") {
        return child(&mode);
    }
    for end in ["", " fails"] {
        let want = lines(&format!("native{end}"));
        assert!(want.len() > 20 && want.iter().any(|line| line.starts_with("end: ")), "{want:?}");
        for threads in ["1", "2", "5"] {
            assert_eq!(lines(&format!("{threads}{end}")), want, "{threads} threads{end}");
        }
    }
}
