//! Measures the probing speed of endgame tables by probing random positions repeatedly.
//!
//! Usage: `tables FOLDER [ROUNDS]`.

use std::path::Path;
use std::time::Instant;

use plyground_engine::Rng;
use plyground_engine::exact::checkers::{Tables, Value, random_position};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_default();
    let rounds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(20);
    let tables = match Tables::open(Path::new(&folder)) {
        Ok(tables) => tables,
        Err(error) => return eprintln!("{error}"),
    };
    let mut rng = Rng::new(1);
    for pieces in 2..=tables.pieces() {
        let positions: Vec<_> = (0..5000).filter_map(|_| random_position(pieces, &mut rng)).collect();
        let mut wins = 0;
        let start_time = Instant::now();
        for _ in 0..rounds {
            wins = positions
                .iter()
                .filter(|position| tables.probe(position).is_some_and(|known| known.value == Value::Win))
                .count();
        }
        let rate = (rounds * positions.len()) as f64 / start_time.elapsed().as_secs_f64();
        println!("{pieces} pieces: {rate:.0} probes/s; {wins} of {} positions won", positions.len());
    }
}
