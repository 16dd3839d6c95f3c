//! The demo as its users run it: in processes of its own, on a cache that is empty at first.
use std::path::{Path, PathBuf};
use std::process::Command;

/// The example's program, beside this one where a run of all tests has built it.
fn develop() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop(); // deps
    path.pop();
    path.push("examples");
    path.push(format!("develop{}", std::env::consts::EXE_SUFFIX));
    if !path.exists() {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo).args(["build", "--package", "qd", "--example", "develop"]).status().unwrap();
        assert!(built.success());
    }
    path
}

/// Runs the demo and gives its last line's numbers: total, hit, recompiled.
fn run(folder: &Path, arguments: &[&str]) -> [i64; 3] {
    let output = Command::new(develop())
        .args(arguments)
        .arg("--out")
        .arg(folder)
        .env("QD_OFFLINE_CACHE_FILE_PATH", folder.join("cache"))
        .env_remove("QD_OFFLINE_CACHE")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let last = text.lines().last().unwrap();
    let numbers: Vec<i64> = last.split(' ').map(|word| word.split_once('=').unwrap().1.parse().unwrap()).collect();
    let [total, hit, recompiled] = numbers[..] else { panic!("{last}") };
    assert_eq!(last, format!("tasks_total={total} tasks_cache_hit={hit} tasks_recompiled={recompiled}"));
    [total, hit, recompiled]
}

fn picture(folder: &Path, name: &str) -> image::DynamicImage {
    image::open(folder.join(name)).unwrap()
}

#[test]
fn the_second_run_compiles_nothing_and_an_edit_one_task() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();

    let [total, hit, recompiled] = run(folder, &[]);
    assert!(total >= 8, "{total} tasks");
    assert_eq!([hit, recompiled], [0, total]);
    let (print, edges) = (picture(folder, "print.png").into_rgb8(), picture(folder, "edges.png").into_luma8());
    assert_eq!((print.dimensions(), edges.dimensions()), ((512, 600), (512, 600)));

    assert_eq!(run(folder, &[]), [total, total, 0]);
    assert_eq!(picture(folder, "print.png").into_rgb8(), print);
    assert_eq!(picture(folder, "edges.png").into_luma8(), edges);

    assert_eq!(run(folder, &["--edit"]), [total, total - 1, 1]);
    let edited = picture(folder, "print.png").into_rgb8();
    assert_ne!(edited, print);
    assert_eq!(picture(folder, "edges.png").into_luma8(), edges);

    // More contrast: what was light got lighter, what was dark darker.
    let spread = |picture: &image::RgbImage| {
        let middle = |byte: &u8| f64::from(byte.abs_diff(128));
        picture.as_raw().iter().map(middle).sum::<f64>() / picture.as_raw().len() as f64
    };
    assert!(spread(&edited) > spread(&print) + 1.0, "{} {}", spread(&edited), spread(&print));
}
