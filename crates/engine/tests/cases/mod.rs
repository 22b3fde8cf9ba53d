//! Games and positions for the contract tests.

use plyground_engine::games::{self, StartVisitor};
use plyground_engine::options::Allowed;
use plyground_engine::{GameRules, Line, Rng};

pub(crate) mod spec;

/// A game with its options and additional start positions.
pub(crate) struct Case {
    pub(crate) spec: String,
    texts: &'static [&'static str],
}

/// The cases in [`LISTED`], plus every game with its default options and with each non-default named value of an option.
pub(crate) fn cases() -> Vec<Case> {
    let case = |&(spec, texts): &(&str, _)| Case { spec: spec.to_string(), texts };
    let mut cases: Vec<Case> = LISTED.iter().map(case).collect();
    for entry in games::GAMES {
        let mut specs = vec![entry.id.to_string()];
        for option in entry.options {
            if let Allowed::OneOf(names) = option.allowed {
                specs.extend(names[1..].iter().map(|name| format!("{}({}={name})", entry.id, option.name)));
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

/// Games with other options, including extreme ones, and interesting positions.
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

/// Castling, legal and illegal en passant, promotions, bare endgames, and clocks near the move limit.
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

/// A property of all games. `check` is called with the start positions of each case; the game's own start position comes last.
pub(crate) trait Contract {
    fn check<P: GameRules>(&self, spec: &str, starts: &[Line<P>]);
}

/// Checks a property for every case.
pub(crate) fn check_all(contract: &impl Contract) {
    for case in cases() {
        spec::start(&case.spec, CheckStarts { case: &case, contract }).expect(&case.spec);
    }
}

struct CheckStarts<'a, C> {
    case: &'a Case,
    contract: &'a C,
}

impl<C: Contract> StartVisitor for CheckStarts<'_, C> {
    type Output = ();

    fn visit<P: GameRules>(self, start: P) {
        let parse = |text: &str| Line::new(start.parse(text).unwrap_or_else(|error| panic!("{error}")));
        let mut lines: Vec<Line<P>> = self.case.texts.iter().map(|text| parse(text)).collect();
        if self.case.spec.starts_with("checkers") {
            let mut rng = Rng::new(7);
            lines.extend((0..40).map(|_| parse(&random_checkers(&mut rng))));
        }
        lines.push(Line::new(start));
        self.contract.check(&self.case.spec, &lines);
    }
}

/// Defines a test of a property of all games: a function of the spec and the start positions, generic over the position type `P`.
macro_rules! contract {
    ($(#[$meta:meta])* fn $name:ident<P>($spec:ident, $starts:ident) $body:block) => {
        $(#[$meta])*
        #[test]
        fn $name() {
            struct Property;

            impl cases::Contract for Property {
                fn check<P: plyground_engine::GameRules>(&self, $spec: &str, $starts: &[plyground_engine::Line<P>]) $body
            }

            cases::check_all(&Property);
        }
    };
}

pub(crate) use contract;

/// A random checkers position. About half of the pieces are kings, so that multi-jumps and circular captures are common.
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
