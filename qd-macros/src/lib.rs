//! The attribute macros of qd.
