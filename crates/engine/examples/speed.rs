//! Runs playouts of one game, for profiling: `valgrind --tool=callgrind speed checkers 10000`.
use plyground_engine::games::{self, StartVisitor};
use plyground_engine::search::flat::{PlayoutResults, playouts};
use plyground_engine::{GameRules, Rng};

struct Run(u64);

impl StartVisitor for Run {
    type Output = PlayoutResults;

    fn visit<P: GameRules>(self, start: P) -> PlayoutResults {
        playouts(&start, self.0, &mut Rng::new(1))
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, id, count] = &arguments[..] else {
        return eprintln!("usage: speed GAME COUNT");
    };
    let count: u64 = count.parse().expect("an integer");
    let clock = std::time::Instant::now();
    let (_, _, results) = games::start(id, &[], Run(count)).expect("a listed game");
    let seconds = clock.elapsed().as_secs_f64();
    println!(
        "{id}: {:.0} playouts/s, {:.2} ns per ply, {results:?}",
        count as f64 / seconds,
        seconds / results.plies as f64 * 1e9
    );
}
