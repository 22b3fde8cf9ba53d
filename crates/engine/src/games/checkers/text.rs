//! Checkers in writing: FEN as `B:W21,22,K30:B1-12`, moves as `11-15`, `22x15`, `22x15x8`.

use super::{Checkers, Draws, Move, board};
use crate::bits::each_bit;
use crate::error::quote;
use crate::{Error, Position, Side};

pub(super) fn write(position: &Checkers) -> String {
    let turn = if position.turn == Side::First { 'B' } else { 'W' };
    format!("{turn}:W{}:B{}", list(position.white, position.kings), list(position.black, position.kings))
}

fn list(pieces: u32, kings: u32) -> String {
    let mut numbers = Vec::new();
    each_bit(pieces.into(), |bit| numbers.push((board::number(bit), kings >> bit & 1 != 0)));
    numbers.sort_unstable();
    let words: Vec<String> =
        numbers.into_iter().map(|(number, king)| format!("{}{number}", if king { "K" } else { "" })).collect();
    words.join(",")
}

/// Reads a FEN: order free, ranges such as `1-12` allowed, a final full stop allowed, one side may be missing.
pub(super) fn read(text: &str, draws: Draws) -> Result<Checkers, Error> {
    let wrong = |why: &str| {
        Error::parse(
            "text",
            text,
            &format!("is not a position: {why}; accepted is a FEN such as B:W21-32:B1-12 or W:WK3,18:BK10"),
        )
    };
    let body = text.trim().trim_matches('"');
    let mut parts = body.strip_suffix('.').unwrap_or(body).split(':');
    let turn = match parts.next().map(str::trim) {
        Some("B" | "b") => Side::First,
        Some("W" | "w") => Side::Second,
        _ => return Err(wrong("it does not begin with the side to move, B or W")),
    };
    let mut position = Checkers { black: 0, white: 0, kings: 0, turn, quiet: 0, draws };
    let mut seen = [false; 2];
    for part in parts {
        let part = part.trim();
        let (side, numbers) = match part.chars().next() {
            Some('B' | 'b') => (Side::First, &part[1..]),
            Some('W' | 'w') => (Side::Second, &part[1..]),
            _ => return Err(wrong("a list of pieces begins with B or W")),
        };
        if std::mem::replace(&mut seen[side as usize], true) {
            return Err(wrong("a side is listed twice"));
        }
        for word in numbers.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            place(&mut position, side, word).map_err(|why| wrong(&why))?;
        }
    }
    let counts = [position.black.count_ones(), position.white.count_ones()];
    if counts == [0, 0] || counts.iter().any(|&count| count > 12) {
        return Err(wrong("a side has at most 12 pieces, and there is at least one on the board"));
    }
    Ok(position)
}

fn place(position: &mut Checkers, side: Side, word: &str) -> Result<(), String> {
    let (king, numbers) = match word.strip_prefix(['K', 'k']) {
        Some(rest) => (true, rest),
        None => (false, word),
    };
    let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
    let number = |text: &str| {
        let digits = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        let value = if digits { text.parse().unwrap_or(0) } else { 0 };
        if (1..=32).contains(&value) { Ok(value) } else { Err(format!("{} is no square from 1 to 32", quote(text))) }
    };
    let (first, last): (u8, u8) = (number(first.trim())?, number(last.trim())?);
    if first > last {
        return Err(format!("the range {} runs backwards", quote(numbers)));
    }
    let squares = board::squares(first..=last);
    if (position.black | position.white) & squares != 0 {
        return Err(format!("two pieces stand on {}", quote(numbers)));
    }
    let crown = if side == Side::First { board::BLACK_CROWN } else { board::WHITE_CROWN };
    if !king && squares & crown != 0 {
        return Err(format!("a man on {} would have been crowned", quote(numbers)));
    }
    match side {
        Side::First => position.black |= squares,
        Side::Second => position.white |= squares,
    }
    if king {
        position.kings |= squares;
    }
    Ok(())
}

/// The short form, or every square touched where another capture has the same ends.
pub(super) fn write_move(position: &Checkers, mv: Move) -> String {
    if mv.captured == 0 {
        return format!("{}-{}", board::number(mv.from.into()), board::number(mv.to.into()));
    }
    let mut twins = 0;
    position.legal_moves(|other| twins += u32::from((other.from, other.to) == (mv.from, mv.to)));
    let route = if twins == 1 { vec![mv.from.into(), mv.to.into()] } else { position.route(mv) };
    let squares: Vec<String> = route.into_iter().map(|bit| board::number(bit).to_string()).collect();
    squares.join("x")
}

pub(super) fn read_move(position: &Checkers, text: &str) -> Result<Move, Error> {
    let accepted = "is not a move; accepted are squares from 1 to 32 such as 11-15, 22x15 or 22x15x8";
    let mut route: Vec<u8> = Vec::new();
    for word in text.trim().split(['-', 'x', 'X']) {
        match word.parse() {
            Ok(number @ 1..=32) if word.len() <= 2 && !word.starts_with('+') && route.len() < 16 => route.push(number),
            _ => return Err(Error::parse("move", text, accepted)),
        }
    }
    let [first, .., last] = route[..] else {
        return Err(Error::parse("move", text, accepted));
    };
    let bit = |number: u8| board::bit(number).trailing_zeros();
    let mut fitting = Vec::new();
    let mut legal = Vec::new();
    position.legal_moves(|mv| {
        legal.push(mv);
        if u32::from(mv.from) == bit(first) && u32::from(mv.to) == bit(last) {
            fitting.push(mv);
        }
    });
    // Two squares are short for any capture between them, but first of all the name of the one that touches no other.
    let exact = |mv: &Move| captured_along(&route, mv.captured) == Some(mv.captured);
    if route.len() > 2 || (fitting.len() > 1 && fitting.iter().any(exact)) {
        fitting.retain(exact);
    }
    match fitting[..] {
        [mv] => Ok(mv),
        [] => Err(Error::IllegalMove(format!("move {} is illegal: {}", quote(text), why_illegal(position, &legal)))),
        _ => {
            let forms: Vec<String> = fitting.iter().map(|&mv| position.move_text(mv)).collect();
            Err(Error::IllegalMove(format!("move {} is ambiguous; accepted are {}", quote(text), forms.join(", "))))
        }
    }
}

/// The pieces jumped on a route whose every jump goes over one of `pieces`, none of them twice.
fn captured_along(route: &[u8], pieces: u32) -> Option<u32> {
    let mut captured = 0;
    for ends in route.windows(2) {
        let (from, to) = (board::bit(ends[0]), board::bit(ends[1]));
        let over = (0..4).map(|direction| (direction, board::step(from & board::CAN_JUMP[direction], direction)));
        let (_, over) = over.into_iter().find(|&(direction, over)| over != 0 && board::step(over, direction) == to)?;
        if over & pieces & !captured == 0 {
            return None;
        }
        captured |= over;
    }
    Some(captured)
}

fn why_illegal(position: &Checkers, legal: &[Move]) -> String {
    const SHOWN: usize = 12;
    let mut words: Vec<String> = legal.iter().take(SHOWN).map(|&mv| position.move_text(mv)).collect();
    if legal.len() > SHOWN {
        words.push("...".into());
    }
    let must = if legal.iter().any(|mv| mv.captured != 0) { "a capture must be made" } else { "it is not one of the moves" };
    format!("{must}: {}", words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_capture_keeps_its_name_beside_a_long_one_with_the_same_ends() {
        let position = read("B:W17,18,19,25,26,28,29:B1,2,4,5,6,7,8,9,K23", Draws::English).unwrap();
        for name in ["23x16", "23x14x21x30x23x16"] {
            let mv = read_move(&position, name).unwrap();
            assert_eq!(write_move(&position, mv), name);
        }
    }
}
