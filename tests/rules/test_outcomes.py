"""Every way a game can end, and positions where it has not ended yet."""

from __future__ import annotations

import pytest

import plyground
from plyground import Outcome, Position

FOOLS_MATE = ["f2f3", "e7e5", "g2g4", "d8h4"]
KNIGHTS_OUT_AND_BACK = ["g1f3", "g8f6", "f3g1", "f6g8"]
KINGS_OUT_AND_BACK = ["1-6", "32-27", "6-1", "27-32"]


def play(spec: str, text: str | None, moves: list[str]) -> Position:
    """Play the moves and check that the game is unfinished before the last one."""
    position = plyground.game(spec).position(text, moves[:-1])
    assert position.outcome is None
    return position.play(moves[-1])


@pytest.mark.parametrize(
    ("spec", "text", "moves", "outcome"),
    [
        ("tictactoe", None, ["a1", "b1", "a2", "b2", "a3"], Outcome("x", "line")),
        ("tictactoe", None, ["a1", "b1", "a2", "b2", "c3", "b3"], Outcome("o", "line")),
        (
            "tictactoe",
            None,
            ["a1", "b2", "c3", "b1", "b3", "a3", "c1", "c2", "a2"],
            Outcome(None, "full board"),
        ),
        ("tictactoe", "xox/xo./ox.", ["c2", "c1"], Outcome(None, "full board")),
        ("connect4", None, list("1212121"), Outcome("red", "line")),
        ("connect4", None, list("1122334"), Outcome("red", "line")),
        ("connect4", None, list("12233434464"), Outcome("red", "line")),
        ("connect4(columns=2, rows=2, line=3)", None, list("1122"), Outcome(None, "full board")),
        ("checkers", "B:W6:B1", ["1x10"], Outcome("black", "no moves")),
        ("checkers", "W:W9,10,14,K2:B1,5", ["2-6"], Outcome("white", "no moves")),
        ("checkers", "B:WK32:BK1", KINGS_OUT_AND_BACK * 2, Outcome(None, "repetition")),
        ("chess", None, FOOLS_MATE, Outcome("black", "checkmate")),
        ("chess", "7k/8/6Q1/8/8/8/8/K7 w - - 0 1", ["g6f7"], Outcome(None, "stalemate")),
        ("chess", "7k/8/8/8/8/8/1p6/K7 w - - 0 1", ["a1b2"], Outcome(None, "insufficient material")),
        ("chess", None, KNIGHTS_OUT_AND_BACK * 2, Outcome(None, "repetition")),
        ("chess", "k7/8/8/8/8/8/8/1K5R w - - 99 80", ["h1g1"], Outcome(None, "move limit")),
        ("chess(draws=forced)", None, KNIGHTS_OUT_AND_BACK * 4, Outcome(None, "repetition")),
        ("chess(draws=forced)", "k7/8/8/8/8/8/8/1K5R w - - 149 99", ["h1g1"], Outcome(None, "move limit")),
        # Checkmate on the ply that reaches the move limit takes precedence.
        ("chess", "7k/8/6K1/8/8/8/8/R7 w - - 99 80", ["a1a8"], Outcome("white", "checkmate")),
    ],
)
def test_the_last_move_ends_the_game(spec: str, text: str | None, moves: list[str], outcome: Outcome) -> None:
    position = play(spec, text, moves)
    assert position.outcome == outcome
    assert position.moves == []


@pytest.mark.parametrize(("spec", "limit"), [("checkers", 80), ("checkers(draws=openspiel)", 40)])
def test_reversible_king_moves_draw_at_the_move_limit(spec: str, limit: int) -> None:
    # Play only moves that offer no capture and repeat no position a third time.
    position = plyground.game(spec).position("B:WK32,K31,K30:BK1,K2,K3")
    rng = plyground.Rng(1)
    seen: dict[Position, int] = {}
    while position.outcome is None:
        quiet = [
            move
            for move in position.moves
            if not position.play(move).highlighted and seen.get(position.play(move), 0) < 2
        ]
        position = position.play(quiet[rng.below(len(quiet))])
        seen[position] = seen.get(position, 0) + 1
    assert position.outcome == Outcome(None, "move limit")
    assert position.ply == limit


def test_a_man_move_resets_the_move_limit_only_in_english_checkers() -> None:
    shuffle, text = KINGS_OUT_AND_BACK, "B:WK32:BK1,9"
    english = plyground.game("checkers").position(text, [*shuffle, "9-14", "32-27", "1-6", "27-32", "6-1"])
    assert english.outcome is None
    openspiel = plyground.game("checkers(draws=openspiel)").position(text, [*(shuffle * 9), "9-14", "32-27", "1-6"])
    assert openspiel.ply == 39
    assert openspiel.outcome is None
    assert openspiel.play("27-32").outcome == Outcome(None, "move limit")


def test_openspiel_checkers_has_no_draw_by_repetition() -> None:
    position = plyground.game("checkers(draws=openspiel)").position("B:WK32:BK1", KINGS_OUT_AND_BACK * 5)
    assert position.outcome is None


def test_forced_draws_require_fivefold_repetition_or_75_moves() -> None:
    game = plyground.game("chess(draws=forced)")
    assert game.position(moves=KNIGHTS_OUT_AND_BACK * 3).outcome is None
    assert game.position("k7/8/8/8/8/8/8/1K5R w - - 100 80").outcome is None


def test_positions_with_different_castling_rights_are_not_repetitions() -> None:
    text = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    rooks = ["h1g1", "h8g8", "g1h1", "g8h8"]
    game = plyground.game("chess")
    # The start position had castling rights, so its board occurs three times but the position only twice.
    assert game.position(text, [*rooks, *rooks, "h1g1"]).outcome is None
    assert game.position(text, [*rooks, *rooks, "h1g1", "h8g8"]).outcome == Outcome(None, "repetition")


def test_an_en_passant_square_matters_for_repetition_only_if_a_pawn_can_capture() -> None:
    game = plyground.game("chess")
    shuffle = ["g8f6", "g1f3", "f6g8", "f3g1"]
    assert game.position(moves=["e2e4", *shuffle, *shuffle]).outcome == Outcome(None, "repetition")
    usable = "4k1n1/8/8/8/3p4/8/4P3/4K1N1 w - - 0 1"
    assert game.position(usable, ["e2e4", *shuffle, *shuffle]).outcome is None


@pytest.mark.parametrize(
    ("text", "is_draw"),
    [
        ("k7/8/8/8/8/8/8/7K w - - 0 1", True),
        ("kn6/8/8/8/8/8/8/7K w - - 0 1", True),
        ("k7/8/8/8/8/8/8/6BK w - - 0 1", True),
        ("kb6/8/8/8/8/8/8/5B1K w - - 0 1", False),
        ("k1b5/8/8/8/8/8/8/5B1K w - - 0 1", True),
        ("kn6/8/8/8/8/8/8/6NK w - - 0 1", False),
        ("k7/8/8/8/8/8/8/5NNK w - - 0 1", False),
        ("k7/8/8/8/8/8/7P/7K w - - 0 1", False),
    ],
)
def test_insufficient_material_is_a_draw(text: str, is_draw: bool) -> None:
    draw = Outcome(None, "insufficient material")
    assert plyground.game("chess").position(text).outcome == (draw if is_draw else None)


def test_a_line_that_fills_the_board_wins() -> None:
    assert play("tictactoe", "xox/oxo/.xo", ["a1"]).outcome == Outcome("x", "line")
    assert play("connect4(columns=2, rows=2, line=2)", None, list("121")).outcome == Outcome("red", "line")
