//! Warnings that are said once.
//!
//! A cache that can't be used or a misspelt variable would otherwise be reported by every runtime of a process. They
//! go to `tracing`; in a program that listens to nothing of it, to standard error, since they are for whoever runs it.
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

static SAID: Mutex<Option<HashSet<String>>> = Mutex::new(None);

/// Warns of `message` unless this process has said the very same before.
pub(crate) fn once(message: &str) {
    // Not held while a subscriber is told, who may cause the next warning.
    let is_new = SAID.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().insert(message.to_owned());
    if is_new {
        if tracing::dispatcher::has_been_set() {
            tracing::warn!("{message}");
        } else {
            eprintln!("qd: {message}");
        }
    }
}
