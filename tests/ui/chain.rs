#[qd::kernel]
fn k(x: &mut [f32], y: &[f32]) {
    for i in 0..x.len() {
        x[i] = y
            .iter()
            .map(|v| {
                if *v > 1.0 {
                    return 1.0;
                }
                *v
            })
            .sum();
        x[i] = y.iter().copied().min_by(|a, b| if a < b { Less } else { Greater }).unwrap();
        x[i] = y.iter().filter_map(|v| Some(*v)).sum();
        let found = y.iter().position(|v| *v > 1.0);
        let doubled = y.iter().map(|v| v * 2.0);
        x[i] = y.iter().filter(|v| **v > 0.0).enumerate().rev().map(|(_, v)| *v).sum();
        x[i] = y.iter().zip(y.iter().filter(|v| **v > 0.0)).map(|(_, v)| *v).sum();
        let all: Vec<f32> = y.iter().copied().collect();
        x[i] = *y.iter().last().unwrap_or_default();
        x[i] = y.iter().copied().reduce(|a, b| a - b).is_some() as u8 as f32;
        x[i] = *y.iter().last().expect(NOTHING);
    }
}

use std::cmp::Ordering::{Greater, Less};

const NOTHING: &str = "nothing";

fn main() {}
