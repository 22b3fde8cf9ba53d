//! Playouts of one game and nothing else, for profilers: `valgrind --tool=callgrind speed checkers 10000`.
use plyground_engine::{Rng, games};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, id, count] = &arguments[..] else {
        return eprintln!("usage: speed GAME COUNT");
    };
    let (_, _, line) = games::start(id, &[]).expect("a listed game");
    let count: u64 = count.parse().expect("a number");
    let clock = std::time::Instant::now();
    let tally = line.playouts(count, &mut Rng::new(1));
    let seconds = clock.elapsed().as_secs_f64();
    println!("{id}: {:.0} playouts/s, {:.2} ns a ply, {tally:?}", count as f64 / seconds, seconds / tally.plies as f64 * 1e9);
}
