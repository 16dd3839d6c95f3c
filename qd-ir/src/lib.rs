//! The task IR of qd: types, operations, the sketch a macro embeds, typing, canonical bytes.
pub mod arena;
pub mod op;
pub mod types;
