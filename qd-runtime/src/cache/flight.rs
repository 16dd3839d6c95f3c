//! Single flight: of all threads that want one thing at one time, one makes it and the others wait.
//!
//! It remembers nothing: once made, the thing is found in a cache, so `make` must look there first (a thread may come
//! just after the leader has landed).
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The makings under way, by key.
#[derive(Debug)]
pub struct Flight<K, V> {
    under_way: Mutex<HashMap<K, Arc<Seat<V>>>>,
}

/// Whether a caller of [`Flight::run`] made the thing or waited for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It ran its own `make`.
    Led,
    /// Another thread made it meanwhile.
    Joined,
}

/// What waiters watch.
#[derive(Debug)]
struct Seat<V> {
    state: Mutex<State<V>>,
    landed: Condvar,
}

#[derive(Debug)]
enum State<V> {
    Flying,
    Made(V),
    /// The leader failed or panicked; one of the waiters leads next.
    Failed,
}

impl<K, V> Default for Flight<K, V> {
    fn default() -> Self {
        Flight { under_way: Mutex::default() }
    }
}

impl<K: Hash + Eq + Clone, V: Clone> Flight<K, V> {
    /// No makings under way.
    pub fn new() -> Self {
        Flight::default()
    }

    /// The thing named `key`: made by this thread, or by the one that is at it already. A leader's error is its own:
    /// waiters then try for themselves, one at a time. A leader that panics counts as failed.
    ///
    /// `make` must not run the same key again on this thread, also not by helping a thread pool: it would wait for
    /// itself.
    pub fn run<E>(&self, key: K, make: impl FnOnce() -> Result<V, E>) -> Result<(V, Role), E> {
        loop {
            let seat = {
                let mut under_way = lock(&self.under_way);
                match under_way.get(&key) {
                    Some(seat) => Arc::clone(seat),
                    None => {
                        let seat = Arc::new(Seat { state: Mutex::new(State::Flying), landed: Condvar::new() });
                        under_way.insert(key.clone(), Arc::clone(&seat));
                        drop(under_way);
                        let mut lead = Lead { flight: self, key, seat, end: State::Failed };
                        let value = make()?;
                        lead.end = State::Made(value.clone());
                        return Ok((value, Role::Led));
                    }
                }
            };
            if let Some(value) = seat.wait() {
                return Ok((value, Role::Joined));
            }
        }
    }
}

impl<V: Clone> Seat<V> {
    /// Waits for the leader; `None` where it failed.
    fn wait(&self) -> Option<V> {
        let mut state = lock(&self.state);
        loop {
            match &*state {
                State::Flying => state = self.landed.wait(state).unwrap_or_else(PoisonError::into_inner),
                State::Made(value) => return Some(value.clone()),
                State::Failed => return None,
            }
        }
    }
}

/// A leader's hold on its key. However the leader ends, dropping this frees the key and wakes the waiters.
struct Lead<'a, K: Hash + Eq, V> {
    flight: &'a Flight<K, V>,
    key: K,
    seat: Arc<Seat<V>>,
    end: State<V>,
}

impl<K: Hash + Eq, V> Drop for Lead<'_, K, V> {
    fn drop(&mut self) {
        // First the key, so that a woken waiter of a failed leader finds it free.
        lock(&self.flight.under_way).remove(&self.key);
        *lock(&self.seat.state) = std::mem::replace(&mut self.end, State::Failed);
        self.seat.landed.notify_all();
    }
}

/// Poison says nothing here: each critical section is one step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
