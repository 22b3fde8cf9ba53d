"""Each plain enhancement on its own, with values computed by hand."""

from __future__ import annotations

import pytest

from plain.stones import stones
from plyground import ParseError, Position, Rng, game
from plyground.plain import Mcts, Node, plain_search
from plyground.plain.enhancements import (
    DecisiveMoves,
    DeepeningPlayouts,
    EvaluatedCutoff,
    FirstPlayUrgency,
    ImplicitMinimax,
    ProgressiveWidening,
    Puct,
    Rave,
    Solver,
    Transpositions,
    TreeReuse,
    Ucb1Tuned,
    WeightedPlayouts,
    compose,
)
from plyground.plain.mcts import Proven

START = game("tictactoe").start()


def children(parent: Node, *moves: str) -> list[Node]:
    """Add a child for each of these moves and mark them all as tried."""
    parent.children = [Node(parent.position, parent.position.turn, move) for move in moves]
    parent.tried = len(moves)
    return parent.children


def test_solver_selects_the_last_of_the_most_visited_unproven_moves_over_a_proven_draw() -> None:
    root = Node(START, "o", visits=20)
    draw, first, second, lost = children(root, "a1", "b1", "c1", "a2")
    draw.visits, draw.total, draw.proven = 8, 8.0, Proven(None, 4)
    lost.visits, lost.total, lost.proven = 4, 4.0, Proven("o", 3)
    first.visits = second.visits = 4
    search = Solver(Rng(1), c=0.0)
    path = [root, search.choose([root])]
    assert path[1] is second
    search.back_up(path, value=0.0)  # a loss for o, who is to move after c1
    assert (root.total, second.total) == (0.5, 1.0)


def test_solver_never_selects_a_proven_loss() -> None:
    root = Node(START, "o", visits=9)
    lost, other = children(root, "a1", "b1")
    lost.visits, lost.total, lost.proven = 8, 8.0, Proven("o", 1)
    other.visits = 1
    assert Solver(Rng(1)).choose([root]) is other


def test_solver_proves_nodes_from_the_leaf_up() -> None:
    root = Node(START, "o")
    first, second = children(root, "a1", "b1")
    won, _ = children(first, "a2", "b2")
    search = Solver(Rng(1))
    won.proven = Proven("o", 0)
    search.back_up([root, first, won], value=0.0)
    assert first.proven == ("o", 1), "one winning reply is enough"
    assert root.proven is None, "b1 may be better"
    second.proven = Proven("o", 5)
    search.back_up([root, second], value=1.0)
    assert root.proven == ("o", 6), "every move loses; b1 lasts longest"


def test_a_reused_root_whose_proof_has_no_children_is_searched_again() -> None:
    root = Node(START, "o", proven=Proven("x", 2))
    search = Solver(Rng(1))
    search.prepare(root)
    assert root.proven is None
    assert not search.finished(root)


def test_widening_adds_a_move_for_each_proven_loss() -> None:
    root = Node(START, "o")
    moves = children(root, "a1", "b1", "c1", "a2")
    search = compose(Solver, ProgressiveWidening)(Rng(1), widening=0.5)
    assert search.candidates(root) == moves[:1]
    moves[0].proven = moves[1].proven = Proven("o", 3)
    assert search.candidates(root) == moves[:3]


def test_implicit_minimax_backs_up_the_best_reply_and_proven_values() -> None:
    root = Node(START, "o")
    [move] = children(root, "b2")
    replies = children(move, "a1", "b1")
    search = ImplicitMinimax(Rng(1))
    search.minimax = {move: 0.5, replies[0]: 0.25, replies[1]: 0.625}
    search.back_up([root, move, replies[0]], value=0.5)
    assert (search.minimax[move], search.minimax[root]) == (0.375, 0.625)
    replies[0].proven = Proven("o", 0)
    search.back_up([root, move, replies[0]], value=0.0)
    assert (search.minimax[replies[0]], search.minimax[move], search.minimax[root]) == (1.0, 0.0, 1.0)


def test_implicit_minimax_follows_the_side_to_move_if_a_side_moves_twice() -> None:
    root = Node(stones().start(), "right")
    [again] = children(root, "1")  # left has 1 stone and moves again
    replies = children(again, "2", "3")
    search = ImplicitMinimax(Rng(1))
    search.minimax = {again: 0.5, replies[0]: 0.25, replies[1]: 0.75}
    search.back_up([root, again, replies[1]], value=1.0)
    assert search.minimax[again] == 0.75


def test_rave_counts_every_later_move_by_the_same_side() -> None:
    root = Node(START, "o")
    a1, b1, c1 = children(root, "a1", "b1", "c1")
    [reply_b1, reply_c1] = children(a1, "b1", "c1")
    search = Rave(Rng(1))
    search.initialise(root)
    search.initialise(a1)
    search.actions = [("x", search.action[a1]), ("o", search.action[reply_c1]), ("x", search.action[b1])]
    search.back_up([root, a1], value=0.0)  # x wins
    counted = {node: (search.amaf[node].visits, search.amaf[node].total) for node in (a1, b1, c1, reply_b1, reply_c1)}
    assert counted == {a1: (1, 1.0), b1: (1, 1.0), c1: (0, 0.0), reply_b1: (0, 0.0), reply_c1: (1, 0.0)}


def test_ucb1_tuned_sums_squared_rewards() -> None:
    root = Node(START, "o")
    [move] = children(root, "a1")
    search = Ucb1Tuned(Rng(1))
    for value in (0.5, 0.0, 1.0):
        search.back_up([root, move], value)
    assert (move.total, search.squares[move], search.squares[root]) == (1.5, 1.25, 1.25)


@pytest.mark.parametrize(("first_play", "visits"), [(0.0, [1, 0, 0]), (2.0, [0, 1, 0])])
def test_first_play_urgency_decides_whether_an_untried_move_is_next(first_play: float, visits: list[int]) -> None:
    root = Node(START, "o", visits=1)
    moves = children(root, "a1", "b1", "c1")
    moves[0].visits, moves[0].total, root.tried = 1, 1.0, 1
    path = FirstPlayUrgency(Rng(1), c=0.0, first_play=first_play).select(root)
    assert [path.count(move) for move in moves] == visits


def test_a_winning_move_is_tried_first_but_not_at_the_root() -> None:
    position = game("tictactoe").position("xx./oo./...")
    first_at_root, first_below = set[str](), set[str]()
    for seed in range(10):
        root, below = Node(position, "o", visits=1), Node(position, "o", visits=1)
        search = DecisiveMoves(Rng(seed))
        search.open([root])
        search.open([root, below])
        first_at_root.add(root.children[0].move)
        first_below.add(below.children[0].move)
    assert len(first_at_root) > 1
    assert first_below == {"c3"}


def test_playout_moves_are_drawn_by_weight() -> None:
    # The centre is the only square not on the edge, so its probability is 1 / (1 + 8 * 0.25).
    search = WeightedPlayouts(Rng(1), edge_weight=0.25)
    centre = sum(search.playout_move(START).history == ["b2"] for _ in range(900))
    assert 270 <= centre <= 330
    assert WeightedPlayouts(Rng(1), edge_weight=0.0).playout_move(START).history == ["b2"]


def test_priors_are_proportional_to_move_weights() -> None:
    root = Node(START, "o")
    children(root, *START.moves)
    search = Puct(Rng(1), edge_weight=0.375)
    search.initialise(root)
    assert {child.move: search.prior[child] for child in root.children if child.move in ("a1", "b2")} == {
        "a1": 0.375 / 4,
        "b2": 0.25,
    }


def test_playouts_deepen_with_the_visits_of_the_parent() -> None:
    root = Node(START, "o", visits=7)
    children(root, *START.moves)
    root.tried = 0
    search = DeepeningPlayouts(Rng(1), playout_plies=2, deepening=1.5)
    search.expand([root])
    assert search.playout_plies == 2 + 4  # 1.5 * log2(8), rounded down


def test_cut_off_playouts_are_evaluated_for_the_requested_side() -> None:
    position = game("checkers").position("W:WK3,20,19:B10")
    search = EvaluatedCutoff(Rng(1), playout_plies=1)
    assert search.cut_off(position, "white") == 1 - search.cut_off(position, "black") > 0.8
    assert Mcts(Rng(1)).cut_off(position, "white") == 0.5


def test_transpositions_share_their_children_and_the_mean_below_them() -> None:
    search = Transpositions(Rng(1))
    root = search.run(START, 400)

    def node(*moves: str) -> Node:
        found = root
        for move in moves:
            found = next(child for child in found.children if child.move == move)
        return found

    one, other = node("a1", "b2", "c3"), node("c3", "b2", "a1")
    search.open([one])
    search.open([other])
    assert one.children is other.children
    for child in one.children:
        child.visits, child.total = 0, 0.0
    one.children[0].visits, one.children[0].total = 3, 2.0
    one.children[1].visits, one.children[1].total = 1, 1.0
    one.visits = 7
    search.back_up([one], value=0.0)
    assert (one.visits, one.total) == (8, 8 * (1 - 3 / 4))


def test_a_reused_root_is_scored_for_the_side_that_is_not_to_move() -> None:
    search = TreeReuse(Rng(1))
    start = stones().start()
    move = next(child for child in search.run(start, 200).children if child.move == "1")
    visits, total = move.visits, move.total
    assert move.mover == "left"
    root = search.root(start.play("1"))  # left moves again
    assert (root, root.mover, root.visits, root.total) == (move, "right", visits, visits - total)


def test_a_position_of_another_game_starts_a_new_tree() -> None:
    search = TreeReuse(Rng(1))
    first = search.run(START, 50)
    assert search.run(START.play("a1"), 1) in first.children
    assert search.run(START.play("b2"), 1) not in first.children


def test_options_match_those_of_the_engine() -> None:
    connect4 = game("connect4")
    search = plain_search(connect4, {"solver": "false", "decisive": "false", "rave": "0.01"}, Rng(1))
    assert isinstance(search, Rave)
    assert not isinstance(search, Solver)
    assert isinstance(plain_search(game("checkers"), {}, Rng(1)), ImplicitMinimax), "tuned for the game"
    with pytest.raises(ParseError, match="supports only tables=false, got 'true'"):
        plain_search(connect4, {"tables": "true"}, Rng(1))
    with pytest.raises(ParseError, match="unknown option 'depht'"):
        plain_search(connect4, {"depht": "3"}, Rng(1))


def test_any_evaluation_can_be_combined_with_an_enhancement() -> None:
    class Centre(Mcts):
        """Evaluates as if the owner of the centre had won."""

        def evaluate(self, position: Position) -> float:
            return float(position.cells.get("b2") == position.turn)

    search = compose(Solver, Rave, Centre)(Rng(1))
    assert search.best(search.run(START, 100)).move == "b2"
