//! King and pawn against king, solved: all 24 squares of a pawn on the left half of the board, backwards from the last rank.
//!
//! For a fixed pawn and a fixed king that fights it, the squares of the pawn's own king are one word of 64 bits, and the
//! positions won by a move of a king are unions and intersections of such words. Pushing the pawn leads to what is solved
//! already. The whole takes about a millisecond, once, and 24 KiB.

use std::sync::LazyLock;

use cozy_chess::{Board, Color, File, Piece, Rank, Square, get_king_moves, get_pawn_attacks};

/// The pawn's king squares that win, for each square of the other king: with the pawn's side to move, and with the other one.
#[derive(Clone, Copy)]
struct Won {
    to_push: [u64; 64],
    to_hold: [u64; 64],
}

/// By the pawn's rank and file, a-file to d-file, seen from its own side.
static SOLVED: LazyLock<[[Won; 4]; 8]> = LazyLock::new(|| {
    let mut solved = [[Won { to_push: [0; 64], to_hold: [0; 64] }; 4]; 8];
    for rank in (1..7).rev() {
        for file in 0..4 {
            solved[rank][file] = solve(Square::new(File::index(file), Rank::index(rank)), &solved);
        }
    }
    solved
});

/// Whether the side with the only pawn wins, on a board with two kings and that pawn.
pub(super) fn is_won(board: &Board) -> bool {
    let strong = if board.colored_pieces(Color::White, Piece::Pawn).is_empty() { Color::Black } else { Color::White };
    let Some(pawn) = board.pieces(Piece::Pawn).next_square() else { return false };
    let mirror = if pawn.file() > File::D { 7 } else { 0 };
    let seen = |square: Square| square.relative_to(strong) as usize ^ mirror;
    let (pawn, king, other) = (seen(pawn), seen(board.king(strong)), seen(board.king(!strong)));
    let won = &SOLVED[pawn / 8][pawn % 8];
    let row = if board.side_to_move() == strong { &won.to_push } else { &won.to_hold };
    row[other] >> king & 1 == 1
}

fn zone(square: Square) -> u64 {
    get_king_moves(square).0
}

/// Every square a king can come from to one of these.
fn spread(squares: u64) -> u64 {
    const LEFT: u64 = 0x0101_0101_0101_0101;
    let beside = (squares & !LEFT) >> 1 | (squares & !(LEFT << 7)) << 1;
    let across = squares | beside;
    beside | across << 8 | across >> 8
}

fn solve(pawn: Square, solved: &[[Won; 4]; 8]) -> Won {
    let attacked = get_pawn_attacks(pawn, Color::White);
    let mut won = Won { to_push: [0; 64], to_hold: [0; 64] };
    loop {
        let mut changed = false;
        for king in Square::ALL {
            let place = king as usize;
            let legal = if king == pawn { 0 } else { !(zone(king) | king.bitboard().0 | pawn.bitboard().0) };
            let hold = held_in_vain(king, pawn, &won) & legal;
            let push = if attacked.has(king) { 0 } else { (pushed(king, pawn, solved) | spread(hold)) & legal };
            changed |= hold != won.to_hold[place] || push != won.to_push[place];
            (won.to_hold[place], won.to_push[place]) = (hold, push);
        }
        if !changed {
            return won;
        }
    }
}

/// Where the pawn's king stands if every move of the other king loses, and it has one or is in check.
fn held_in_vain(king: Square, pawn: Square, won: &Won) -> u64 {
    let attacked = get_pawn_attacks(pawn, Color::White);
    let (mut all_lose, mut can_move) = (u64::MAX, 0);
    for to in get_king_moves(king) & !attacked {
        // A square beside the pawn's king is none to go to; taking the pawn draws.
        all_lose &= zone(to) | if to == pawn { 0 } else { won.to_push[to as usize] };
        can_move |= !zone(to);
    }
    all_lose & if attacked.has(king) { u64::MAX } else { can_move }
}

/// Where the pawn's king stands if pushing the pawn wins.
fn pushed(king: Square, pawn: Square, solved: &[[Won; 4]; 8]) -> u64 {
    let (rank, file) = (pawn.rank() as usize, pawn.file() as usize);
    let next = Square::new(pawn.file(), Rank::index(rank + 1));
    if king == next {
        return 0;
    }
    let free = !next.bitboard().0;
    if rank == 6 {
        // The new queen must not be taken.
        return free & if get_king_moves(king).has(next) { zone(next) } else { u64::MAX };
    }
    let step = solved[rank + 1][file].to_hold[king as usize];
    let leap = if rank == 1 { solved[3][file].to_hold[king as usize] } else { 0 };
    (step | leap) & free
}

#[cfg(test)]
mod tests {
    use super::*;

    fn won(fen: &str) -> bool {
        is_won(&fen.parse().unwrap())
    }

    #[test]
    fn the_opposition_decides() {
        assert!(won("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1"));
        assert!(!won("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1"));
        assert!(won("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"));
        assert!(won("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1"));
    }

    #[test]
    fn a_pawn_runs_if_the_king_is_outside_its_square() {
        assert!(won("8/8/8/7k/P7/8/8/K7 w - - 0 1"));
        assert!(!won("8/8/8/4k3/P7/8/8/7K b - - 0 1"));
    }

    #[test]
    fn a_pawn_at_the_edge_stops_before_the_corner() {
        assert!(!won("k7/8/K7/P7/8/8/8/8 w - - 0 1"));
        assert!(!won("7k/8/7K/7P/8/8/8/8 b - - 0 1"));
    }

    #[test]
    fn colours_and_halves_of_the_board_are_alike() {
        for (one, other) in [
            ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", "8/8/8/4p3/4k3/8/4K3/8 w - - 0 1"),
            ("8/2k5/8/2K5/2P5/8/8/8 w - - 0 1", "8/5k2/8/5K2/5P2/8/8/8 w - - 0 1"),
            ("3k4/3P4/3K4/8/8/8/8/8 b - - 0 1", "4k3/4P3/4K3/8/8/8/8/8 b - - 0 1"),
        ] {
            assert_eq!(won(one), won(other), "{one}");
        }
    }
}
