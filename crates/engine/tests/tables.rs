//! Checkers endgame tables, compared with known totals and a plain solver, and checked for consistency.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use plyground_engine::exact::checkers::{Control, Plan, ProbeResult, Tables, Value, leak_tables};
use plyground_engine::games::checkers::{Checkers, Draws};
use plyground_engine::{Notation, Position, Side, View};

const PIECES: u8 = 3;

/// Returns the tables for up to three pieces, built once per process.
fn tables() -> &'static Tables {
    static TABLES: OnceLock<&Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let folder = folder("three");
        build(&folder, PIECES, 2);
        let tables = Tables::open(&folder).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        leak_tables(tables)
    })
}

fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("plyground-tables-{}-{name}", std::process::id()))
}

fn build(folder: &std::path::Path, pieces: u8, threads: usize) {
    let plan = Plan { folder: folder.to_owned(), pieces, threads, again: false };
    assert_eq!(plan.run(&Control::default()), Ok(true));
}

/// Returns every position with up to three pieces in which both sides have pieces.
fn every_position() -> Vec<Checkers> {
    let start = Checkers::start(Draws::English);
    // White man, white king, black man, black king.
    let kinds = [("W", ""), ("W", "K"), ("B", ""), ("B", "K")];
    let pieces: Vec<(u8, &str, String)> = (1..=32)
        .flat_map(|square| kinds.map(|(side, king)| (square, side, format!("{king}{square}"))))
        .filter(|(square, side, text)| text.starts_with('K') || if *side == "W" { *square > 4 } else { *square < 29 })
        .collect();
    let mut positions = Vec::new();
    let mut add = |chosen: &[&(u8, &str, String)]| {
        let list = |color: &str| {
            let of_side: Vec<&str> =
                chosen.iter().filter(|(_, side, _)| *side == color).map(|(.., text)| text.as_str()).collect();
            of_side.join(",")
        };
        let (white, black) = (list("W"), list("B"));
        if !white.is_empty() && !black.is_empty() {
            for turn in ["B", "W"] {
                positions.push(start.parse(&format!("{turn}:W{white}:B{black}")).unwrap());
            }
        }
    };
    for (first, one) in pieces.iter().enumerate() {
        for (second, two) in pieces.iter().enumerate().skip(first).filter(|(_, two)| two.0 > one.0) {
            add(&[one, two]);
            pieces[second..].iter().filter(|three| three.0 > two.0).for_each(|three| add(&[one, two, three]));
        }
    }
    positions
}

/// Computes the value and distance of each decided position in repeated passes; pass `n` finds the positions at distance `n`.
fn plain_values(positions: &[Checkers]) -> HashMap<u64, ProbeResult> {
    let successors_of = |position: &Checkers| {
        let mut positions = Vec::new();
        position.legal_moves(|mv| {
            let mut next = position.clone();
            next.play(mv);
            positions.push(next);
        });
        positions
    };
    let successors: Vec<Vec<Checkers>> = positions.iter().map(successors_of).collect();
    let mut known: HashMap<u64, ProbeResult> = HashMap::new();
    for ply in 0.. {
        let mut resolved = Vec::new();
        for (position, successors) in positions.iter().zip(&successors).filter(|(one, _)| !known.contains_key(&one.key())) {
            let values: Vec<Option<Value>> = successors
                .iter()
                .map(|next| match next.active_pieces() {
                    0 => (ply > 0).then_some(Value::Loss),
                    _ => known.get(&next.key()).map(|known| known.value),
                })
                .collect();
            let value = if values.contains(&Some(Value::Loss)) {
                Value::Win
            } else if values.iter().all(|value| *value == Some(Value::Win)) {
                Value::Loss
            } else {
                continue;
            };
            resolved.push((position.key(), ProbeResult { value, distance: Some(ply) }));
        }
        if resolved.is_empty() && ply > 0 {
            return known;
        }
        known.extend(resolved);
    }
    known
}

trait ActivePieces {
    /// Number of pieces of the side to move.
    fn active_pieces(&self) -> usize;
}

impl ActivePieces for Checkers {
    fn active_pieces(&self) -> usize {
        let mut count = 0;
        self.cells(|_, letter| count += usize::from(letter.eq_ignore_ascii_case(&['b', 'w'][self.turn() as usize])));
        count
    }
}

#[test]
fn totals_match_known_values() {
    let mut sums = HashMap::new();
    for count in tables().counts() {
        let sum: &mut [u64; 3] = sums.entry(count.material.pieces()).or_default();
        sum.iter_mut().zip([count.wins, count.draws, count.losses]).for_each(|(sum, count)| *sum += count);
    }
    assert_eq!(sums[&2], [716, 2370, 402]);
    assert_eq!(sums[&3], [100_250, 8_477, 87_305]);
}

#[test]
fn king_against_king_takes_at_most_eleven_plies() {
    let counts = tables().counts();
    let count =
        counts.iter().find(|one| one.material.pieces() == 2 && one.material.black.kings + one.material.white.kings == 2);
    let count = count.unwrap();
    assert_eq!([count.wins, count.draws, count.losses], [230, 654, 108]);
    let longest = every_position()
        .iter()
        .filter(|position| {
            let text = position.to_string();
            text.matches('K').count() == 2 && !text.contains(',')
        })
        .filter_map(|position| tables().probe(position))
        .filter(|known| known.value == Value::Win)
        .filter_map(|known| known.distance)
        .max();
    assert_eq!(longest, Some(11));
}

#[test]
fn tables_match_a_plain_solver_and_are_consistent() {
    let positions = every_position();
    assert_eq!(positions.len(), 2 * (3_488 + 196_032));
    let plain = plain_values(&positions);
    for position in &positions {
        let expected = plain.get(&position.key()).copied().unwrap_or(ProbeResult { value: Value::Draw, distance: None });
        assert_eq!(tables().probe(position), Some(expected), "{position}");
        assert_eq!(tables().contradiction(position), None, "{position}");
    }
}

#[test]
fn files_do_not_depend_on_the_number_of_threads() {
    let (one, two) = (folder("one"), folder("two"));
    build(&one, PIECES, 1);
    build(&two, PIECES, 2);
    let mut names: Vec<_> = std::fs::read_dir(&one).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names.len(), 9);
    for name in names {
        assert_eq!(std::fs::read(one.join(&name)).unwrap(), std::fs::read(two.join(&name)).unwrap(), "{name:?}");
    }
    std::fs::remove_dir_all(one).unwrap();
    std::fs::remove_dir_all(two).unwrap();
}

#[test]
fn a_resumed_build_writes_the_same_files() {
    let (complete, resumed) = (folder("complete"), folder("resumed"));
    build(&complete, PIECES, 1);
    build(&resumed, PIECES, 1);
    for name in ["1k1m-1k0m.table", "0k2m-0k1m.table"] {
        std::fs::remove_file(resumed.join(name)).unwrap();
    }
    build(&resumed, PIECES, 1);
    for name in ["1k1m-1k0m.table", "0k2m-0k1m.table"] {
        assert_eq!(std::fs::read(complete.join(name)).unwrap(), std::fs::read(resumed.join(name)).unwrap(), "{name}");
    }
    std::fs::remove_dir_all(complete).unwrap();
    std::fs::remove_dir_all(resumed).unwrap();
}

#[test]
fn positions_outside_the_tables_have_no_value() {
    let start = Checkers::start(Draws::English);
    assert_eq!(tables().probe(&start), None);
    assert_eq!(tables().probe(&start.parse("B:WK1:B").unwrap()), Some(ProbeResult { value: Value::Loss, distance: Some(0) }));
    assert_eq!(tables().probe(&start.parse("W:WK1:B").unwrap()), None);
    assert_eq!(start.parse("W:WK1:B").unwrap().turn(), Side::Second);
}
