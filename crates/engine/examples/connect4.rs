//! Solves positions read from standard input, one per line, given as the columns played so far. The transposition table is cleared
//! before each one.
//!
//! Usage: `connect4 [MEBIBYTES] [THREADS]`. Prints the moves, the score, the number of nodes and the time in seconds.
use std::io::BufRead;
use std::time::Instant;

use plyground_engine::exact::connect4::{SolverOptions, standard_solver};
use plyground_engine::exact::solution::NoObserver;
use plyground_engine::games::connect4::{ConnectFour, Standard};
use plyground_engine::{Line, Notation};

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<usize>().expect("a positive integer"));
    let bytes = arguments.next().unwrap_or(128) << 20;
    let threads = arguments.next().unwrap_or(1);
    let start = ConnectFour::new(Standard);
    let mut solver = standard_solver(SolverOptions { bytes, threads, book: None });
    for line in std::io::stdin().lock().lines() {
        let moves = line.expect("readable input");
        let line = Line::new(start.parse(&moves).expect("a legal game"));
        solver.clear();
        let start_time = Instant::now();
        let solution =
            solver.solve(&line, false, &mut NoObserver).expect("an unfinished game").expect("the search is never stopped");
        println!("{moves} {} {} {:.6}", solution.score, solution.nodes, start_time.elapsed().as_secs_f64());
    }
}
