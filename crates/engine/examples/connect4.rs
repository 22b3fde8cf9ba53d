//! Solves games written as columns, one a line of standard input, each with an empty table: `connect4 [MEBIBYTES] [THREADS]`.
use std::io::BufRead;
use std::time::Instant;

use plyground_engine::exact::connect4::{Means, solver};
use plyground_engine::exact::solution::Unwatched;
use plyground_engine::games;

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<usize>().expect("a number"));
    let bytes = numbers.next().unwrap_or(128) << 20;
    let threads = numbers.next().unwrap_or(1);
    let (_, _, start) = games::start("connect4", &[]).expect("a listed game");
    let mut solver = solver(&*start, Means { bytes, threads, book: None }).expect("Connect Four");
    for line in std::io::stdin().lock().lines() {
        let text = line.expect("a line");
        let position = start.at(&text).expect("a game");
        solver.clear();
        let begun = Instant::now();
        let solution = solver.solve(&*position, false, &mut Unwatched).expect("an unfinished game").expect("no stop");
        println!("{text} {} {} {:.6}", solution.score, solution.nodes, begun.elapsed().as_secs_f64());
    }
}
