"""Benchmark timing."""

from __future__ import annotations

import pytest

from plyground import ParseError, game, split_seed
from plyground.bench import MEASURES, Effort, Result, Speed, timing
from plyground.bench.openspiel import EQUIVALENTS, OpenSpiel, actions_per_move
from plyground.bench.perft import Perft
from plyground.bench.timing import Batch, Workload, interleave


class FakeClock:
    """Replaces the module `time`; time passes only in `advance`."""

    def __init__(self) -> None:
        self._seconds = 0.0

    def advance(self, seconds: float) -> None:
        """Advance CPU time and wall-clock time."""
        self._seconds += seconds

    def process_time(self) -> float:
        """Return the CPU time."""
        return self._seconds

    def perf_counter(self) -> float:
        """Return the wall-clock time."""
        return self._seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    """The clock of the timing module."""
    made = FakeClock()
    monkeypatch.setattr(timing, "time", made)
    return made


def test_workloads_take_turns_with_the_seed_of_the_round(clock: FakeClock) -> None:
    calls: list[tuple[str, int]] = []

    def workload(name: str) -> Workload:
        def prepare(count: int, seed: int) -> Batch:
            def batch() -> int:
                calls.append((name, seed))
                clock.advance(0.001 * count)
                return count

            return batch

        return prepare

    interleave([workload("peer"), workload("ours")], Effort(seconds=0.004, rounds=3, seed=5))
    rounds = [(name, split_seed(5, turn)) for turn in range(3) for name in ("peer", "ours")]
    assert calls[-6:] == rounds


def test_preparation_is_not_timed(clock: FakeClock) -> None:
    def slow_to_prepare(count: int, seed: int) -> Batch:  # noqa: ARG001
        clock.advance(0.02)

        def batch() -> int:
            clock.advance(0.002)
            return 1

        return batch

    (speed,) = interleave([slow_to_prepare], Effort(seconds=0.002, rounds=3))
    assert (speed.per_second, speed.wall_per_second) == pytest.approx((500, 500))


def test_the_median_round_is_reported(clock: FakeClock) -> None:
    durations = iter([0.008, 0.002, 0.03, 0.008])

    def workload(count: int, seed: int) -> Batch:  # noqa: ARG001
        def batch() -> int:
            clock.advance(next(durations))
            return 1

        return batch

    (speed,) = interleave([workload], Effort(seconds=0.008, rounds=3))
    assert speed.per_second == pytest.approx(1 / 0.008)


def test_the_ratio_is_our_speed_divided_by_the_peers() -> None:
    assert Result("playouts", "chess", Speed(30, 20), "peer", Speed(10, 10)).ratio == 3
    assert Result("playouts", "chess", Speed(30, 20)).ratio is None


@pytest.mark.parametrize("effort", [{"seconds": 0.0}, {"seconds": float("nan")}, {"rounds": 0}])
def test_invalid_effort_is_an_error(effort: dict[str, float]) -> None:
    with pytest.raises(ParseError):
        Effort(**effort)  # type: ignore[arg-type]


def test_measures_have_unique_names() -> None:
    assert len({measure.name for measure in MEASURES}) == len(MEASURES)


@pytest.mark.parametrize(("name", "depth"), [("checkers", 10), ("connect4", 9), ("tictactoe", 9), ("chess", 5)])
def test_perft_depth_does_not_depend_on_the_machine(name: str, depth: int) -> None:
    assert Perft().run(game(name), None, Effort(0.001, 1)).details["depth"] == depth


@pytest.mark.parametrize("name", EQUIVALENTS)
def test_openspiel_plays_the_requested_number_of_games(name: str) -> None:
    assert OpenSpiel(game(name)).playouts(3, seed=2**64 - 1)() == 3


def test_each_jump_of_a_capture_is_an_openspiel_action() -> None:
    double = game("checkers").position("B:W6,14:B1")
    assert actions_per_move(double, seed=1, games=1) == 2
    assert actions_per_move(game("tictactoe").start(), seed=1, games=3) == 1
