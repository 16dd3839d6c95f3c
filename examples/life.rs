//! Conway's game of life on a torus: Gosper's gun, the first pattern found that grows without end.
//!
//! ```text
//! cargo run --release --example life
//! ```
//!
//! One generation is one parallel loop, which also counts who lives.
use qd::prelude::*;

/// It sends out a glider, five cells, every 30 generations.
const GOSPER_GUN: &str = "
........................O...........
......................O.O...........
............OO......OO............OO
...........O...O....OO............OO
OO........O.....O...OO..............
OO........O...O.OO....O.O...........
..........O.....O.......O...........
...........O...O....................
............OO......................";

/// From one generation to the next; gives the number of living cells.
#[qd::kernel]
fn generation(now: &NdArray<u8, 2>, next: &mut NdArray<u8, 2>) -> u32 {
    let [rows, columns] = now.shape();
    let mut population = 0;
    for (y, x) in next.indices() {
        let (up, down) = ((y + rows - 1) % rows, (y + 1) % rows);
        let (left, right) = ((x + columns - 1) % columns, (x + 1) % columns);
        let beside = now[[y, left]] + now[[y, right]];
        let above = now[[up, left]] + now[[up, x]] + now[[up, right]];
        let below = now[[down, left]] + now[[down, x]] + now[[down, right]];
        let lives = match (now[[y, x]], above + beside + below) {
            (1, 2 | 3) | (0, 3) => 1,
            _ => 0,
        };
        next[[y, x]] = lives;
        population += lives as u32;
    }
    population
}

/// An empty world but for `pattern`, whose upper left corner is at `at`.
fn world(shape: [usize; 2], at: [usize; 2], pattern: &str) -> NdArray<u8, 2> {
    let mut cells = NdArray::zeros(shape);
    for (y, line) in pattern.trim().lines().enumerate() {
        for (x, cell) in line.chars().enumerate() {
            cells[[at[0] + y, at[1] + x]] = u8::from(cell == 'O');
        }
    }
    cells
}

/// Lets `count` generations pass; gives the number of living cells after the last.
fn run(cells: &mut NdArray<u8, 2>, count: u32) -> u32 {
    let mut next = cells.clone();
    let mut population = 0;
    for _ in 0..count {
        population = generation(cells, &mut next);
        std::mem::swap(cells, &mut next);
    }
    population
}

fn main() {
    let mut cells = world([48, 64], [1, 1], GOSPER_GUN);
    let population = run(&mut cells, 120);
    for row in cells.as_slice().chunks(64) {
        println!("{}", row.iter().map(|&cell| if cell == 1 { 'O' } else { '.' }).collect::<String>());
    }
    println!("\n{population} cells after 120 generations\n\n{}", generation.observations());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blinker_has_period_two() {
        let start = world([5, 5], [2, 1], "OOO");
        let mut cells = start.clone();
        assert_eq!(run(&mut cells, 1), 3);
        assert_eq!(cells.as_slice(), world([5, 5], [1, 2], "O\nO\nO").as_slice());
        run(&mut cells, 1);
        assert_eq!(cells.as_slice(), start.as_slice());
    }

    #[test]
    fn a_glider_moves_by_one_cell_in_four_generations() {
        const GLIDER: &str = ".O.\n..O\nOOO";
        let mut cells = world([16, 16], [0, 0], GLIDER);
        for k in 1..=13 {
            assert_eq!(run(&mut cells, 4), 5);
            assert_eq!(cells.as_slice(), world([16, 16], [k, k], GLIDER).as_slice());
        }
        // Across both edges of the torus, back to where it was.
        run(&mut cells, 12);
        assert_eq!(cells.as_slice(), world([16, 16], [0, 0], GLIDER).as_slice());
    }

    #[test]
    fn the_gun_sends_out_a_glider_every_thirty_generations() {
        let mut cells = world([64, 64], [1, 1], GOSPER_GUN);
        for gliders in 1..=4 {
            assert_eq!(run(&mut cells, 30), 36 + 5 * gliders);
            let gun = world([10, 38], [1, 1], GOSPER_GUN);
            assert!(gun.indices().all(|(y, x)| cells[[y, x]] == gun[[y, x]]), "after {gliders} gliders");
        }
    }
}
