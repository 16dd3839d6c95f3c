//! The key of a task's code: everything that decides what machine code the task becomes, and nothing else.
//!
//! A key is SHA-256 over a domain tag, a schema number and the digests of a written-out list of [`Part`]s, each
//! digested with its name and length. Going through digests rather than over the parts' bytes at once lets an entry's
//! header carry them: a header proves that it belongs to its key, and two keys can be told apart part by part
//! ([`PartDigests::diff`]). Not in the key: names, spans, the place of the task in its kernel, thread counts, paths.
//! This module knows neither LLVM nor the cache; a process that only loads computes the same keys.
use std::fmt;

use bytemuck::{Pod, Zeroable};
use sha2::{Digest, Sha256};

/// Raised when the list of parts or their encoding changes; older entries are then simply never found.
pub const SCHEMA: u32 = 1;

const DOMAIN: &[u8] = b"qd task key";

/// What the generating sources of this build digest to: qd-ir's, then qd-runtime's.
pub const CODEGEN_FINGERPRINT: &[&str] = &[qd_ir::FINGERPRINT, include_str!(concat!(env!("OUT_DIR"), "/fingerprint"))];

/// The name of one task's code. Equal keys mean equal code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct TaskKey([u8; 32]);

impl TaskKey {
    /// The key as bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The stem of the symbols in this task's code: unique to the key, so one dylib can hold the code of all tasks.
    pub fn symbol(&self) -> String {
        format!("qd_{self}")
    }
}

impl fmt::Display for TaskKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for TaskKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TaskKey({self})")
    }
}

/// One part of a key, in the order of hashing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The canonical bytes of the task's IR.
    Ir,
    /// The canonical bytes of the functions it calls.
    Callees,
    /// Values baked into the code: constants, specialised parameters.
    Baked,
    /// The machine the code is for.
    Target,
    /// Options that change code.
    Options,
    /// The sources that generate the code.
    Codegen,
    /// The version of the helper functions code may call.
    HelperAbi,
    /// The version of the block of arguments code reads.
    ContextLayout,
    /// The LLVM series.
    Llvm,
}

impl Part {
    /// How many parts a key has.
    pub const COUNT: usize = Part::ALL.len();

    /// All parts, in the order of hashing.
    pub const ALL: [Part; 9] = [
        Part::Ir,
        Part::Callees,
        Part::Baked,
        Part::Target,
        Part::Options,
        Part::Codegen,
        Part::HelperAbi,
        Part::ContextLayout,
        Part::Llvm,
    ];

    /// The name under which the part is hashed and shown.
    pub const fn name(self) -> &'static str {
        match self {
            Part::Ir => "ir",
            Part::Callees => "callees",
            Part::Baked => "baked values",
            Part::Target => "target",
            Part::Options => "options",
            Part::Codegen => "code generator",
            Part::HelperAbi => "helper ABI",
            Part::ContextLayout => "context layout",
            Part::Llvm => "LLVM series",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The options that change what code a task becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CodeOptions {
    /// LLVM's optimisation level, 0 to 3.
    pub opt_level: u8,
    /// Whether float arithmetic may be reordered and approximated.
    pub fast_math: bool,
    /// Whether faults (bounds, division, assertions) are checked.
    pub checks: bool,
    /// Whether overflow, races and uninitialised reads are checked too.
    pub debug: bool,
}

impl CodeOptions {
    fn encode(self) -> [u8; 4] {
        [self.opt_level, u8::from(self.fast_math), u8::from(self.checks), u8::from(self.debug)]
    }
}

/// Everything a key is made of. Plain fields, so that a new part can't be forgotten where keys are made.
#[derive(Debug, Clone, Copy)]
pub struct KeyParts<'a> {
    /// [`Part::Ir`]: canonical, without names and spans.
    pub ir: &'a [u8],
    /// [`Part::Callees`]: in the order of first call; empty where calls are already part of `ir`.
    pub callees: &'a [u8],
    /// [`Part::Baked`]: in an encoding that can't take one list of values for another.
    pub baked: &'a [u8],
    /// [`Part::Target`]: the text form of the target.
    pub target: &'a str,
    /// [`Part::Options`].
    pub options: CodeOptions,
    /// [`Part::Codegen`]: [`CODEGEN_FINGERPRINT`], or a fixed value where keys are compared with golden ones.
    pub codegen: &'a [&'a str],
    /// [`Part::HelperAbi`].
    pub helper_abi: u32,
    /// [`Part::ContextLayout`].
    pub context_layout: u32,
    /// [`Part::Llvm`]: [`LLVM_SERIES`](crate::llvm::LLVM_SERIES), a constant: who only loads never asks LLVM.
    pub llvm_series: &'a str,
}

impl KeyParts<'_> {
    /// The digest of each part.
    pub fn digests(&self) -> PartDigests {
        PartDigests(Part::ALL.map(|part| match part {
            Part::Ir => digest(part, &[self.ir]),
            Part::Callees => digest(part, &[self.callees]),
            Part::Baked => digest(part, &[self.baked]),
            Part::Target => digest(part, &[self.target.as_bytes()]),
            Part::Options => digest(part, &[&self.options.encode()]),
            Part::Codegen => {
                let fingerprints: Vec<&[u8]> = self.codegen.iter().map(|text| text.as_bytes()).collect();
                digest(part, &fingerprints)
            }
            Part::HelperAbi => digest(part, &[&self.helper_abi.to_le_bytes()]),
            Part::ContextLayout => digest(part, &[&self.context_layout.to_le_bytes()]),
            Part::Llvm => digest(part, &[self.llvm_series.as_bytes()]),
        }))
    }

    /// The key.
    pub fn key(&self) -> TaskKey {
        self.digests().key()
    }

    /// The parts in which these differ from those that `other` was computed from.
    pub fn diff(&self, other: &PartDigests) -> Vec<Part> {
        self.digests().diff(other)
    }
}

/// The digest of each part of a key: enough to recompute the key, and to say how two keys differ.
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct PartDigests([[u8; 32]; Part::COUNT]);

impl PartDigests {
    /// The key these parts make.
    pub fn key(&self) -> TaskKey {
        let mut hash = Sha256::new();
        field(&mut hash, DOMAIN);
        hash.update(SCHEMA.to_le_bytes());
        self.0.iter().for_each(|digest| field(&mut hash, digest));
        TaskKey(hash.finalize().into())
    }

    /// The parts that differ.
    pub fn diff(&self, other: &PartDigests) -> Vec<Part> {
        Part::ALL
            .into_iter()
            .zip(self.0.iter().zip(&other.0))
            .filter(|(_, (a, b))| a != b)
            .map(|(part, _)| part)
            .collect()
    }
}

impl fmt::Debug for PartDigests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = Part::ALL.into_iter().zip(self.0.iter().map(|digest| TaskKey(*digest).to_string()));
        f.debug_map().entries(shown).finish()
    }
}

fn digest(part: Part, fields: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    field(&mut hash, part.name().as_bytes());
    fields.iter().for_each(|bytes| field(&mut hash, bytes));
    hash.finalize().into()
}

/// With the length in front, no two lists of fields hash alike.
fn field(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}
