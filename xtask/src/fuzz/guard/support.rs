//! What the generated programs share: arrays between pages that can't be touched, the comparison with the native body, and
//! the judge of races. Part of the generated crate.
pub use std::mem::ManuallyDrop;

use std::fmt::Debug;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook};
use std::sync::OnceLock;

pub use qd::prelude::*;
use qd::{Config, ErrorKind, Runtime};

/// Choices of values for each program.
const CASES: u64 = 12;

/// A struct with padding in it.
#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
pub struct Pair {
    pub a: u8,
    pub b: u32,
}

/// A runtime, and what it is called.
struct Engine {
    name: String,
    runtime: Runtime,
}

fn engine(opt_level: u8, threads: usize, debug: bool) -> Engine {
    let cache = std::env::args().nth(3).unwrap_or_default();
    let config = Config::default().ignore_env().opt_level(opt_level).num_threads(threads).debug(debug);
    // One of the two at level 3 runs what the other has compiled.
    let config = config.offline_cache(opt_level == 3).offline_cache_file_path(&cache);
    Engine {
        name: format!("opt {opt_level}, {threads} threads"),
        // Without a runtime there is nothing to try.
        runtime: Runtime::new(config).expect("a runtime"),
    }
}

/// Opt levels 0 and 3, one, two and five threads.
fn engines() -> &'static [Engine] {
    static ENGINES: OnceLock<Vec<Engine>> = OnceLock::new();
    ENGINES.get_or_init(|| vec![engine(0, 2, false), engine(3, 1, false), engine(3, 5, false)])
}

/// With the race detector.
fn detector() -> &'static Engine {
    static DETECTOR: OnceLock<Engine> = OnceLock::new();
    DETECTOR.get_or_init(|| engine(3, 2, true))
}

/// Numbers of a case, one after the other (splitmix64).
struct Dice(u64);

impl Dice {
    fn of(number: u64, case: u64) -> Self {
        Dice(number.wrapping_mul(1009).wrapping_add(case).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn one<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A small number.
    fn count(&mut self, most: usize) -> usize {
        if self.below(6) == 0 { self.one(&[0, 1, 2, most]) } else { self.below(most) }
    }

    /// A number of any size.
    fn any(&mut self) -> usize {
        let edges = [
            0,
            1,
            7,
            255,
            256,
            1 << 31,
            1 << 32,
            1 << 62,
            isize::MAX as usize,
            isize::MAX as usize + 1,
            usize::MAX - 40,
            usize::MAX,
        ];
        match self.below(4) {
            0 => self.one(&edges),
            1 => self.next() as usize,
            _ => self.below(50),
        }
    }

    /// An extent; such that arrays sometimes fill their pages.
    fn extent(&mut self, most: usize) -> usize {
        let whole = [0, 1, 2, 3, 7, 64, 255, 256, 257, 512, 1024, 4096];
        if self.below(3) == 0 { self.one(&whole).min(most) } else { self.below(most.min(600)) }
    }
}

/// Elements of the arrays.
pub trait Element: qd::Data + PartialEq + Debug {
    fn make(n: u64) -> Self;
}

macro_rules! elements {
    ($($t:ty: |$n:ident| $e:expr;)*) => { $(
        impl Element for $t {
            fn make($n: u64) -> Self {
                $e
            }
        }
    )* };
}
elements! {
    u8: |n| n as u8;
    u16: |n| n as u16;
    u32: |n| n as u32;
    u64: |n| n;
    i64: |n| n as i64;
    u128: |n| u128::from(n) << 60;
    f32: |n| (n % 1000) as f32 * 0.25;
    f64: |n| (n % 1000) as f64 - 100.0;
    [u16; 3]: |n| [n as u16, (n >> 16) as u16, (n % 5) as u16];
    Pair: |n| Pair { a: n as u8, b: (n >> 8) as u32 };
}

/// What lies in the rest of the pages.
const SLACK: u8 = 0xa5;
const PAGE: usize = 4096;

/// Elements right behind a page that can't be touched, or right before one; there is one on the other side too.
struct Fence<T> {
    pages: *mut u8,
    /// Of the pages between the two.
    len: usize,
    /// Where the elements begin, counted from the first of these.
    begin: usize,
    count: usize,
    elements: std::marker::PhantomData<T>,
}

impl<T: Element> Fence<T> {
    fn new(elements: &[T], at_the_end: bool) -> Self {
        let bytes = size_of_val(elements);
        let len = bytes.next_multiple_of(PAGE).max(PAGE);
        // SAFETY: new pages, which are unmapped when the fence goes; the first and the last are closed.
        let pages = unsafe {
            let protection = libc::PROT_READ | libc::PROT_WRITE;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let pages = libc::mmap(std::ptr::null_mut(), len + 2 * PAGE, protection, flags, -1, 0);
            assert_ne!(pages, libc::MAP_FAILED);
            assert_eq!(libc::mprotect(pages, PAGE, libc::PROT_NONE), 0);
            assert_eq!(libc::mprotect(pages.byte_add(PAGE + len), PAGE, libc::PROT_NONE), 0);
            pages.cast::<u8>()
        };
        let begin = if at_the_end { len - bytes } else { 0 };
        let fence: Fence<T> = Fence { pages, len, begin, count: elements.len(), elements: std::marker::PhantomData };
        // SAFETY: the pages are that long; the size of `T`, and so `begin`, is a multiple of its alignment.
        unsafe {
            fence.inner().write_bytes(SLACK, len);
            fence.first().copy_from_nonoverlapping(elements.as_ptr(), elements.len());
        }
        fence
    }

    fn inner(&self) -> *mut u8 {
        // SAFETY: behind the first page lie `len` bytes.
        unsafe { self.pages.add(PAGE) }
    }

    fn first(&self) -> *mut T {
        // SAFETY: as above.
        unsafe { self.inner().add(self.begin).cast() }
    }

    fn slice(&mut self) -> &mut [T] {
        // SAFETY: `new` has put that many elements there, and `self` is borrowed.
        unsafe { std::slice::from_raw_parts_mut(self.first(), self.count) }
    }

    /// The same as an array of two dimensions, which must not be dropped.
    fn array(&mut self, shape: [usize; 2]) -> ManuallyDrop<NdArray<T, 2>> {
        assert_eq!(shape[0] * shape[1], self.count);
        // SAFETY: the vector is never grown or freed, nor used beside `self`.
        let elements = unsafe { Vec::from_raw_parts(self.first(), self.count, self.count) };
        ManuallyDrop::new(NdArray::from_shape_vec(shape, elements).expect("the shape fits"))
    }

    /// Nothing beside the elements was written to.
    fn is_intact(&self) -> bool {
        let end = self.begin + self.count * size_of::<T>();
        // SAFETY: that many bytes lie there.
        let slack = |range: Range<usize>| range.into_iter().all(|k| unsafe { self.inner().add(k).read() } == SLACK);
        slack(0..self.begin) && slack(end..self.len)
    }
}

impl<T> Drop for Fence<T> {
    fn drop(&mut self) {
        // SAFETY: the pages of `new`, which nobody uses any more.
        unsafe { libc::munmap(self.pages.cast(), self.len + 2 * PAGE) };
    }
}

/// The arguments of a fenced program.
pub struct Arguments<'a, A: qd::Data, B, C: qd::Data, D: qd::Data> {
    pub a: &'a mut [A],
    pub b: &'a [B],
    pub c: &'a mut NdArray<C, 2>,
    pub d: &'a NdArray<D, 2>,
    pub t: &'a [u16],
    pub h: &'a mut [u32],
    pub out: &'a mut [u64],
    pub grid: &'a mut NdArray<u64, 2>,
    pub n: usize,
    pub m: usize,
    pub far: usize,
    pub off: usize,
}

/// The numbers of a case.
struct Case<A, B, C, D> {
    a: Vec<A>,
    b: Vec<B>,
    c: Vec<C>,
    d: Vec<D>,
    t: Vec<u16>,
    h: Vec<u32>,
    out: Vec<u64>,
    grid: Vec<u64>,
    c_shape: [usize; 2],
    d_shape: [usize; 2],
    grid_shape: [usize; 2],
    n: usize,
    m: usize,
    far: usize,
    off: usize,
}

fn filled<T: Element>(dice: &mut Dice, len: usize) -> Vec<T> {
    (0..len).map(|_| T::make(dice.next())).collect()
}

impl<A: Element, B: Element, C: Element, D: Element> Case<A, B, C, D> {
    fn new(number: u64, case: u64) -> Self {
        let dice = &mut Dice::of(number, case);
        let shape = |dice: &mut Dice| [dice.extent(40), dice.extent(60)];
        let (c_shape, d_shape) = (shape(dice), shape(dice));
        let (n, m) = (dice.count(300), dice.count(40));
        // Such that a loop over `n` doesn't fail each time.
        let long = |dice: &mut Dice| if dice.below(3) > 0 { n + m + dice.below(8) } else { dice.extent(5000) };
        let (la, lb, lo) = (long(dice), long(dice), long(dice));
        let grid_shape = if dice.below(3) > 0 { [n.max(m), n.max(m)] } else { shape(dice) };
        let (lt, lh) = (1 + dice.extent(600), long(dice));
        let small = 1 + dice.below(700) as u64;
        Case {
            a: filled(dice, la),
            b: filled(dice, lb),
            c: filled(dice, c_shape[0] * c_shape[1]),
            d: filled(dice, d_shape[0] * d_shape[1]),
            t: (0..lt).map(|_| (dice.next() % small) as u16).collect(),
            h: filled(dice, lh),
            out: vec![7; lo],
            grid: vec![7; grid_shape[0] * grid_shape[1]],
            c_shape,
            d_shape,
            grid_shape,
            n,
            m,
            far: dice.any(),
            off: dice.any(),
        }
    }

    /// Runs over copies between closed pages; gives the outcome, and everything that can be written to in words.
    fn run<R>(&self, at_the_end: bool, run: impl FnOnce(Arguments<'_, A, B, C, D>) -> R) -> Result<(R, String), String> {
        let (mut a, mut b) = (Fence::new(&self.a, at_the_end), Fence::new(&self.b, at_the_end));
        let (mut c, mut d) = (Fence::new(&self.c, at_the_end), Fence::new(&self.d, at_the_end));
        let (mut t, mut h) = (Fence::new(&self.t, at_the_end), Fence::new(&self.h, at_the_end));
        let (mut out, mut grid) = (Fence::new(&self.out, at_the_end), Fence::new(&self.grid, at_the_end));
        let result = run(Arguments {
            a: a.slice(),
            b: b.slice(),
            c: &mut *c.array(self.c_shape),
            d: &*d.array(self.d_shape),
            t: t.slice(),
            h: h.slice(),
            out: out.slice(),
            grid: &mut *grid.array(self.grid_shape),
            n: self.n,
            m: self.m,
            far: self.far,
            off: self.off,
        });
        let intact = [a.is_intact(), b.is_intact(), c.is_intact(), d.is_intact()];
        let more = [t.is_intact(), h.is_intact(), out.is_intact(), grid.is_intact()];
        if ![intact, more].as_flattened().iter().all(|intact| *intact) {
            return Err("something beside the arrays was written to".to_owned());
        }
        if b.slice() != self.b || d.slice() != self.d || t.slice() != self.t {
            return Err("an array was written to that can only be read".to_owned());
        }
        let words = format!("{:?} {:?} {:?} {:?} {:?}", a.slice(), c.slice(), h.slice(), out.slice(), grid.slice());
        Ok((result, words))
    }
}

/// What a native body gives, or the words of its panic.
fn natively<R>(body: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(body)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default()
    })
}

/// Checks that a program ends as natively, whatever its values.
pub fn fenced<A: Element, B: Element, C: Element, D: Element>(
    number: u64,
    native: impl Fn(Arguments<'_, A, B, C, D>),
    launch: impl Fn(Arguments<'_, A, B, C, D>) -> qd::Result<()>,
) -> Result<(), String> {
    set_hook(Box::new(|_| ()));
    for case in 0..CASES {
        let values = Case::<A, B, C, D>::new(number, case);
        let (want, memory) = values.run(false, |x| natively(|| native(x)))?;
        for Engine { name, runtime } in engines() {
            for at_the_end in [false, true] {
                let ran = values.run(at_the_end, |x| runtime.scope(|| launch(x)));
                let (got, found) = ran.map_err(|what| format!("case {case}, {name}: {what}"))?;
                match (&want, got.map_err(|error| error.to_string())) {
                    (Ok(()), Ok(())) if memory == found => {}
                    (Ok(()), Ok(())) => return Err(format!("case {case}, {name}: the arrays differ")),
                    (Err(panic), Err(error)) if error.contains(panic.as_str()) => {}
                    (want, got) => return Err(format!("case {case}, {name}: {got:?}, natively {want:?}")),
                }
            }
        }
    }
    Ok(())
}

/// What an access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    Load,
    Store,
    Atomic,
}

/// What the native loop has done: who touched what.
pub struct Seen {
    touched: Vec<Vec<(usize, Does)>>,
    iteration: usize,
    /// Two iterations that conflict, whatever else happened.
    conflict: Option<(usize, usize)>,
    /// What a run in order meets first.
    first: Event,
}

/// What ends a run in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    Nothing,
    Conflict,
    Failure,
}

impl Seen {
    fn new(len: usize) -> Self {
        Seen { touched: vec![Vec::new(); len], iteration: 0, conflict: None, first: Event::Nothing }
    }

    fn meets(&mut self, event: Event) {
        if self.first == Event::Nothing {
            self.first = event;
        }
    }

    /// Runs an iteration as far as it gets.
    pub fn iteration(&mut self, body: impl FnOnce(&mut Seen)) {
        self.iteration += 1;
        if catch_unwind(AssertUnwindSafe(|| body(&mut *self))).is_err() {
            self.meets(Event::Failure);
        }
    }

    /// Notes an access.
    pub fn access(&mut self, does: Does, at: usize) {
        let Some(touched) = self.touched.get_mut(at) else { resume_unwind(Box::new("out of bounds")) };
        let agree = |other: Does| does == other && does != Does::Store;
        let other = touched.iter().find(|(iteration, other)| *iteration != self.iteration && !agree(*other)).copied();
        if !touched.contains(&(self.iteration, does)) {
            touched.push((self.iteration, does));
        }
        if let Some((other, _)) = other {
            self.conflict.get_or_insert((other, self.iteration));
            self.meets(Event::Conflict);
        }
    }
}

/// The arguments of a racing program.
pub struct Racing<'a> {
    pub x: &'a mut [u32],
    pub t: &'a [u16],
    pub n: usize,
    pub m: usize,
    pub far: usize,
    pub off: usize,
}

/// Checks that analysis, detector and oracle agree on a program.
pub fn racing(
    number: u64,
    oracle: impl Fn(&mut Seen, Racing<'_>),
    safe: Option<impl Fn(Racing<'_>) -> qd::Result<()>>,
    claimed: impl Fn(Racing<'_>) -> qd::Result<()>,
) -> Result<(), String> {
    set_hook(Box::new(|_| ()));
    for case in 0..4 * CASES {
        let dice = &mut Dice::of(number, case);
        let (n, m) = (dice.count(40), dice.count(12));
        let len = if dice.below(3) > 0 { n * m.max(2) + dice.below(60) } else { dice.below(900) };
        let (far, off, lt) = (dice.any(), dice.any(), 1 + dice.below(80));
        let mut t: Vec<u16> = (0..lt as u16).collect();
        if dice.below(2) == 0 {
            t.iter_mut().for_each(|v| *v = dice.below(len + 1) as u16);
        } else {
            // A permutation.
            (1..lt).for_each(|k| t.swap(k, dice.below(k + 1)));
        }
        let before: Vec<u32> = filled(dice, len);
        let launch = |run: &dyn Fn(Racing<'_>) -> qd::Result<()>| {
            let mut x = before.clone();
            (run(Racing { x: &mut x, t: &t, n, m, far, off }), x)
        };
        let what = format!("case {case}: n {n}, m {m}, far {far}, off {off}, {len} elements");

        let mut seen = Seen::new(len);
        oracle(&mut seen, Racing { x: &mut before.clone(), t: &t, n, m, far, off });

        let (found, _) = detector().runtime.scope(|| launch(&claimed));
        let found = found.map_err(|error| error.to_string());
        let event = match &found {
            Ok(()) => Event::Nothing,
            Err(error) if error.contains("data race") => Event::Conflict,
            Err(_) => Event::Failure,
        };
        // Debug mode also fails where the arithmetic of an index overflows, which the oracle doesn't follow.
        let overflows = found.as_ref().is_err_and(|error| error.contains("with overflow"));
        if event != seen.first && !overflows {
            return Err(format!("{what}: the detector says {found:?}, the oracle {:?} {:?}", seen.first, seen.conflict));
        }

        let Some(safe) = &safe else { continue };
        for Engine { name, runtime } in &engines()[1..] {
            let (launched, x) = runtime.scope(|| launch(safe));
            match launched {
                Err(error) if error.kind() == ErrorKind::Race => {
                    if x != before {
                        return Err(format!("{what}, {name}: {error}, but something was written"));
                    }
                }
                Ok(()) | Err(_) => {
                    if let Some((one, other)) = seen.conflict {
                        return Err(format!("{what}, {name}: accepted, but iterations {one} and {other} meet"));
                    }
                }
            }
        }
    }
    Ok(())
}
