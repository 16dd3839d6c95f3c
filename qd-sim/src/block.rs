//! Executes a block: each lane is a coroutine, resumed in the order of the schedule until it waits or ends.
//!
//! A lane that never waits never leaves its stack, so the next one gets the same; only lanes that wait at once have one
//! each. A lane is suspended in code without unwind tables, so a lane that won't go on is reset, not unwound.
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult};

use crate::finding::Finding;
use crate::program::{Entry, GlobalKind};
use crate::running::{LaneYielder, Resume, Running, Stop};
use crate::schedule::{Order, arrange, numbers};
use crate::shims::VALID;
use crate::warp::{Kind, Offer, exchange};

/// What shared memory holds before it is written, if a read of that isn't found: a NaN, as a number huge and negative.
const POISON: u8 = 0xfb;

thread_local! {
    /// Stacks that nobody uses, by size.
    static STACKS: RefCell<HashMap<usize, Vec<DefaultStack>>> = RefCell::default();
}

/// A lane that has begun.
struct Lane {
    coroutine: Option<Coroutine<Resume, Stop, (), DefaultStack>>,
}

impl Drop for Lane {
    fn drop(&mut self) {
        if let Some(coroutine) = self.coroutine.as_mut().filter(|lane| lane.started() && !lane.done()) {
            // SAFETY: the frames on its stack are of generated code and of shims that own nothing.
            unsafe { coroutine.force_reset() };
        }
    }
}

/// Where a lane is.
#[derive(Debug, Clone, Copy)]
enum State {
    /// It can go on, with that.
    Ready(Resume),
    Barrier {
        site: u32,
        number: u32,
    },
    Warp(Offer),
    Done,
}

/// The lanes of a block in execution.
pub(crate) struct Block<'r, 'a> {
    running: &'r Running<'a>,
    entry: Entry,
    arguments: *const u64,
    lanes: Vec<Option<Lane>>,
    states: Vec<State>,
    ready: VecDeque<u32>,
    /// That no lane has now.
    stacks: Vec<DefaultStack>,
}

impl Drop for Block<'_, '_> {
    fn drop(&mut self) {
        let own = &mut self.stacks;
        STACKS.with_borrow_mut(|stacks| stacks.entry(self.running.program.stack).or_default().append(own));
    }
}

impl<'r, 'a> Block<'r, 'a> {
    /// The block that `running` stands at. The arguments must be those of the entry, and stay.
    pub(crate) fn new(running: &'r Running<'a>, entry: Entry, arguments: *const u64) -> Self {
        let count = running.lanes as usize;
        Block {
            running,
            entry,
            arguments,
            lanes: (0..count).map(|_| None).collect(),
            states: vec![State::Ready(0); count],
            ready: VecDeque::new(),
            stacks: STACKS.with_borrow_mut(|stacks| stacks.remove(&running.program.stack)).unwrap_or_default(),
        }
    }

    /// Runs it to its end.
    pub(crate) fn run(&mut self) -> Result<(), Finding> {
        let running = self.running;
        running.epoch.set(0);
        *running.yielders.borrow_mut() = vec![std::ptr::null(); self.lanes.len()];
        let mut private = running.private.borrow_mut();
        private.resize(self.lanes.len(), Vec::new());
        private.iter_mut().for_each(Vec::clear);
        drop(private);
        for global in running.program.globals.iter().filter(|global| global.kind == GlobalKind::Shared) {
            let at = std::ptr::with_exposed_provenance_mut::<u8>(global.at as usize);
            // SAFETY: the variable is of the program, so large, and no lane runs.
            unsafe { at.write_bytes(POISON, global.bytes as usize) };
        }
        self.ready = numbers(running.lanes, running.schedule.lanes, &mut running.chance.borrow_mut()).into();
        loop {
            while let Some(lane) = self.next() {
                self.resume(lane)?;
            }
            if self.states.iter().all(|state| matches!(state, State::Done)) {
                return Ok(());
            }
            if !self.exchange()? {
                self.pass_barrier()?;
            }
        }
    }

    fn next(&mut self) -> Option<u32> {
        match self.running.schedule.lanes {
            Order::Forward | Order::Backward => self.ready.pop_front(),
            Order::Random(_) if self.ready.is_empty() => None,
            Order::Random(_) => {
                let at = self.running.chance.borrow_mut().below(self.ready.len() as u64) as usize;
                self.ready.swap_remove_back(at)
            }
        }
    }

    fn resume(&mut self, lane: u32) -> Result<(), Finding> {
        let at = lane as usize;
        let input = match self.states[at] {
            State::Ready(input) => input,
            State::Barrier { .. } | State::Warp(_) | State::Done => return Ok(()),
        };
        if self.lanes[at].is_none() {
            self.lanes[at] = Some(self.begin(lane)?);
        }
        self.running.lane.set(lane);
        let Some(coroutine) = self.lanes[at].as_mut().and_then(|lane| lane.coroutine.as_mut()) else { return Ok(()) };
        match coroutine.resume(input) {
            CoroutineResult::Yield(Stop::Preempted) => {
                self.states[at] = State::Ready(0);
                self.ready.push_back(lane);
            }
            CoroutineResult::Yield(Stop::Barrier { site, number }) => self.states[at] = State::Barrier { site, number },
            CoroutineResult::Yield(Stop::Warp(offer)) => self.states[at] = State::Warp(offer),
            CoroutineResult::Yield(Stop::Failed) => {
                let finding = self.running.finding.borrow_mut().take();
                return Err(finding.unwrap_or_else(|| self.whole("a lane stopped without a reason".to_owned(), vec![])));
            }
            CoroutineResult::Return(()) => {
                self.states[at] = State::Done;
                if let Some(coroutine) = self.lanes[at].as_mut().and_then(|lane| lane.coroutine.take()) {
                    self.stacks.push(coroutine.into_stack());
                }
            }
        }
        Ok(())
    }

    fn begin(&mut self, lane: u32) -> Result<Lane, Finding> {
        let size = self.running.program.stack;
        let stack = match self.stacks.pop() {
            Some(stack) => stack,
            None => DefaultStack::new(size)
                .map_err(|error| self.whole(format!("no room for the stack of a lane: {error}"), vec![]))?,
        };
        let (entry, arguments) = (self.entry, self.arguments);
        let running = std::ptr::from_ref(self.running).cast::<()>();
        let coroutine = Coroutine::with_stack(stack, move |yielder: &LaneYielder, _: Resume| {
            // SAFETY: the launch waits for the lane and holds this; only the lifetime is made up.
            let running = unsafe { &*running.cast::<Running<'_>>() };
            running.yielders.borrow_mut()[lane as usize] = std::ptr::from_ref(yielder);
            // SAFETY: the entry reads as many words as the launch has checked that there are. What it does with memory
            // is looked at before it is done.
            unsafe { entry(arguments) };
        });
        Ok(Lane { coroutine: Some(coroutine) })
    }

    /// Serves the exchanges that can go on. False if there is none.
    fn exchange(&mut self) -> Result<bool, Finding> {
        let warp = self.running.program.warp as usize;
        let mut any = false;
        for first in (0..self.states.len()).step_by(warp) {
            let lanes = first..(first + warp).min(self.states.len());
            let waiting = lanes.clone().find_map(|lane| match self.states[lane] {
                State::Warp(offer) => Some((lane, offer)),
                State::Ready(_) | State::Barrier { .. } | State::Done => None,
            });
            let Some((asker, asked)) = waiting else { continue };
            let mut offers = vec![None; warp];
            for lane in lanes {
                let takes_part = asked.mask.is_none_or(|mask| mask >> (lane - first) & 1 != 0);
                let offer = match self.states[lane] {
                    State::Warp(offer) if offer.site == asked.site && offer.mask == asked.mask => Some(offer),
                    State::Warp(_) | State::Ready(_) | State::Barrier { .. } | State::Done => None,
                };
                // Without a mask who is elsewhere takes no part.
                if takes_part && offer.is_none() && asked.mask.is_some() {
                    return Err(self.missing(asker, asked, lane));
                }
                offers[lane - first] = offer.filter(|_| takes_part);
            }
            if offers[asker - first].is_none() {
                return Err(self.missing(asker, asked, asker));
            }
            for (lane, offer) in offers.iter().enumerate() {
                let Some(offer) = offer else { continue };
                let got = exchange(lane, &offers)
                    .map_err(|from| self.missing(first + lane, *offer, first + from as usize))?;
                let valid = match offer.kind {
                    Kind::Index | Kind::Up | Kind::Down | Kind::Butterfly if got.valid => VALID,
                    Kind::Index | Kind::Up | Kind::Down | Kind::Butterfly => 0,
                    // These have whole words for values, and no such answer.
                    Kind::Meet | Kind::Any | Kind::All | Kind::Uniform | Kind::Ballot | Kind::First | Kind::Permute => {
                        0
                    }
                };
                self.states[first + lane] = State::Ready(got.value | valid);
                self.ready.push_back((first + lane) as u32);
                any = true;
            }
        }
        Ok(any)
    }

    /// The error of an exchange that lane `lane` should take part in.
    fn missing(&self, asker: usize, asked: Offer, lane: usize) -> Finding {
        let place = |lane: usize| self.running.place(self.running.block.get() * self.running.lanes + lane as u32);
        let what = format!(
            "exchanges values with lane {:?} of its warp, which isn't there: {}",
            place(lane).lane,
            match self.states.get(lane) {
                Some(State::Done) => "it has ended",
                Some(State::Barrier { .. }) => "it waits at a barrier",
                Some(State::Warp(_)) => "it takes part in another exchange",
                Some(State::Ready(_)) => "it goes on elsewhere",
                None => "the block has no such lane",
            }
        );
        let advice = "Let all lanes of the mask come to the instruction, with the same mask.";
        Finding { place: Some(place(asker)), what, sites: vec![asked.site], advice }
    }

    /// All lanes have to wait at one barrier; then they go on.
    fn pass_barrier(&mut self) -> Result<(), Finding> {
        let State::Barrier { site, number } = self.states[0] else { return Err(self.divergent()) };
        let waits = |state: &State| match state {
            State::Barrier { site: at, number: of } => (*at, *of) == (site, number),
            State::Ready(_) | State::Warp(_) | State::Done => false,
        };
        if !self.states.iter().all(waits) {
            return Err(self.divergent());
        }
        let running = self.running;
        running.epoch.set(running.epoch.get() + 1);
        running.rounds.set(0);
        self.states.fill(State::Ready(0));
        self.ready.extend(0..running.lanes);
        arrange(self.ready.make_contiguous(), running.schedule.lanes, &mut running.chance.borrow_mut());
        Ok(())
    }

    /// The finding of lanes that don't all wait at one barrier.
    fn divergent(&self) -> Finding {
        // Lanes by what they wait for.
        let mut groups: Vec<(String, Option<u32>, Vec<usize>)> = Vec::new();
        for (lane, state) in self.states.iter().enumerate() {
            let (what, site) = match state {
                State::Barrier { site, number } => (format!("waiting at barrier {number}"), Some(*site)),
                State::Warp(offer) => ("waiting for their warp".to_owned(), Some(offer.site)),
                State::Done => ("at their end".to_owned(), None),
                State::Ready(_) => ("running".to_owned(), None),
            };
            match groups.iter_mut().find(|group| (&group.0, group.1) == (&what, site)) {
                Some(group) => group.2.push(lane),
                None => groups.push((what, site, vec![lane])),
            }
        }
        let parts: Vec<String> =
            groups.iter().map(|(what, _, lanes)| format!("lanes {} are {what}", ranges(lanes))).collect();
        let sites = groups.iter().filter_map(|(_, site, _)| *site).collect();
        self.whole(format!("the barrier is divergent: {}", parts.join("; ")), sites)
    }

    /// A finding about the block.
    fn whole(&self, what: String, sites: Vec<u32>) -> Finding {
        let block = self.running.place(self.running.block.get() * self.running.lanes).block;
        Finding {
            place: None,
            what: format!("in block {block:?}, {what}"),
            sites,
            advice: "All lanes of a block have to come to the same barrier, as often as each other.",
        }
    }
}

/// Ascending numbers as ranges.
fn ranges(numbers: &[usize]) -> String {
    let mut text = Vec::new();
    let mut rest = numbers;
    while let Some(&first) = rest.first() {
        let run = rest.iter().enumerate().take_while(|(n, number)| **number == first + n).count();
        text.push(if run == 1 { first.to_string() } else { format!("{first}..={}", first + run - 1) });
        rest = &rest[run..];
    }
    text.join(", ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn lanes_are_named_in_ranges() {
        assert_eq!(super::ranges(&[0, 1, 2, 5, 7, 8]), "0..=2, 5, 7..=8");
    }
}
