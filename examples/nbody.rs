//! Bodies that attract each other, moved by the leapfrog scheme: three of equal mass chase each other along an eight.
//!
//! ```text
//! cargo run --release --example nbody
//! ```
//!
//! Many steps of time are one launch: they are a `#[qd::steps]` loop around three parallel ones.
use std::error::Error;
use std::path::Path;

use image::GrayImage;
use qd::prelude::*;

#[derive(Clone, Copy, Debug, qd::Data)]
struct Body {
    mass: f64,
    pos: Vector<f64, 3>,
    vel: Vector<f64, 3>,
}

/// The time that the eight of [`figure_eight`] takes.
const PERIOD: f64 = 6.325_913_98;

/// The acceleration of body `i`; the constant of gravity is 1.
#[qd::func]
fn attraction(bodies: &[Body], i: usize) -> Vector<f64, 3> {
    let mut sum = Vector::zero();
    for j in 0..bodies.len() {
        if j != i {
            let to = bodies[j].pos - bodies[i].pos;
            let square = to.norm_squared();
            sum += to * (bodies[j].mass / (square * square.sqrt()));
        }
    }
    sum
}

/// Moves `bodies` on by `steps` steps of `dt`. `pull` is room to work in, as long as `bodies`.
#[qd::kernel]
fn leapfrog(bodies: &mut [Body], pull: &mut [Vector<f64, 3>], dt: f64, steps: usize) {
    for i in 0..pull.len() {
        pull[i] = attraction(&bodies, i);
    }
    #[qd::steps]
    for _ in 0..steps {
        for i in 0..bodies.len() {
            bodies[i].vel += pull[i] * (0.5 * dt);
            bodies[i].pos += bodies[i].vel * dt;
        }
        for i in 0..pull.len() {
            pull[i] = attraction(&bodies, i);
        }
        for i in 0..bodies.len() {
            bodies[i].vel += pull[i] * (0.5 * dt);
        }
    }
}

/// Energy and momentum, which don't change as time goes by.
#[qd::kernel]
fn conserved(bodies: &[Body]) -> (f64, Vector<f64, 3>) {
    let mut energy = 0.0;
    let mut momentum = Vector::zero();
    for i in 0..bodies.len() {
        let Body { mass, pos, vel } = bodies[i];
        let mut potential = 0.0;
        for j in 0..i {
            potential -= mass * bodies[j].mass / (pos - bodies[j].pos).norm();
        }
        energy += 0.5 * mass * vel.norm_squared() + potential;
        momentum += vel * mass;
    }
    (energy, momentum)
}

/// Three bodies on one curve, as Chenciner and Montgomery published it (Annals of Mathematics 152, 2000).
fn figure_eight() -> Vec<Body> {
    let (x, y) = (0.970_004_36, -0.243_087_53);
    let (vx, vy) = (-0.932_407_37, -0.864_731_46);
    let body = |x, y, vx, vy| Body { mass: 1.0, pos: vec3(x, y, 0.0), vel: vec3(vx, vy, 0.0) };
    vec![body(x, y, -vx / 2.0, -vy / 2.0), body(-x, -y, -vx / 2.0, -vy / 2.0), body(0.0, 0.0, vx, vy)]
}

/// Draws where the bodies are, 200 pixels to the unit.
fn draw(picture: &mut GrayImage, bodies: &[Body]) {
    let (width, height) = picture.dimensions();
    for Body { pos, .. } in bodies {
        let (x, y) = (f64::from(width) / 2.0 + 200.0 * pos.x, f64::from(height) / 2.0 - 200.0 * pos.y);
        picture.put_pixel(x as u32, y as u32, [0].into());
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut bodies = figure_eight();
    let mut pull = vec![Vector::zero(); bodies.len()];
    let mut picture = GrayImage::from_pixel(500, 200, [255].into());
    for third in 0..=3 {
        let (energy, momentum) = conserved(&bodies);
        println!("after {third}/3 of the period, energy {energy:.9}, momentum {:.1e}", momentum.norm());
        for Body { pos, .. } in &bodies {
            println!("  {:9.6} {:9.6}", pos.x, pos.y);
        }
        for _ in 0..500 {
            draw(&mut picture, &bodies);
            leapfrog(&mut bodies, &mut pull, PERIOD / 3000.0, 2);
        }
    }
    println!("\n{}", leapfrog.observations());

    let folder = Path::new("target").join("demo");
    std::fs::create_dir_all(&folder)?;
    let out = folder.join("nbody.png");
    picture.save(&out)?;
    println!("picture: {}", out.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(bodies: &mut [Body], dt: f64, steps: usize) {
        leapfrog(bodies, &mut vec![Vector::zero(); bodies.len()], dt, steps);
    }

    #[test]
    fn the_eight_closes() {
        let start = figure_eight();
        let mut bodies = start.clone();
        run(&mut bodies, PERIOD / 3000.0, 1000);
        // After a third of the period each has the place of another.
        for (now, before) in bodies.iter().zip([start[2], start[0], start[1]]) {
            assert!((now.pos - before.pos).norm() < 1e-4, "{now:?} instead of {before:?}");
        }
        run(&mut bodies, PERIOD / 3000.0, 2000);
        for (now, before) in bodies.iter().zip(&start) {
            assert!((now.pos - before.pos).norm() < 1e-4, "{now:?}, at first {before:?}");
        }
    }

    #[test]
    fn a_circular_orbit_has_keplers_period() {
        // Masses 3 and 1 at distance 2: 2π √(2³ / (3 + 1)).
        let speed = (4.0f64 / 2.0).sqrt();
        let body = |mass, x, v| Body { mass, pos: vec3(x, 0.0, 0.0), vel: vec3(0.0, v, 0.0) };
        let start = [body(3.0, -0.5, -0.25 * speed), body(1.0, 1.5, 0.75 * speed)];
        let mut bodies = start;
        let period = std::f64::consts::TAU * 2f64.sqrt();
        run(&mut bodies, period / 10_000.0, 10_000);
        for (now, before) in bodies.iter().zip(&start) {
            assert!((now.pos - before.pos).norm() < 1e-5, "{now:?}, at first {before:?}");
        }
    }

    #[test]
    fn energy_drifts_with_the_square_of_the_step_and_momentum_not_at_all() {
        let drift = |steps: usize| {
            let mut bodies = figure_eight();
            let (energy, _) = conserved(&bodies);
            run(&mut bodies, 2.0 / steps as f64, steps);
            let (after, momentum) = conserved(&bodies);
            assert!(momentum.norm() < 1e-12, "{momentum:?}");
            (after - energy).abs()
        };
        let (coarse, fine) = (drift(500), drift(1000));
        assert!(coarse < 1e-4, "{coarse}");
        assert!((3.5..4.5).contains(&(coarse / fine)), "{coarse} and {fine}");
    }
}
