//! Checkers as text: FEN such as `B:W21,22,K30:B1-12` and moves such as `11-15`, `22x15`, `22x15x8`.

use super::{Checkers, Draws, Move, board};
use crate::bits::each_bit;
use crate::error::quote;
use crate::{Error, Notation, Position, Side};

impl Notation for Checkers {
    fn parse(&self, text: &str) -> Result<Self, Error> {
        parse(text, self.draws)
    }

    fn move_text(&self, mv: Move) -> String {
        format_move(self, mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, Error> {
        parse_move(self, text)
    }
}

pub(super) fn format(position: &Checkers) -> String {
    let turn = if position.turn == Side::First { 'B' } else { 'W' };
    format!("{turn}:W{}:B{}", list(position.white, position.kings), list(position.black, position.kings))
}

fn list(pieces: u32, kings: u32) -> String {
    let mut numbers = Vec::new();
    each_bit(pieces.into(), |bit| numbers.push((board::number(bit), kings >> bit & 1 != 0)));
    numbers.sort_unstable();
    let squares: Vec<String> =
        numbers.into_iter().map(|(number, king)| format!("{}{number}", if king { "K" } else { "" })).collect();
    squares.join(",")
}

/// Parses a FEN. Squares may be listed in any order and as ranges such as `1-12`, the text may end with a full stop, and one side may
/// be missing.
fn parse(text: &str, draws: Draws) -> Result<Checkers, Error> {
    let invalid = |reason: &str| {
        let message = format!("is not a valid FEN: {reason}; examples: B:W21-32:B1-12, W:WK3,18:BK10");
        Error::parse("position", text, &message)
    };
    let body = text.trim().trim_matches('"');
    let mut parts = body.strip_suffix('.').unwrap_or(body).split(':');
    let turn = match parts.next().map(str::trim) {
        Some("B" | "b") => Side::First,
        Some("W" | "w") => Side::Second,
        _ => return Err(invalid("it must start with the side to move, B or W")),
    };
    let mut position = Checkers { black: 0, white: 0, kings: 0, turn, clock: 0, draws };
    let mut seen = [false; 2];
    for part in parts {
        let part = part.trim();
        let (side, numbers) = match part.chars().next() {
            Some('B' | 'b') => (Side::First, &part[1..]),
            Some('W' | 'w') => (Side::Second, &part[1..]),
            _ => return Err(invalid("each list of pieces must start with B or W")),
        };
        if std::mem::replace(&mut seen[side as usize], true) {
            return Err(invalid("a side is listed twice"));
        }
        for item in numbers.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            place(&mut position, side, item).map_err(|reason| invalid(&reason))?;
        }
    }
    let counts = [position.black.count_ones(), position.white.count_ones()];
    if counts == [0, 0] || counts.iter().any(|&count| count > 12) {
        return Err(invalid("there must be at least one piece and at most 12 per side"));
    }
    Ok(position)
}

/// Places a piece such as `K30`, or a range of pieces such as `1-12`.
fn place(position: &mut Checkers, side: Side, item: &str) -> Result<(), String> {
    let (king, numbers) = match item.strip_prefix(['K', 'k']) {
        Some(rest) => (true, rest),
        None => (false, item),
    };
    let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
    let number = |text: &str| {
        let digits = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        let value = if digits { text.parse().unwrap_or(0) } else { 0 };
        if (1..=32).contains(&value) {
            Ok(value)
        } else {
            Err(format!("squares must be between 1 and 32, got {}", quote(text)))
        }
    };
    let (first, last): (u8, u8) = (number(first.trim())?, number(last.trim())?);
    if first > last {
        return Err(format!("the range {} is reversed", quote(numbers)));
    }
    let squares = board::squares(first..=last);
    if (position.black | position.white) & squares != 0 {
        return Err(format!("{} places a piece on an occupied square", quote(item)));
    }
    let crown = if side == Side::First { board::BLACK_CROWN } else { board::WHITE_CROWN };
    if !king && squares & crown != 0 {
        return Err(format!("{} places a man on its king row", quote(item)));
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

/// The start and end squares of a move, or all visited squares if another capture has the same start and end.
fn format_move(position: &Checkers, mv: Move) -> String {
    if mv.captured == 0 {
        return format!("{}-{}", board::number(mv.from.into()), board::number(mv.to.into()));
    }
    let mut twins = 0;
    position.legal_moves(|other| twins += u32::from((other.from, other.to) == (mv.from, mv.to)));
    let route = if twins == 1 { vec![mv.from.into(), mv.to.into()] } else { position.route(mv) };
    let squares: Vec<String> = route.into_iter().map(|bit| board::number(bit).to_string()).collect();
    squares.join("x")
}

fn parse_move(position: &Checkers, text: &str) -> Result<Move, Error> {
    let invalid = "must have the form 11-15, 22x15 or 22x15x8, with squares between 1 and 32";
    let mut route: Vec<u8> = Vec::new();
    for item in text.trim().split(['-', 'x', 'X']) {
        match item.parse() {
            Ok(number @ 1..=32) if item.len() <= 2 && !item.starts_with('+') && route.len() < 16 => route.push(number),
            _ => return Err(Error::parse("move", text, invalid)),
        }
    }
    let [first, .., last] = route[..] else {
        return Err(Error::parse("move", text, invalid));
    };
    let bit = |number: u8| board::bit(number).trailing_zeros();
    let mut matching = Vec::new();
    let mut legal = Vec::new();
    position.legal_moves(|mv| {
        legal.push(mv);
        if u32::from(mv.from) == bit(first) && u32::from(mv.to) == bit(last) {
            matching.push(mv);
        }
    });
    // A text with two squares matches any capture between them, but a single jump takes precedence.
    let exact = |mv: &Move| captured_along(&route, mv.captured) == Some(mv.captured);
    if route.len() > 2 || (matching.len() > 1 && matching.iter().any(exact)) {
        matching.retain(exact);
    }
    match matching[..] {
        [mv] => Ok(mv),
        [] => Err(Error::IllegalMove(format!("move {} is illegal{}", quote(text), legal_moves_message(position, &legal)))),
        _ => {
            let forms: Vec<String> = matching.iter().map(|&mv| position.move_text(mv)).collect();
            Err(Error::IllegalMove(format!("move {} is ambiguous; use one of {}", quote(text), forms.join(", "))))
        }
    }
}

/// The pieces captured along a route; `None` unless every jump captures a different one of `pieces`.
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

fn legal_moves_message(position: &Checkers, legal: &[Move]) -> String {
    const SHOWN: usize = 12;
    let mut texts: Vec<String> = legal.iter().take(SHOWN).map(|&mv| position.move_text(mv)).collect();
    if legal.len() > SHOWN {
        texts.push("...".into());
    }
    let must_capture = if legal.iter().any(|mv| mv.captured != 0) { " (a capture is compulsory)" } else { "" };
    format!("{must_capture}; legal moves: {}", texts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_jump_and_a_multi_jump_with_the_same_ends_have_different_texts() {
        let position = parse("B:W17,18,19,25,26,28,29:B1,2,4,5,6,7,8,9,K23", Draws::English).unwrap();
        for text in ["23x16", "23x14x21x30x23x16"] {
            let mv = parse_move(&position, text).unwrap();
            assert_eq!(format_move(&position, mv), text);
        }
    }
}
