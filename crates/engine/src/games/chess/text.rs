//! Chess in writing: FEN, and moves in UCI (`e2e4`, `e7e8q`) or SAN (`Nf3`, `O-O`).

use cozy_chess::{Board, Color, File, get_king_moves, util};

use super::{Chess, Draws};
use crate::error::quote;
use crate::{Error, Position};

/// The FEN, with an en passant square only where a capture there is legal.
pub(super) fn write(position: &Chess) -> String {
    let fen = position.board.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let [placement, turn, castling, en_passant, _, number] = fields[..] else {
        return fen;
    };
    let en_passant = if position.en_passant().is_some() { en_passant } else { "-" };
    format!("{placement} {turn} {castling} {en_passant} {} {number}", position.quiet)
}

/// Reads a FEN; the two clocks may be missing.
pub(super) fn read(text: &str, draws: Draws) -> Result<Chess, Error> {
    let wrong = |why: &str| {
        let accepted = "accepted is a FEN such as rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        Error::parse("text", text, &format!("is not a position: {why}; {accepted}"))
    };
    let fields: Vec<&str> = text.split_whitespace().collect();
    let (&[placement, turn, castling, en_passant], clocks) =
        fields.split_first_chunk::<4>().ok_or_else(|| wrong("a field is missing"))?;
    let (quiet, number) = match *clocks {
        [] => ("0", "1"),
        [quiet] => (quiet, "1"),
        [quiet, number] => (quiet, number),
        _ => return Err(wrong("there are too many fields")),
    };
    let quiet: u16 =
        quiet.parse().ok().filter(|&plies| plies <= 150).ok_or_else(|| wrong("the halfmove clock is not from 0 to 150"))?;
    // FEN numbers moves from 1; some programs write 0 in set-up positions.
    let number = if number == "0" { "1" } else { number };
    let fen = format!("{placement} {turn} {castling} {en_passant} {} {number}", quiet.min(100));
    let board = Board::from_fen(&fen, false).map_err(|error| wrong(error.to_string().trim_end_matches('.')))?;
    let kings = Color::ALL.map(|color| board.king(color));
    if get_king_moves(kings[0]).has(kings[1]) {
        return Err(wrong("the kings stand side by side"));
    }
    for (color, king) in Color::ALL.into_iter().zip(kings) {
        let rights = board.castle_rights(color);
        if (rights.short.is_some() || rights.long.is_some()) && king.file() != File::E {
            return Err(wrong("only a king on the e-file may castle"));
        }
    }
    Ok(Chess { board, quiet, draws })
}

/// Reads UCI, else SAN.
pub(super) fn read_move(position: &Chess, text: &str) -> Result<cozy_chess::Move, Error> {
    let board = &position.board;
    let san = text.trim_end_matches(['!', '?']).replace('0', "O");
    if let Ok(mv) = util::parse_uci_move(board, text) {
        return if board.is_legal(mv) { Ok(mv) } else { Err(illegal(position, text)) };
    }
    match util::parse_san_move(board, &san) {
        Ok(mv) => Ok(mv),
        Err(_) if looks_like_san(&san) => Err(illegal(position, text)),
        Err(_) => {
            Err(Error::parse("move", text, "is not a move; accepted are UCI such as e2e4 or e7e8q, and SAN such as Nf3 or O-O"))
        }
    }
}

fn looks_like_san(text: &str) -> bool {
    let body = text.trim_end_matches(['+', '#']);
    let ends_on_square =
        body.as_bytes().windows(2).any(|pair| (b'a'..=b'h').contains(&pair[0]) && (b'1'..=b'8').contains(&pair[1]));
    body.len() <= 8 && (ends_on_square || body == "O-O" || body == "O-O-O")
}

fn illegal(position: &Chess, text: &str) -> Error {
    let mut words = Vec::new();
    position.legal_moves(|mv| words.push(position.notation(mv)));
    words.sort_unstable();
    const SHOWN: usize = 12;
    let more = if words.len() > SHOWN { ", ..." } else { "" };
    words.truncate(SHOWN);
    let check = if position.board.checkers().is_empty() { "" } else { "the king is in check; " };
    Error::IllegalMove(format!("move {} is illegal or ambiguous: {check}the moves are {}{more}", quote(text), words.join(", ")))
}
