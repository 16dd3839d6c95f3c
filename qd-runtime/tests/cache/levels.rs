//! The levels together, as a runtime uses them.
use std::fs;
use std::path::Path;

use qd_runtime::cache::Cache;
use qd_runtime::cache::disk::Disk;
use qd_runtime::cache::memory::Memory;
use qd_runtime::cache::store::Store;
use qd_runtime::config::environment::Env;
use qd_runtime::config::{Config, Trust};
use qd_runtime::observe::{Miss, Outcome};

use super::support::*;

fn cache(config: Config) -> Cache {
    Cache::open(&config.ignore_env().resolve(&Env::default()).unwrap())
}

fn cache_at(root: &Path) -> Cache {
    cache(Config::default().offline_cache_file_path(root))
}

#[test]
fn a_hit_is_in_memory_from_then_on() {
    let folder = tempfile::tempdir().unwrap();
    let made = artifact(1, 100);
    let first = cache_at(folder.path());
    assert_eq!(first.get(made.key()).unwrap_err(), Miss::Absent { differs: vec![] });
    first.put(&made);
    assert_eq!(first.get(made.key()).unwrap().outcome, Outcome::Memory);
    let second = cache_at(folder.path());
    assert_eq!(second.get(made.key()).unwrap().outcome, Outcome::Disk);
    let found = second.get(made.key()).unwrap();
    assert_eq!((found.outcome, found.artifact), (Outcome::Memory, made));
    assert!(second.troubles().is_empty());
}

#[test]
fn a_refused_artifact_is_forgotten_in_every_level() {
    let folder = tempfile::tempdir().unwrap();
    let made = artifact(1, 100);
    let cache = cache_at(folder.path());
    cache.put(&made);
    cache.remove(made.key());
    assert!(cache.get(made.key()).is_err() && entries(folder.path()).is_empty());
}

#[test]
fn a_damaged_entry_says_what_is_wrong_with_it_and_heals() {
    let folder = tempfile::tempdir().unwrap();
    let made = artifact(1, 100);
    cache_at(folder.path()).put(&made);
    let path = &entries(folder.path())[0];
    fs::write(path, b"short").unwrap();
    let cache = cache_at(folder.path());
    assert_eq!(cache.get(made.key()).unwrap_err(), Miss::Damaged("truncated at 5 bytes".to_owned()));
    assert!(cache.troubles().is_empty(), "nobody needs to act");
    cache.put(&made);
    assert_eq!(cache_at(folder.path()).get(made.key()).unwrap().outcome, Outcome::Disk);
}

#[test]
fn a_seed_is_read_copied_nearer_and_never_written() {
    let (seed, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let made = artifact(1, 100);
    open(seed.path()).put(&made).unwrap();
    let levels = || -> Vec<Box<dyn Store>> {
        let seed = Disk::open_seed(seed.path(), Trust::Owner).unwrap();
        vec![Box::new(Memory::new(1 << 20)), Box::new(open(own.path())), Box::new(seed)]
    };
    assert_eq!(Cache::with_levels(levels()).get(made.key()).unwrap().outcome, Outcome::Seed);
    assert_eq!(Cache::with_levels(levels()).get(made.key()).unwrap().outcome, Outcome::Disk);
    // Damaged nearer, whole farther: the copy heals it.
    fs::write(open(own.path()).path_of(made.key()), b"damaged").unwrap();
    assert_eq!(Cache::with_levels(levels()).get(made.key()).unwrap().outcome, Outcome::Seed);
    assert_eq!(Cache::with_levels(levels()).get(made.key()).unwrap().outcome, Outcome::Disk);
    let cache = Cache::with_levels(levels());
    cache.put(&artifact(2, 100));
    cache.remove(made.key());
    assert_eq!(entries(seed.path()).len(), 1);
    assert!(Disk::open_seed(&seed.path().join("missing"), Trust::Owner).is_err());
}

#[test]
fn the_option_names_a_seed_behind_the_cache_directory() {
    let (seed, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let made = artifact(1, 100);
    open(seed.path()).put(&made).unwrap();
    let with_seed = |config: Config| cache(config.offline_cache_seed_path(seed.path()));
    let both = || with_seed(Config::default().offline_cache_file_path(own.path()));
    assert_eq!(both().get(made.key()).unwrap().outcome, Outcome::Seed);
    assert_eq!(both().get(made.key()).unwrap().outcome, Outcome::Disk);
    // What is new goes into the cache directory.
    both().put(&artifact(2, 100));
    assert_eq!((entries(seed.path()).len(), entries(own.path()).len()), (1, 2));
    // Without a cache directory the seed is there, and it is said that nothing is kept.
    let alone = with_seed(Config::default());
    assert_eq!(alone.get(made.key()).unwrap().outcome, Outcome::Seed);
    assert!(alone.troubles()[0].contains("HOME"), "{:?}", alone.troubles());
    // A seed that isn't there or can't be trusted costs nothing but the hits.
    let missing = seed.path().join("missing");
    let without = || cache(Config::default().offline_cache_file_path(own.path()).offline_cache_seed_path(&missing));
    works_without_seed(&without(), missing.to_str().unwrap());
    fs::create_dir(&missing).unwrap();
    chmod(&missing, 0o777);
    works_without_seed(&without(), "QD_OFFLINE_CACHE_SEED_PATH");
}

/// The cache directory works, and `troubles` says in words that contain `wanted` why the seed doesn't.
fn works_without_seed(cache: &Cache, wanted: &str) {
    assert_eq!(cache.get(artifact(2, 0).key()).unwrap().outcome, Outcome::Disk);
    let troubles = cache.troubles();
    assert!(troubles.len() == 1 && troubles[0].contains(wanted), "{troubles:?}");
}

#[test]
fn switched_off_it_finds_keeps_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("cache");
    let cache = cache(Config::default().offline_cache(false).offline_cache_file_path(&root));
    let made = artifact(1, 100);
    cache.put(&made);
    assert_eq!(cache.get(made.key()).unwrap_err(), Miss::CacheOff);
    assert!(!cache.is_on() && cache.troubles().is_empty() && !root.exists());
}

/// What could not be kept on disk is found in memory, and `troubles` says so in words that contain `wanted`.
fn works_without_disk(cache: &Cache, wanted: &str) {
    let made = artifact(1, 100);
    assert_eq!(cache.get(made.key()).unwrap_err(), Miss::Absent { differs: vec![] });
    cache.put(&made);
    assert_eq!(cache.get(made.key()).unwrap().outcome, Outcome::Memory);
    let troubles = cache.troubles();
    assert!(troubles[0].contains(wanted), "{troubles:?}");
}

#[test]
fn without_a_directory_memory_is_left_and_the_trouble_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, b"").unwrap();
    works_without_disk(&cache(Config::default()), "HOME");
    works_without_disk(&cache_at(&file), file.to_str().unwrap());
    works_without_disk(&cache_at(&file.join("below")), file.to_str().unwrap());
    works_without_disk(&cache_at(Path::new("/proc/no such process/cache")), "/proc");
}

#[test]
fn many_troubles_are_counted_not_listed() {
    let folder = tempfile::tempdir().unwrap();
    let cache = cache_at(folder.path());
    fs::write(folder.path().join("v1"), b"in the way").unwrap();
    for n in 0..20 {
        cache.put(&artifact(n, 100));
    }
    let troubles = cache.troubles();
    assert_eq!(troubles.len(), 9);
    assert_eq!(troubles.last().unwrap(), "and 12 more troubles of the cache");
}

#[test]
fn memory_drops_what_was_not_used_for_longest() {
    let memory = Memory::new(1_000);
    for n in 0..10 {
        memory.put(&artifact(n, 100)).unwrap();
    }
    memory.get(artifact(0, 0).key()).unwrap().unwrap();
    memory.put(&artifact(10, 100)).unwrap();
    let left: Vec<u32> = (0..11).filter(|&n| memory.get(artifact(n, 0).key()).unwrap().is_some()).collect();
    assert_eq!(left, [0, 5, 6, 7, 8, 9, 10]);
}
