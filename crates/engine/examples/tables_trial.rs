//! Trial.
use plyground_engine::exact::checkers::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let plan = Plan { folder: a[2].clone().into(), pieces: a[1].parse().unwrap(), threads: 2, again: false };
    let c = Control::default();
    let t = std::time::Instant::now();
    println!("{:?}", plan.run(&c));
    println!("{:?} {:?} {:.2}s", c.done, c.total, t.elapsed().as_secs_f64());
}
