//! Chess as text: FEN, and moves in UCI notation (`e2e4`, `e7e8q`) or SAN (`Nf3`, `O-O`).

use cozy_chess::{Board, Color, File, Move, get_king_moves, util};

use super::{Chess, Draws};
use crate::error::quote;
use crate::{Error, Notation, Position};

impl Notation for Chess {
    fn parse(&self, text: &str) -> Result<Self, Error> {
        parse(text, self.draws)
    }

    fn move_text(&self, mv: Move) -> String {
        util::display_uci_move(&self.board, mv).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Move, Error> {
        parse_move(self, text)
    }

    fn notation(&self, mv: Move) -> String {
        util::display_san_move(&self.board, mv).to_string()
    }
}

/// The FEN, with the en passant square only if a capture there is legal.
pub(super) fn format(position: &Chess) -> String {
    let fen = position.board.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let [placement, turn, castling, en_passant, _, number] = fields[..] else {
        return fen;
    };
    let en_passant = if position.en_passant().is_some() { en_passant } else { "-" };
    format!("{placement} {turn} {castling} {en_passant} {} {number}", position.clock)
}

/// Parses a FEN. The halfmove clock and the move number may be missing.
fn parse(text: &str, draws: Draws) -> Result<Chess, Error> {
    let invalid = |reason: &str| {
        let example = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        Error::parse("position", text, &format!("is not a valid FEN: {reason}; example: {example}"))
    };
    let fields: Vec<&str> = text.split_whitespace().collect();
    let (&[placement, turn, castling, en_passant], clocks) =
        fields.split_first_chunk::<4>().ok_or_else(|| invalid("a field is missing"))?;
    let (clock, number) = match *clocks {
        [] => ("0", "1"),
        [clock] => (clock, "1"),
        [clock, number] => (clock, number),
        _ => return Err(invalid("there are too many fields")),
    };
    let clock: u16 = clock
        .parse()
        .ok()
        .filter(|&plies| plies <= 150)
        .ok_or_else(|| invalid("the halfmove clock must be between 0 and 150"))?;
    // FEN counts moves from 1, but some programs write 0 in set-up positions.
    let number = if number == "0" { "1" } else { number };
    let fen = format!("{placement} {turn} {castling} {en_passant} {} {number}", clock.min(100));
    let board = Board::from_fen(&fen, false).map_err(|error| invalid(error.to_string().trim_end_matches('.')))?;
    let kings = Color::ALL.map(|color| board.king(color));
    if get_king_moves(kings[0]).has(kings[1]) {
        return Err(invalid("the kings are adjacent"));
    }
    for (color, king) in Color::ALL.into_iter().zip(kings) {
        let rights = board.castle_rights(color);
        if (rights.short.is_some() || rights.long.is_some()) && king.file() != File::E {
            return Err(invalid("only a king on the e-file can castle"));
        }
    }
    Ok(Chess { board, clock, draws })
}

/// Parses a move in UCI notation or, failing that, in SAN.
fn parse_move(position: &Chess, text: &str) -> Result<Move, Error> {
    let board = &position.board;
    let san = text.trim_end_matches(['!', '?']).replace('0', "O");
    if let Ok(mv) = util::parse_uci_move(board, text) {
        return if board.is_legal(mv) { Ok(mv) } else { Err(illegal(position, text)) };
    }
    match util::parse_san_move(board, &san) {
        Ok(mv) => Ok(mv),
        Err(_) if looks_like_san(&san) => Err(illegal(position, text)),
        Err(_) => Err(Error::parse("move", text, "must be in UCI notation (e2e4, e7e8q) or SAN (Nf3, O-O)")),
    }
}

fn looks_like_san(text: &str) -> bool {
    let body = text.trim_end_matches(['+', '#']);
    let contains_square =
        body.as_bytes().windows(2).any(|pair| (b'a'..=b'h').contains(&pair[0]) && (b'1'..=b'8').contains(&pair[1]));
    body.len() <= 8 && (contains_square || body == "O-O" || body == "O-O-O")
}

fn illegal(position: &Chess, text: &str) -> Error {
    const SHOWN: usize = 12;
    let mut moves = Vec::new();
    position.legal_moves(|mv| moves.push(position.notation(mv)));
    moves.sort_unstable();
    let ellipsis = if moves.len() > SHOWN { ", ..." } else { "" };
    moves.truncate(SHOWN);
    let check = if position.board.checkers().is_empty() { "" } else { " (the king is in check)" };
    let moves = moves.join(", ");
    Error::IllegalMove(format!("move {} is illegal or ambiguous{check}; legal moves: {moves}{ellipsis}", quote(text)))
}
