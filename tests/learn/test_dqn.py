"""Deep Q-learning."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import plyground
from plyground import ParseError, UnknownNameError, WeightsError
from plyground._engine import play_episode
from plyground.agents import agent
from plyground.learn import train
from plyground.learn.checkpoints import checkpoint_network, checkpoint_weights
from plyground.learn.dqn import DqnLearner
from plyground.learn.dqn_model import ADVANTAGE_SCALE, QModel
from plyground.learn.methods import make_learner
from plyground.learn.replay import ReplayBuffer, SumTree, returns
from plyground.networks import CompactNetwork, engine_network
from plyground.networks.network import to_bytes
from plyground.store import Store
from timeouts import SUBPROCESS_S

TINY: dict[str, Any] = {
    "games": 12, "round_games": 3, "width": 16, "hidden": 8, "batch": 32, "buffer": 1000, "pool_games": 3, "replays": 1,
    "random_fraction": 0.3, "teacher_fraction": 0.2, "teacher_depth": 1,
}  # fmt: skip
BLOCKED = ["alembic", "fastapi", "numba", "pydantic", "rich", "sqlalchemy", "typer", "uvicorn"]


@pytest.fixture(autouse=True)
def _user_game() -> None:
    import plyground.examples.nim  # noqa: F401  registers the game


def finish(learner: DqnLearner) -> bytes:
    while learner.games_played < learner.total_games:
        learner.play()
    return to_bytes(learner.weight_set())


@pytest.mark.parametrize("spec", ["checkers", "connect4", "tictactoe", "chess", "nim"])
def test_the_same_seed_learns_the_same_network_and_a_resumed_run_too(spec: str) -> None:
    def learner(seed: int = 5) -> DqnLearner:
        made = make_learner("dqn", spec, TINY, seed)
        assert isinstance(made, DqnLearner)
        return made

    interrupted = learner()
    checkpoints = [interrupted.checkpoint()]
    for _ in range(3):
        interrupted.play()
        checkpoints.append(interrupted.checkpoint())
    expected = finish(interrupted)
    for count in (1, 3, 4):
        resumed = learner()
        resumed.restore(checkpoints[:count])
        assert resumed.games_played == 3 * (count - 1)
        assert resumed.checkpoint() == checkpoints[count - 1]
        assert finish(resumed) == expected
        assert resumed.checkpoint() == interrupted.checkpoint()
    assert finish(learner(seed=6)) != expected


def test_the_result_does_not_depend_on_the_number_of_threads() -> None:
    results = []
    threads = torch.get_num_threads()
    for count in (1, 2):
        torch.set_num_threads(count)
        run = plyground.train("dqn", "connect4", seed=1, **TINY)
        assert isinstance(run.weights, CompactNetwork)
        results.append(to_bytes(run.weights))
        assert torch.get_num_threads() == count
    torch.set_num_threads(threads)
    assert results[0] == results[1]


@pytest.mark.parametrize("spec", ["checkers", "connect4", "tictactoe", "chess"])
def test_the_engine_plays_the_move_with_the_highest_q(spec: str) -> None:
    start = plyground.game(spec).start()
    episodes = [play_episode(start, None, None, seed=seed) for seed in range(10)]
    buffer = ReplayBuffer(start, 10_000, steps=1, discount=1)
    count = buffer.append(episodes)
    torch.manual_seed(2)
    model = QModel(start.game.features, start.game.actions, 32, 4, 16)
    torch.nn.init.normal_(model.policy.output.weight, std=0.5)
    network = engine_network(CompactNetwork(start.game.spec, model.tensors(), 8), start)
    found = buffer.positions(np.arange(count))
    bucket = np.clip((found.pieces - 1) // 8, 0, 3)
    arrays = (torch.from_numpy(array.astype(np.int64)) for array in (found.own, found.other, bucket, found.legal))
    with torch.no_grad():
        values, _ = model(*arrays)
    agreements, row = 0, 0
    for seed in range(10):
        position, rng = start, plyground.Rng(seed)
        while row < count and position.outcome is None and position.ply < 300:
            (win, _, loss), logits = network.predict(position, exact=True)
            weights = np.exp(np.array(logits) - max(logits))
            mean = (weights * logits).sum() / weights.sum()
            q = win - loss + ADVANTAGE_SCALE * (np.array(logits) - mean)
            expected = values[row, : len(logits)].numpy()
            if seed == 0:
                assert q == pytest.approx(expected, abs=1e-3)
            rounded = network.predict(position)[1]
            agreements += int(expected.argmax() == np.argmax(rounded))
            position, row = position.play_random(rng), row + 1
    assert row == count
    assert agreements >= 0.99 * count


def test_returns_end_before_random_moves_and_change_sign_with_the_side_to_move() -> None:
    # Two games: one of five plies that the first side wins, and one of three plies in which the first side moves twice.
    length, result, factor = returns(
        results=np.array([1, -1, 1, -1, 1, -1, -1, 1]),
        turns=np.array([0, 1, 0, 1, 0, 0, 0, 1]),
        is_random=np.array([False, False, False, True, False, True, False, False]),
        ends=np.array([5, 8]),
        steps=2,
        discount=0.5,
    )
    assert length.tolist() == [2, 2, 1, 2, 1, 2, 2, 1]
    assert result.tolist() == [0, 0, 0, -0.5, 1, 0, -0.5, 1]
    assert factor.tolist() == [0.25, 0.25, -0.5, 0, 0, -0.25, 0, 0]


def test_rows_are_drawn_in_proportion_to_their_priorities() -> None:
    tree = SumTree(5)
    tree.set(np.arange(5), np.array([1.0, 0.0, 2.0, 4.0, 1.0]))
    tree.set(np.array([3, 3]), np.array([5.0, 5.0]))
    assert tree.total == 9
    drawn = tree.draw((np.arange(9) + 0.5) / 9)
    assert np.bincount(drawn, minlength=5).tolist() == [1, 0, 2, 5, 1]
    assert tree.draw(np.array([0.0, 1.0])).tolist() == [0, 4]


def test_the_buffer_keeps_the_latest_positions() -> None:
    start = plyground.game("tictactoe").start()
    games = [play_episode(start, None, None, seed=seed) for seed in range(8)]
    small, large = (ReplayBuffer(start, rows, steps=1, discount=1) for rows in (20, 1000))
    total = sum(small.append([episode]) for episode in games)
    assert large.append(games) == total
    assert (len(small), len(large)) == (20, total)
    rows = np.arange(total - 20, total)
    kept, expected = small.positions(rows % 20), large.positions(rows)
    assert kept.own.tolist() == expected.own.tolist()
    assert kept.legal.tolist() == expected.legal.tolist()
    assert small.targets(rows % 20).later.tolist() == (large.targets(rows).later % 20).tolist()


def test_training_reduces_the_lines_of_play_that_lose() -> None:
    start = plyground.game("tictactoe").start()
    untrained = make_learner("dqn", "tictactoe", {}, seed=1).weight_set()
    run = plyground.train(
        "dqn", "tictactoe", games=1000, replays=16.0, steps=2, target_updates=50, epsilon=0.8, final_epsilon=0.4,
        learning_rate=0.004, teacher_fraction=0.5, teacher_depth=9, seed=1,
    )  # fmt: skip
    assert run.curve[1000].keys() == {"loss", "mean_q", "epsilon", "plies", "random", "pool"}
    assert run.curve[1000]["random"] > 0.8
    assert lost_lines(run.weights, start) < lost_lines(untrained, start) / 5


def lost_lines(network: object, start: plyground.Position) -> int:
    """Return the number of lines of play that an agent loses as either side."""
    player = agent("dqn", network=network)

    def lost(position: plyground.Position, side: str) -> int:
        if (outcome := position.outcome) is not None:
            return outcome.winner not in (None, side)
        moves = [player.play(position)] if position.turn == side else position.moves
        return sum(lost(position.play(move), side) for move in moves)

    return lost(start, "x") + lost(start, "o")


def test_the_shipped_tic_tac_toe_network_loses_no_line_of_play() -> None:
    assert lost_lines("dqn", plyground.game("tictactoe").start()) == 0


def test_the_networks_of_checkpoints_have_names(tmp_path: Path) -> None:
    with Store(str(tmp_path / "store.sqlite")) as store:
        run = train(make_learner("dqn", "nim", TINY, 1), store)
        assert run.run == 1
        assert store.runs.steps(1) == [3, 6, 9, 12]
        assert isinstance(run.weights, CompactNetwork)
        assert to_bytes(checkpoint_network(store, 1, 12)) == to_bytes(run.weights)
        assert checkpoint_network(store, 1, 6).games == 6
        with pytest.raises(UnknownNameError, match="run 1 has no checkpoint at step 5"):
            checkpoint_network(store, 1, 5)
        with pytest.raises(WeightsError, match="run 1 trains a network and has no weights; use the option network"):
            checkpoint_weights(store, 1, 6)
        td = train(make_learner("td", "tictactoe", {"games": 20, "depth": 1}, 1), store)
        with pytest.raises(WeightsError, match="run 2 learns weights and has no network; use the option weights"):
            checkpoint_network(store, td.run or 0, 20)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"width": 24}, "width must be a multiple of 16, got 24"),
        ({"width": 2048}, "width must be between 16 and 256, got 2048"),
        ({"games": 0}, "games must be between 1 and 10000000, got 0"),
        ({"epsilon": 1.5}, "epsilon must be between 0 and 1, got 1.5"),
        ({"learning_rate": float("nan")}, "learning_rate must be between"),
        ({"round_games": 1000}, "buffer must be at least 300 x round_games = 300000"),
        ({"width": 256, "hidden": 128, "pool": 8}, "the network is too large for chess"),
        ({"teacher_depth": "deep"}, "setting teacher_depth must be an integer, got 'deep'"),
    ],
)
def test_settings_out_of_bounds_are_rejected(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ParseError, match=message):
        make_learner("dqn", "chess", settings, 0)


def test_malformed_episodes_are_rejected() -> None:
    start = plyground.game("connect4").start()
    buffer = ReplayBuffer(start, 1000, steps=1, discount=1)
    episode = play_episode(start, None, None, seed=1)
    for damaged in (episode[:-1], b"\2" + episode[1:], episode[:3] + b"\xff" + episode[4:], episode[:-1] + b"\7"):
        with pytest.raises(ParseError, match="episode"):
            buffer.append([damaged])


def test_training_needs_only_numpy_and_pytorch() -> None:
    """On a machine without the other dependencies, a run can be trained, saved and resumed."""
    script = (
        "import sys\n"
        f"sys.modules.update(dict.fromkeys({BLOCKED!r}))\n"
        "from plyground.learn.dqn import DqnLearner, DqnSettings\n"
        "from plyground.learn.network import NetworkLearner, NetworkSettings\n"
        "from plyground.networks.network import to_bytes\n"
        f"settings = DqnSettings(**{TINY!r})\n"
        "learner = DqnLearner('tictactoe', settings, 1)\n"
        "learner.play()\n"
        "resumed = DqnLearner('tictactoe', settings, 1)\n"
        "resumed.restore([learner.checkpoint()])\n"
        "assert to_bytes(resumed.weight_set()) == to_bytes(learner.weight_set())\n"
        "network = NetworkLearner('tictactoe', NetworkSettings(games=2, depth=1, epochs=1), 1)\n"
        "network.play()\n"
    )
    subprocess.run([sys.executable, "-c", script], timeout=SUBPROCESS_S, check=True)
