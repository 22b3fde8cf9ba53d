//! Rough speeds of the rules, for tuning: `cargo run --release --example speed`.
use std::time::Instant;

use plyground_engine::{Rng, games};

fn main() {
    for (id, depth, count) in [("tictactoe", 9, 20_000_000), ("connect4", 9, 3_000_000), ("checkers", 11, 400_000), ("chess", 6, 10_000)] {
        let (_, _, line) = games::start(id, &[]).expect("a listed game");
        let clock = Instant::now();
        let nodes = line.perft(depth);
        let perft = nodes as f64 / clock.elapsed().as_secs_f64() / 1e6;
        let clock = Instant::now();
        let tally = line.playouts(count, &mut Rng::new(1));
        let rate = count as f64 / clock.elapsed().as_secs_f64();
        println!("{id}: perft({depth}) = {nodes}, {perft:.0} M/s; playouts {rate:.0}/s, {:.2} plies, {tally:?}", tally.plies as f64 / count as f64);
    }
}
