//! Jelly that falls: the material point method, in the 88 lines of which Hu et al. showed it (SIGGRAPH 2018).
//!
//! ```text
//! cargo run --release --example mpm88
//! ```
//!
//! Particles hand mass and momentum to the nodes of a grid, where forces act, and take their velocities back from there.
//! Several particles add to one node, so they do it atomically.
use std::error::Error;
use std::path::Path;

use qd::prelude::*;
use qd::{Rng, atomic};

type Real2 = Vector<f32, 2>;

#[derive(Clone, Copy, Debug, qd::Data)]
struct Particle {
    pos: Real2,
    vel: Real2,
    /// How the velocity changes with the place, as APIC carries it.
    affine: Matrix<f32, 2, 2>,
    /// The volume now, relative to that at first.
    volume: f32,
}

/// A node of the grid. First it gathers momentum, which then becomes the velocity.
#[derive(Clone, Copy, Debug, qd::Data)]
struct Node {
    vel: Real2,
    mass: f32,
}

/// Nodes a side; the square has side 1.
const NODES: usize = 128;
const SPACING: f32 = 1.0 / NODES as f32;
/// Four particles to a cell, of density 1.
const VOLUME: f32 = SPACING * SPACING / 4.0;
const STIFFNESS: f32 = 400.0;
/// Nodes this near to the border are wall.
const WALL: usize = 3;

/// The first of the three by three nodes round a place, how far the place is from it in cells, and the weights of the
/// three in both directions: quadratic B-splines.
#[qd::func]
fn weights(pos: Real2) -> ([usize; 2], Real2, [Real2; 3]) {
    let scaled = pos / SPACING;
    let first = [(scaled.x - 0.5) as usize, (scaled.y - 0.5) as usize];
    let from = scaled - vec2(first[0] as f32, first[1] as f32);
    let (a, b, c) = (Vector::splat(1.5) - from, from - Vector::splat(1.0), from - Vector::splat(0.5));
    (first, from, [a * a * 0.5, Vector::splat(0.75) - b * b, c * c * 0.5])
}

/// Lets `steps` steps of `dt` pass.
#[qd::kernel]
fn run(particles: &mut [Particle], grid: &mut NdArray<Node, 2>, gravity: f32, dt: f32, steps: usize) {
    #[qd::steps]
    for _ in 0..steps {
        for (i, j) in grid.indices() {
            grid[[i, j]] = Node { vel: Vector::zero(), mass: 0.0 };
        }
        for p in 0..particles.len() {
            let Particle { pos, vel, affine, volume } = particles[p];
            let (first, from, weight) = weights(pos);
            let push = -4.0 * dt * STIFFNESS * VOLUME * (volume - 1.0) / (SPACING * SPACING);
            let affine = Matrix::identity() * push + affine * VOLUME;
            #[qd::unroll]
            for i in 0..3 {
                #[qd::unroll]
                for j in 0..3 {
                    let share = weight[i].x * weight[j].y;
                    let offset = (vec2(i as f32, j as f32) - from) * SPACING;
                    let momentum = (vel * VOLUME + affine * offset) * share;
                    atomic::add(&mut grid[[first[0] + i, first[1] + j]].vel.x, momentum.x);
                    atomic::add(&mut grid[[first[0] + i, first[1] + j]].vel.y, momentum.y);
                    atomic::add(&mut grid[[first[0] + i, first[1] + j]].mass, VOLUME * share);
                }
            }
        }
        for (i, j) in grid.indices() {
            let Node { vel, mass } = grid[[i, j]];
            if mass > 0.0 {
                let mut vel = vel / mass;
                vel.y -= gravity * dt;
                if i < WALL && vel.x < 0.0 || i > NODES - WALL && vel.x > 0.0 {
                    vel.x = 0.0;
                }
                if j < WALL && vel.y < 0.0 || j > NODES - WALL && vel.y > 0.0 {
                    vel.y = 0.0;
                }
                grid[[i, j]].vel = vel;
            }
        }
        for p in 0..particles.len() {
            let Particle { pos, volume, .. } = particles[p];
            let (first, from, weight) = weights(pos);
            let (mut vel, mut affine) = (Vector::zero(), Matrix::zero());
            #[qd::unroll]
            for i in 0..3 {
                #[qd::unroll]
                for j in 0..3 {
                    let share = grid[[first[0] + i, first[1] + j]].vel * (weight[i].x * weight[j].y);
                    vel += share;
                    affine += share.outer((vec2(i as f32, j as f32) - from) * (4.0 / SPACING));
                }
            }
            let volume = volume * (1.0 + dt * (affine[[0, 0]] + affine[[1, 1]]));
            particles[p] = Particle { pos: pos + vel * dt, vel, affine, volume };
        }
    }
}

/// What particles carry: their mean place, momentum, and angular momentum, that of their affine parts included.
#[qd::kernel]
fn carried(particles: &[Particle]) -> (Vector<f64, 2>, Vector<f64, 2>, f64) {
    let (mut place, mut momentum, mut spin) = (Vector::zero(), Vector::zero(), 0.0);
    for p in 0..particles.len() {
        let Particle { pos, vel, affine, .. } = particles[p];
        place += vec2(pos.x as f64, pos.y as f64);
        momentum += vec2(vel.x as f64, vel.y as f64) * VOLUME as f64;
        let turn = (affine[[1, 0]] - affine[[0, 1]]) as f64 * (SPACING * SPACING / 4.0) as f64;
        spin += (pos.x as f64 * vel.y as f64 - pos.y as f64 * vel.x as f64 + turn) * VOLUME as f64;
    }
    (place / particles.len() as f64, momentum, spin)
}

/// The mass on the grid, and its momentum.
#[qd::kernel]
fn gathered(grid: &NdArray<Node, 2>) -> (f64, Vector<f64, 2>) {
    let (mut mass, mut momentum) = (0.0, Vector::zero());
    for (i, j) in grid.indices() {
        let node = grid[[i, j]];
        mass += node.mass as f64;
        momentum += vec2(node.vel.x as f64, node.vel.y as f64) * node.mass as f64;
    }
    (mass, momentum)
}

/// Particles at random places of a box, all with the velocity `vel`.
#[qd::kernel]
fn fill(particles: &mut [Particle], corner: Real2, size: Real2, vel: Real2, seed: u64) {
    for p in 0..particles.len() {
        let mut rng = Rng::new(seed, p as u64);
        let pos = corner + vec2(rng.next(), rng.next()) * size;
        particles[p] = Particle { pos, vel, affine: Matrix::zero(), volume: 1.0 };
    }
}

/// Particles as dots, onto the square whose left edge is column `left`.
#[qd::kernel]
fn paint(picture: &mut NdArray<u8, 2>, particles: &[Particle], left: usize) {
    let side = picture.shape()[0];
    for p in 0..particles.len() {
        let pos = particles[p].pos * side as f32;
        atomic::max(&mut picture[[side - 1 - pos.y as usize, left + pos.x as usize]], 255);
    }
}

/// A box of jelly with so many particles.
fn jelly(corner: Real2, side: f32, vel: Real2, seed: u64) -> Vec<Particle> {
    let count = (side * side / VOLUME) as usize;
    let none = Particle { pos: Vector::zero(), vel, affine: Matrix::zero(), volume: 1.0 };
    let mut particles = vec![none; count];
    fill(&mut particles, corner, Vector::splat(side), vel, seed);
    particles
}

fn grid() -> NdArray<Node, 2> {
    NdArray::full([NODES, NODES], Node { vel: Vector::zero(), mass: 0.0 })
}

fn main() -> Result<(), Box<dyn Error>> {
    const SIDE: usize = 400;
    let mut particles = jelly(vec2(0.2, 0.4), 0.35, Vector::zero(), 1);
    particles.extend(jelly(vec2(0.5, 0.1), 0.2, vec2(-1.0, 0.0), 2));
    let mut grid = grid();
    let mut picture = NdArray::zeros([SIDE, 4 * SIDE]);
    for panel in 0..4 {
        paint(&mut picture, &particles, panel * SIDE);
        let (place, momentum, _) = carried(&particles);
        println!("step {:4}: mean height {:.4}, momentum {:+.5} {:+.5}", 600 * panel, place.y, momentum.x, momentum.y);
        run(&mut particles, &mut grid, 9.8, 2e-4, 600);
    }
    println!("\n{} particles\n\n{}", particles.len(), run.observations());
    let folder = Path::new("target").join("demo");
    std::fs::create_dir_all(&folder)?;
    let out = folder.join("mpm88.png");
    image::save_buffer(&out, picture.as_slice(), 4 * SIDE as u32, SIDE as u32, image::ExtendedColorType::L8)?;
    println!("picture: {}", out.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DT: f32 = 2e-4;

    /// Spinning and compressed, in the middle of the square.
    fn spinning() -> Vec<Particle> {
        let mut particles = jelly(vec2(0.4, 0.4), 0.2, Vector::zero(), 3);
        for particle in &mut particles {
            let out = particle.pos - Vector::splat(0.5);
            particle.vel = vec2(0.5 - 3.0 * out.y, 0.25 + 3.0 * out.x);
            particle.volume = 0.95;
        }
        particles
    }

    #[test]
    fn mass_and_momenta_are_conserved() {
        let (mut particles, mut grid) = (spinning(), grid());
        let (place, momentum, spin) = carried(&particles);
        let mass = particles.len() as f64 * f64::from(VOLUME);
        for _ in 0..10 {
            run(&mut particles, &mut grid, 0.0, DT, 20);
            let (mass_now, momentum_on_grid) = gathered(&grid);
            let (_, momentum_now, spin_now) = carried(&particles);
            assert!((mass_now / mass - 1.0).abs() < 1e-5, "{mass_now} of {mass}");
            // Relative to the momentum that the particles have apart from each other.
            assert!((momentum_now - momentum).norm() < 1e-5 * mass, "{momentum_now:?}, at first {momentum:?}");
            assert!((momentum_on_grid - momentum).norm() < 1e-5 * mass, "{momentum_on_grid:?}, at first {momentum:?}");
            assert!((spin_now - spin).abs() < 1e-5 * mass, "{spin_now}, at first {spin}");
        }
        let (place_now, ..) = carried(&particles);
        assert!((place_now - place - momentum / mass * (200.0 * f64::from(DT))).norm() < 1e-5);
        assert!(particles.iter().any(|particle| particle.volume > 0.97), "it has moved");
    }

    #[test]
    fn it_falls_as_all_bodies_do() {
        let (mut particles, mut grid) = (jelly(vec2(0.4, 0.6), 0.2, Vector::zero(), 4), grid());
        let (before, ..) = carried(&particles);
        let steps = 500;
        run(&mut particles, &mut grid, 9.8, DT, steps);
        let (after, momentum, _) = carried(&particles);
        let fallen = 9.8 * f64::from(DT).powi(2) * (steps * (steps + 1)) as f64 / 2.0;
        assert!((before.y - after.y - fallen).abs() < 1e-4, "{} instead of {fallen}", before.y - after.y);
        assert!((after.x - before.x).abs() < 1e-4 && momentum.x.abs() < 1e-6);
    }

    #[test]
    fn it_stays_in_the_square() {
        let (mut particles, mut grid) = (jelly(vec2(0.05, 0.2), 0.3, vec2(-1.0, -1.0), 5), grid());
        for _ in 0..10 {
            run(&mut particles, &mut grid, 9.8, DT, 200);
            for Particle { pos, .. } in &particles {
                let inside = |v: f32| (SPACING..1.0 - SPACING).contains(&v);
                assert!(inside(pos.x) && inside(pos.y), "{pos:?}");
            }
        }
    }

    /// On one thread the sums have the order of the native loop.
    #[test]
    fn on_one_thread_every_bit_is_that_of_the_native_run() {
        let runtime = qd::Runtime::new(qd::Config::default().num_threads(1)).unwrap();
        let (mut compiled, mut native) = (spinning(), spinning());
        runtime.scope(|| run(&mut compiled, &mut grid(), 9.8, DT, 30));
        run.native(&mut native, &mut grid(), 9.8, DT, 30);
        for (compiled, native) in compiled.iter().zip(&native) {
            assert_eq!((compiled.pos, compiled.affine, compiled.volume), (native.pos, native.affine, native.volume));
        }
    }
}
