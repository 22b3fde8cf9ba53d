use super::*;
use crate::rng::mix;

fn entry(score: i32, depth: i32) -> Entry {
    Entry { score, bound: Bound::Exact, depth, code: 7, inexact: true }
}

#[test]
fn stored_entries_are_found() {
    let table = TranspositionTable::new(1 << 12);
    table.store(42, 3, entry(-55, 4));
    assert_eq!(table.probe(42, 9), Some(entry(-55, 4)));
    assert_eq!(table.probe(43, 9), None);
}

#[test]
fn the_distance_of_a_win_is_relative_to_the_node() {
    let table = TranspositionTable::new(1 << 12);
    table.store(1, 4, entry(WIN - 6, 4));
    assert_eq!(table.probe(1, 7).map(|entry| entry.score), Some(WIN - 9));
    table.store(2, 4, entry(6 - WIN, 4));
    assert_eq!(table.probe(2, 0).map(|entry| entry.score), Some(2 - WIN));
}

#[test]
fn a_growing_table_keeps_almost_all_entries() {
    let table = TranspositionTable::new(3 << 20);
    assert_eq!(table.buckets(), INITIAL_BUCKETS);
    let count = table.max_buckets as u64;
    let score = |number: u64| (number % 1000) as i32;
    for number in 0..count {
        table.store(mix(number), 0, entry(score(number), 3));
    }
    assert_eq!(table.buckets(), table.max_buckets);
    let kept = (0..count).filter(|&number| table.probe(mix(number), 0) == Some(entry(score(number), 3))).count();
    assert!(kept as u64 > count * 98 / 100, "{kept} of {count}");
}

#[test]
fn the_shallowest_entry_is_replaced_and_memory_stays_within_the_limit() {
    assert!(TranspositionTable::new(1000).bytes() <= 1000);
    let table = TranspositionTable::new(0);
    for key in 0..5 {
        table.store(key, 0, entry(0, 5 - key as i32));
    }
    assert_eq!((0..5).filter(|&key| table.probe(key, 0).is_some()).collect::<Vec<u64>>(), [0, 1, 2, 4]);
}

#[test]
fn entries_from_earlier_searches_are_replaced_first() {
    let mut table = TranspositionTable::new(0);
    table.store(0, 0, entry(0, 9));
    table.start_search(false);
    table.start_search(false);
    for key in 1..5 {
        table.store(key, 0, entry(0, 1));
    }
    assert_eq!((0..5).filter(|&key| table.probe(key, 0).is_some()).collect::<Vec<u64>>(), [1, 2, 3, 4]);
}

#[test]
fn a_cleared_table_equals_a_new_one() {
    let mut table = TranspositionTable::new(3 << 20);
    (0..100_000).for_each(|number| table.store(mix(number), 0, entry(0, 3)));
    table.clear();
    assert_eq!((table.buckets(), table.filled.load(Relaxed), table.age), (INITIAL_BUCKETS, 0, 0));
    assert!(table.slots.iter().all(|slot| slot.load().is_none()));
}

#[test]
fn a_slot_torn_by_two_writers_is_ignored() {
    let table = TranspositionTable::new(0);
    table.store(42, 0, entry(10, 4));
    let slot = table.slots.iter().find(|slot| slot.load().is_some()).unwrap();
    slot.data.fetch_xor(1, Relaxed);
    assert_eq!(table.probe(42, 0), None);
}

#[test]
fn threads_never_read_corrupt_entries_from_a_shared_table() {
    let mut table = TranspositionTable::new(1 << 12);
    table.start_search(true);
    let table = &table;
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for step in 0..50_000_u64 {
                    let number = mix(step + thread) % 500;
                    table.store(mix(number), 0, entry(number as i32, 3));
                    let other = mix(step) % 500;
                    if let Some(found) = table.probe(mix(other), 0) {
                        assert_eq!(found, entry(other as i32, 3));
                    }
                }
            });
        }
    });
}
