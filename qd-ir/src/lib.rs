//! The task IR of qd: types, operations, the sketch a macro embeds, typing, canonical bytes.
//!
//! `sketch` (untyped, from the macro) → `typing` (with rustc's types) → `plan` of `task`s of `body` statements →
//! canonical bytes. This crate knows no other crate of qd.
pub mod arena;
pub mod body;
pub mod canonical;
pub mod fault;
pub mod linear;
pub mod message;
pub mod op;
pub mod ownership;
pub mod plan;
pub mod progression;
pub mod reduce;
pub mod refusal;
pub mod sketch;
pub mod source_map;
pub mod task;
pub mod text;
pub mod types;
pub mod typing;
pub mod verify;
pub mod words;

/// Digest of the sources that decide what the IR means; a part of every task key.
pub const FINGERPRINT: &str = include_str!(concat!(env!("OUT_DIR"), "/fingerprint"));
