"""Plain tree search."""

from __future__ import annotations

import pytest

from plain.trees import shape
from plyground import GameOverError, Position, Rng, game
from plyground.plain import Mcts, Node, playout, uct


def test_uct_matches_hand_computed_values() -> None:
    # ln 10 = 2.302585
    assert uct(w=3, n=4, N=10, c=1) == pytest.approx(0.75 + 0.758714)
    assert uct(w=1.5, n=3, N=10, c=1) == pytest.approx(0.5 + 0.876087)
    assert uct(w=0.5, n=2, N=10, c=1) == pytest.approx(0.25 + 1.072983)
    assert uct(w=0.5, n=2, N=10, c=2) == pytest.approx(0.25 + 2.145966)
    assert uct(w=3, n=4, N=10, c=0) == 0.75


@pytest.mark.parametrize(("c", "chosen"), [(1, "a"), (2, "c"), (0, "a")])
def test_selection_descends_to_the_highest_score(c: float, chosen: str) -> None:
    # The scores are 1.509, 1.376, 1.323 with c = 1, and 2.267, 2.252, 2.396 with c = 2.
    start = game("tictactoe").start()
    root = Node(start, "o", visits=9, tried=3)
    root.children = [Node(start, "x", *rest) for rest in [("a", 4, 3.0), ("b", 3, 1.5), ("c", 2, 0.5)]]
    assert [node.move for node in Mcts(Rng(0), c=c).select(root)] == ["", chosen]


def test_tries_every_move_once_before_any_twice() -> None:
    root = Mcts(Rng(3)).run(game("connect4").start(), simulations=7)
    assert [child.visits for child in root.children] == [1] * 7
    assert {child.move for child in root.children} == set("1234567")


def test_rewards_are_for_the_side_that_moved_to_a_node() -> None:
    position = game("tictactoe").position("xx./oo./...")
    search = Mcts(Rng(0))
    root = search.root(position)
    root.children = [Node(position, "x", move) for move in ("c3", "c2")]
    search.simulate(root)
    assert (root.total, root.children[0].total) == (0, 1)


def test_visits_of_children_add_up_to_their_parent() -> None:
    remaining = [Mcts(Rng(1)).run(game("tictactoe").start(), simulations=3000)]
    while remaining:
        node = remaining.pop()
        if node.children:
            # Except at the root, the first visit to a node ends there.
            assert node.visits == sum(child.visits for child in node.children) + bool(node.move)
        assert 0 <= node.total <= node.visits
        remaining += node.children


@pytest.mark.parametrize(
    ("spec", "text", "win"),
    [
        ("tictactoe", "xx./oo./...", "c3"),
        ("connect4", "112233", "4"),
        ("checkers", "W:W18:B15", "18x11"),
        ("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"),
    ],
)
def test_takes_a_win_in_one(spec: str, text: str, win: str) -> None:
    search = Mcts(Rng(1), playout_plies=50)
    assert search.best(search.run(game(spec).position(text), simulations=400)).move == win


def test_the_first_of_equally_visited_moves_is_best() -> None:
    search = Mcts(Rng(3))
    root = search.run(game("connect4").start(), simulations=7)
    assert root.children[0].move != "1"
    assert search.best(root).move == "1"


def test_the_same_seed_grows_the_same_tree() -> None:
    start = game("checkers").start()
    first, same, other = (shape(Mcts(Rng(seed)).run(start, 200)) for seed in (7, 7, 8))
    assert first == same
    assert first != other


def test_evaluation_can_replace_playouts() -> None:
    class Centre(Mcts):
        """Evaluates as if the owner of the centre had won."""

        def evaluate(self, position: Position) -> float:
            if position.outcome is not None:
                return super().evaluate(position)
            return float(position.cells.get("b2") == position.turn)

    search = Centre(Rng(1))
    root = search.run(game("tictactoe").start(), simulations=100)
    assert search.best(root).move == "b2"
    assert search.best(root).mean == 1


def test_a_finished_game_is_rejected() -> None:
    with pytest.raises(GameOverError, match="red wins: line"):
        Mcts(Rng(1)).run(game("connect4").position("1212121"), simulations=1)


def test_a_playout_ends_at_its_maximum_length() -> None:
    start = game("chess").start()
    assert playout(start, Rng(1), plies=7).ply == 7


def test_repetition_does_not_end_a_playout() -> None:
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"]
    drawn = game("chess").position(moves=shuffle * 2)
    assert drawn.outcome is not None
    end = playout(drawn, Rng(1)).outcome
    assert end is not None
    assert end.reason != "repetition"
