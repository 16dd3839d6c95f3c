//! docs/stages.md shows a kernel on its way to machine code; what doesn't depend on the machine is compared here.
use qd::prelude::*;

#[qd::kernel]
fn add_scaled(a: f32, x: &[f32], y: &mut [f32]) {
    for i in 0..y.len() {
        y[i] += a * x[i];
    }
}

const PAGE: &str = include_str!("../docs/stages.md");

/// Fails with the text that the page should show, for the page to be corrected.
fn shown(what: &str, text: &str) {
    assert!(PAGE.contains(text.trim()), "docs/stages.md shows another {what} than\n{text}");
}

#[test]
fn the_page_shows_what_qd_does() {
    let source = include_str!("stages.rs");
    let kernel = source.split("\n\n").find(|part| part.starts_with("#[qd::kernel]")).unwrap();
    shown("source", kernel);
    shown("IR", &add_scaled.ir().unwrap());

    let mut y = [1.0; 4];
    add_scaled(2.0, &[0.0, 1.0, 2.0, 3.0], &mut y);
    assert_eq!(y, [1.0, 3.0, 5.0, 7.0]);
    let error = add_scaled.try_call(2.0, &[0.0; 3], &mut y).unwrap_err();
    shown("failure", &error.to_string());
}
