//! The feature `glam`: conversions keep the mathematical object, both ways.
use qd::prelude::*;

#[test]
fn vectors_keep_their_components() {
    macro_rules! vectors {
        ($($theirs:ident($($component:expr),+);)*) => { $(
            let theirs = glam::$theirs::new($($component),+);
            let ours: Vector<_, _> = theirs.into();
            assert_eq!(ours, Vector::from([$($component),+]));
            assert_eq!(glam::$theirs::from(ours), theirs);
        )* };
    }
    vectors! {
        Vec2(1.0, -2.5);
        Vec3(1.0, -2.5, 3.0);
        Vec3A(1.0, -2.5, 3.0);
        Vec4(1.0, -2.5, 3.0, 0.5);
        DVec2(1.0, -2.5);
        DVec3(1.0, -2.5, 3.0);
        DVec4(1.0, -2.5, 3.0, 0.5);
        IVec3(1, -2, 3);
        UVec4(1, 2, 3, 4);
        U8Vec2(1, 2);
        I16Vec3(1, -2, 3);
        U64Vec4(1, 2, 3, u64::MAX);
        ISizeVec2(-1, 2);
        BVec3(true, false, false);
    }
}

#[test]
fn matrices_keep_their_products() {
    macro_rules! matrices {
        ($($theirs:ident $vector:ident $n:literal;)*) => { $(
            // Whole numbers, so that products are exact; no two elements are equal.
            let ours = Matrix::<_, $n, $n>::from(std::array::from_fn(|r| std::array::from_fn(|c| (5 * r + c) as _)));
            let factor = Vector::<_, $n>::from(std::array::from_fn(|k| (2 * k + 1) as _));
            let theirs = glam::$theirs::from(ours);
            assert_eq!(Vector::from(theirs * glam::$vector::from(factor)), ours * factor);
            assert_eq!(theirs.col(0)[1], ours[[1, 0]]);
            assert_eq!(Matrix::from(theirs), ours);
            assert_eq!(Matrix::from(theirs * theirs), ours * ours);
            assert_eq!(Matrix::from(theirs.transpose()), ours.transpose());
        )* };
    }
    matrices! {
        Mat2 Vec2 2;
        Mat3 Vec3 3;
        Mat3A Vec3A 3;
        Mat4 Vec4 4;
        DMat2 DVec2 2;
        DMat3 DVec3 3;
        DMat4 DVec4 4;
    }
}

/// As a program would: its own types outside, ours in the kernel.
#[test]
fn a_kernel_turns_points_as_glam_does() {
    #[qd::kernel]
    fn turn(points: &mut [Vector<f32, 3>], by: Matrix<f32, 3, 3>) {
        for i in 0..points.len() {
            points[i] = by * points[i];
        }
    }
    let quarter = glam::Mat3::from_cols(glam::Vec3::Y, glam::Vec3::NEG_X, glam::Vec3::Z);
    let points = [glam::vec3(1.0, 2.0, 3.0), glam::vec3(-4.0, 0.5, 0.0)];
    let mut turned = points.map(Vector::from);
    turn(&mut turned, quarter.into());
    assert_eq!(turned.map(glam::Vec3::from), points.map(|point| quarter * point));
}
