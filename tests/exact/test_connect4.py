"""The exact solver for Connect Four."""

from __future__ import annotations

import pytest

import plyground
from exact.positions import plain_score, random_position
from plyground import GameOverError, ParseError, Rng, _engine
from plyground._engine import book_positions
from plyground.bench.solver import BitBully
from plyground.exact import Solver, solve_many
from plyground.exact.book import PLY
from stopping import LONG_S, stop_while_running

FIRST_MOVES = [-2, -1, 0, 1, 0, -1, -2]


def test_the_first_side_wins_with_its_last_disc_by_starting_in_the_centre() -> None:
    solution = Solver("connect4").solve_moves(plyground.game("connect4").start())
    assert (solution.score, solution.distance) == (1, 41)
    assert [move.score for move in solution.moves] == FIRST_MOVES


@pytest.mark.parametrize(
    ("columns", "rows", "score"), [(4, 4, 0), (5, 5, 0), (6, 4, -1), (6, 5, 0), (4, 7, 0), (5, 6, 0), (6, 6, -1)]
)
def test_small_boards_have_their_known_scores(columns: int, rows: int, score: int) -> None:
    spec = f"connect4(columns={columns}, rows={rows})"
    assert Solver(spec).solve(plyground.game(spec).start()).score == score


# Early positions take seconds without our book, late ones less than a millisecond. BitBully's book covers twelve plies.
# `benchmarks/solver_agreement.py` compares more positions.
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
    """Return the mirrored board."""
    return "/".join(row[::-1] for row in text.split("/"))


def test_book_scores_agree_with_bitbully(peer: BitBully) -> None:
    """All scores up to ply 6 are compared, and one in ten after that."""
    solver = Solver("connect4")
    openings = {"": plyground.game("connect4").start()}
    for ply in range(PLY + 1):
        openings = {history: position for history, position in openings.items() if position.outcome is None}
        assert ply == 0 or len(openings) == len(book_positions(ply))
        for history, position in list(openings.items())[:: 10 if ply > 6 else 1]:
            solution = solver.solve(position)
            assert (solution.score, solution.nodes) == (peer.score(peer.board(history)), 0), history
        moves = [
            (history + move, position.play(move)) for history, position in openings.items() for move in position.moves
        ]
        openings = dict({min(after.text, mirrored(after.text)): (history, after) for history, after in moves}.values())


def test_at_least_two_thousand_positions_are_compared() -> None:
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
def test_equals_plain_negamax_on_small_boards(spec: str) -> None:
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
                empty = cells - len(position.cells)
                expected = (empty + 1) // 2 if after.outcome and after.outcome.winner else -plain_score(after)
                assert move.score == expected


def test_a_score_is_that_of_the_best_move_and_distances_are_consistent() -> None:
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


def test_threads_and_table_size_do_not_change_scores() -> None:
    rng = Rng(4)
    positions = [random_position("connect4", plies, rng) for plies in (13, 14, 15, 16, 20, 30)]
    scores = [solution.score for solution in solve_many(positions, book=False)]
    assert scores == [solution.score for solution in solve_many(positions, threads=2, book=False)]
    assert scores == [solution.score for solution in solve_many(positions, mebibytes=1, book=False)]
    for threads in (1, 2, 3):
        assert scores == Solver("connect4", threads=threads, book=False).scores(positions)


def test_threads_table_size_and_book_do_not_change_move_scores() -> None:
    rng = Rng(5)
    positions = [random_position("connect4", plies, rng) for plies in (8, 8, 9, 11, 14, 20, 33)]
    expected = [solution.moves for solution in solve_many(positions, all_moves=True, book=False)]
    assert any(len({move.score for move in moves}) > 3 for moves in expected)
    assert expected == [solution.moves for solution in solve_many(positions, all_moves=True)]
    for threads, mebibytes in ((2, 64), (3, 1)):
        solutions = solve_many(positions, all_moves=True, book=False, threads=threads, mebibytes=mebibytes)
        assert expected == [solution.moves for solution in solutions]


@pytest.mark.parametrize("all_moves", [False, True])
@pytest.mark.parametrize(("threads", "mebibytes"), [(1, 64), (2, 64), (1, 1024), (2, 1024)])
def test_stop_ends_a_running_solver(threads: int, mebibytes: int, all_moves: bool) -> None:
    solver = Solver("connect4", book=False, threads=threads, mebibytes=mebibytes)
    start = plyground.game("connect4").start()
    assert stop_while_running(lambda: solver.try_solve(start, all_moves=all_moves, seconds=LONG_S), solver.stop) is None


def test_a_stopped_solver_can_be_used_again() -> None:
    solver = Solver("connect4", book=False)
    start = plyground.game("connect4").start()
    for _ in range(3):
        assert stop_while_running(lambda: solver.try_solve(start, seconds=LONG_S), solver.stop) is None
        assert solver.solve(plyground.game("connect4").position("4444443265")).score == 1


def test_a_time_limit_ends_the_solver() -> None:
    start = plyground.game("connect4").start()
    assert Solver("connect4", book=False).try_solve(start, seconds=0.05) is None


def test_reports_bound_the_score() -> None:
    solver = Solver("connect4", book=False)
    reports: list[tuple[int, int, int]] = []

    def report(low: int, high: int, nodes: int) -> None:
        reports.append((low, high, nodes))
        if len(reports) == 3:
            solver.stop()

    assert solver.try_solve(plyground.game("connect4").start(), seconds=LONG_S, report=report) is None
    assert all(low <= 1 <= high for low, high, _ in reports)
    assert [nodes for _, _, nodes in reports] == sorted(nodes for _, _, nodes in reports)


def test_an_exception_in_a_report_callback_is_raised() -> None:
    def report(*_: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        Solver("connect4", book=False).solve(plyground.game("connect4").start(), report=report)


def test_memory_stays_below_its_limit() -> None:
    assert Solver("connect4", mebibytes=128, book=False).mebibytes <= 128
    assert Solver("connect4(columns=8, rows=7)", mebibytes=1).mebibytes <= 1


def test_other_games_and_finished_games_are_rejected() -> None:
    solver = Solver("connect4")
    with pytest.raises(ParseError, match=r"expected a connect4 position, got a connect4\(columns=8\) position"):
        solver.solve(plyground.game("connect4(columns=8)").start())
    with pytest.raises(GameOverError, match="the first side won"):
        solver.solve(plyground.game("connect4").position("1212121"))
    with pytest.raises(ParseError, match="connect4 and tictactoe"):
        Solver("chess")
    with pytest.raises(ParseError, match="mebibytes must be between 1 and"):
        Solver("connect4", mebibytes=0)
    with pytest.raises(ParseError, match="threads must be between 1 and 256, got 0"):
        Solver("connect4", threads=0)
    with pytest.raises(ParseError, match="not an opening book"):
        _engine.Solver(plyground.game("connect4"), book=b"something else, and long enough")
