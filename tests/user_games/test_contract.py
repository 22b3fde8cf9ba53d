"""User games fulfil the same contract as built-in games."""

from __future__ import annotations

import itertools
import pickle
import random
from pathlib import Path

import pytest

from plyground import IllegalMoveError, ParseError, UnknownNameError, game, games, register
from plyground.agents import Limit, agent
from plyground.arena import play_game
from plyground.records.json import load, save
from user_games.sample_games import Count, example, random_game

EXAMPLES = ["nim", "my-tictactoe", "compiled-tictactoe", "othello"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_random_games_fulfil_the_contract(name: str) -> None:
    for seed in range(5):
        for position in random_game(example(name).start(), seed):
            assert (position.outcome is None) == bool(position.moves)
            assert len(set(position.moves)) == len(position.moves)
            assert position.game.position(position.text) == position
            assert position.turn in position.game.sides
            assert all(0 <= index < position.game.features for index in position.active_features)
            for move in position.moves:
                assert position.parse_move(f" {move} ") == move
                assert 0 <= position.action(move) < position.game.actions
                assert position.play(move).undo() == position
            assert str(position)


@pytest.mark.parametrize("name", EXAMPLES)
def test_positions_can_be_pickled(name: str) -> None:
    last = random_game(example(name).start(), 3)[-2]
    again = pickle.loads(pickle.dumps(last))
    assert (again, again.history, again.key) == (last, last.history, last.key)


@pytest.mark.parametrize("name", EXAMPLES)
def test_agents_play_user_games_and_records_store_them(name: str, tmp_path: Path) -> None:
    start = example(name).start()
    players = dict(zip(start.game.sides, (agent("mcts(simulations=20)"), agent("random")), strict=True))
    record = play_game(start, players, seed=1)
    assert record.outcome is not None
    save(tmp_path / "game.json", record)
    assert load(tmp_path / "game.json") == record


@pytest.mark.parametrize(
    "options",
    [
        "rave=0.1",
        "leaf=heuristic",
        "minimax=0.5",
        "selection=puct",
        "solver=false",
        "decisive=true",
        "workers=2",
        "threads=2",
    ],
)
@pytest.mark.parametrize("name", ["my-tictactoe", "compiled-tictactoe"])
def test_search_options_work_for_user_games(name: str, options: str) -> None:
    position = example(name).position(moves=["a1", "a3", "b1", "b3"])
    analysis = agent(f"mcts({options})").analyse(position, Limit(simulations=2000), seed=1)
    assert analysis.best.move == "c1"


def test_an_illegal_move_error_lists_the_legal_moves() -> None:
    with pytest.raises(IllegalMoveError, match=r"move \"z9\" is illegal; legal moves: a1, b1"):
        example("nim").start().play("z9")


def test_text_that_is_not_a_position_is_rejected() -> None:
    for text in ["", "(1, 3, 5, 7)", "(1, 3, 5, x)+0", "__import__('os')"]:
        with pytest.raises(ParseError, match="is not a valid nim position"):
            example("nim").position(text)


def test_states_without_text_methods_are_python_literals() -> None:
    count = register(Count("count-text"))
    assert count.position("(7, 1)").turn == "right"
    for text in ["7", "(7,1)", "[7, 1]", "open('x')", "(7, 1"]:
        with pytest.raises(ParseError):
            count.position(text)


def test_registered_games_are_found_and_listed() -> None:
    count = register(Count("count-listed"))
    assert game("count-listed") == count
    assert count in games()
    with pytest.raises(UnknownNameError, match="unknown option 'size' for game count-listed; available: none"):
        game("count-listed(size=3)")
    with pytest.raises(UnknownNameError, match=r"unknown game 'no-such-game'; available: .*count-listed"):
        game("no-such-game")


@pytest.mark.parametrize("name", ["chess", "Capital", "a b", "x(y=1)", ""])
def test_an_invalid_or_taken_id_is_rejected(name: str) -> None:
    with pytest.raises(ParseError):
        register(Count(name))


def test_a_class_or_an_incomplete_game_is_rejected() -> None:
    class Incomplete:
        id = "incomplete"

    with pytest.raises(ParseError, match=r"not a class; call register\(Count\(\)\)"):
        register(Count)  # type: ignore[arg-type]
    with pytest.raises(ParseError, match="lacks title, sides, start"):
        register(Incomplete())  # type: ignore[arg-type]


def test_compiled_rules_equal_interpreted_ones() -> None:
    from plyground.compiled import Interpreted
    from plyground.examples.othello import Othello

    fast = example("othello")

    class Twin(Interpreted):
        def __init__(self) -> None:
            super().__init__(Othello())
            self.id = "othello-interpreted"

    slow = register(Twin())
    for seed in range(3):
        pairs = zip(random_game(fast.start(), seed), random_game(slow.start(), seed), strict=True)
        for one, other in pairs:
            assert (one.text, one.moves, one.turn, one.cells) == (other.text, other.moves, other.turn, other.cells)
            assert str(one.outcome) == str(other.outcome)


def test_a_pass_lets_a_side_move_twice() -> None:
    turns = [[position.turn for position in random_game(example("othello").start(), seed)] for seed in range(30)]
    assert any(one == other for game in turns for one, other in itertools.pairwise(game[:-1]))


def test_three_versions_of_tic_tac_toe_are_equal() -> None:
    builtin, plain, fast = (game(name) for name in ("tictactoe", example("my-tictactoe").id, "compiled-tictactoe"))
    for depth in range(7):
        assert builtin.start().perft(depth) == plain.start().perft(depth) == fast.start().perft(depth)
    rng = random.Random(1)
    for _ in range(20):
        positions = [builtin.start(), plain.start(), fast.start()]
        while positions[0].outcome is None:
            assert len({position.turn for position in positions}) == 1
            assert len({tuple(sorted(position.moves)) for position in positions}) == 1
            move = rng.choice(positions[0].moves)
            positions = [position.play(move) for position in positions]
        winners = [position.outcome.winner for position in positions if position.outcome is not None]
        assert len(winners) == 3
        assert len(set(winners)) == 1
        assert len({str(position) for position in positions}) == 1


def test_plain_and_compiled_playouts_are_equal() -> None:
    plain, fast = (
        example("my-tictactoe").start().playouts(500, 7),
        example("compiled-tictactoe").start().playouts(500, 7),
    )
    assert repr(plain) == repr(fast)
