"""The time for a move."""

from __future__ import annotations

import pytest

from plyground.protocols.time_control import (
    EXPECTED_MOVES,
    MIN_SECONDS,
    NEXT_DEPTH_SHARE,
    STABLE_FACTOR,
    UNSTABLE_FACTOR,
    Allowance,
    Clock,
    MoveTimer,
    allot,
)

OVERHEAD = 0.03
CLOCKS = [
    Clock(0.0),
    Clock(0.05),
    Clock(0.3, 0.05),
    Clock(2.0, 0.05),
    Clock(60.0),
    Clock(60.0, 10.0),
    Clock(300.0, moves_to_go=40),
    Clock(3.0, moves_to_go=1),
    Clock(1e9, 1e6, 1000),
]


@pytest.mark.parametrize("clock", CLOCKS, ids=str)
def test_a_move_never_takes_more_than_the_remaining_time(clock: Clock) -> None:
    allowance = allot(clock, OVERHEAD)
    assert 0 < allowance.soft <= allowance.hard
    assert allowance.hard <= max(clock.remaining - OVERHEAD, MIN_SECONDS)


def test_more_time_or_increment_never_gives_less_time_for_the_move() -> None:
    seconds = [0.1 * 1.3**step for step in range(40)]
    soft = [allot(Clock(remaining), OVERHEAD).soft for remaining in seconds if remaining > 1]
    assert soft == sorted(soft)
    increments = [allot(Clock(30.0, 0.1 * step), OVERHEAD).soft for step in range(20)]
    assert increments == sorted(increments)


def test_the_time_until_the_next_control_is_divided_among_the_moves() -> None:
    assert allot(Clock(40.0, moves_to_go=40), 0.0).soft == pytest.approx(1.0)
    assert allot(Clock(60.0), 0.0).soft == pytest.approx(60.0 / EXPECTED_MOVES)
    assert allot(Clock(10.0, moves_to_go=1), 0.0).soft > 5.0


@pytest.mark.parametrize(("start", "increment"), [(2.0, 0.05), (60.0, 0.0), (10.0, 0.1), (1.0, 0.0)])
def test_a_game_in_which_every_move_takes_its_maximum_is_never_lost_on_time(start: float, increment: float) -> None:
    remaining, overhead = start, 0.001
    for _ in range(300):
        remaining -= allot(Clock(remaining, increment), OVERHEAD).hard + overhead
        if remaining < OVERHEAD:  # nothing can be guaranteed with less time than the overhead
            break
        remaining += increment
    else:
        return
    assert increment == 0.0
    assert remaining > 0.0


def test_panic_leaves_no_time_for_extensions() -> None:
    allowance = allot(Clock(0.3), OVERHEAD)
    assert allowance.hard == allowance.soft < 0.02
    relaxed = allot(Clock(30.0), OVERHEAD)
    assert relaxed.hard > 2 * relaxed.soft


def test_a_stable_best_move_ends_the_search_earlier_and_an_unstable_one_later() -> None:
    timer = MoveTimer(Allowance(1.0, 5.0))
    timer.observe("e2e4", 0.5)
    assert timer.target == pytest.approx(UNSTABLE_FACTOR)
    for _ in range(10):
        timer.observe("e2e4", 0.5)
    assert timer.target == pytest.approx(STABLE_FACTOR)
    timer.observe("d2d4", 0.5)
    assert timer.target == pytest.approx(UNSTABLE_FACTOR)


def test_a_falling_value_extends_the_search() -> None:
    timer = MoveTimer(Allowance(1.0, 5.0))
    timer.observe("e2e4", 0.6)
    timer.observe("e2e4", 0.6)
    steady = timer.target
    timer.observe("e2e4", 0.4)
    assert timer.target > steady


def test_the_target_never_exceeds_the_hard_limit() -> None:
    timer = MoveTimer(Allowance(1.0, 1.2))
    timer.observe("e2e4", 0.9)
    timer.observe("d2d4", 0.1)
    assert timer.target == 1.2


def test_another_depth_is_not_started_shortly_before_the_target() -> None:
    timer = MoveTimer(Allowance(1.0, 5.0))
    late = (NEXT_DEPTH_SHARE + 0.1) * timer.target
    assert timer.is_over(late)
    assert not timer.is_over(late, new_depth=False)
    assert not timer.is_over(0.5 * NEXT_DEPTH_SHARE)
