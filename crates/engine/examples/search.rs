//! One search and nothing else, for profilers: `search GAME SIMULATIONS [THREADS] [key=value ...]`.
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use plyground_engine::games;
use plyground_engine::search::config::Config;
use plyground_engine::search::evaluator::Judges;
use plyground_engine::search::run::{Budget, Threads};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [id, simulations, rest @ ..] = &arguments[..] else {
        return eprintln!("usage: search GAME SIMULATIONS [key=value ...]");
    };
    let (_, _, line) = games::start(id, &[]).expect("a listed game");
    let mut config = Config::default();
    for (key, value) in line.tuning() {
        config.set(key, value).expect("a known option");
    }
    let mut threads = 1;
    for option in rest {
        let (key, value) = option.split_once('=').expect("key=value");
        match key {
            "threads" => threads = value.parse().expect("a number"),
            _ => config.set(key, value).expect("a known option"),
        }
    }
    let mut search = line.search(config, Judges::default(), Threads::Together(threads), 1 << 30).expect("an unfinished game");
    let simulations = simulations.parse().expect("a number");
    search.begin(Budget { simulations, time: Duration::from_secs(3600) }, 1);
    let clock = Instant::now();
    search.work(clock + Duration::from_secs(3600), &AtomicBool::new(false));
    let seconds = clock.elapsed().as_secs_f64();
    let thought = search.thought();
    let best = &thought.moves[thought.best];
    for thought in &thought.moves {
        eprintln!("{:8} {:9} {:.4} {:?}", thought.text, thought.visits, thought.value, thought.proof);
    }
    println!(
        "{id}: {:.0} simulations/s, {:.0} ns each, {} nodes, {} bytes, depth {:.1} (most {}), best {} {:.3}, line {}",
        thought.work.simulations as f64 / seconds,
        seconds * 1e9 / thought.work.simulations as f64,
        thought.nodes,
        thought.bytes,
        thought.work.depth as f64 / thought.work.simulations as f64,
        thought.work.deepest,
        best.text,
        best.value,
        best.line.join(" ")
    );
}
