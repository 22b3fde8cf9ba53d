"""The exact solver of Connect Four."""

from __future__ import annotations

import threading
import time

import pytest

import plyground
from exact.positions import plain_score, random_position
from plyground import GameOverError, ParseError, Rng, _engine
from plyground._engine import book_positions
from plyground.bench.solver import BitBully
from plyground.exact import Solver, solve_many
from plyground.exact.book import PLY

FIRST_MOVES = [-2, -1, 0, 1, 0, -1, -2]


def test_the_first_side_wins_with_its_last_disc_by_the_middle_column() -> None:
    solution = Solver("connect4").solve_moves(plyground.game("connect4").start())
    assert (solution.score, solution.distance) == (1, 41)
    assert [move.score for move in solution.moves] == FIRST_MOVES


@pytest.mark.parametrize(
    ("columns", "rows", "score"), [(4, 4, 0), (5, 5, 0), (6, 4, -1), (6, 5, 0), (4, 7, 0), (5, 6, 0), (6, 6, -1)]
)
def test_small_boards_have_their_known_scores(columns: int, rows: int, score: int) -> None:
    spec = f"connect4(columns={columns}, rows={rows})"
    assert Solver(spec).solve(plyground.game(spec).start()).score == score


# Early positions take seconds without our book, late ones less than a millisecond. bitbully knows the first twelve
# plies by heart. `benchmarks/connect4_agreement.py` compares more.
EARLY = {4: 1, 5: 2, 6: 3, 7: 6, 8: 20, 9: 30, 10: 30, 11: 50, 12: 50}
COUNTS = {**EARLY, **{ply: (2000 - sum(EARLY.values())) // 29 + 1 for ply in range(13, 42)}}


@pytest.fixture(scope="module")
def peer() -> BitBully:
    return BitBully(book=True)


@pytest.mark.parametrize(("plies", "count"), COUNTS.items())
def test_scores_of_random_positions_agree_with_bitbully(peer: BitBully, plies: int, count: int) -> None:
    solver = Solver("connect4", book=False)
    rng = Rng(plies)
    for _ in range(count):
        history = "".join(random_position("connect4", plies, rng, with_history=True).history)
        score = solver.solve(plyground.game("connect4").position(history)).score
        assert score == peer.score(peer.board(history)), history


def mirrored(text: str) -> str:
    """A board in a mirror."""
    return "/".join(row[::-1] for row in text.split("/"))


def test_the_book_agrees_with_bitbully_in_all_of_eight_plies_and_in_a_sample_of_the_others(
    peer: BitBully,
) -> None:
    solver = Solver("connect4")
    rng = Rng(6)
    for plies in range(9, PLY + 1):
        for _ in range(5000):
            position = random_position("connect4", plies, rng, with_history=True)
            history = "".join(position.history)
            solution = solver.solve(position)
            assert (solution.score, solution.nodes) == (peer.score(peer.board(history)), 0), history
    openings = {"": plyground.game("connect4").start()}
    for ply in range(9):
        openings = {history: position for history, position in openings.items() if position.outcome is None}
        assert ply == 0 or len(openings) == len(book_positions(ply))
        for history, position in openings.items():
            solution = solver.solve(position)
            assert (solution.score, solution.nodes) == (peer.score(peer.board(history)), 0), history
        moves = [
            (history + move, position.play(move)) for history, position in openings.items() for move in position.moves
        ]
        openings = dict({min(after.text, mirrored(after.text)): (history, after) for history, after in moves}.values())


def test_two_thousand_positions_are_compared() -> None:
    assert sum(COUNTS.values()) >= 2000


@pytest.mark.parametrize(
    "spec",
    [
        "connect4(columns=4, rows=4)",
        "connect4(columns=3, rows=4, line=3)",
        "connect4(columns=4, rows=3, line=3)",
        "connect4(columns=5, rows=3)",
        "connect4(columns=3, rows=5, line=3)",
        "connect4(columns=4, rows=5, line=3)",
        "connect4(columns=3, rows=7)",
        "connect4(columns=9, rows=2, line=3)",
        "connect4(columns=12, rows=1, line=2)",
        "connect4(columns=2, rows=6, line=5)",
    ],
)
def test_clever_equals_plain_on_small_boards(spec: str) -> None:
    solver = Solver(spec, mebibytes=1)
    rng = Rng(3)
    cells = plyground.game(spec).rows * plyground.game(spec).columns
    for plies in range(max(4, cells - 12), min(cells - 2, 12)):
        for _ in range(4):
            position = random_position(spec, plies, rng)
            solution = solver.solve_moves(position)
            assert solution.score == solver.solve(position).score == plain_score(position), position
            for move in solution.moves:
                after = position.play(move.move)
                left = cells - len(position.cells)
                expected = (left + 1) // 2 if after.outcome and after.outcome.winner else -plain_score(after)
                assert move.score == expected


def test_a_score_is_the_best_of_the_moves_and_distances_follow() -> None:
    solver = Solver("connect4")
    rng = Rng(8)
    for plies in range(16, 40, 2):
        position = random_position("connect4", plies, rng)
        solution = solver.solve_moves(position)
        assert solution.score == max(move.score for move in solution.moves)
        best = next(move for move in solution.moves if move.score == solution.score)
        after = position.play(best.move)
        if after.outcome is None:
            assert solver.solve(after).distance == solution.distance - 1
        else:
            assert solution.distance == 1


def test_threads_and_tables_give_the_same_scores() -> None:
    rng = Rng(4)
    positions = [random_position("connect4", plies, rng) for plies in (13, 14, 15, 16, 20, 30)]
    scores = [solution.score for solution in solve_many(positions, book=False)]
    assert scores == [solution.score for solution in solve_many(positions, threads=2, book=False)]
    assert scores == [solution.score for solution in solve_many(positions, mebibytes=1, book=False)]
    for threads in (1, 2, 3):
        assert scores == Solver("connect4", threads=threads, book=False).scores(positions)


def test_all_moves_have_the_same_scores_with_threads_with_a_small_table_and_with_the_book() -> None:
    rng = Rng(5)
    positions = [random_position("connect4", plies, rng) for plies in (8, 8, 9, 11, 14, 20, 33)]
    expected = [solution.moves for solution in solve_many(positions, every=True, book=False)]
    assert any(len({move.score for move in moves}) > 3 for moves in expected)
    assert expected == [solution.moves for solution in solve_many(positions, every=True)]
    for threads, mebibytes in ((2, 64), (3, 1)):
        found = solve_many(positions, every=True, book=False, threads=threads, mebibytes=mebibytes)
        assert expected == [solution.moves for solution in found]


def seconds_after_stop(solver: Solver, wait: float, *, every: bool = False) -> float:
    """CPU time that solving the empty board takes in its thread after another one stops it: machines may be busy."""
    start = plyground.game("connect4").start()
    clocks: list[int] = []
    ended: list[float] = []

    def solve() -> None:
        clocks.append(time.pthread_getcpuclockid(threading.get_ident()))
        assert solver.try_solve(start, every=every) is None
        ended.append(time.thread_time())

    thread = threading.Thread(target=solve)
    thread.start()
    time.sleep(wait)
    stopped = time.clock_gettime(clocks[0])
    solver.stop()
    thread.join()
    return ended[0] - stopped


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize(("threads", "mebibytes"), [(1, 64), (2, 64), (1, 1024), (2, 1024)])
def test_a_stop_is_answered_within_20_ms_at_any_time(threads: int, mebibytes: int, every: bool) -> None:
    """Also while the table grows, which it does more and more seldom."""
    rng = Rng(threads)
    late = [
        seconds_after_stop(
            Solver("connect4", book=False, threads=threads, mebibytes=mebibytes), 0.02 + 0.15 * rng.unit(), every=every
        )
        for _ in range(30)
    ]
    assert sorted(late)[-1] < 0.02


def test_a_solver_that_was_stopped_goes_on_later() -> None:
    solver = Solver("connect4", book=False)
    for wait in (0.02, 0.05, 0.1):
        seconds_after_stop(solver, wait)
        assert solver.solve(plyground.game("connect4").position("4444443265")).score == 1


def test_time_limits_hold_and_reports_narrow_the_score() -> None:
    reports: list[tuple[int, int, int]] = []
    solver = Solver("connect4", book=False)
    begun = time.perf_counter()
    start = plyground.game("connect4").start()
    assert solver.try_solve(start, seconds=0.5, report=lambda *progress: reports.append(progress)) is None
    assert time.perf_counter() - begun < 1.5
    assert reports
    assert all(low <= 1 <= high for low, high, _ in reports)
    assert [nodes for _, _, nodes in reports] == sorted(nodes for _, _, nodes in reports)


def test_an_exception_of_a_report_reaches_the_caller() -> None:
    def report(*_: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        Solver("connect4", book=False).solve(plyground.game("connect4").start(), report=report)


def test_the_memory_is_bounded() -> None:
    assert Solver("connect4", mebibytes=128, book=False).mebibytes <= 128
    assert Solver("connect4(columns=8, rows=7)", mebibytes=1).mebibytes <= 1


def test_other_games_and_finished_ones_are_refused() -> None:
    solver = Solver("connect4")
    with pytest.raises(ParseError, match="accepts positions of connect4"):
        solver.solve(plyground.game("connect4(columns=8)").start())
    with pytest.raises(GameOverError, match="the first side won"):
        solver.solve(plyground.game("connect4").position("1212121"))
    with pytest.raises(ParseError, match="connect4 and tictactoe"):
        Solver("chess")
    with pytest.raises(ParseError, match="mebibytes=0"):
        Solver("connect4", mebibytes=0)
    with pytest.raises(ParseError, match="threads=0"):
        Solver("connect4", threads=0)
    with pytest.raises(ParseError, match="not an opening book"):
        _engine.Solver(plyground.game("connect4"), book=b"something else, and long enough")
