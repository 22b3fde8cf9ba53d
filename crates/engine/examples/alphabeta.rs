//! One alpha-beta search, depth by depth, for speed: `alphabeta GAME SECONDS [position=TEXT] [depth=N] [key=value ...]`.
use std::time::Duration;

use plyground_engine::games;
use plyground_engine::search::alphabeta::{Config, Limits, Outlook, Watch};

struct Printed;

impl Watch for Printed {
    fn wants_stop(&mut self) -> bool {
        false
    }

    fn report(&mut self, outlook: &Outlook) {
        println!(
            "depth {:3} score {:6} nodes {:11} cutoffs {:10} {:8.3} s {:6.2} M nodes/s  {}",
            outlook.depth,
            outlook.score.unwrap_or(0),
            outlook.nodes,
            outlook.cutoffs,
            outlook.seconds,
            outlook.nodes as f64 / outlook.seconds / 1e6,
            outlook.moves[outlook.best].line.join(" ")
        );
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [id, seconds, rest @ ..] = &arguments[..] else {
        return eprintln!("usage: alphabeta GAME SECONDS [position=TEXT] [depth=N] [key=value ...]");
    };
    let (_, _, mut line) = games::start(id, &[]).expect("a listed game");
    let mut config = Config::default();
    let time = Duration::from_secs_f64(seconds.parse().expect("a number"));
    let mut limits = Limits { depth: 100, time, bytes: 256 << 20 };
    for option in rest {
        let (key, value) = option.split_once('=').expect("key=value");
        match key {
            "position" => line = line.at(value).expect("a position"),
            "depth" => limits.depth = value.parse().expect("a number"),
            _ => config.set(key, value).expect("a known option"),
        }
    }
    let outlook = line.alphabeta(&config, &limits, &mut Printed).expect("an unfinished game");
    Printed.report(&outlook);
    println!("{:?}", outlook.proof);
}
