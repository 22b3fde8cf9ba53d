//! The KPK endgame (king and pawn against king), solved for the 24 pawn squares on the left half of the board by retrograde analysis.
//!
//! For a given pawn and defending king, the squares of the attacking king form a 64-bit set, and king moves are unions and
//! intersections of such sets. Pushing the pawn leads to ranks that are already solved. Solving takes about 1 ms, once per process,
//! and the solution takes 32 KiB.

use std::sync::LazyLock;

use cozy_chess::{Board, Color, File, Piece, Rank, Square, get_king_moves, get_pawn_attacks};

/// For each square of the defending king, the winning squares of the attacking king with the attacker or the defender to move.
#[derive(Clone, Copy)]
struct Won {
    attacker_to_move: [u64; 64],
    defender_to_move: [u64; 64],
}

/// Indexed by the rank and file (a to d) of the pawn, from its own side's point of view.
static SOLVED: LazyLock<[[Won; 4]; 8]> = LazyLock::new(|| {
    let mut solved = [[Won { attacker_to_move: [0; 64], defender_to_move: [0; 64] }; 4]; 8];
    for rank in (1..7).rev() {
        for file in 0..4 {
            solved[rank][file] = solve(Square::new(File::index(file), Rank::index(rank)), &solved);
        }
    }
    solved
});

/// Whether the side with the pawn wins. The board must contain only the kings and one pawn.
pub(super) fn is_won(board: &Board) -> bool {
    let attacker = if board.colored_pieces(Color::White, Piece::Pawn).is_empty() { Color::Black } else { Color::White };
    let Some(pawn) = board.pieces(Piece::Pawn).next_square() else { return false };
    let mirror = if pawn.file() > File::D { 7 } else { 0 };
    let normalise = |square: Square| square.relative_to(attacker) as usize ^ mirror;
    let (pawn, king, defender) = (normalise(pawn), normalise(board.king(attacker)), normalise(board.king(!attacker)));
    let won = &SOLVED[pawn / 8][pawn % 8];
    let row = if board.side_to_move() == attacker { &won.attacker_to_move } else { &won.defender_to_move };
    row[defender] >> king & 1 == 1
}

fn zone(square: Square) -> u64 {
    get_king_moves(square).0
}

/// The squares from which a king can move to one of `squares`.
fn king_origins(squares: u64) -> u64 {
    const LEFT: u64 = 0x0101_0101_0101_0101;
    let beside = (squares & !LEFT) >> 1 | (squares & !(LEFT << 7)) << 1;
    let across = squares | beside;
    beside | across << 8 | across >> 8
}

fn solve(pawn: Square, solved: &[[Won; 4]; 8]) -> Won {
    let attacked = get_pawn_attacks(pawn, Color::White);
    let mut won = Won { attacker_to_move: [0; 64], defender_to_move: [0; 64] };
    loop {
        let mut changed = false;
        for king in Square::ALL {
            let index = king as usize;
            let legal = if king == pawn { 0 } else { !(zone(king) | king.bitboard().0 | pawn.bitboard().0) };
            let defender = all_replies_lose(king, pawn, &won) & legal;
            let attacker =
                if attacked.has(king) { 0 } else { (push_wins(king, pawn, solved) | king_origins(defender)) & legal };
            changed |= defender != won.defender_to_move[index] || attacker != won.attacker_to_move[index];
            (won.defender_to_move[index], won.attacker_to_move[index]) = (defender, attacker);
        }
        if !changed {
            return won;
        }
    }
}

/// The attacking king's squares for which every move of the defending king loses and the defender is not stalemated.
fn all_replies_lose(king: Square, pawn: Square, won: &Won) -> u64 {
    let attacked = get_pawn_attacks(pawn, Color::White);
    let (mut all_lose, mut can_move) = (u64::MAX, 0);
    for to in get_king_moves(king) & !attacked {
        // The defending king cannot move next to the attacking king; capturing the pawn draws.
        all_lose &= zone(to) | if to == pawn { 0 } else { won.attacker_to_move[to as usize] };
        can_move |= !zone(to);
    }
    all_lose & if attacked.has(king) { u64::MAX } else { can_move }
}

/// The attacking king's squares for which pushing the pawn wins.
fn push_wins(king: Square, pawn: Square, solved: &[[Won; 4]; 8]) -> u64 {
    let (rank, file) = (pawn.rank() as usize, pawn.file() as usize);
    let next = Square::new(pawn.file(), Rank::index(rank + 1));
    if king == next {
        return 0;
    }
    let free = !next.bitboard().0;
    if rank == 6 {
        // The new queen must not be captured.
        return free & if get_king_moves(king).has(next) { zone(next) } else { u64::MAX };
    }
    let step = solved[rank + 1][file].defender_to_move[king as usize];
    let double_step = if rank == 1 { solved[3][file].defender_to_move[king as usize] } else { 0 };
    (step | double_step) & free
}

#[cfg(test)]
mod tests {
    use super::*;

    fn won(fen: &str) -> bool {
        is_won(&fen.parse().unwrap())
    }

    #[test]
    fn the_opposition_decides_the_game() {
        assert!(won("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1"));
        assert!(!won("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1"));
        assert!(won("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"));
        assert!(won("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1"));
    }

    #[test]
    fn a_pawn_promotes_if_the_king_is_outside_its_square() {
        assert!(won("8/8/8/7k/P7/8/8/K7 w - - 0 1"));
        assert!(!won("8/8/8/4k3/P7/8/8/7K b - - 0 1"));
    }

    #[test]
    fn a_rook_pawn_is_drawn_if_the_king_reaches_the_corner() {
        assert!(!won("k7/8/K7/P7/8/8/8/8 w - - 0 1"));
        assert!(!won("7k/8/7K/7P/8/8/8/8 b - - 0 1"));
    }

    #[test]
    fn colours_and_board_halves_are_symmetric() {
        for (one, other) in [
            ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", "8/8/8/4p3/4k3/8/4K3/8 w - - 0 1"),
            ("8/2k5/8/2K5/2P5/8/8/8 w - - 0 1", "8/5k2/8/5K2/5P2/8/8/8 w - - 0 1"),
            ("3k4/3P4/3K4/8/8/8/8/8 b - - 0 1", "4k3/4P3/4K3/8/8/8/8/8 b - - 0 1"),
        ] {
            assert_eq!(won(one), won(other), "{one}");
        }
    }
}
