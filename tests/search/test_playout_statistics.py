"""Playout statistics: outcomes, lengths and scores."""

from __future__ import annotations

import pytest

from plyground import game
from plyground.agents import Analysis, Limit, agent
from plyground.review import Reviewer
from plyground.server.search.views import analysis_view

PLAIN = "minimax=0, solver=false, decisive=false, playout_decisive=false"


def analyse(name: str, spec: str, text: str | None = None) -> Analysis:
    start = game(name).position(text) if text else game(name).start()
    return agent(spec).analyse(start, Limit(simulations=2000), seed=1)


@pytest.mark.parametrize("cutoff", ["draw", "pieces", "heuristic"])
def test_cut_off_playouts_are_not_counted_as_draws(cutoff: str) -> None:
    analysis = analyse("checkers", f"mcts(playout_plies=20, cutoff={cutoff}, {PLAIN})")
    *finished, draws, cut_off = analysis.playout_results
    assert draws == 0
    assert cut_off > 1900
    assert sum(finished) + cut_off == analysis.simulations == 2000
    assert analysis.result_shares is None


def test_finished_playouts_are_not_counted_as_cut_off() -> None:
    analysis = analyse("connect4", "mcts")
    first_wins, second_wins, draws, cut_off = analysis.playout_results
    assert cut_off == 0
    assert analysis.result_shares == (first_wins / 2000, second_wins / 2000, draws / 2000)
    assert analysis.mean_playout_score == pytest.approx((first_wins + draws / 2) / 2000)


@pytest.mark.parametrize("spec", ["mcts(playout_plies=20)", "mcts(playout_plies=20, workers=2)", "flat(playouts=40)"])
def test_the_mean_length_agrees_with_the_histogram(spec: str) -> None:
    analysis = analyse("connect4", spec)
    assert 7 < analysis.mean_playout_length < 30
    if analysis.playout_lengths:
        total = analysis.mean_playout_length * sum(analysis.playout_results)
        shortest = sum(10 * length * count for length, count in enumerate(analysis.playout_lengths))
        assert shortest <= total <= shortest + 9 * sum(analysis.playout_results)


@pytest.mark.parametrize("cutoff", ["draw", "pieces", "heuristic"])
@pytest.mark.parametrize("text", ["B:W21-31:B1-12", "W:W21-31:B1-12"])
def test_the_mean_score_is_the_root_value_for_the_first_side(cutoff: str, text: str) -> None:
    analysis = analyse("checkers", f"mcts(playout_plies=10, cutoff={cutoff}, {PLAIN})", text)
    assert analysis.value is not None
    value_first = analysis.value if analysis.position.turn == "black" else 1 - analysis.value
    assert analysis.mean_playout_score == pytest.approx(value_first, abs=1e-9)
    if cutoff == "pieces":
        assert value_first > 0.55, "black is a man ahead"


def test_a_search_without_playouts_has_no_score() -> None:
    analysis = analyse("checkers", "mcts(leaf=heuristic)")
    assert analysis.playout_results == (0, 0, 0, 0)
    assert (analysis.mean_playout_length, analysis.mean_playout_score) == (0, None)
    assert analysis.result_shares is None


def test_the_server_reports_shares_of_finished_playouts_only() -> None:
    finished = analysis_view("mcts", analyse("connect4", "mcts"))
    assert None not in (finished.win, finished.draw, finished.loss)
    assert len(finished.playout_results) == 4
    cut_off = analysis_view("mcts", analyse("checkers", "mcts(leaf=playout)"))
    assert (cut_off.win, cut_off.draw, cut_off.loss) == (None, None, None)
    assert cut_off.playout_results[3] > 1900
    assert cut_off.mean_playout_length == pytest.approx(6, abs=0.1)
    assert cut_off.mean_playout_score is not None


def test_a_review_does_not_count_cut_off_playouts_as_draws() -> None:
    analysis = analyse("checkers", "mcts(leaf=playout)")
    value = analysis.value
    assert value is not None
    assert Reviewer(game("checkers")).from_analysis(analysis.position, analysis).draw_probability == (
        2 * value * (1 - value)
    )
