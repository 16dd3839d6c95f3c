//! Everything of qd that happens at run time: keys, cache, code generation, backends, launching.
//!
//! Imports run one way: `error` → `target`, `data`, `llvm` → `key`, `config`, `observe`, `codegen` → `cache` ∥
//! `backend` → `launch`. `cache` and `codegen` don't know each other, `backend` never sees `cache`; only `launch`
//! joins key, cache and backend.
pub mod backend;
pub mod cache;
pub mod codegen;
pub mod config;
pub mod data;
pub mod error;
mod forked;
pub mod intrinsics;
pub mod key;
pub mod launch;
pub mod llvm;
mod notice;
pub mod observe;
#[doc(hidden)]
pub mod private;
pub mod rules;
pub mod target;
