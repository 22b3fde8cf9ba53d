"""Properties of `Position` and `Game` objects."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyground
from plyground import Game, IllegalMoveError, Outcome, Position, Rng
from plyground.board_text import draw
from plyground.weights import engine_weights
from rules.strategies import games, play_randomly, positions, seeds, unfinished_positions


def assert_same(one: Position, other: Position) -> None:
    """Check that all properties are equal, including the history."""
    assert one == other
    assert hash(one) == hash(other)
    assert (one.text, one.key, one.turn, one.ply) == (other.text, other.key, other.turn, other.ply)
    assert (one.history, one.moves, one.outcome) == (other.history, other.moves, other.outcome)


@given(positions())
def test_repr_evaluates_to_the_same_position(position: Position) -> None:
    assert_same(eval(repr(position), {"plyground": plyground}), position)  # noqa: S307
    assert eval(repr(position.game), {"plyground": plyground}) == position.game  # noqa: S307


@given(positions())
def test_pickles_and_copies_are_equal(position: Position) -> None:
    for again in (pickle.loads(pickle.dumps(position)), copy.copy(position), copy.deepcopy(position)):
        assert_same(again, position)


@given(positions())
def test_the_text_parses_to_the_same_position(position: Position) -> None:
    again = position.game.position(position.text)
    assert again == position
    assert (again.text, again.key, again.turn, again.cells) == (
        position.text,
        position.key,
        position.turn,
        position.cells,
    )


def test_the_text_of_a_single_row_board_parses_to_the_same_position() -> None:
    position = plyground.game("connect4(columns=4, rows=1)").position(moves=list("1234"))
    assert position.text == "ryry"
    assert position.game.position(position.text) == position


def test_a_bishop_does_not_enable_en_passant() -> None:
    played = plyground.game("chess").position("4k3/8/8/8/2b5/8/3P4/4K3 w - - 0 1", ["d2d4"])
    read = played.game.position(played.text)
    assert played.key == read.key
    assert played == read


def test_a_single_jump_and_a_longer_capture_between_the_same_squares_are_different_moves() -> None:
    position = plyground.game("checkers").position("B:W11,18,19,26,27:BK15")
    assert position.moves == ["15x8", "15x22x31x24x15x8"]
    assert position.play("15x8").text == "W:W18,19,26,27:BK8"
    assert position.play("15x22x31x24x15x8").text == "W:W:BK8"


@given(unfinished_positions(), st.data())
def test_play_does_not_change_the_position(position: Position, data: st.DataObject) -> None:
    before = copy.deepcopy(position)
    move = data.draw(st.sampled_from(position.moves))
    after = position.play(move)
    assert_same(position, before)
    assert after.history == [*position.history, move]
    assert after.ply == position.ply + 1


@given(unfinished_positions(), st.data())
def test_undo_reverts_play(position: Position, data: st.DataObject) -> None:
    move = data.draw(st.sampled_from(position.moves))
    assert_same(position.play(move).undo(), position)


@given(positions())
def test_replay_returns_earlier_positions(position: Position) -> None:
    assert_same(position.replay(position.ply), position)
    assert position.replay(0).history == []
    half = position.replay(position.ply // 2)
    again = position.game.position(half.replay(0).text, position.history[: half.ply])
    assert_same(half, again)
    with pytest.raises(IllegalMoveError, match=f"between 0 and {position.ply}, got {position.ply + 1}"):
        position.replay(position.ply + 1)


@given(games())
def test_the_start_has_no_move_to_undo(game: Game) -> None:
    with pytest.raises(IllegalMoveError, match="there is no move to undo"):
        game.start().undo()


@given(positions())
def test_attributes_cannot_be_set(position: Position) -> None:
    for name in ("text", "turn", "moves", "history", "cells", "key", "game", "anything"):
        with pytest.raises(AttributeError):
            setattr(position, name, None)
    for name in ("spec", "rows", "sides", "anything"):
        with pytest.raises(AttributeError):
            setattr(position.game, name, None)


@given(unfinished_positions())
def test_returned_collections_are_copies(position: Position) -> None:
    before = copy.deepcopy(position)
    position.moves.clear()
    position.cells.clear()
    position.active_features.clear()
    position.history.append("nothing")
    assert_same(position, before)


@given(positions(), positions())
def test_positions_are_equal_if_and_only_if_their_boards_are(one: Position, other: Position) -> None:
    def board(position: Position) -> tuple[str, ...]:
        # The move counters of a chess position, which follow the fourth field, are ignored.
        return (position.game.spec, *position.text.split(" ")[:4])

    assert (one == other) == (board(one) == board(other))
    if one == other:
        assert hash(one) == hash(other)
        assert one.key == other.key


def test_equality_ignores_the_history() -> None:
    for spec, one, other in (
        ("tictactoe", ["a1", "b2", "c3"], ["c3", "b2", "a1"]),
        ("connect4", ["1", "2", "3"], ["3", "2", "1"]),
        ("checkers", ["9-13", "24-20", "11-15"], ["11-15", "24-20", "9-13"]),
        ("chess", ["g1f3", "g8f6", "b1c3"], ["b1c3", "g8f6", "g1f3"]),
    ):
        game = plyground.game(spec)
        a, b = game.position(moves=one), game.position(moves=other)
        assert a == b
        assert hash(a) == hash(b)
        assert len({a, b, game.start()}) == 2


def test_positions_of_different_games_are_different() -> None:
    for one, other in (("checkers", "checkers(draws=openspiel)"), ("connect4", "connect4(line=5)")):
        assert plyground.game(one) != plyground.game(other)
        assert plyground.game(one).start() != plyground.game(other).start()
    assert plyground.game("chess").start() != plyground.game("checkers").start()


@given(positions())
def test_a_position_does_not_equal_other_types(position: Position) -> None:
    assert position != position.text
    assert position != position.key
    assert position != position.game
    assert position.game != position.game.spec


@given(positions())
def test_the_drawing_shows_every_piece(position: Position) -> None:
    shown = draw(position, color=False)
    assert str(position) == shown
    letters = [letter for line in shown.splitlines()[: position.game.rows] for letter in line]
    for letter in set(position.cells.values()) - set("".join(position.game.row_labels)):
        assert letters.count(letter) == list(position.cells.values()).count(letter)


@given(unfinished_positions())
def test_every_legal_move_has_a_notation_an_action_and_a_path(position: Position) -> None:
    game = position.game
    squares = {name for row in game.squares for name in row if name}
    for move in position.moves:
        assert position.parse_move(move) == move
        assert position.parse_move(position.notation(move)) == move
        assert 0 <= position.action(move) < game.actions
        path = position.path(move)
        assert path
        assert set(path) <= squares
    assert [move for move, _ in position.divide(1)] == position.moves
    assert position.perft(1) == len(position.moves)


@given(unfinished_positions(), seeds)
def test_a_random_move_is_chosen_by_the_rng(position: Position, seed: int) -> None:
    moves = position.moves
    expected = position.play(moves[Rng(seed).below(len(moves))])
    assert_same(position.play_random(Rng(seed)), expected)


@given(positions(), seeds)
def test_playout_results_add_up_and_are_reproducible(position: Position, seed: int) -> None:
    results = position.playouts(20, seed)
    assert results.first_wins + results.second_wins + results.draws == 20
    if position.outcome is None:
        assert results.plies >= 20
    else:
        assert results.plies == 0
    assert repr(position.playouts(20, seed)) == repr(results)


@given(games(), seeds)
def test_an_outcome_is_an_immutable_value(game: Game, seed: int) -> None:
    outcome = play_randomly(game.start(), seed, 100_000).outcome
    assert outcome is not None
    assert outcome.winner in (None, *game.sides)
    again = Outcome(outcome.winner, outcome.reason)
    assert again == outcome == eval(repr(outcome), {"Outcome": Outcome})  # noqa: S307
    assert hash(again) == hash(outcome)
    assert pickle.loads(pickle.dumps(outcome)) == outcome
    assert str(outcome) == f"{outcome.winner} wins: {outcome.reason}".replace("None wins", "draw")
    assert outcome != Outcome(outcome.winner, "another reason")
    with pytest.raises(AttributeError):
        setattr(outcome, "winner", None)  # noqa: B010


@given(games())
def test_a_spec_creates_the_same_game(game: Game) -> None:
    again = plyground.game(game.spec)
    assert again == game
    assert hash(again) == hash(game)
    assert again.spec == game.spec
    assert pickle.loads(pickle.dumps(game)) == game


def test_keys_and_hashes_do_not_depend_on_the_process() -> None:
    code = (
        "import plyground; ps = [plyground.game(s).start() for s in ('checkers', 'connect4', 'tictactoe', 'chess')];"
        "import sys; sys.stdout.write(str([(p.key, hash(p), hash(p.game)) for p in ps]))"
    )
    results = {
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    starts = [plyground.game(spec).start() for spec in ("checkers", "connect4", "tictactoe", "chess")]
    assert results == {str([(start.key, hash(start), hash(start.game)) for start in starts])}


@pytest.mark.parametrize(
    ("spec", "text", "line"),
    [
        ("tictactoe", "x.o/ox./..x", "a3 b2 c1"),
        ("tictactoe", "xxx/xoo/xoo", "a3 b3 c3 a2 a1"),
        ("tictactoe(rows=2, columns=5, line=3)", "xxxx./oo.o.", "a2 b2 c2 d2"),
        ("tictactoe", "xx./oo./...", ""),
        ("connect4", "12234334464", "d4 c3 b2 a1"),
        ("connect4(columns=4, rows=4, line=3)", "1122", ""),
        ("connect4(columns=4, rows=4, line=3)", "11223", "a1 b1 c1"),
    ],
)
def test_the_winning_line_is_highlighted(spec: str, text: str, line: str) -> None:
    position = plyground.game(spec).position(text)
    assert position.highlighted == line.split()
    assert (position.outcome is not None) == bool(line)


def test_decisive_moves_win_or_prevent_a_win() -> None:
    position = plyground.game("connect4").position("1122")
    assert (position.winning_move(), position.blocking_move()) == (None, None)
    three = position.play("3")  # red threatens 4
    assert (three.winning_move(), three.blocking_move()) == (None, "4")
    assert {three.play_decisive(Rng(seed)).history[-1] for seed in range(20)} == {"4"}
    won = three.play("6").play("4")
    assert won.outcome is not None
    assert (won.winning_move(), won.blocking_move()) == (None, None)
    with pytest.raises(plyground.GameOverError):
        won.play_decisive(Rng(1))


def test_captures_edges_and_reversible_plies() -> None:
    chess = plyground.game("chess").position("6k1/p7/8/3pP3/8/8/8/R3K3 w Q d6 0 20")
    assert [chess.captures(move) for move in ("e5d6", "e5e6", "a1a7")] == [True, False, True]
    assert [chess.ends_on_edge(move) for move in ("e5d6", "e1d1", "e1d2")] == [False, True, False]
    assert [chess.play(move).reversible_plies for move in ("e1d2", "e5e6", "a1a7")] == [1, 0, 0]


def test_expected_scores_of_the_sides_add_up_to_one() -> None:
    board = "W27,28,K32:B1,2"
    white, black = (plyground.game("checkers").position(f"{turn}:{board}") for turn in "WB")
    assert white.expected_score() > 0.6
    assert black.expected_score() < 0.4
    assert white.expected_score(engine_weights("best", white)) > 0.5
