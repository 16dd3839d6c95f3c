//! One compiled task as it is kept: a header that says what it is and proves it whole, and the code.
//!
//! ```text
//! fixed header | compiler name | SHA-256 of both | code
//! ```
//! Integers are little-endian. Every byte is under a digest: the header's own, or that of the code which the header
//! holds. [`decode`] is total: any bytes give an artifact or the check that failed, and nothing is allocated that the
//! bytes at hand don't fill. The digests guard against accidents, not against malice; who may write entries is
//! [`trust`](super::trust)'s concern. Knows nothing of files.
use std::fmt;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use sha2::{Digest, Sha256};

use crate::key::{PartDigests, TaskKey};

/// The version of the format; also in the path of the file, so versions of qd don't overwrite each other's entries.
pub const SCHEMA: u32 = 1;

/// No entry is larger: a header that claims more is damaged, code that is larger is not kept.
pub const MAX_BYTES: usize = 256 << 20;

const MAX_COMPILER_BYTES: usize = 4096;

const MAGIC: [u8; 8] = *b"qd-task\n";

/// What an artifact's code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArtifactKind {
    /// A relocatable object for the CPU.
    Object,
    /// PTX text.
    Ptx,
    /// Machine code for an NVIDIA device.
    Cubin,
    /// Machine code for an AMD device.
    Hsaco,
    /// LLVM's bitcode, for what simulates a device.
    Bitcode,
    /// No code: the digest of the library that other entries hold functions of.
    Library,
}

impl ArtifactKind {
    const ALL: [ArtifactKind; 6] = [
        ArtifactKind::Object,
        ArtifactKind::Ptx,
        ArtifactKind::Cubin,
        ArtifactKind::Hsaco,
        ArtifactKind::Bitcode,
        ArtifactKind::Library,
    ];

    /// The number in headers; never reused.
    const fn code(self) -> u32 {
        match self {
            ArtifactKind::Object => 1,
            ArtifactKind::Ptx => 2,
            ArtifactKind::Cubin => 3,
            ArtifactKind::Hsaco => 4,
            ArtifactKind::Bitcode => 5,
            ArtifactKind::Library => 6,
        }
    }
}

/// The compiled form of one task. Cheap to clone.
#[derive(Clone, PartialEq, Eq)]
pub struct Artifact {
    kind: ArtifactKind,
    key: TaskKey,
    parts: PartDigests,
    compiler: Arc<str>,
    payload: Arc<[u8]>,
}

impl Artifact {
    /// The code `payload` of the task whose key has these `parts`, made by `compiler` (its exact version and build).
    pub fn new(
        kind: ArtifactKind,
        parts: PartDigests,
        compiler: impl Into<Arc<str>>,
        payload: impl Into<Arc<[u8]>>,
    ) -> Self {
        Artifact { kind, key: parts.key(), parts, compiler: compiler.into(), payload: payload.into() }
    }

    /// What the code is.
    pub fn kind(&self) -> ArtifactKind {
        self.kind
    }

    /// The task it is the code of.
    pub fn key(&self) -> &TaskKey {
        &self.key
    }

    /// What the key was made of.
    pub fn parts(&self) -> &PartDigests {
        &self.parts
    }

    /// The exact compiler that made it. Not in the key: builds of one series may share code.
    pub fn compiler(&self) -> &str {
        &self.compiler
    }

    /// The code.
    pub fn payload(&self) -> &Arc<[u8]> {
        &self.payload
    }
}

impl fmt::Debug for Artifact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Artifact { kind, key, parts: _, compiler, payload } = self;
        write!(f, "Artifact({kind:?}, {key}, {} bytes by {compiler})", payload.len())
    }
}

/// The part of a header that has the same size in every entry. Bytes only: no padding, any alignment.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Fixed {
    magic: [u8; 8],
    schema: [u8; 4],
    kind: [u8; 4],
    key: TaskKey,
    parts: PartDigests,
    payload_digest: [u8; 32],
    payload_len: [u8; 8],
    compiler_len: [u8; 4],
}

const FIXED: usize = size_of::<Fixed>();
const DIGEST: usize = 32;

/// Why bytes are not the entry that was looked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// Fewer bytes than a header, or than the header speaks of.
    #[error("truncated at {0} bytes")]
    Truncated(usize),
    /// More bytes than the header speaks of.
    #[error("{0} bytes too many")]
    Trailing(usize),
    /// Not an entry at all.
    #[error("not an entry of qd")]
    Magic,
    /// An entry of another version.
    #[error("format {0}, not {SCHEMA}")]
    Schema(u32),
    /// A length no entry can have.
    #[error("impossible length")]
    Length,
    /// The header doesn't have its digest.
    #[error("header digest differs")]
    Header,
    /// A kind of code this version doesn't know.
    #[error("unknown kind of code {0}")]
    Kind(u32),
    /// The entry of another task.
    #[error("entry of another key")]
    Key,
    /// The parts don't make the key.
    #[error("key parts differ from the key")]
    Parts,
    /// The compiler's name is no text.
    #[error("compiler name is not text")]
    Compiler,
    /// The code doesn't have its digest.
    #[error("code digest differs")]
    Payload,
    /// What lies there can't be an entry: a directory, a link, another user's file.
    #[error("{0}")]
    NotAFile(String),
}

/// The artifact is larger than any entry may be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("code of {bytes} bytes is larger than an entry may be ({limit} bytes)")]
pub struct TooLarge {
    bytes: usize,
    limit: usize,
}

/// The bytes of an entry.
pub fn encode(artifact: &Artifact) -> Result<Vec<u8>, TooLarge> {
    let (compiler, payload) = (artifact.compiler.as_bytes(), &artifact.payload);
    let bytes = (FIXED + DIGEST).saturating_add(compiler.len()).saturating_add(payload.len());
    if compiler.len() > MAX_COMPILER_BYTES || bytes > MAX_BYTES {
        return Err(TooLarge { bytes, limit: MAX_BYTES });
    }
    let fixed = Fixed {
        magic: MAGIC,
        schema: SCHEMA.to_le_bytes(),
        kind: artifact.kind.code().to_le_bytes(),
        key: artifact.key,
        parts: artifact.parts,
        payload_digest: Sha256::digest(payload).into(),
        payload_len: (payload.len() as u64).to_le_bytes(),
        // At most MAX_COMPILER_BYTES.
        compiler_len: (compiler.len() as u32).to_le_bytes(),
    };
    let mut entry = Vec::with_capacity(bytes);
    entry.extend_from_slice(bytemuck::bytes_of(&fixed));
    entry.extend_from_slice(compiler);
    let digest = Sha256::digest(&entry);
    entry.extend_from_slice(&digest);
    entry.extend_from_slice(payload);
    Ok(entry)
}

/// The artifact of `key` in `entry`, or the first check that failed.
pub fn decode(entry: &[u8], key: &TaskKey) -> Result<Artifact, Damage> {
    let truncated = || Damage::Truncated(entry.len());
    let (fixed, rest) = entry.split_at_checked(FIXED).ok_or_else(truncated)?;
    let header: Fixed = bytemuck::pod_read_unaligned(fixed);
    if header.magic != MAGIC {
        return Err(Damage::Magic);
    }
    let schema = u32::from_le_bytes(header.schema);
    if schema != SCHEMA {
        return Err(Damage::Schema(schema));
    }
    let compiler_len = length(u64::from(u32::from_le_bytes(header.compiler_len)), MAX_COMPILER_BYTES)?;
    let payload_len = length(u64::from_le_bytes(header.payload_len), MAX_BYTES)?;
    let (compiler, rest) = rest.split_at_checked(compiler_len).ok_or_else(truncated)?;
    let (digest, rest) = rest.split_at_checked(DIGEST).ok_or_else(truncated)?;
    let (payload, trailing) = rest.split_at_checked(payload_len).ok_or_else(truncated)?;
    if !trailing.is_empty() {
        return Err(Damage::Trailing(trailing.len()));
    }
    if digest != Sha256::digest(&entry[..FIXED + compiler_len]).as_slice() {
        return Err(Damage::Header);
    }
    let code = u32::from_le_bytes(header.kind);
    let kind = ArtifactKind::ALL.into_iter().find(|kind| kind.code() == code).ok_or(Damage::Kind(code))?;
    if header.key != *key {
        return Err(Damage::Key);
    }
    if header.parts.key() != *key {
        return Err(Damage::Parts);
    }
    let compiler = std::str::from_utf8(compiler).map_err(|_| Damage::Compiler)?;
    if header.payload_digest != Sha256::digest(payload).as_slice() {
        return Err(Damage::Payload);
    }
    Ok(Artifact { kind, key: *key, parts: header.parts, compiler: compiler.into(), payload: payload.into() })
}

fn length(claimed: u64, limit: usize) -> Result<usize, Damage> {
    usize::try_from(claimed).ok().filter(|&length| length <= limit).ok_or(Damage::Length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::{CodeOptions, KeyParts};

    fn artifact(ir: &[u8]) -> Artifact {
        let options = CodeOptions { opt_level: 3, fast_math: false, checks: true, debug: false };
        let parts = KeyParts {
            ir,
            callees: b"",
            baked: b"",
            target: "t",
            options,
            codegen: &[],
            helper_abi: 1,
            context_layout: 1,
            llvm_series: "22.1",
        };
        Artifact::new(ArtifactKind::Object, parts.digests(), "LLVM 22.1.8", &b"\x7fELF code of the task"[..])
    }

    #[test]
    fn what_is_encoded_is_decoded() {
        for kind in ArtifactKind::ALL {
            for payload in [&b""[..], b"x", &[7; 5000]] {
                let made = Artifact { kind, ..Artifact::new(kind, artifact(b"a").parts, "", payload) };
                assert_eq!(decode(&encode(&made).unwrap(), made.key()).unwrap(), made);
            }
        }
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let made = artifact(b"a");
        let mut entry = encode(&made).unwrap();
        for at in 0..entry.len() {
            for bit in 0..8 {
                entry[at] ^= 1 << bit;
                assert!(decode(&entry, made.key()).is_err(), "bit {bit} of byte {at}");
                entry[at] ^= 1 << bit;
            }
        }
        assert!(decode(&entry, made.key()).is_ok());
    }

    #[test]
    fn every_other_length_is_found() {
        let made = artifact(b"a");
        let mut entry = encode(&made).unwrap();
        for length in 0..entry.len() {
            assert_eq!(decode(&entry[..length], made.key()), Err(Damage::Truncated(length)));
            // As a crash leaves it where sizes are written before contents.
            let mut zeroed = entry.clone();
            zeroed[length..].fill(0);
            assert!(decode(&zeroed, made.key()).is_err() || zeroed == entry);
        }
        entry.push(0);
        assert_eq!(decode(&entry, made.key()), Err(Damage::Trailing(1)));
        assert_eq!(decode(&[0; 4096], made.key()), Err(Damage::Magic));
    }

    /// An entry whose fixed header was changed by `change` and given the digest it then needs.
    fn forged(change: impl FnOnce(&mut Fixed)) -> Vec<u8> {
        let made = artifact(b"a");
        let mut entry = encode(&made).unwrap();
        let mut header: Fixed = bytemuck::pod_read_unaligned(&entry[..FIXED]);
        change(&mut header);
        entry[..FIXED].copy_from_slice(bytemuck::bytes_of(&header));
        let signed = FIXED + made.compiler.len();
        let digest = Sha256::digest(&entry[..signed]);
        entry[signed..signed + DIGEST].copy_from_slice(&digest);
        entry
    }

    #[test]
    fn each_check_is_named() {
        let (made, other) = (artifact(b"a"), artifact(b"b"));
        let check = |entry: Vec<u8>| decode(&entry, made.key()).unwrap_err();
        assert_eq!(check(encode(&other).unwrap()), Damage::Key);
        assert_eq!(check(forged(|header| header.schema = 9u32.to_le_bytes())), Damage::Schema(9));
        assert_eq!(check(forged(|header| header.kind = 9u32.to_le_bytes())), Damage::Kind(9));
        assert_eq!(check(forged(|header| header.parts = other.parts)), Damage::Parts);
        assert_eq!(check(forged(|header| header.payload_digest = [0; 32])), Damage::Payload);
        assert_eq!(check(forged(|header| header.payload_len = u64::MAX.to_le_bytes())), Damage::Length);
        assert_eq!(check(forged(|header| header.compiler_len = u32::MAX.to_le_bytes())), Damage::Length);
    }
}
