//! The feature `nalgebra`: conversions keep the mathematical object, both ways.
use nalgebra::{Matrix2x3, Matrix4, Point3, SMatrix, SVector, Vector3};
use qd::prelude::*;

#[test]
fn vectors_and_points_keep_their_components() {
    let ours = Vector::from([1.0f32, -2.5, 3.0]);
    assert_eq!(Vector::from(Vector3::new(1.0, -2.5, 3.0)), ours);
    assert_eq!(Vector3::from(ours), Vector3::new(1.0, -2.5, 3.0));
    assert_eq!(Vector::from(Point3::new(1.0, -2.5, 3.0)), ours);
    assert_eq!(Point3::from(ours), Point3::new(1.0, -2.5, 3.0));
    let long = [1u8, 2, 3, 4, 5, 6, 7];
    assert_eq!(Vector::from(SVector::from(long)), Vector::from(long));
}

#[test]
fn matrices_keep_their_products() {
    // As nalgebra writes them: row by row.
    let theirs = Matrix2x3::new(1.0f64, 2.0, 3.0, 4.0, 5.0, 6.0);
    let ours = Matrix::from([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!(Matrix::from(theirs), ours);
    assert_eq!(Matrix2x3::from(ours), theirs);
    let factor = Vector::from([1.0, -1.0, 2.0]);
    assert_eq!(Vector::from(theirs * Vector3::from(factor)), ours * factor);
    assert_eq!(ours * factor, vec2(5.0, 11.0));
    assert_eq!(Matrix::from(theirs * theirs.transpose()), ours * ours.transpose());

    let large = SMatrix::<i32, 5, 7>::from_fn(|r, c| (10 * r + c) as i32);
    let same = Matrix::from(large);
    assert_eq!((same[[4, 6]], same[[0, 3]], same[2][1]), (46, 3, 21));
    assert_eq!(SMatrix::from(same), large);
}

/// As a program would: its own types outside, ours in the kernel.
#[test]
fn a_kernel_moves_points_as_nalgebra_does() {
    #[qd::kernel]
    fn transform(points: &mut [Vector<f64, 4>], by: Matrix<f64, 4, 4>) {
        for i in 0..points.len() {
            points[i] = by * points[i];
        }
    }
    let shift = Matrix4::new_translation(&Vector3::new(1.0, 2.0, 3.0)) * Matrix4::new_scaling(2.0);
    let points = [Point3::new(1.0, 0.5, -1.0), Point3::origin()];
    let mut moved = points.map(|point| Vector::from(point.to_homogeneous()));
    transform(&mut moved, shift.into());
    let wanted = points.map(|point| shift.transform_point(&point));
    assert_eq!(moved.map(|point| vec3(point.x, point.y, point.z)), wanted.map(Vector::from));
}
