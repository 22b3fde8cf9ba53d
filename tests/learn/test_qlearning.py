"""Q-learning: training, resuming, files, and games of every kind."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from exhaustive import loses_no_line
from plyground import ParseError, Position, WeightsError, game, register
from plyground.agents import Limit, agent
from plyground.errors import PlygroundError
from plyground.learn import QLearner, QSettings, train
from plyground.learn.methods import make_learner
from plyground.store import Store
from plyground.weights import QLEARNING, WeightSet, engine_q_values, engine_weights, load, load_file, names, save
from plyground.weights.safetensors import Tensor, read, write
from plyground.weights.sets import from_bytes, to_bytes
from timeouts import SUBPROCESS_S
from user_games.sample_games import Count

IDS = ["checkers", "connect4", "tictactoe", "chess"]
SMALL = {"table_bits": 12, "opening_plies": 2}
BOTH_TABLES = pytest.mark.parametrize("table", ["positions", "tuples"])


def learned(spec: str = "connect4", games: int = 4, **settings: object) -> WeightSet:
    """Return the Q-values of a short run."""
    learner = make_learner("qlearning", spec, {**SMALL, **settings, "games": games}, seed=1)
    while learner.games_played < games:
        learner.play()
    found = learner.weight_set()
    assert isinstance(found, WeightSet)
    return found


def test_tic_tac_toe_is_learned_without_losing_lines() -> None:
    settings = load(QLEARNING, "tictactoe").settings
    weights = learned("tictactoe", **{**settings, "games": 20_000})
    assert loses_no_line(agent("qlearning", weights=weights))


@pytest.mark.parametrize("spec", [*IDS, "connect4(columns=5, rows=4)", "tictactoe(rows=4, columns=5, line=4)"])
def test_every_game_can_be_learned(spec: str) -> None:
    weights = learned(spec)
    assert (weights.game, weights.board, weights.kind, weights.games) == (
        game(spec).id,
        game(spec).spec,
        "qlearning",
        4,
    )
    start = game(spec).start()
    analysis = agent("qlearning", weights=weights).analyse(start, Limit(), seed=1)
    assert any(move.value != 0.5 for move in analysis.moves)


def test_learning_raises_the_score_against_a_random_player() -> None:
    learner = QLearner("connect4", QSettings(games=300, table_bits=16), seed=1)
    untrained = learner.metrics()["random_score"]
    while learner.games_played < 300:
        learner.play()
    metrics = learner.metrics()
    assert untrained < 0.9 < metrics["random_score"]
    assert 0 <= metrics["score"] <= 1
    assert 7 <= metrics["plies"] <= 42
    assert metrics["error"] > 0


@BOTH_TABLES
def test_the_same_seed_gives_the_same_file_and_another_seed_another_one(table: str) -> None:
    files = [to_bytes(learned(table=table, games=30)) for _ in range(2)]
    assert files[0] == files[1]
    other = make_learner("qlearning", "connect4", {**SMALL, "table": table, "games": 30}, seed=2)
    other.play()
    assert to_bytes(other.weight_set()) != files[0]  # type: ignore[arg-type]


class InterruptionError(Exception):
    """Raised to interrupt a run."""


@BOTH_TABLES
@pytest.mark.parametrize("stop_at", [20, 40, 50])
def test_resuming_an_interrupted_run_gives_the_same_result(tmp_path: Path, table: str, stop_at: int) -> None:
    def learner() -> QLearner:
        settings = QSettings(games=60, table=table, table_bits=10, copy_fraction=0.4)
        made = QLearner("connect4", settings, 2)
        assert made.checkpoint_interval == 3
        return made

    def stop(played: int) -> bool:
        return played != stop_at

    with Store(str(tmp_path / "one.sqlite")) as store:
        expected = train(learner(), store)
    with Store(str(tmp_path / "two.sqlite")) as store:
        assert train(learner(), store, proceed=stop).is_finished is False
        result = train(learner(), store, resume=True)
        assert result.resumed == stop_at
        assert result.weights == expected.weights


def test_resuming_a_killed_command_gives_the_same_file(tmp_path: Path) -> None:
    plyground = Path(sys.executable).with_name("plyground")
    settings = ["--games", "200", "--table-bits", "12", "--seed", "4"]
    arguments = ["train", "qlearning", "connect4", *settings, "--store", "store.sqlite"]
    resumed = tmp_path / "resumed"
    resumed.mkdir()
    script = (
        "import os, signal\n"
        "from plyground.learn import QLearner, QSettings, train\n"
        "from plyground.store import Store\n"
        "def report(games, _):\n"
        "    if games >= 40: os.kill(os.getpid(), signal.SIGKILL)\n"
        "with Store('store.sqlite') as store:\n"
        "    train(QLearner('connect4', QSettings(games=200, table_bits=12), seed=4), store, report=report)\n"
    )
    killed = subprocess.run([sys.executable, "-c", script], cwd=resumed, timeout=SUBPROCESS_S, check=False)
    assert killed.returncode == -signal.SIGKILL
    outputs = [
        subprocess.run(
            [plyground, *arguments, *extra],
            cwd=folder,
            timeout=SUBPROCESS_S,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for folder, extra in ((tmp_path, []), (resumed, ["--resume"]))
    ]
    assert "--agent 'qlearning(weights=connect4-qlearning.safetensors)'" in outputs[0]
    assert "Resumed after" in outputs[1]
    files = [folder / "connect4-qlearning.safetensors" for folder in (tmp_path, resumed)]
    assert replace(load_file(files[0]), date="") == replace(load_file(files[1]), date="")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"table": "big"}, "table must be auto, positions or tuples, got 'big'"),
        ({"table_bits": 23}, "table_bits must be between 4 and 22, got 23"),
        ({"discount": 0.1}, "discount must be between 0.5 and 1, got 0.1"),
        ({"random_fraction": 0.7, "copy_fraction": 0.5}, "must add up to at most 1, got 0.7 and 0.5"),
    ],
)
def test_invalid_settings_are_rejected(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ParseError, match=message):
        make_learner("qlearning", "connect4", settings, seed=1)


class Twice(Count):
    """Add 1 or 2; each side moves twice in a row. The side that reaches the goal wins."""

    def play(self, state: tuple[int, int], move: str) -> tuple[int, int]:
        total = state[0] + int(move)
        # The second number counts the moves; its half is the side to move.
        return (total, (state[1] + 1) % 4)

    def turn(self, state: tuple[int, int]) -> int:
        return state[1] // 2

    def outcome(self, state: tuple[int, int]) -> int | str:
        return (state[1] + 3) % 4 // 2


def best_moves(position: Position) -> tuple[int, set[str]]:
    """Return the result for the side to move, 1 or -1, and the moves that reach it."""
    results = {}
    for move in position.moves:
        after = position.play(move)
        if after.outcome is not None:
            results[move] = 1 if after.outcome.winner == position.turn else -1
        else:
            result, _ = best_moves(after)
            results[move] = result if after.turn == position.turn else -result
    best = max(results.values())
    return best, {move for move, result in results.items() if result == best}


def test_a_game_whose_sides_do_not_alternate_is_learned_exactly() -> None:
    chosen = register(Twice("twice", goal=9))
    weights = learned(chosen.spec, games=1500, table="positions", epsilon=0.5, final_epsilon=0.5, opening_plies=0)
    player = agent("qlearning", weights=weights)
    position = chosen.start()
    while position.outcome is None:
        result, best = best_moves(position)
        analysis = player.analyse(position, Limit(), seed=0)
        assert analysis.best.move in best
        assert analysis.value is not None
        assert (analysis.value > 0.5) == (result == 1), position
        position = position.play(analysis.best.move)


@BOTH_TABLES
def test_a_file_of_q_values_restores_them(table: str, tmp_path: Path) -> None:
    weights = learned(table=table)
    file = tmp_path / "q.safetensors"
    save(file, weights)
    assert load_file(file) == weights == load(str(file), "connect4")
    assert (weights.keys is None) == (table == "tuples")
    start = game("connect4").start()
    assert engine_q_values(str(file), start).q_values(start) == engine_q_values(weights, start).q_values(start)


@BOTH_TABLES
def test_malformed_files_are_rejected(table: str) -> None:
    good = to_bytes(learned(table=table))
    tensors, header = read(good)
    count = tensors["weights"].shape[0]
    keys = Tensor("U64", (count,), b"".join(index.to_bytes(8, "little") for index in range(1, count + 1)))
    wrong_scale = [({**header, "scale": scale}, tensors) for scale in ("", "x", "nan", "inf", "-1", "0", "1e400")]
    cases = [
        *wrong_scale,
        (header, {"keys": keys}),
        (header, {**tensors, "more": keys}),
        (header, {"weights": keys}),
        (header, {**tensors, "weights": Tensor("I16", (1, count), b"\0\0" * count)}),
        (header, {**tensors, "keys": Tensor("U64", (1,), b"\1" * 8)}),
        (header, {**tensors, "keys": Tensor("U64", (count,), bytes(8 * count))}),
        (header, {"weights": Tensor("I16", (17,), bytes(34))}),
        ({**header, "game": "halma"}, tensors),
        ({**header, "kind": "features"}, tensors),
        ({**header, "made": "[]"}, tensors),
    ]
    for changed, arrays in cases:
        with pytest.raises(WeightsError):
            from_bytes(write(arrays, changed))
    for length in range(0, len(good), max(1, len(good) // 50)):
        with pytest.raises(WeightsError):
            from_bytes(good[:length])


def test_q_values_and_evaluation_weights_are_not_confused(tmp_path: Path) -> None:
    start = game("connect4").start()
    with pytest.raises(WeightsError, match="these are Q-values, which only the agent qlearning uses"):
        engine_weights(learned(), start)
    with pytest.raises(WeightsError, match="expected Q-values, got weights of features"):
        engine_q_values("default", start)
    save(tmp_path / "q.safetensors", learned("connect4(columns=5, rows=4)"))
    with pytest.raises(WeightsError, match="got some for another game or board"):
        agent("qlearning", weights=str(tmp_path / "q.safetensors")).play(start)
    with pytest.raises(PlygroundError, match="expected weights for checkers"):
        load(str(tmp_path / "q.safetensors"), "checkers")


def test_a_game_without_shipped_q_values_says_how_to_learn_them() -> None:
    chosen = register(Count("count-without-values"))
    with pytest.raises(WeightsError, match="has no shipped Q-values; learn some with: plyground train qlearning"):
        agent("qlearning").play(chosen.start())


def test_the_shipped_files_are_small_and_can_be_reproduced() -> None:
    sizes = 0
    for id in IDS:  # noqa: A001
        assert names(id, q_values=True) == [QLEARNING]
        weights = load(QLEARNING, id)
        assert (weights.kind, weights.method, weights.board) == ("qlearning", "qlearning", game(id).spec)
        assert weights.settings["games"] == weights.games
        QSettings(**weights.settings)
        sizes += len(to_bytes(weights))
    assert sizes <= 4_000_000
    made = json.loads(read(to_bytes(load(QLEARNING, "tictactoe")))[1]["made"])
    assert made["seed"] == load(QLEARNING, "tictactoe").seed
