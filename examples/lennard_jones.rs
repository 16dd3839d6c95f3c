//! A Lennard-Jones liquid by molecular dynamics, with lists of the atoms in each cell.
//!
//! ```text
//! cargo run --release --example lennard_jones
//! ```
//!
//! Atoms enter the lists by atomics, in any order; then each list is sorted, so that forces are summed in the same order
//! every time. Lengths, energies and masses are in units of the potential and the atom.
use std::error::Error;
use std::path::Path;

use qd::prelude::*;
use qd::{Rng, atomic};

type Real3 = Vector<f64, 3>;

/// Atoms farther from each other don't feel each other.
const CUTOFF: f64 = 2.5;
/// The most atoms in one cell; one more is an error of the launch.
const ROOM: usize = 64;

/// A periodic cube, cut into cells that are as wide as the cutoff or wider.
#[derive(Clone, Copy, Debug, qd::Data)]
struct Cube {
    side: f64,
    /// Cells along a side, three or more.
    cells: usize,
}

#[qd::funcs]
impl Cube {
    /// The place in the cube that a place outside of it stands for.
    fn inside(&self, pos: Real3) -> Real3 {
        let side = self.side;
        vec3(
            pos.x - side * (pos.x / side).floor(),
            pos.y - side * (pos.y / side).floor(),
            pos.z - side * (pos.z / side).floor(),
        )
    }

    /// The shortest way that a difference of places stands for.
    fn shortest(&self, way: Real3) -> Real3 {
        let side = self.side;
        vec3(
            way.x - side * (way.x / side).round(),
            way.y - side * (way.y / side).round(),
            way.z - side * (way.z / side).round(),
        )
    }

    /// In which cell along an axis a coordinate lies.
    fn along(&self, coordinate: f64) -> usize {
        ((coordinate / self.side * self.cells as f64) as usize).min(self.cells - 1)
    }

    fn cell(&self, x: usize, y: usize, z: usize) -> usize {
        (z * self.cells + y) * self.cells + x
    }

    fn cell_at(&self, pos: Real3) -> usize {
        self.cell(self.along(pos.x), self.along(pos.y), self.along(pos.z))
    }
}

/// `1 / CUTOFF^6`
const END: f64 = 1.0 / (CUTOFF * CUTOFF * CUTOFF * CUTOFF * CUTOFF * CUTOFF);
/// Potential and force at the cutoff.
const POTENTIAL_AT_END: f64 = 4.0 * (END * END - END);
const FORCE_AT_END: f64 = 24.0 * (2.0 * END * END - END) / CUTOFF;

/// The potential of two atoms, and their force divided by the distance, by the square of the distance. Both are shifted so
/// that they end with zero.
#[qd::func]
fn pair(square: f64) -> (f64, f64) {
    let distance = square.sqrt();
    let sixth = 1.0 / (square * square * square);
    let potential = 4.0 * (sixth * sixth - sixth) - POTENTIAL_AT_END + (distance - CUTOFF) * FORCE_AT_END;
    let force = 24.0 * (2.0 * sixth * sixth - sixth) / square - FORCE_AT_END / distance;
    (potential, force)
}

/// The potential that an atom is in, and the force on it.
#[qd::func]
fn field(pos: &[Real3], lists: &NdArray<u32, 2>, count: &[u32], cube: Cube, i: usize) -> (f64, Real3) {
    let (mut potential, mut force) = (0.0, Vector::zero());
    let at = pos[i];
    let n = cube.cells;
    let (x, y, z) = (cube.along(at.x), cube.along(at.y), cube.along(at.z));
    for dz in n - 1..n + 2 {
        for dy in n - 1..n + 2 {
            for dx in n - 1..n + 2 {
                let cell = cube.cell((x + dx) % n, (y + dy) % n, (z + dz) % n);
                for k in 0..count[cell] as usize {
                    let j = lists[[cell, k]] as usize;
                    let way = cube.shortest(at - pos[j]);
                    let square = way.norm_squared();
                    if j != i && square < CUTOFF * CUTOFF {
                        let (part, by) = pair(square);
                        potential += part;
                        force += way * by;
                    }
                }
            }
        }
    }
    (potential, force)
}

/// Moves atoms on by `steps` steps of `dt` (velocity Verlet). Gives the potential energy after the last.
#[qd::kernel]
fn run(
    pos: &mut [Real3],
    vel: &mut [Real3],
    force: &mut [Real3],
    lists: &mut NdArray<u32, 2>,
    count: &mut [u32],
    cube: Cube,
    dt: f64,
    steps: usize,
) -> f64 {
    let mut energy = 0.0;
    #[qd::steps]
    for step in 0..steps + 1 {
        // The step before the first only finds the forces.
        let dt = if step == 0 { 0.0 } else { dt };
        for i in 0..pos.len() {
            vel[i] += force[i] * (0.5 * dt);
            pos[i] = cube.inside(pos[i] + vel[i] * dt);
        }
        for c in 0..count.len() {
            count[c] = 0;
        }
        for i in 0..pos.len() {
            let cell = cube.cell_at(pos[i]);
            let slot = atomic::add(&mut count[cell], 1) as usize;
            atomic::exchange(&mut lists[[cell, slot]], i as u32);
        }
        for c in 0..count.len() {
            for k in 1..count[c] as usize {
                let atom = lists[[c, k]];
                let mut to = k;
                while to > 0 && lists[[c, to - 1]] > atom {
                    lists[[c, to]] = lists[[c, to - 1]];
                    to -= 1;
                }
                lists[[c, to]] = atom;
            }
        }
        energy = 0.0;
        for i in 0..pos.len() {
            let (potential, pull) = field(&pos, &lists, &count, cube, i);
            force[i] = pull;
            vel[i] += pull * (0.5 * dt);
            energy += 0.5 * potential;
        }
    }
    energy
}

/// Kinetic energy and momentum.
#[qd::kernel]
fn motion(vel: &[Real3]) -> (f64, Real3) {
    let (mut energy, mut momentum) = (0.0, Vector::zero());
    for i in 0..vel.len() {
        energy += 0.5 * vel[i].norm_squared();
        momentum += vel[i];
    }
    (energy, momentum)
}

/// Velocities of a temperature: normally distributed, and then without momentum as a whole.
#[qd::kernel]
fn heat(vel: &mut [Real3], temperature: f64, seed: u64) {
    let mut sum = Vector::zero();
    for i in 0..vel.len() {
        let mut rng = Rng::new(seed, i as u64);
        vel[i] = vec3(rng.normal(), rng.normal(), rng.normal()) * temperature.sqrt();
        sum += vel[i];
    }
    let mean = sum / vel.len() as f64;
    for i in 0..vel.len() {
        vel[i] -= mean;
    }
}

/// How many pairs have which distance, in steps of half the side divided by the number of bins.
#[qd::kernel]
fn distances(bins: &mut [u64], pos: &[Real3], cube: Cube) {
    for i in 0..pos.len() {
        for j in 0..i {
            let bin = (cube.shortest(pos[i] - pos[j]).norm() / (0.5 * cube.side) * bins.len() as f64) as usize;
            if bin < bins.len() {
                atomic::add(&mut bins[bin], 1);
            }
        }
    }
}

/// Atoms in a cube, and what is computed of them.
struct Liquid {
    cube: Cube,
    pos: Vec<Real3>,
    vel: Vec<Real3>,
    force: Vec<Real3>,
    lists: NdArray<u32, 2>,
    count: Vec<u32>,
    potential: f64,
}

impl Liquid {
    /// `4 * n^3` atoms on a face-centred lattice, of a density and temperature.
    fn new(n: usize, density: f64, temperature: f64, seed: u64) -> Liquid {
        let edge = (4.0 / density).cbrt();
        let side = edge * n as f64;
        let cube = Cube { side, cells: (side / CUTOFF) as usize };
        assert!(cube.cells >= 3, "a cell would be its own neighbour twice");
        let mut pos = Vec::new();
        for at in ndrange([n, n, n]) {
            let corner = vec3(at.0 as f64, at.1 as f64, at.2 as f64) + Vector::splat(0.25);
            let faces = [vec3(0.0, 0.0, 0.0), vec3(0.5, 0.5, 0.0), vec3(0.5, 0.0, 0.5), vec3(0.0, 0.5, 0.5)];
            pos.extend(faces.map(|face| (corner + face) * edge));
        }
        let zero = vec![Vector::zero(); pos.len()];
        let cells = cube.cells.pow(3);
        let (lists, count) = (NdArray::zeros([cells, ROOM]), vec![0; cells]);
        let mut liquid = Liquid { cube, pos, vel: zero.clone(), force: zero, lists, count, potential: 0.0 };
        heat(&mut liquid.vel, temperature, seed);
        liquid
    }

    fn run(&mut self, dt: f64, steps: usize) {
        let Liquid { cube, pos, vel, force, lists, count, potential } = self;
        *potential = run(pos, vel, force, lists, count, *cube, dt, steps);
    }

    /// Brings the temperature to `temperature`.
    fn scale(&mut self, temperature: f64) {
        let factor = (temperature / self.temperature()).sqrt();
        self.vel.iter_mut().for_each(|vel| *vel *= factor);
    }

    fn temperature(&self) -> f64 {
        motion(&self.vel).0 * 2.0 / (3 * self.vel.len()) as f64
    }

    fn energy(&self) -> f64 {
        motion(&self.vel).0 + self.potential
    }

    /// The density round an atom, relative to that of the whole, by the distance.
    fn radial(&self, bins: usize) -> Vec<f64> {
        let mut counts = vec![0; bins];
        distances(&mut counts, &self.pos, self.cube);
        let (n, width) = (self.pos.len() as f64, 0.5 * self.cube.side / bins as f64);
        let shell = |k: usize| 4.0 / 3.0 * std::f64::consts::PI * (((k + 1) as f64).powi(3) - (k as f64).powi(3));
        let expected = |k: usize| n * n / 2.0 * shell(k) * width.powi(3) / self.cube.side.powi(3);
        counts.iter().enumerate().map(|(k, &pairs)| pairs as f64 / expected(k)).collect()
    }

    /// A liquid near its triple point, with the lattice melted.
    fn argon(n: usize, seed: u64) -> Liquid {
        let mut liquid = Liquid::new(n, 0.8442, 1.5, seed);
        for _ in 0..10 {
            liquid.run(0.004, 60);
            liquid.scale(0.728);
        }
        liquid
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut liquid = Liquid::argon(8, 1);
    println!("{} atoms", liquid.pos.len());
    let mut radial = vec![0.0; 300];
    for time in 0..6 {
        let (temperature, energy) = (liquid.temperature(), liquid.energy());
        println!(
            "time {time}: temperature {temperature:.4}, energy {energy:.4}, momentum {:.1e}",
            motion(&liquid.vel).1.norm()
        );
        liquid.radial(300).iter().zip(&mut radial).for_each(|(now, mean)| *mean += now / 6.0);
        liquid.run(0.004, 250);
    }
    println!("\n{}", run.observations());

    // The radial distribution: columns as high as the density at their distance.
    let [rows, columns] = [310, 900];
    let light = NdArray::from_fn([rows, columns], |[y, x]| {
        let height = (radial[x / 3] * 100.0) as usize;
        if y == rows - 1 - 100 {
            150
        } else if rows - 1 - y < height {
            60
        } else {
            255u8
        }
    });
    let folder = Path::new("target").join("demo");
    std::fs::create_dir_all(&folder)?;
    let out = folder.join("lennard_jones.png");
    image::save_buffer(&out, light.as_slice(), columns as u32, rows as u32, image::ExtendedColorType::L8)?;
    println!("picture: {}", out.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_cells_lose_no_pair() {
        let mut liquid = Liquid::argon(5, 2);
        liquid.run(0.0, 0);
        let Liquid { cube, pos, .. } = &liquid;
        assert!(cube.cells >= 3 && liquid.count.iter().sum::<u32>() as usize == pos.len());
        let (mut potential, mut most) = (0.0, 0.0f64);
        for i in 0..pos.len() {
            let mut force = Vector::zero();
            for j in (0..pos.len()).filter(|&j| j != i) {
                let way = cube.shortest(pos[i] - pos[j]);
                if way.norm() < CUTOFF {
                    let (part, by) = pair(way.norm_squared());
                    potential += 0.5 * part;
                    force += way * by;
                }
            }
            most = most.max((force - liquid.force[i]).norm());
        }
        assert!((potential - liquid.potential).abs() < 1e-9 * potential.abs(), "{potential}, {}", liquid.potential);
        assert!(most < 1e-9, "{most}");
    }

    /// Potential and force belong together, and both end smoothly.
    #[test]
    fn the_force_is_the_slope_of_the_potential() {
        for k in 90..250 {
            let (r, h) = (f64::from(k) / 100.0, 1e-6);
            let slope = (pair((r + h).powi(2)).0 - pair((r - h).powi(2)).0) / (2.0 * h);
            let force = pair(r * r).1 * r;
            assert!((force + slope).abs() < 1e-6 * (1.0 + force.abs()), "at {r}");
        }
        let (potential, force) = pair(CUTOFF * CUTOFF);
        assert!(potential.abs() < 1e-12 && force.abs() < 1e-12);
    }

    #[test]
    fn energy_drifts_with_the_square_of_the_step_and_momentum_not_at_all() {
        let start = Liquid::argon(5, 3);
        let drift = |steps: usize| {
            let mut liquid = Liquid::new(5, 0.8442, 1.0, 3);
            (liquid.pos, liquid.vel) = (start.pos.clone(), start.vel.clone());
            liquid.run(0.0, 0);
            let (before, mut most) = (liquid.energy(), 0.0f64);
            for _ in 0..20 {
                liquid.run(0.5 / steps as f64, steps / 20);
                most = most.max((liquid.energy() - before).abs());
                let (_, momentum) = motion(&liquid.vel);
                assert!(momentum.norm() < 1e-10, "{momentum:?}");
            }
            most / start.pos.len() as f64
        };
        let (coarse, fine) = (drift(100), drift(200));
        assert!(coarse < 2e-3, "{coarse}");
        assert!((3.0..5.0).contains(&(coarse / fine)), "{coarse} and {fine}");
    }

    /// Rahman's and Verlet's liquid argon: the nearest neighbours are at 1.09, about three times as dense as the whole,
    /// and there is nobody within 0.85.
    #[test]
    fn neighbours_are_where_they_are_in_argon() {
        let mut liquid = Liquid::argon(6, 4);
        let mut mean = vec![0.0; 150];
        for _ in 0..10 {
            liquid.run(0.004, 50);
            liquid.radial(150).iter().zip(&mut mean).for_each(|(now, mean)| *mean += now / 10.0);
        }
        let distance = |k: usize| (k as f64 + 0.5) * 0.5 * liquid.cube.side / 150.0;
        let highest = (0..150).max_by(|&a, &b| mean[a].total_cmp(&mean[b])).unwrap();
        assert!((distance(highest) - 1.09).abs() < 0.04, "{}", distance(highest));
        assert!((2.7..3.3).contains(&mean[highest]), "{}", mean[highest]);
        let within = (0..150).filter(|&k| distance(k) < 0.85).map(|k| mean[k]).sum::<f64>();
        assert!(within < 0.01, "{within}");
        // In a liquid the order is lost a few neighbours away.
        let far = (0..150).filter(|&k| distance(k) > 4.0).map(|k| (mean[k] - 1.0).abs()).fold(0.0, f64::max);
        assert!(far < 0.1, "{far}");
    }

    /// Lists are sorted, so forces have the bits of the native run on any number of threads.
    #[test]
    fn every_bit_is_that_of_the_native_run() {
        let mut native = Liquid::new(5, 0.8442, 1.0, 5);
        let mut compiled = Liquid::new(5, 0.8442, 1.0, 5);
        compiled.run(0.004, 20);
        let Liquid { cube, pos, vel, force, lists, count, .. } = &mut native;
        run.native(pos, vel, force, lists, count, *cube, 0.004, 20);
        assert_eq!((compiled.pos, compiled.vel), (native.pos, native.vel));
    }
}
