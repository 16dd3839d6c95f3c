//! Everything of qd that happens at run time: keys, cache, code generation, backends, launching.
//!
//! Imports run one way: `error` → `target`, `data`, `llvm` → `key`, `config`, `observe`, `codegen` → `cache` ∥
//! `backend` → `launch`. `cache` and `codegen` don't know each other, `backend` never sees `cache`; only `launch`
//! joins key, cache and backend.
pub mod data;
pub mod error;
pub mod launch;
#[doc(hidden)]
pub mod private;
