"""Schedules, rosters and lineups."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations

import pytest

from plyground import Game, ParseError, UnknownNameError
from plyground.agents.flat import FlatAgent
from plyground.agents.registry import AGENTS
from plyground.arena import Lineup, Rules, Schedule, ScheduledGame, entrants, lineup, roster
from plyground.arena.roster import rosters
from plyground.arena.schedule import gauntlet, round_robin

RULES = Rules("tictactoe")
DECK = [("a1", "b2"), ("b1", "a1"), ("c3", "b2")]


@pytest.mark.parametrize("agents", range(2, 12))
def test_a_round_robin_has_every_pairing_once_and_spreads_games_evenly(agents: int) -> None:
    pairs = round_robin(agents)
    assert sorted(tuple(sorted(pair)) for pair in pairs) == list(combinations(range(agents), 2))
    for upto in range(0, len(pairs), max(1, agents // 2)):
        games = Counter(agent for pair in pairs[:upto] for agent in pair)
        counts = [games[agent] for agent in range(agents)]
        assert max(counts) - min(counts) <= 2


def test_a_gauntlet_pairs_the_first_player_with_every_other_player() -> None:
    assert gauntlet(4) == [(0, 1), (0, 2), (0, 3)]


def test_each_opening_is_played_twice_with_sides_swapped() -> None:
    games = list(Schedule(RULES, ["random", "flat", "mcts"], DECK, games=6, seed=1).scheduled_games())
    assert len(games) == len({game.key for game in games}) == len({game.seed for game in games}) == 18
    for pair in combinations(range(3), 2):
        pairing = [game for game in games if set(game.agents) == set(pair)]
        for one, other in zip(pairing[::2], pairing[1::2], strict=True):
            assert one.opening == other.opening
            assert one.agents == other.agents[::-1]
        assert sorted(game.opening for game in pairing[::2]) == sorted(DECK)


def test_every_pairing_has_its_first_two_games_before_any_has_its_third() -> None:
    games = list(Schedule(RULES, ["random"] * 5, games=4).scheduled_games())
    assert len({frozenset(game.agents) for game in games[:20]}) == 10


def test_with_an_odd_number_of_games_the_last_opening_is_played_once() -> None:
    games = list(Schedule(RULES, ["random", "flat"], DECK, games=3).scheduled_games())
    assert [game.agents for game in games] == [(0, 1), (1, 0), (1, 0)]


def test_scheduled_games_round_trip_through_json_and_depend_on_the_seed() -> None:
    schedule = Schedule(Rules("chess", {"simulations": 5}, 100, clock="1+0.5"), ["random", "flat"], games=4, seed=7)
    for game in schedule.scheduled_games():
        assert ScheduledGame.from_payload(game.key, json.loads(json.dumps(game.to_payload()))) == game
    again = Schedule(**{**vars(schedule), "seed": 8})
    assert {game.seed for game in schedule.scheduled_games()}.isdisjoint(game.seed for game in again.scheduled_games())


def test_invalid_schedules_are_rejected() -> None:
    with pytest.raises(ParseError, match="must have 2 to 200 players, got 1"):
        Schedule(RULES, ["random"])
    with pytest.raises(ParseError, match="requires at least one opening"):
        Schedule(RULES, ["random", "flat"], openings=[])


def test_rosters_are_found_by_name() -> None:
    samuel = roster("samuel")
    assert (samuel.game, samuel.games, len(samuel.players)) == ("checkers", 20, 7)
    assert samuel.players["Random"] == "random"
    assert samuel.players["Veteran"] == "alphabeta(weights=veteran, depth=3)"
    assert list(roster("levels", "connect4").players)[:2] == ["Easy", "Medium"]
    with pytest.raises(UnknownNameError, match="available: samuel, levels, learners"):
        roster("nobody")
    with pytest.raises(ParseError, match="is for checkers, not for chess"):
        roster("samuel", "chess")
    with pytest.raises(ParseError, match="requires a game"):
        roster("levels")


class Learned(FlatAgent):
    """An agent with a file for connect4."""

    name = "learned"
    is_learned = True

    def can_play(self, game: Game) -> bool:
        return game.id == "connect4"


def test_the_learners_of_a_game_form_a_roster_with_baselines(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name, kind in AGENTS.items() if kind.is_learned]:
        monkeypatch.delitem(AGENTS, name)
    with pytest.raises(ParseError, match="connect4 has no players for the learners roster"):
        roster("learners", "connect4")
    monkeypatch.setitem(AGENTS, "learned", Learned)
    players = {"learned": "learned", "Flat Monte Carlo": "flat(playouts=100)", "Random": "random"}
    assert roster("learners", "connect4").players == players
    assert lineup("connect4", [], "learners").name == "connect4-learners"
    assert [one.game for name, one in rosters() if name == "learners"] == ["connect4"]
    with pytest.raises(ParseError, match="requires a game"):
        roster("learners")


def test_entrants_have_a_given_name_or_their_spec() -> None:
    found = entrants("checkers", ["hard", "Deep=alphabeta(depth=6)", "alphabeta(depth=2)", "R=random"])
    assert [one.name for one in found] == ["Hard", "Deep", "alphabeta(depth=2)", "R"]
    assert [one.spec for one in found] == ["Hard", "alphabeta(depth=6)", "alphabeta(depth=2)", "random"]
    for twice in (["random", "random"], ["A=random", "A=flat"], ["A=random", "B=random"]):
        with pytest.raises(ParseError, match="twice"):
            entrants("checkers", twice)
    with pytest.raises(ParseError, match="must have 1 to 100 printable characters"):
        entrants("checkers", ["=random"])
    with pytest.raises(UnknownNameError):
        entrants("checkers", ["deepblue"])


def test_a_lineup_uses_the_default_number_of_games() -> None:
    found = lineup("connect4(columns=7)", ["random", "Deep=alphabeta(depth=6)"])
    assert found == Lineup("connect4", ["random", "Deep=alphabeta(depth=6)"], 20, "connect4")
    assert lineup("connect4(columns=8)", ["random", "flat"], quick=True).games == 4
    assert lineup("connect4(columns=8)", ["random", "flat"]).name == "connect4"


def test_a_lineup_adds_players_to_a_roster() -> None:
    found = lineup(None, ["Extra=flat"], "samuel", quick=True)
    assert (found.game, found.games, found.name) == ("checkers", 4, "samuel")
    assert [entrant.name for entrant in entrants(found.game, found.players)][-2:] == ["Turtle", "Extra"]
    levels = lineup("tictactoe", ["random"], "levels")
    assert (levels.game, levels.name, levels.players[-1]) == ("tictactoe", "tictactoe", "random")


def test_an_incomplete_lineup_is_rejected() -> None:
    for game, players in ((None, ["random", "flat"]), ("chess", ["random"]), (None, [])):
        with pytest.raises(ParseError, match="requires a game and at least two players, or a roster"):
            lineup(game, players)
    with pytest.raises(ParseError, match="is for checkers, not for chess"):
        lineup("chess", [], "samuel")
