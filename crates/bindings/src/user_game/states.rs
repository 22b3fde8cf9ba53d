//! The cached states of a Python game, with a memory limit.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use plyground_engine::games::callback::State;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple, PyType};

/// Estimated memory of a cached state in bytes, in addition to its Python objects: the engine's state with links to its successors,
/// and its entry in the cache.
const STATE_BYTES: usize = 512;
/// Estimated memory of an entry in the dictionary of move texts, in bytes.
const TEXT_BYTES: usize = 100;
/// The maximum number of shared move texts.
const MAX_TEXTS: usize = 1 << 14;
/// The maximum length of a shared move text in characters.
const MAX_TEXT_LENGTH: usize = 64;
/// The maximum number of cached states with the same hash.
const MAX_COLLISIONS: isize = 8;
/// The maximum number of states evicted at once while no search is running, which takes a few milliseconds. Later calls evict the
/// rest.
const MAX_EVICTED_AT_REST: usize = 1000;
/// The maximum number of recently used states that an eviction spares.
const MAX_SPARED: usize = 16;

struct Entry {
    key: Py<PyAny>,
    state: Arc<State>,
    bytes: usize,
}

#[derive(Default)]
struct Cached {
    /// The states by hash. If its hash is taken, a state is stored under one of the next numbers (linear probing).
    entries: HashMap<isize, Entry>,
    /// The keys of `entries`, with the next one to evict at the front.
    queue: VecDeque<isize>,
    bytes: usize,
    /// The total memory in bytes granted to running searches, and the number of these searches.
    granted: usize,
    searches: usize,
}

/// A cache of states. Its lock is never held while Python code runs.
pub(crate) struct States {
    cached: Mutex<Cached>,
    /// The memory limit in bytes while no search is running.
    base: usize,
    /// Maps each move text to itself, so that lists of moves share it.
    texts: Py<PyDict>,
    getsizeof: Py<PyAny>,
}

/// Memory that a search grants to the cache while it runs.
pub(crate) struct Grant<'a> {
    states: &'a States,
    bytes: usize,
}

impl Drop for Grant<'_> {
    fn drop(&mut self) {
        let mut cached = self.states.lock();
        cached.granted -= self.bytes;
        cached.searches -= 1;
        drop(cached);
        self.states.evict();
    }
}

impl States {
    /// An empty cache that uses at most `base` bytes while no search is running.
    pub(crate) fn new(py: Python<'_>, base: usize) -> PyResult<States> {
        let getsizeof = py.import("sys")?.getattr("getsizeof")?.unbind();
        Ok(States { cached: Mutex::default(), base, texts: PyDict::new(py).unbind(), getsizeof })
    }

    fn lock(&self) -> MutexGuard<'_, Cached> {
        self.cached.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The estimated memory of the cached states in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.lock().bytes
    }

    /// Until the result is dropped, limits the cache to `bytes` plus the grants of other running searches.
    pub(crate) fn grant(&self, bytes: usize) -> Grant<'_> {
        let mut cached = self.lock();
        cached.granted += bytes;
        cached.searches += 1;
        drop(cached);
        self.evict();
        Grant { states: self, bytes }
    }

    /// The cached state that equals a Python state.
    pub(crate) fn get(&self, state: &Bound<'_, PyAny>) -> PyResult<Option<Arc<State>>> {
        let (py, hash) = (state.py(), state.hash()?);
        for slot in 0..MAX_COLLISIONS {
            let entry =
                self.lock().entries.get(&hash.wrapping_add(slot)).map(|entry| (entry.key.clone_ref(py), entry.state.clone()));
            match entry {
                None => return Ok(None),
                Some((key, found)) if key.is(state) || key.bind(py).eq(state)? => return Ok(Some(found)),
                Some(_) => {}
            }
        }
        Ok(None)
    }

    /// Caches a state whose moves use `move_bytes` bytes.
    pub(crate) fn insert(&self, key: &Bound<'_, PyAny>, state: &Arc<State>, move_bytes: usize) -> PyResult<()> {
        let hash = key.hash()?;
        let bytes = STATE_BYTES + move_bytes + self.object_bytes(key, 4);
        let entry = Entry { key: key.clone().unbind(), state: state.clone(), bytes };
        let mut cached = self.lock();
        let free = (0..MAX_COLLISIONS).map(|slot| hash.wrapping_add(slot)).find(|slot| !cached.entries.contains_key(slot));
        if let Some(slot) = free {
            cached.entries.insert(slot, entry);
            cached.queue.push_back(slot);
            cached.bytes += bytes;
        }
        drop(cached);
        self.evict();
        Ok(())
    }

    /// Evicts the oldest states that have not been used since they were last considered (second-chance replacement), until the memory
    /// is within the limit. Must be called with the GIL held, because it releases Python objects.
    fn evict(&self) {
        let mut evicted = Vec::new();
        let mut cached = self.lock();
        let (limit, max) = match cached.searches {
            0 => (self.base, MAX_EVICTED_AT_REST),
            _ => (cached.granted, usize::MAX),
        };
        let mut spared = 0;
        while cached.bytes > limit
            && evicted.len() < max
            && let Some(slot) = cached.queue.pop_front()
        {
            if spared < MAX_SPARED && cached.entries.get(&slot).is_some_and(|entry| entry.state.take_used()) {
                cached.queue.push_back(slot);
                spared += 1;
            } else if let Some(entry) = cached.entries.remove(&slot) {
                cached.bytes -= entry.bytes;
                evicted.push(entry);
            }
        }
        if cached.entries.capacity() > 4 * cached.entries.len() + 64 {
            cached.entries.shrink_to_fit();
            cached.queue.shrink_to_fit();
        }
        // Releasing a state may run Python code.
        drop(cached);
    }

    /// Replaces each move text with a shared copy. Returns the texts and their estimated memory in bytes.
    pub(crate) fn share_texts(&self, moves: &Bound<'_, PyList>) -> PyResult<(Box<[Py<PyAny>]>, usize)> {
        let texts = self.texts.bind(moves.py());
        let mut bytes = size_of::<Py<PyAny>>() * moves.len();
        let mut shared = Vec::with_capacity(moves.len());
        for text in moves {
            if let Some(known) = texts.get_item(&text)? {
                shared.push(known.unbind());
                continue;
            }
            bytes += self.shallow_bytes(&text) + TEXT_BYTES;
            if text.len()? <= MAX_TEXT_LENGTH {
                if texts.len() >= MAX_TEXTS {
                    texts.clear();
                }
                texts.set_item(&text, &text)?;
            }
            shared.push(text.unbind());
        }
        Ok((shared.into(), bytes))
    }

    fn shallow_bytes(&self, object: &Bound<'_, PyAny>) -> usize {
        let size = self.getsizeof.bind(object.py()).call1((object,)).and_then(|size| size.extract());
        size.unwrap_or(STATE_BYTES)
    }

    /// Estimates the memory of an object and of the objects in it, down to `depth` levels. Only a sample of the items of a collection
    /// is measured.
    fn object_bytes(&self, object: &Bound<'_, PyAny>, depth: u32) -> usize {
        if object.is_none() || object.cast::<PyInt>().is_ok_and(|int| int.extract().is_ok_and(|int| (-5..=256).contains(&int)))
        {
            return 0; // These objects are shared.
        }
        let own = self.shallow_bytes(object);
        if depth == 0 || object.is_instance_of::<PyString>() || object.is_instance_of::<PyType>() {
            return own;
        }
        own + self.item_bytes(object, depth - 1).unwrap_or(0)
    }

    fn item_bytes(&self, object: &Bound<'_, PyAny>, depth: u32) -> PyResult<usize> {
        const SAMPLES: usize = 8;
        let is = |all: &[bool]| all.contains(&true);
        if let Ok(dict) = object.cast::<PyDict>() {
            return Ok(self.object_bytes(&dict.keys(), depth) + self.object_bytes(&dict.values(), depth));
        }
        if is(&[object.is_instance_of::<PyTuple>(), object.is_instance_of::<PyList>()]) {
            let length = object.len()?;
            let (mut sum, step) = (0, length.div_ceil(SAMPLES).max(1));
            for index in (0..length).step_by(step) {
                sum += self.object_bytes(&object.get_item(index)?, depth) * step.min(length - index);
            }
            return Ok(sum);
        }
        if is(&[object.is_instance_of::<PyFrozenSet>(), object.is_instance_of::<PySet>()]) {
            let (mut sum, mut count) = (0, 0);
            for item in object.try_iter()?.take(SAMPLES) {
                sum += self.object_bytes(&item?, depth);
                count += 1;
            }
            return Ok(sum * object.len()? / count.max(1));
        }
        let mut sum = 0;
        if let Some(fields) = object.getattr_opt("__dict__")? {
            sum += self.object_bytes(&fields, depth);
        }
        if let Some(Ok(names)) = object.get_type().getattr_opt("__slots__")?.map(Bound::cast_into::<PyTuple>) {
            for name in names {
                if let Some(value) = object.getattr_opt(name.cast::<PyString>()?)? {
                    sum += self.object_bytes(&value, depth);
                }
            }
        }
        Ok(sum)
    }
}
