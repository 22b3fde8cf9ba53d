"""Games and matches between agents."""

from __future__ import annotations

import pytest

from plyground import Outcome, Position, UnknownNameError, game, games, split_seed
from plyground.agents import Limit, agent
from plyground.arena import Match, MatchGame, Score, play_game
from plyground.arena.adjudication import adjudicator
from plyground.records import Record


def random_game(name: str, seed: int, max_plies: int = 10_000) -> Record:
    start = game(name).start()
    return play_game(start, dict.fromkeys(start.game.sides, agent("random")), seed=seed, max_plies=max_plies)


@pytest.mark.parametrize("name", [game.id for game in games()])
def test_a_record_replays_to_its_outcome(name: str) -> None:
    record = random_game(name, seed=3)
    assert record.to_position().outcome == record.outcome is not None


def test_the_same_seed_gives_the_same_game() -> None:
    assert random_game("chess", seed=1) == random_game("chess", seed=1)
    assert random_game("chess", seed=1) != random_game("chess", seed=2)


def test_ply_n_uses_the_nth_split_of_the_seed() -> None:
    record = random_game("connect4", seed=8)
    position = game("connect4").start()
    for ply, move in enumerate(record.moves):
        assert agent("random").analyse(position, Limit(), seed=split_seed(8, ply)).best.move == move
        position = position.play(move)


def test_watch_is_called_with_every_position() -> None:
    seen: list[Position] = []
    start = game("tictactoe").start()
    record = play_game(start, dict.fromkeys(start.game.sides, agent("random")), seed=0, watch=seen.append)
    assert [position.ply for position in seen] == list(range(len(record.moves) + 1))


def test_the_ply_limit_ends_a_game_as_a_draw() -> None:
    record = random_game("chess", seed=0, max_plies=10)
    assert len(record.moves) == 10
    assert record.outcome == Outcome(None, "ply limit")


def test_the_rules_take_precedence_at_the_ply_limit() -> None:
    complete = random_game("tictactoe", seed=4)
    assert random_game("tictactoe", seed=4, max_plies=len(complete.moves)) == complete


def test_the_ply_limit_counts_from_the_start_position() -> None:
    start = game("chess").position(moves=["e4", "e5"])
    record = play_game(start, dict.fromkeys(start.game.sides, agent("random")), seed=0, max_plies=3)
    assert len(record.moves) == 5


def test_adjudication_ends_a_game() -> None:
    def adjudicate(position: Position) -> Outcome | None:
        return Outcome("yellow", "adjudicated") if position.ply == 5 else None

    start = game("connect4").start()
    record = play_game(start, dict.fromkeys(start.game.sides, agent("random")), seed=1, adjudicate=adjudicate)
    assert (len(record.moves), record.outcome) == (5, Outcome("yellow", "adjudicated"))
    record.check()
    with pytest.raises(UnknownNameError, match="available: none"):
        adjudicator("oracle")


def match(games: int, seed: int = 0) -> list[MatchGame]:
    return list(Match(game("tictactoe"), agent("random"), agent("random"), games, seed).play())


def test_sides_alternate() -> None:
    assert [one.first for one in match(4)] == ["a", "b", "a", "b"]


def test_game_k_uses_the_kth_split_of_the_seed() -> None:
    assert [one.record.seed for one in match(3, seed=6)] == [split_seed(6, index) for index in range(3)]
    assert match(3, seed=6) == match(3, seed=6)


def test_points_belong_to_the_agent_regardless_of_its_side() -> None:
    for one in match(40):
        outcome = one.record.outcome
        assert outcome is not None
        side_of_a = "x" if one.first == "a" else "o"
        assert one.points == (0.5 if outcome.winner is None else float(outcome.winner == side_of_a))


def test_a_score_counts_all_games() -> None:
    score = Score()
    assert score.share == 0.5
    for one in match(40):
        score = score.after(one)
    assert score.games == 40
    assert score.share == (score.wins + score.draws / 2) / 40


def test_endgame_tables_adjudicate_checkers() -> None:
    start = game("checkers").position("W:WK6,K7:BK32")
    seats = dict.fromkeys(start.game.sides, agent("random"))
    record = play_game(start, seats, seed=1, adjudicate=adjudicator("tables"))
    assert record.moves == ()
    assert record.outcome is not None
    assert (record.outcome.winner, record.outcome.reason) == ("white", "endgame tables")
    assert adjudicator("tables")(game("checkers").start()) is None
    assert adjudicator("tables")(game("chess").start()) is None
