//! Runs one tree search, for profiling: `search GAME SIMULATIONS [threads=N] [key=value ...]`.
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use plyground_engine::evaluate::Evaluators;
use plyground_engine::games::{self, StartVisitor};
use plyground_engine::search::config::Config;
use plyground_engine::search::mcts::{Budget, Search, Threads};
use plyground_engine::{GameRules, Line};

const HOUR: Duration = Duration::from_secs(3600);

struct Run<'a> {
    simulations: u64,
    options: &'a [String],
}

impl StartVisitor for Run<'_> {
    type Output = ();

    fn visit<P: GameRules>(self, start: P) {
        let mut config = Config::default();
        for (key, value) in P::TUNING {
            config.set(key, value).expect("a known option");
        }
        let mut threads = 1;
        for option in self.options {
            let (key, value) = option.split_once('=').expect("key=value");
            match key {
                "threads" => threads = value.parse().expect("an integer"),
                _ => config.set(key, value).expect("a known option"),
            }
        }
        let (line, threads) = (Line::new(start), Threads::SharedTree(threads));
        let mut search = Search::new(line, config, Evaluators::default(), threads, 1 << 30).expect("an unfinished game");
        search.start(Budget { simulations: self.simulations, time: HOUR }, 1);
        let clock = Instant::now();
        search.run_until(clock + HOUR, &AtomicBool::new(false));
        let seconds = clock.elapsed().as_secs_f64();
        let analysis = search.analysis();
        for mv in &analysis.moves {
            eprintln!("{:8} {:9} {:.4} {:?}", mv.text, mv.visits, mv.value, mv.proven);
        }
        let (best, stats) = (&analysis.moves[analysis.best], &analysis.stats);
        println!(
            "{:.0} simulations/s, {:.0} ns each, {} nodes, {} bytes, mean depth {:.1}, max depth {}, best {} {:.3}, pv {}",
            stats.simulations as f64 / seconds,
            seconds * 1e9 / stats.simulations as f64,
            analysis.nodes,
            analysis.bytes,
            stats.mean_depth(),
            stats.max_depth,
            best.text,
            best.value,
            best.pv.join(" ")
        );
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [id, simulations, options @ ..] = &arguments[..] else {
        return eprintln!("usage: search GAME SIMULATIONS [threads=N] [key=value ...]");
    };
    let simulations = simulations.parse().expect("an integer");
    games::start(id, &[], Run { simulations, options }).expect("a listed game");
}
