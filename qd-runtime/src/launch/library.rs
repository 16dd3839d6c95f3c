//! Which library of functions a cache's code was compiled with, noted in the cache itself: so code that holds such functions
//! is found where the library isn't.
//!
//! The digest of the library's file is a part of those tasks' keys. Where the file is, it is the file's and nothing else;
//! the note is for where it isn't. It is an entry like others, under a key that no task has, and the last one who
//! had the file wrote it.
use crate::backend::Library;
use crate::cache::Cache;
use crate::cache::entry::{Artifact, ArtifactKind};
use crate::error::Result;
use crate::key::{CodeOptions, KeyParts, PartDigests};
use crate::llvm::LLVM_SERIES;

/// The digest of `library` for keys. Where its file isn't, that of the one which the cache's code was compiled with.
///
/// # Errors
/// What is missing, if there is neither.
pub(super) fn digest(cache: &Cache, library: Library) -> Result<[u8; 32]> {
    library.digest.or_else(|missing| noted(cache, library.file).ok_or(missing))
}

/// Notes the digest, unless that was done.
pub(super) fn note(cache: &Cache, file: &str, digest: &[u8; 32]) {
    if cache.is_on() && noted(cache, file).as_ref() != Some(digest) {
        cache.put(&Artifact::new(ArtifactKind::Library, parts(file), file, digest.as_slice()));
    }
}

fn noted(cache: &Cache, file: &str) -> Option<[u8; 32]> {
    let found = cache.get(&parts(file).key()).ok()?.artifact;
    let is_note = found.kind() == ArtifactKind::Library;
    is_note.then(|| found.payload().as_ref().try_into().ok()).flatten()
}

/// No task has such a key: its IR is never empty, and no target is called so.
fn parts(file: &str) -> PartDigests {
    KeyParts {
        ir: &[],
        callees: file.as_bytes(),
        baked: &[],
        target: "library",
        options: CodeOptions { opt_level: 0, fast_math: false, checks: false, debug: false },
        codegen: &[],
        helper_abi: 0,
        context_layout: 0,
        llvm_series: LLVM_SERIES,
    }
    .digests()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::memory::Memory;
    use crate::error::{Error, ErrorKind};

    fn library(digest: Option<[u8; 32]>) -> Library {
        Library { file: "some.bc", digest: digest.ok_or(Error::new(ErrorKind::Environment, "missing")) }
    }

    #[test]
    fn the_last_digest_is_known_without_the_file() {
        let cache = Cache::with_levels(vec![Box::new(Memory::new(1 << 20))]);
        assert_eq!(digest(&cache, library(None)).unwrap_err().to_string(), "missing");
        for known in [[1; 32], [2; 32], [2; 32]] {
            assert_eq!(digest(&cache, library(Some(known))).unwrap(), known);
            note(&cache, "some.bc", &known);
            assert_eq!(digest(&cache, library(None)).unwrap(), known);
        }
        // The file comes first, and the note of another file isn't its.
        assert_eq!(digest(&cache, library(Some([3; 32]))).unwrap(), [3; 32]);
        assert!(digest(&cache, Library { file: "other.bc", ..library(None) }).is_err());
    }
}
