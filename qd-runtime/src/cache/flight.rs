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

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// How many waiters share the seat of key 1.
    fn waiters(flight: &Flight<u8, u32>) -> usize {
        // The map and the leader hold it too.
        lock(&flight.under_way).get(&1).map_or(0, |seat| Arc::strong_count(seat) - 2)
    }

    fn until(condition: impl Fn() -> bool) {
        while !condition() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn one_makes_and_the_others_join() {
        let (flight, made) = (Flight::<u8, u32>::new(), AtomicUsize::new(0));
        let roles: Vec<_> = thread::scope(|scope| {
            let run = || {
                flight.run(1, || {
                    made.fetch_add(1, Ordering::Relaxed);
                    until(|| waiters(&flight) == 7);
                    Ok::<_, ()>(42)
                })
            };
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(run)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap().unwrap()).collect()
        });
        assert_eq!(made.into_inner(), 1);
        assert_eq!(roles.iter().filter(|role| **role == (42, Role::Led)).count(), 1);
        assert_eq!(roles.iter().filter(|role| **role == (42, Role::Joined)).count(), 7);
        assert!(lock(&flight.under_way).is_empty());
    }

    #[test]
    fn a_failing_or_panicking_leader_hands_over() {
        for panics in [false, true] {
            let (flight, tries) = (Flight::<u8, u32>::new(), AtomicUsize::new(0));
            let outcomes: Vec<_> = thread::scope(|scope| {
                let run = || {
                    catch_unwind(AssertUnwindSafe(|| {
                        flight.run(1, || match tries.fetch_add(1, Ordering::Relaxed) {
                            0 => {
                                until(|| waiters(&flight) == 3);
                                assert!(!panics, "the leader panics, as this test wants");
                                Err("failed")
                            }
                            _ => Ok(7),
                        })
                    }))
                };
                let threads: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            let good = outcomes.iter().filter(|outcome| matches!(outcome, Ok(Ok((7, _))))).count();
            assert_eq!(good, 3, "{outcomes:?}");
            assert!(lock(&flight.under_way).is_empty());
        }
    }

    #[test]
    fn different_keys_do_not_wait_for_each_other() {
        let (flight, both) = (Flight::<u8, u8>::new(), Barrier::new(2));
        thread::scope(|scope| {
            for key in [1, 2] {
                let (flight, both) = (&flight, &both);
                scope.spawn(move || {
                    let make = || {
                        both.wait();
                        Ok::<_, ()>(key)
                    };
                    assert_eq!(flight.run(key, make), Ok((key, Role::Led)));
                });
            }
        });
    }
}
