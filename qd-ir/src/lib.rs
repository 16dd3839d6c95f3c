//! The task IR of qd.
