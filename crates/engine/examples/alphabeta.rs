//! Runs one alpha-beta search, for profiling: `alphabeta GAME SECONDS [position=TEXT] [depth=N] [key=value ...]`.
use std::time::Duration;

use plyground_engine::games::{self, StartVisitor};
use plyground_engine::search::alphabeta::{Config, Limits, Observer, analyse};
use plyground_engine::search::analysis::Analysis;
use plyground_engine::{GameRules, Line};

struct Printer;

impl Observer for Printer {
    fn should_stop(&mut self) -> bool {
        false
    }

    fn report(&mut self, analysis: &Analysis) {
        println!(
            "depth {:3} score {:6} nodes {:11} cutoffs {:10} {:8.3} s {:6.2} M nodes/s  {}",
            analysis.stats.depth,
            analysis.score.unwrap_or(0),
            analysis.nodes,
            analysis.stats.cutoffs,
            analysis.seconds,
            analysis.nodes as f64 / analysis.seconds / 1e6,
            analysis.moves[analysis.best].pv.join(" ")
        );
    }
}

struct Run<'a> {
    time: Duration,
    options: &'a [String],
}

impl StartVisitor for Run<'_> {
    type Output = ();

    fn visit<P: GameRules>(self, mut start: P) {
        let mut config = Config::default();
        let mut limits = Limits { time: self.time, bytes: 256 << 20, ..Limits::depth(100) };
        for option in self.options {
            let (key, value) = option.split_once('=').expect("key=value");
            match key {
                "position" => start = start.parse(value).expect("a position"),
                "depth" => limits.depth = value.parse().expect("an integer"),
                _ => config.set(key, value).expect("a known option"),
            }
        }
        let analysis = analyse(&Line::new(start), &config, &limits, &mut Printer).expect("an unfinished game");
        Printer.report(&analysis);
        println!("{:?}", analysis.proven);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [id, seconds, options @ ..] = &arguments[..] else {
        return eprintln!("usage: alphabeta GAME SECONDS [position=TEXT] [depth=N] [key=value ...]");
    };
    let time = Duration::from_secs_f64(seconds.parse().expect("a real number"));
    games::start(id, &[], Run { time, options }).expect("a listed game");
}
