//! Endgame tables of checkers: known totals, a plain solver, and each value from its successors.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use plyground_engine::exact::checkers::{Control, Known, Plan, Tables, Value, keep};
use plyground_engine::games::checkers::{Checkers, Draws};
use plyground_engine::{Position, Side};

const PIECES: u8 = 3;

/// A folder of this process, and the tables of three pieces in it.
fn tables() -> &'static Tables {
    static TABLES: OnceLock<&Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let folder = folder("three");
        build(&folder, PIECES, 2);
        let tables = Tables::open(&folder).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        keep(tables)
    })
}

fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("plyground-tables-{}-{name}", std::process::id()))
}

fn build(folder: &std::path::Path, pieces: u8, threads: usize) {
    let plan = Plan { folder: folder.to_owned(), pieces, threads, again: false };
    assert_eq!(plan.run(&Control::default()), Ok(true));
}

/// Every position with up to three pieces and both sides present, by text.
fn every_position() -> Vec<Checkers> {
    let start = Checkers::start(Draws::English);
    // What can stand on a square: white man, white king, black man, black king.
    let kinds = [("W", ""), ("W", "K"), ("B", ""), ("B", "K")];
    let pieces: Vec<(u8, &str, String)> = (1..=32)
        .flat_map(|square| kinds.map(|(side, king)| (square, side, format!("{king}{square}"))))
        .filter(|(square, side, text)| text.starts_with('K') || if *side == "W" { *square > 4 } else { *square < 29 })
        .collect();
    let mut found = Vec::new();
    let mut add = |chosen: &[&(u8, &str, String)]| {
        let list = |wanted: &str| {
            let of_side: Vec<&str> =
                chosen.iter().filter(|(_, side, _)| *side == wanted).map(|(.., text)| text.as_str()).collect();
            of_side.join(",")
        };
        let (white, black) = (list("W"), list("B"));
        if !white.is_empty() && !black.is_empty() {
            for turn in ["B", "W"] {
                found.push(start.parse(&format!("{turn}:W{white}:B{black}")).unwrap());
            }
        }
    };
    for (first, one) in pieces.iter().enumerate() {
        for (second, two) in pieces.iter().enumerate().skip(first).filter(|(_, two)| two.0 > one.0) {
            add(&[one, two]);
            pieces[second..].iter().filter(|three| three.0 > two.0).for_each(|three| add(&[one, two, three]));
        }
    }
    found
}

/// Value and distance of each position by going through all of them again and again: at pass `n` those that end in `n` plies.
fn plain_values(positions: &[Checkers]) -> HashMap<u64, Known> {
    let after = |position: &Checkers| {
        let mut keys = Vec::new();
        position.legal_moves(|mv| {
            let mut next = position.clone();
            next.play(mv);
            keys.push(next);
        });
        keys
    };
    let successors: Vec<Vec<Checkers>> = positions.iter().map(after).collect();
    let mut known: HashMap<u64, Known> = HashMap::new();
    for ply in 0.. {
        let mut settled = Vec::new();
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
            settled.push((position.key(), Known { value, distance: Some(ply) }));
        }
        if settled.is_empty() && ply > 0 {
            return known;
        }
        known.extend(settled);
    }
    known
}

trait Active {
    fn active_pieces(&self) -> usize;
}

impl Active for Checkers {
    /// The pieces of the side to move.
    fn active_pieces(&self) -> usize {
        let mut count = 0;
        self.cells(|_, letter| count += usize::from(letter.eq_ignore_ascii_case(&['b', 'w'][self.turn() as usize])));
        count
    }
}

#[test]
fn totals_are_the_known_ones() {
    let mut sums = HashMap::new();
    for count in tables().counts() {
        let sum: &mut [u64; 3] = sums.entry(count.material.pieces()).or_default();
        sum.iter_mut().zip([count.wins, count.draws, count.losses]).for_each(|(sum, count)| *sum += count);
    }
    assert_eq!(sums[&2], [716, 2370, 402]);
    assert_eq!(sums[&3], [100_250, 8_477, 87_305]);
}

#[test]
fn a_king_against_a_king_wins_in_eleven_plies_at_most() {
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
fn tables_equal_a_plain_solver_and_no_value_contradicts_its_successors() {
    let positions = every_position();
    assert_eq!(positions.len(), 2 * (3_488 + 196_032));
    let plain = plain_values(&positions);
    for position in &positions {
        let expected = plain.get(&position.key()).copied().unwrap_or(Known { value: Value::Draw, distance: None });
        assert_eq!(tables().probe(position), Some(expected), "{position}");
        assert_eq!(tables().contradiction(position), None, "{position}");
    }
}

#[test]
fn one_thread_and_two_write_the_same_files() {
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
fn a_resumed_build_writes_what_an_unbroken_one_does() {
    let (whole, broken) = (folder("whole"), folder("broken"));
    build(&whole, PIECES, 1);
    build(&broken, PIECES, 1);
    for name in ["1k1m-1k0m.table", "0k2m-0k1m.table"] {
        std::fs::remove_file(broken.join(name)).unwrap();
    }
    build(&broken, PIECES, 1);
    for name in ["1k1m-1k0m.table", "0k2m-0k1m.table"] {
        assert_eq!(std::fs::read(whole.join(name)).unwrap(), std::fs::read(broken.join(name)).unwrap(), "{name}");
    }
    std::fs::remove_dir_all(whole).unwrap();
    std::fs::remove_dir_all(broken).unwrap();
}

#[test]
fn too_many_pieces_and_a_missing_opponent_are_not_known() {
    let start = Checkers::start(Draws::English);
    assert_eq!(tables().probe(&start), None);
    assert_eq!(tables().probe(&start.parse("B:WK1:B").unwrap()), Some(Known { value: Value::Loss, distance: Some(0) }));
    assert_eq!(tables().probe(&start.parse("W:WK1:B").unwrap()), None);
    assert_eq!(start.parse("W:WK1:B").unwrap().turn(), Side::Second);
}
