//! Trial.
fn main() {
    let n: u8 = std::env::args().nth(1).unwrap().parse().unwrap();
    plyground_engine::exact::checkers::build_all(n, 2);
}
