"""What Python code may rely on when it holds a position."""

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
from plyground.drawing import draw
from rules.strategies import games, open_positions, play_on, positions, seeds


def assert_same(one: Position, other: Position) -> None:
    """Equal in everything one can ask, the way there included."""
    assert one == other
    assert hash(one) == hash(other)
    assert (one.text, one.key, one.turn, one.ply) == (other.text, other.key, other.turn, other.ply)
    assert (one.history, one.moves, one.outcome) == (other.history, other.moves, other.outcome)


@given(positions())
def test_repr_makes_the_same_position_again(position: Position) -> None:
    assert_same(eval(repr(position), {"plyground": plyground}), position)  # noqa: S307
    assert eval(repr(position.game), {"plyground": plyground}) == position.game  # noqa: S307


@given(positions())
def test_pickles_and_copies_are_the_same_position(position: Position) -> None:
    for again in (pickle.loads(pickle.dumps(position)), copy.copy(position), copy.deepcopy(position)):
        assert_same(again, position)


@given(positions())
def test_a_text_reads_as_the_position_that_wrote_it(position: Position) -> None:
    again = position.game.position(position.text)
    assert again == position
    assert (again.text, again.key, again.turn, again.cells) == (
        position.text,
        position.key,
        position.turn,
        position.cells,
    )


def test_a_full_row_reads_as_the_position_that_wrote_it() -> None:
    position = plyground.game("connect4(columns=4, rows=1)").position(moves=list("1234"))
    assert position.text == "ryry"
    assert position.game.position(position.text) == position


def test_a_bishop_does_not_capture_en_passant() -> None:
    played = plyground.game("chess").position("4k3/8/8/8/2b5/8/3P4/4K3 w - - 0 1", ["d2d4"])
    read = played.game.position(played.text)
    assert played.key == read.key
    assert played == read


def test_a_single_jump_is_not_taken_for_the_long_way_between_its_squares() -> None:
    position = plyground.game("checkers").position("B:W11,18,19,26,27:BK15")
    assert position.moves == ["15x8", "15x22x31x24x15x8"]
    assert position.play("15x8").text == "W:W18,19,26,27:BK8"
    assert position.play("15x22x31x24x15x8").text == "W:W:BK8"


@given(open_positions(), st.data())
def test_play_leaves_the_old_position_as_it_was(position: Position, data: st.DataObject) -> None:
    before = copy.deepcopy(position)
    move = data.draw(st.sampled_from(position.moves))
    after = position.play(move)
    assert_same(position, before)
    assert after.history == [*position.history, move]
    assert after.ply == position.ply + 1


@given(open_positions(), st.data())
def test_unplay_undoes_play(position: Position, data: st.DataObject) -> None:
    move = data.draw(st.sampled_from(position.moves))
    assert_same(position.play(move).unplay(), position)


@given(positions())
def test_replay_walks_through_the_game(position: Position) -> None:
    assert_same(position.replay(position.ply), position)
    assert position.replay(0).history == []
    half = position.replay(position.ply // 2)
    again = position.game.position(half.replay(0).text, position.history[: half.ply])
    assert_same(half, again)
    with pytest.raises(IllegalMoveError, match=f"from 0 to {position.ply}"):
        position.replay(position.ply + 1)


@given(games())
def test_the_start_has_nothing_to_take_back(game: Game) -> None:
    with pytest.raises(IllegalMoveError, match="no move to take back"):
        game.start().unplay()


@given(positions())
def test_attributes_cannot_be_set(position: Position) -> None:
    for name in ("text", "turn", "moves", "history", "cells", "key", "game", "anything"):
        with pytest.raises(AttributeError):
            setattr(position, name, None)
    for name in ("spec", "rows", "sides", "anything"):
        with pytest.raises(AttributeError):
            setattr(position.game, name, None)


@given(open_positions())
def test_changing_what_was_handed_out_changes_no_position(position: Position) -> None:
    before = copy.deepcopy(position)
    position.moves.clear()
    position.cells.clear()
    position.features.clear()
    position.history.append("nothing")
    assert_same(position, before)


@given(positions(), positions())
def test_positions_are_equal_exactly_when_boards_are(one: Position, other: Position) -> None:
    def board(position: Position) -> tuple[str, ...]:
        # The clocks of chess come after the fourth word.
        return (position.game.spec, *position.text.split(" ")[:4])

    assert (one == other) == (board(one) == board(other))
    if one == other:
        assert hash(one) == hash(other)
        assert one.key == other.key


def test_the_way_to_a_position_does_not_matter() -> None:
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
def test_a_position_equals_nothing_but_positions(position: Position) -> None:
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


@given(open_positions())
def test_every_move_answers_every_question(position: Position) -> None:
    game = position.game
    squares = {name for row in game.squares for name in row if name}
    for move in position.moves:
        assert position.name(move) == move
        assert position.name(position.notation(move)) == move
        assert 0 <= position.action(move) < game.actions
        path = position.path(move)
        assert path
        assert set(path) <= squares
    assert [move for move, _ in position.divide(1)] == position.moves
    assert position.perft(1) == len(position.moves)


@given(open_positions(), seeds)
def test_chance_plays_the_move_that_its_draw_chooses(position: Position, seed: int) -> None:
    moves = position.moves
    expected = position.play(moves[Rng(seed).below(len(moves))])
    assert_same(position.play_random(Rng(seed)), expected)


@given(positions(), seeds)
def test_playouts_add_up_and_repeat(position: Position, seed: int) -> None:
    tally = position.playouts(20, seed)
    assert tally.first + tally.second + tally.draws == 20
    assert tally.plies >= 0
    assert repr(position.playouts(20, seed)) == repr(tally)


@given(games(), seeds)
def test_an_outcome_is_a_plain_value(game: Game, seed: int) -> None:
    outcome = play_on(game.start(), seed, 100_000).outcome
    assert outcome is not None
    assert outcome.winner in (None, *game.sides)
    again = Outcome(outcome.winner, outcome.reason)
    assert again == outcome == eval(repr(outcome), {"Outcome": Outcome})  # noqa: S307
    assert hash(again) == hash(outcome)
    assert pickle.loads(pickle.dumps(outcome)) == outcome
    assert str(outcome) == f"{outcome.winner} wins: {outcome.reason}".replace("None wins", "draw")
    assert outcome != Outcome(outcome.winner, "boredom")
    with pytest.raises(AttributeError):
        setattr(outcome, "winner", None)  # noqa: B010


@given(games())
def test_a_spec_makes_the_same_game(game: Game) -> None:
    again = plyground.game(game.spec)
    assert again == game
    assert hash(again) == hash(game)
    assert again.spec == game.spec
    assert pickle.loads(pickle.dumps(game)) == game


def test_keys_and_hashes_are_the_same_in_every_process() -> None:
    code = (
        "import plyground; ps = [plyground.game(s).start() for s in ('checkers', 'connect4', 'tictactoe', 'chess')];"
        "import sys; sys.stdout.write(str([(p.key, hash(p), hash(p.game)) for p in ps]))"
    )
    answers = {
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
    assert answers == {str([(start.key, hash(start), hash(start.game)) for start in starts])}


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
def test_the_line_that_won_is_pointed_at(spec: str, text: str, line: str) -> None:
    position = plyground.game(spec).position(text)
    assert position.urgent == line.split()
    assert (position.outcome is not None) == bool(line)
