//! The kernels whose compile time is measured. Written by `program.rs`; `QD_BLESS=1` writes it anew.
//! Longer than 800 lines because it is written by a program.

#[qd::kernel]
pub fn one(x: &[f32], y: &mut [f32]) {
    for i in 0..y.len() {
        let a = (x[i] * 0.104) + 0.302;
        let b = y[i] - (a * 0.489);
        let c = (b * a) + 0.433;
        let d = c.cos() + a;
        let e = d.max(b);
        let g = (e.abs() + 0.251).sqrt();
        let h = if g > 0.297 { g - c } else { b * 0.673 };
        let p = (0.643 - h.abs()).exp();
        let q = (p * e) + 0.182;
        y[i] = y[i] * 0.5 + q;
    }
}

#[qd::kernel]
pub fn another(x: &[f32], y: &mut [f32]) {
    for i in 0..y.len() {
        let a = (x[i] * 0.872) + 0.734;
        let b = y[i] - (a * 0.796);
        let c = (a * a) - 0.731;
        let d = c.sin() - a;
        let e = d.max(b);
        let g = (e.abs() + 0.333).sqrt();
        let h = if g > 0.305 { g - c } else { b * 0.715 };
        let p = (0.588 - h.abs()).cos();
        let q = (p * e) - 0.632;
        y[i] = y[i] * 0.5 + q;
    }
}

#[qd::kernel]
pub fn many(x: &[f32], y: &mut [f32]) {
    for i in 0..y.len() {
        let a = (x[i] * 0.435) + 0.600;
        let b = y[i] - (a * 0.179);
        let c = (a * b) + 0.613;
        let d = c.sin() * a;
        let e = d.min(b);
        let g = (e.abs() + 0.826).sqrt();
        let h = if g > 0.383 { g - c } else { b * 0.531 };
        let p = (0.317 - h.abs()).cos();
        let q = (p * g) + 0.784;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.104) + 0.701;
        let b = y[i] - (a * 0.430);
        let c = (a * b) + 0.528;
        let d = c.sin() * a;
        let e = d.max(a);
        let g = (e.abs() + 0.863).sqrt();
        let h = if g > 0.828 { g - c } else { b * 0.865 };
        let p = (0.477 - h.abs()).sin();
        let q = (p * e) - 0.481;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.605) + 0.325;
        let b = y[i] - (a * 0.351);
        let c = (a * b) - 0.342;
        let d = c.cos() + a;
        let e = d.max(b);
        let g = (e.abs() + 0.859).sqrt();
        let h = if g > 0.300 { g - c } else { b * 0.757 };
        let p = (0.464 - h.abs()).sin();
        let q = (p * d) - 0.833;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.804) + 0.174;
        let b = y[i] - (a * 0.343);
        let c = (a * b) - 0.566;
        let d = c.cos() + a;
        let e = d.min(b);
        let g = (e.abs() + 0.606).sqrt();
        let h = if g > 0.131 { g - c } else { b * 0.104 };
        let p = (0.467 - h.abs()).exp();
        let q = (p * g) - 0.895;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.607) + 0.551;
        let b = y[i] - (a * 0.389);
        let c = (a * b) + 0.750;
        let d = c.sin() * a;
        let e = d.max(a);
        let g = (e.abs() + 0.373).sqrt();
        let h = if g > 0.345 { g - c } else { b * 0.173 };
        let p = (0.886 - h.abs()).cos();
        let q = (p * g) + 0.467;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.703) + 0.291;
        let b = y[i] - (a * 0.726);
        let c = (a * b) + 0.864;
        let d = c.cos() - a;
        let e = d.min(c);
        let g = (e.abs() + 0.519).sqrt();
        let h = if g > 0.672 { g - c } else { b * 0.566 };
        let p = (0.637 - h.abs()).cos();
        let q = (p * d) + 0.710;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.867) + 0.421;
        let b = y[i] - (a * 0.759);
        let c = (a * a) - 0.349;
        let d = c.sin() * a;
        let e = d.max(a);
        let g = (e.abs() + 0.670).sqrt();
        let h = if g > 0.446 { g - c } else { b * 0.557 };
        let p = (0.310 - h.abs()).sin();
        let q = (p * e) + 0.476;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.158) + 0.643;
        let b = y[i] - (a * 0.464);
        let c = (a * a) + 0.668;
        let d = c.cos() - a;
        let e = d.min(b);
        let g = (e.abs() + 0.643).sqrt();
        let h = if g > 0.382 { g - c } else { b * 0.664 };
        let p = (0.405 - h.abs()).exp();
        let q = (p * e) + 0.634;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.264) + 0.865;
        let b = y[i] - (a * 0.824);
        let c = (b * a) + 0.464;
        let d = c.sin() + a;
        let e = d.min(c);
        let g = (e.abs() + 0.642).sqrt();
        let h = if g > 0.287 { g - c } else { b * 0.324 };
        let p = (0.612 - h.abs()).sin();
        let q = (p * d) + 0.673;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.143) + 0.158;
        let b = y[i] - (a * 0.376);
        let c = (b * a) + 0.504;
        let d = c.cos() - a;
        let e = d.min(b);
        let g = (e.abs() + 0.557).sqrt();
        let h = if g > 0.878 { g - c } else { b * 0.145 };
        let p = (0.731 - h.abs()).sin();
        let q = (p * d) + 0.386;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.634) + 0.465;
        let b = y[i] - (a * 0.895);
        let c = (b * b) - 0.489;
        let d = c.cos() * a;
        let e = d.min(c);
        let g = (e.abs() + 0.761).sqrt();
        let h = if g > 0.333 { g - c } else { b * 0.520 };
        let p = (0.268 - h.abs()).sin();
        let q = (p * e) + 0.824;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.531) + 0.165;
        let b = y[i] - (a * 0.852);
        let c = (a * b) + 0.393;
        let d = c.sin() * a;
        let e = d.max(b);
        let g = (e.abs() + 0.160).sqrt();
        let h = if g > 0.308 { g - c } else { b * 0.410 };
        let p = (0.276 - h.abs()).cos();
        let q = (p * e) - 0.396;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.600) + 0.643;
        let b = y[i] - (a * 0.609);
        let c = (a * a) - 0.297;
        let d = c.cos() + a;
        let e = d.min(c);
        let g = (e.abs() + 0.662).sqrt();
        let h = if g > 0.655 { g - c } else { b * 0.193 };
        let p = (0.315 - h.abs()).exp();
        let q = (p * e) + 0.317;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.725) + 0.631;
        let b = y[i] - (a * 0.603);
        let c = (a * a) + 0.429;
        let d = c.sin() * a;
        let e = d.max(a);
        let g = (e.abs() + 0.893).sqrt();
        let h = if g > 0.703 { g - c } else { b * 0.829 };
        let p = (0.198 - h.abs()).exp();
        let q = (p * g) + 0.144;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.190) + 0.221;
        let b = y[i] - (a * 0.556);
        let c = (b * b) + 0.441;
        let d = c.sin() * a;
        let e = d.max(c);
        let g = (e.abs() + 0.849).sqrt();
        let h = if g > 0.235 { g - c } else { b * 0.645 };
        let p = (0.166 - h.abs()).sin();
        let q = (p * e) + 0.526;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.325) + 0.176;
        let b = y[i] - (a * 0.122);
        let c = (b * a) + 0.744;
        let d = c.sin() - a;
        let e = d.min(a);
        let g = (e.abs() + 0.640).sqrt();
        let h = if g > 0.399 { g - c } else { b * 0.154 };
        let p = (0.784 - h.abs()).cos();
        let q = (p * e) - 0.583;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.743) + 0.696;
        let b = y[i] - (a * 0.305);
        let c = (b * a) - 0.737;
        let d = c.cos() * a;
        let e = d.min(c);
        let g = (e.abs() + 0.333).sqrt();
        let h = if g > 0.772 { g - c } else { b * 0.619 };
        let p = (0.126 - h.abs()).sin();
        let q = (p * g) - 0.585;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.175) + 0.276;
        let b = y[i] - (a * 0.178);
        let c = (a * a) + 0.167;
        let d = c.sin() - a;
        let e = d.max(b);
        let g = (e.abs() + 0.344).sqrt();
        let h = if g > 0.170 { g - c } else { b * 0.564 };
        let p = (0.426 - h.abs()).exp();
        let q = (p * g) + 0.500;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.732) + 0.213;
        let b = y[i] - (a * 0.895);
        let c = (a * a) + 0.380;
        let d = c.sin() * a;
        let e = d.max(b);
        let g = (e.abs() + 0.521).sqrt();
        let h = if g > 0.600 { g - c } else { b * 0.477 };
        let p = (0.184 - h.abs()).exp();
        let q = (p * e) + 0.463;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.396) + 0.440;
        let b = y[i] - (a * 0.437);
        let c = (b * a) + 0.362;
        let d = c.cos() + a;
        let e = d.min(b);
        let g = (e.abs() + 0.119).sqrt();
        let h = if g > 0.492 { g - c } else { b * 0.538 };
        let p = (0.389 - h.abs()).cos();
        let q = (p * g) + 0.518;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.403) + 0.799;
        let b = y[i] - (a * 0.737);
        let c = (a * b) - 0.369;
        let d = c.sin() - a;
        let e = d.max(b);
        let g = (e.abs() + 0.702).sqrt();
        let h = if g > 0.336 { g - c } else { b * 0.860 };
        let p = (0.647 - h.abs()).cos();
        let q = (p * g) - 0.138;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.361) + 0.731;
        let b = y[i] - (a * 0.667);
        let c = (b * a) - 0.560;
        let d = c.cos() - a;
        let e = d.max(c);
        let g = (e.abs() + 0.454).sqrt();
        let h = if g > 0.754 { g - c } else { b * 0.663 };
        let p = (0.455 - h.abs()).sin();
        let q = (p * e) + 0.195;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.569) + 0.572;
        let b = y[i] - (a * 0.234);
        let c = (b * b) - 0.441;
        let d = c.sin() + a;
        let e = d.min(b);
        let g = (e.abs() + 0.346).sqrt();
        let h = if g > 0.547 { g - c } else { b * 0.513 };
        let p = (0.762 - h.abs()).cos();
        let q = (p * e) + 0.290;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.775) + 0.280;
        let b = y[i] - (a * 0.830);
        let c = (a * b) - 0.176;
        let d = c.sin() * a;
        let e = d.min(c);
        let g = (e.abs() + 0.668).sqrt();
        let h = if g > 0.279 { g - c } else { b * 0.364 };
        let p = (0.243 - h.abs()).sin();
        let q = (p * e) - 0.781;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.109) + 0.443;
        let b = y[i] - (a * 0.575);
        let c = (a * a) - 0.169;
        let d = c.cos() + a;
        let e = d.max(b);
        let g = (e.abs() + 0.167).sqrt();
        let h = if g > 0.807 { g - c } else { b * 0.628 };
        let p = (0.830 - h.abs()).exp();
        let q = (p * d) - 0.893;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.405) + 0.621;
        let b = y[i] - (a * 0.718);
        let c = (a * b) - 0.587;
        let d = c.sin() - a;
        let e = d.min(c);
        let g = (e.abs() + 0.680).sqrt();
        let h = if g > 0.753 { g - c } else { b * 0.301 };
        let p = (0.895 - h.abs()).sin();
        let q = (p * g) + 0.535;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.696) + 0.157;
        let b = y[i] - (a * 0.704);
        let c = (b * b) - 0.810;
        let d = c.cos() + a;
        let e = d.min(b);
        let g = (e.abs() + 0.793).sqrt();
        let h = if g > 0.424 { g - c } else { b * 0.884 };
        let p = (0.115 - h.abs()).cos();
        let q = (p * g) - 0.228;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.748) + 0.155;
        let b = y[i] - (a * 0.201);
        let c = (b * a) + 0.111;
        let d = c.sin() * a;
        let e = d.max(b);
        let g = (e.abs() + 0.380).sqrt();
        let h = if g > 0.376 { g - c } else { b * 0.287 };
        let p = (0.364 - h.abs()).exp();
        let q = (p * g) + 0.772;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.446) + 0.440;
        let b = y[i] - (a * 0.760);
        let c = (b * a) + 0.559;
        let d = c.cos() * a;
        let e = d.min(b);
        let g = (e.abs() + 0.445).sqrt();
        let h = if g > 0.619 { g - c } else { b * 0.305 };
        let p = (0.497 - h.abs()).exp();
        let q = (p * g) - 0.658;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.329) + 0.389;
        let b = y[i] - (a * 0.804);
        let c = (b * a) - 0.470;
        let d = c.cos() + a;
        let e = d.max(c);
        let g = (e.abs() + 0.179).sqrt();
        let h = if g > 0.834 { g - c } else { b * 0.335 };
        let p = (0.765 - h.abs()).cos();
        let q = (p * e) + 0.724;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.673) + 0.603;
        let b = y[i] - (a * 0.814);
        let c = (b * b) + 0.877;
        let d = c.sin() + a;
        let e = d.min(c);
        let g = (e.abs() + 0.292).sqrt();
        let h = if g > 0.490 { g - c } else { b * 0.821 };
        let p = (0.724 - h.abs()).sin();
        let q = (p * g) - 0.890;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.112) + 0.285;
        let b = y[i] - (a * 0.535);
        let c = (b * b) - 0.688;
        let d = c.cos() * a;
        let e = d.min(b);
        let g = (e.abs() + 0.476).sqrt();
        let h = if g > 0.589 { g - c } else { b * 0.661 };
        let p = (0.712 - h.abs()).sin();
        let q = (p * g) - 0.286;
        y[i] = y[i] * 0.5 + q;
    }
}

#[qd::kernel]
pub fn edited(x: &[f32], y: &mut [f32]) {
    for i in 0..y.len() {
        let a = (x[i] * 0.435) + 0.600;
        let b = y[i] - (a * 0.179);
        let c = (a * b) + 0.613;
        let d = c.sin() * a;
        let e = d.min(b);
        let g = (e.abs() + 0.826).sqrt();
        let h = if g > 0.383 { g - c } else { b * 0.531 };
        let p = (0.317 - h.abs()).cos();
        let q = (p * g) + 0.784;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.104) + 0.701;
        let b = y[i] - (a * 0.430);
        let c = (a * b) + 0.528;
        let d = c.sin() * a;
        let e = d.max(a);
        let g = (e.abs() + 0.863).sqrt();
        let h = if g > 0.828 { g - c } else { b * 0.865 };
        let p = (0.477 - h.abs()).sin();
        let q = (p * e) - 0.481;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.605) + 0.325;
        let b = y[i] - (a * 0.351);
        let c = (a * b) - 0.342;
        let d = c.cos() + a;
        let e = d.max(b);
        let g = (e.abs() + 0.859).sqrt();
        let h = if g > 0.300 { g - c } else { b * 0.757 };
        let p = (0.464 - h.abs()).sin();
        let q = (p * d) - 0.833;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.804) + 0.174;
        let b = y[i] - (a * 0.343);
        let c = (a * b) - 0.566;
        let d = c.cos() + a;
        let e = d.min(b);
        let g = (e.abs() + 0.606).sqrt();
        let h = if g > 0.131 { g - c } else { b * 0.104 };
        let p = (0.467 - h.abs()).exp();
        let q = (p * g) - 0.895;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.607) + 0.551;
        let b = y[i] - (a * 0.389);
        let c = (a * b) + 0.750;
        let d = c.sin() * a;
        let e = d.max(a);
        let g = (e.abs() + 0.373).sqrt();
        let h = if g > 0.345 { g - c } else { b * 0.173 };
        let p = (0.886 - h.abs()).cos();
        let q = (p * g) + 0.467;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.703) + 0.291;
        let b = y[i] - (a * 0.726);
        let c = (a * b) + 0.864;
        let d = c.cos() - a;
        let e = d.min(c);
        let g = (e.abs() + 0.519).sqrt();
        let h = if g > 0.672 { g - c } else { b * 0.566 };
        let p = (0.637 - h.abs()).cos();
        let q = (p * d) + 0.710;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.867) + 0.421;
        let b = y[i] - (a * 0.759);
        let c = (a * a) - 0.349;
        let d = c.sin() * a;
        let e = d.max(a);
        let g = (e.abs() + 0.670).sqrt();
        let h = if g > 0.446 { g - c } else { b * 0.557 };
        let p = (0.310 - h.abs()).sin();
        let q = (p * e) + 0.476;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.158) + 0.643;
        let b = y[i] - (a * 0.464);
        let c = (a * a) + 0.668;
        let d = c.cos() - a;
        let e = d.min(b);
        let g = (e.abs() + 0.643).sqrt();
        let h = if g > 0.382 { g - c } else { b * 0.664 };
        let p = (0.405 - h.abs()).exp();
        let q = (p * e) + 0.634;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.264) + 0.865;
        let b = y[i] - (a * 0.824);
        let c = (b * a) + 0.464;
        let d = c.sin() + a;
        let e = d.min(c);
        let g = (e.abs() + 0.642).sqrt();
        let h = if g > 0.287 { g - c } else { b * 0.324 };
        let p = (0.612 - h.abs()).sin();
        let q = (p * d) + 0.673;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.143) + 0.158;
        let b = y[i] - (a * 0.376);
        let c = (b * a) + 0.504;
        let d = c.cos() - a;
        let e = d.min(b);
        let g = (e.abs() + 0.557).sqrt();
        let h = if g > 0.878 { g - c } else { b * 0.145 };
        let p = (0.731 - h.abs()).sin();
        let q = (p * d) + 0.386;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.634) + 0.465;
        let b = y[i] - (a * 0.895);
        let c = (b * b) - 0.489;
        let d = c.cos() * a;
        let e = d.min(c);
        let g = (e.abs() + 0.761).sqrt();
        let h = if g > 0.333 { g - c } else { b * 0.520 };
        let p = (0.268 - h.abs()).sin();
        let q = (p * e) + 0.824;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.531) + 0.165;
        let b = y[i] - (a * 0.852);
        let c = (a * b) + 0.393;
        let d = c.sin() * a;
        let e = d.max(b);
        let g = (e.abs() + 0.160).sqrt();
        let h = if g > 0.308 { g - c } else { b * 0.410 };
        let p = (0.276 - h.abs()).cos();
        let q = (p * e) - 0.396;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.600) + 0.643;
        let b = y[i] - (a * 0.609);
        let c = (a * a) - 0.297;
        let d = c.cos() + a;
        let e = d.min(c);
        let g = (e.abs() + 0.662).sqrt();
        let h = if g > 0.655 { g - c } else { b * 0.193 };
        let p = (0.315 - h.abs()).exp();
        let q = (p * e) + 0.317;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.725) + 0.631;
        let b = y[i] - (a * 0.603);
        let c = (a * a) + 0.429;
        let d = c.sin() * a;
        let e = d.max(a);
        let g = (e.abs() + 0.893).sqrt();
        let h = if g > 0.703 { g - c } else { b * 0.829 };
        let p = (0.198 - h.abs()).exp();
        let q = (p * g) + 0.144;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.190) + 0.221;
        let b = y[i] - (a * 0.556);
        let c = (b * b) + 0.441;
        let d = c.sin() * a;
        let e = d.max(c);
        let g = (e.abs() + 0.849).sqrt();
        let h = if g > 0.235 { g - c } else { b * 0.645 };
        let p = (0.166 - h.abs()).sin();
        let q = (p * e) + 0.526;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.325) + 0.176;
        let b = y[i] - (a * 0.122);
        let c = (b * a) + 0.744;
        let d = c.sin() - a;
        let e = d.min(a);
        let g = (e.abs() + 0.640).sqrt();
        let h = if g > 0.399 { g - c } else { b * 0.154 };
        let p = (0.784 - h.abs()).cos();
        let q = (p * e) - 0.583;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.743) + 0.696;
        let b = y[i] - (a * 0.305);
        let c = (b * a) - 0.737;
        let d = c.cos() * a;
        let e = d.min(c);
        let g = (e.abs() + 0.333).sqrt();
        let h = if g > 0.772 { g - c } else { b * 0.619 };
        let p = (0.126 - h.abs()).sin();
        let q = (p * g) - 0.585;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.951) + 0.276;
        let b = y[i] - (a * 0.178);
        let c = (a * a) + 0.167;
        let d = c.sin() - a;
        let e = d.max(b);
        let g = (e.abs() + 0.344).sqrt();
        let h = if g > 0.170 { g - c } else { b * 0.564 };
        let p = (0.426 - h.abs()).exp();
        let q = (p * g) + 0.500;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.732) + 0.213;
        let b = y[i] - (a * 0.895);
        let c = (a * a) + 0.380;
        let d = c.sin() * a;
        let e = d.max(b);
        let g = (e.abs() + 0.521).sqrt();
        let h = if g > 0.600 { g - c } else { b * 0.477 };
        let p = (0.184 - h.abs()).exp();
        let q = (p * e) + 0.463;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.396) + 0.440;
        let b = y[i] - (a * 0.437);
        let c = (b * a) + 0.362;
        let d = c.cos() + a;
        let e = d.min(b);
        let g = (e.abs() + 0.119).sqrt();
        let h = if g > 0.492 { g - c } else { b * 0.538 };
        let p = (0.389 - h.abs()).cos();
        let q = (p * g) + 0.518;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.403) + 0.799;
        let b = y[i] - (a * 0.737);
        let c = (a * b) - 0.369;
        let d = c.sin() - a;
        let e = d.max(b);
        let g = (e.abs() + 0.702).sqrt();
        let h = if g > 0.336 { g - c } else { b * 0.860 };
        let p = (0.647 - h.abs()).cos();
        let q = (p * g) - 0.138;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.361) + 0.731;
        let b = y[i] - (a * 0.667);
        let c = (b * a) - 0.560;
        let d = c.cos() - a;
        let e = d.max(c);
        let g = (e.abs() + 0.454).sqrt();
        let h = if g > 0.754 { g - c } else { b * 0.663 };
        let p = (0.455 - h.abs()).sin();
        let q = (p * e) + 0.195;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.569) + 0.572;
        let b = y[i] - (a * 0.234);
        let c = (b * b) - 0.441;
        let d = c.sin() + a;
        let e = d.min(b);
        let g = (e.abs() + 0.346).sqrt();
        let h = if g > 0.547 { g - c } else { b * 0.513 };
        let p = (0.762 - h.abs()).cos();
        let q = (p * e) + 0.290;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.775) + 0.280;
        let b = y[i] - (a * 0.830);
        let c = (a * b) - 0.176;
        let d = c.sin() * a;
        let e = d.min(c);
        let g = (e.abs() + 0.668).sqrt();
        let h = if g > 0.279 { g - c } else { b * 0.364 };
        let p = (0.243 - h.abs()).sin();
        let q = (p * e) - 0.781;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.109) + 0.443;
        let b = y[i] - (a * 0.575);
        let c = (a * a) - 0.169;
        let d = c.cos() + a;
        let e = d.max(b);
        let g = (e.abs() + 0.167).sqrt();
        let h = if g > 0.807 { g - c } else { b * 0.628 };
        let p = (0.830 - h.abs()).exp();
        let q = (p * d) - 0.893;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.405) + 0.621;
        let b = y[i] - (a * 0.718);
        let c = (a * b) - 0.587;
        let d = c.sin() - a;
        let e = d.min(c);
        let g = (e.abs() + 0.680).sqrt();
        let h = if g > 0.753 { g - c } else { b * 0.301 };
        let p = (0.895 - h.abs()).sin();
        let q = (p * g) + 0.535;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.696) + 0.157;
        let b = y[i] - (a * 0.704);
        let c = (b * b) - 0.810;
        let d = c.cos() + a;
        let e = d.min(b);
        let g = (e.abs() + 0.793).sqrt();
        let h = if g > 0.424 { g - c } else { b * 0.884 };
        let p = (0.115 - h.abs()).cos();
        let q = (p * g) - 0.228;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.748) + 0.155;
        let b = y[i] - (a * 0.201);
        let c = (b * a) + 0.111;
        let d = c.sin() * a;
        let e = d.max(b);
        let g = (e.abs() + 0.380).sqrt();
        let h = if g > 0.376 { g - c } else { b * 0.287 };
        let p = (0.364 - h.abs()).exp();
        let q = (p * g) + 0.772;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.446) + 0.440;
        let b = y[i] - (a * 0.760);
        let c = (b * a) + 0.559;
        let d = c.cos() * a;
        let e = d.min(b);
        let g = (e.abs() + 0.445).sqrt();
        let h = if g > 0.619 { g - c } else { b * 0.305 };
        let p = (0.497 - h.abs()).exp();
        let q = (p * g) - 0.658;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.329) + 0.389;
        let b = y[i] - (a * 0.804);
        let c = (b * a) - 0.470;
        let d = c.cos() + a;
        let e = d.max(c);
        let g = (e.abs() + 0.179).sqrt();
        let h = if g > 0.834 { g - c } else { b * 0.335 };
        let p = (0.765 - h.abs()).cos();
        let q = (p * e) + 0.724;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.673) + 0.603;
        let b = y[i] - (a * 0.814);
        let c = (b * b) + 0.877;
        let d = c.sin() + a;
        let e = d.min(c);
        let g = (e.abs() + 0.292).sqrt();
        let h = if g > 0.490 { g - c } else { b * 0.821 };
        let p = (0.724 - h.abs()).sin();
        let q = (p * g) - 0.890;
        y[i] = y[i] * 0.5 + q;
    }
    for i in 0..y.len() {
        let a = (x[i] * 0.112) + 0.285;
        let b = y[i] - (a * 0.535);
        let c = (b * b) - 0.688;
        let d = c.cos() * a;
        let e = d.min(b);
        let g = (e.abs() + 0.476).sqrt();
        let h = if g > 0.589 { g - c } else { b * 0.661 };
        let p = (0.712 - h.abs()).sin();
        let q = (p * g) - 0.286;
        y[i] = y[i] * 0.5 + q;
    }
}
