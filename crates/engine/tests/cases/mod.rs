//! The games that the contract is held against, and random play through them.

use plyground_engine::erased::AnyLine;
use plyground_engine::options::Accepts;
use plyground_engine::{Rng, games};

pub(crate) mod spec;

/// A game with its options chosen, and positions worth starting from besides its own start.
pub(crate) struct Case {
    pub(crate) spec: String,
    texts: &'static [&'static str],
}

/// Each game of the list with its defaults and each word its options take, and what is listed here.
pub(crate) fn cases() -> Vec<Case> {
    let case = |&(spec, texts): &(&str, _)| Case { spec: spec.to_string(), texts };
    let mut cases: Vec<Case> = LISTED.iter().map(case).collect();
    for entry in games::GAMES {
        let mut specs = vec![entry.id.to_string()];
        for option in entry.options {
            if let Accepts::Word(words) = option.accepts {
                specs.extend(words[1..].iter().map(|word| format!("{}({}={word})", entry.id, option.name)));
            }
        }
        for spec in specs {
            if !cases.iter().any(|case| case.spec == spec) {
                cases.push(Case { spec, texts: &[] });
            }
        }
    }
    cases
}

/// Games with other options, the extremes among them, and positions worth starting from.
const LISTED: &[(&str, &[&str])] = &[
    ("checkers", CHECKERS),
    ("checkers(draws=openspiel)", CHECKERS),
    ("connect4", &["112233", "44444435353"]),
    ("connect4(columns=8, rows=7, line=5)", &[]),
    ("connect4(columns=4, rows=5, line=3)", &[]),
    ("connect4(columns=2, rows=6, line=2)", &[]),
    ("connect4(columns=1, rows=63)", &[]),
    ("connect4(columns=32, rows=1, line=5)", &[]),
    ("connect4(columns=9, rows=2, line=64)", &[]),
    ("tictactoe", &["x.o/.x./..o"]),
    ("tictactoe(rows=8, columns=8, line=5)", &[]),
    ("tictactoe(rows=4, columns=5, line=4)", &[]),
    ("tictactoe(rows=64, columns=1, line=4)", &[]),
    ("tictactoe(rows=1, columns=64, line=3)", &[]),
    ("tictactoe(rows=1, columns=1, line=2)", &[]),
    ("chess", CHESS),
    ("chess(draws=forced)", CHESS),
];

const CHECKERS: &[&str] = &[
    "W:WK2:B6,7,14,15,22,23",
    "W:WK32:B27,26,18,19,10,11",
    "B:WK10,K15,K22,17,18,25,26,27:BK1,K32,5,9",
    "B:WK1,K2:BK31,K32",
    "W:W21:B17",
];

/// Castling, en passant (allowed and not), promotions, bare endings, a clock about to run out.
const CHESS: &[&str] = &[
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "8/5k2/8/8/8/2K5/6R1/8 w - - 90 60",
    "8/P1k5/8/8/8/8/5Kp1/8 b - - 0 1",
    "8/8/4k3/8/8/3NK3/8/5n2 w - - 149 120",
    "7k/5Q2/8/8/8/8/8/K7 b - - 0 1",
];

impl Case {
    /// The lines to play from.
    pub(crate) fn starts(&self) -> Vec<Box<dyn AnyLine>> {
        let start = spec::start(&self.spec).expect(&self.spec);
        let mut lines: Vec<Box<dyn AnyLine>> =
            self.texts.iter().map(|text| start.at(text).unwrap_or_else(|error| panic!("{error}"))).collect();
        if self.spec.starts_with("checkers") {
            let mut rng = Rng::new(7);
            lines.extend((0..40).map(|_| start.at(&random_checkers(&mut rng)).unwrap_or_else(|error| panic!("{error}"))));
        }
        lines.push(start);
        lines
    }
}

/// Pieces anywhere, every other one a king: captures of several pieces and round trips are common there.
fn random_checkers(rng: &mut Rng) -> String {
    let mut squares: Vec<u32> = (1..=32).collect();
    let mut side = |letter: &str, crown: std::ops::RangeInclusive<u32>| {
        let pieces: Vec<String> = (0..=rng.below(12))
            .map(|_| {
                let square = squares.swap_remove(rng.below(squares.len() as u32) as usize);
                let king = crown.contains(&square) || rng.below(2) == 0;
                format!("{}{square}", if king { "K" } else { "" })
            })
            .collect();
        format!("{letter}{}", pieces.join(","))
    };
    let (white, black) = (side("W", 1..=4), side("B", 29..=32));
    format!("{}:{white}:{black}", if rng.below(2) == 0 { "B" } else { "W" })
}
