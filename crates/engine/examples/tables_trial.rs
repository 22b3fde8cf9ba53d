//! Trial.
use plyground_engine::exact::checkers::*;
use plyground_engine::*;
use std::path::Path;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: u8 = a[1].parse().unwrap();
    let t = Tables::open(Path::new(&a[2])).unwrap();
    let t0 = std::time::Instant::now();
    println!("open {} {:?}", t.pieces(), t0.elapsed());
    let (done, stop) = Default::default();
    for p in 2..=n {
        let t0 = std::time::Instant::now();
        println!("{p}: {:?} {:?}", t.verify(p, a[3].parse().unwrap(), 1, &done, &stop).map(|(p, a, b)| (p.to_string(), a, b)), t0.elapsed());
        let mut sum = [0u64; 3];
        for c in t.counts().iter().filter(|c| c.material.pieces() == p) { sum[0] += c.wins; sum[1] += c.draws; sum[2] += c.losses; }
        println!("{sum:?} {}", sum.iter().sum::<u64>());
        let mut rng = Rng::new(3);
        let ps: Vec<_> = (0..100000).map(|_| random_position(p, &mut rng).unwrap()).collect();
        for round in 0..3 {
            let t0 = std::time::Instant::now();
            let mut w = 0; for q in &ps { w += t.probe(q).is_some_and(|k| k.value == Value::Win) as u32; }
            println!("round {round} {w} {:.0} probes/s", 1e5 / t0.elapsed().as_secs_f64());
        }
    }
}
