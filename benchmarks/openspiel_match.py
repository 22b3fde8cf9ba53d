"""Our tree search against OpenSpiel's (its C++ MCTSBot, solver on), every opening of the deck played from both sides.

python benchmarks/openspiel_match.py connect4 --games 100 --simulations 1000
python benchmarks/openspiel_match.py checkers --games 100 --seconds 0.1

With --seconds we stop by the clock. The bot knows no clock, only simulations: before each of its moves it gets as many
as its speed, measured anew at every move of the game, makes of that time and a tenth more. The mean time a move of both
is printed, to prove that it had at least as much.
"""

from __future__ import annotations

import importlib
import json
import time
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import track

from contest import elo, in_words, wilson
from plyground import Position, split_seed
from plyground import game as make_game
from plyground.agents import Limit, agent
from plyground.arena import Score
from plyground.arena.openings import openings, shuffled
from plyground.bench.openspiel import TWINS

TRIAL = 200
"""Simulations by which the bot's speed is first measured."""
GENEROSITY = 1.1
"""How much more than our time the bot is given."""
MEBIBYTES = 4096
EXPLORATION = 1.4
"""The bot's constant, as its own examples have it."""


@dataclass
class Clock:
    """Time spent on moves."""

    seconds: float = 0.0
    moves: int = 0

    def add(self, seconds: float) -> None:
        """Counts one move."""
        self.seconds += seconds
        self.moves += 1

    @property
    def mean(self) -> float:
        """Seconds a move."""
        return self.seconds / max(self.moves, 1)


@dataclass
class Peer:
    """OpenSpiel's bot at its own copy of the game, a state that follows ours action by action."""

    spiel: Any
    game: Any
    state: Any
    seed: int
    simulations: int | None
    seconds: float | None
    clock: Clock
    speed: float = field(default=0.0)
    """Simulations a second, as last measured."""

    def search(self, simulations: int, seed: int) -> int:
        """The bot's action in the state, and its speed renewed."""
        evaluator = self.spiel.RandomRolloutEvaluator(1, seed % 2**31)
        # The solver is on; not verbose.
        bot = self.spiel.MCTSBot(self.game, evaluator, EXPLORATION, simulations, MEBIBYTES, True, seed % 2**31, False)
        began = time.perf_counter()
        root = bot.mcts_search(self.state)
        # Fewer than asked for where the solver knows the result.
        self.speed = root.explore_count / (time.perf_counter() - began)
        return int(root.best_child().action)

    def actions(self) -> list[str]:
        """The bot's whole move: a capture of several pieces is several actions, each with all the time."""
        mover, made = self.state.current_player(), []
        if self.seconds is not None and not self.speed:
            self.search(TRIAL, self.seed)
        began = time.perf_counter()
        while not self.state.is_terminal() and self.state.current_player() == mover:
            count = self.simulations or max(1, round((self.seconds or 0) * GENEROSITY * self.speed))
            action = self.search(count, split_seed(self.seed, len(self.state.history())))
            made.append(self.state.action_to_string(mover, action))
            self.state.apply_action(action)
        self.clock.add(time.perf_counter() - began)
        return made

    def follow(self, action: str) -> None:
        """Makes the action of this name."""
        mover = self.state.current_player()
        named = {self.state.action_to_string(mover, one): one for one in self.state.legal_actions()}
        self.state.apply_action(named[action])


def their_actions(position: Position, move: str, name: str) -> list[str]:
    """The names of the actions that make up one of our moves."""
    if name == "connect4":
        return [f"{'xo'[position.ply % 2]}{int(move) - 1}"]
    squares = [their_square(position, square) for square in position.path(move)]
    return [start + end for start, end in pairwise(squares)]


def their_square(position: Position, square: str) -> str:
    """OpenSpiel names the squares of checkers as chess does, seen from the other side: our 1 is its g1."""
    index = [name for row in position.game.squares for name in row].index(square)
    return "hgfedcba"[index % 8] + str(index // 8 + 1)


def our_move(position: Position, actions: list[str], name: str) -> str:
    """Our move that is made up of these actions."""
    for move in position.moves:
        if their_actions(position, move, name) == actions:
            return move
    if name == "checkers":  # one of several ways to the same capture
        numbers = {their_square(position, square): square for row in position.game.squares for square in row if square}
        route = [actions[0][:2], *(action[2:] for action in actions)]
        return "x".join(numbers[square] for square in route)
    raise ValueError(f"no move is {actions}")


def play(name: str, deck: str, index: int, limit: Limit, spec: str, seed: int, clocks: tuple[Clock, Clock]) -> float:
    """Our points in one game."""
    spiel = importlib.import_module("pyspiel")
    twin = TWINS[name]
    theirs = spiel.load_game(twin.theirs)
    position = make_game(twin.ours).start()
    own = split_seed(seed, index)
    peer = Peer(spiel, theirs, theirs.new_initial_state(), own, limit.simulations, limit.seconds, clocks[1])
    us, starts = agent(spec), shuffled(openings(make_game(name), deck), seed)
    opening = starts[index // 2 % len(starts)]
    our_side = position.game.sides[index % 2]
    while position.outcome is None:
        if position.ply < len(opening):
            move = opening[position.ply]
        elif position.turn == our_side:
            began = time.perf_counter()
            move = us.analyse(position, limit, seed=split_seed(own, position.ply)).best.move
            clocks[0].add(time.perf_counter() - began)
        else:
            position = position.play(our_move(position, peer.actions(), name))
            continue
        for action in their_actions(position, move, name):
            peer.follow(action)
        position = position.play(move)
    if not peer.state.is_terminal():
        raise ValueError(f"OpenSpiel goes on where we see {position.outcome}")
    return 0.5 if position.outcome.winner is None else float(position.outcome.winner == our_side)


def main(
    game: Annotated[str, typer.Argument(help="connect4 or checkers.")],
    games: Annotated[int, typer.Option(min=2, help="How many; sides change.")] = 100,
    simulations: Annotated[int | None, typer.Option(min=1, help="Simulations a move of both.")] = None,
    seconds: Annotated[float | None, typer.Option(help="Seconds a move of ours; the bot has at least as many.")] = None,
    spec: Annotated[str, typer.Option("--agent", help="Who plays for us.")] = "mcts",
    deck: Annotated[str, typer.Option("--openings", help="start, deck or a file of openings.")] = "deck",
    seed: Annotated[int, typer.Option(help="Where all chance comes from.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON.")] = False,
) -> None:
    """Play the match and print the score, seen by us, with its interval."""
    if game not in ("connect4", "checkers"):
        raise typer.BadParameter(f"{game} is not played; accepted are connect4, checkers")
    if (simulations is None) == (seconds is None):
        raise typer.BadParameter("accepted is one of --simulations and --seconds")
    limit, clocks, score = Limit(simulations=simulations, seconds=seconds), (Clock(), Clock()), Score()
    for index in track(range(games), "Playing", console=Console(stderr=True), transient=True):
        points = play(game, deck, index, limit, spec, seed, clocks)
        score = Score(score.wins + (points == 1), score.draws + (points == 0.5), score.losses + (points == 0))
    ours, theirs = (clock.mean for clock in clocks)
    low, high = wilson(score.share, score.games)
    if as_json:
        row = {
            "game": game,
            "agent": spec,
            "openings": deck,
            "simulations": simulations,
            "seconds": seconds,
            "seed": seed,
        }
        result = {"wins": score.wins, "draws": score.draws, "losses": score.losses, "low": low, "high": high}
        typer.echo(json.dumps({**row, **result, "our_seconds": ours, "their_seconds": theirs}))
        return
    typer.echo(f"{game}, {spec} v OpenSpiel: {in_words(score)}, {elo(score.share):+.0f} Elo")
    typer.echo(f"a move took us {1000 * ours:.1f} ms, OpenSpiel {1000 * theirs:.1f} ms")


if __name__ == "__main__":
    typer.run(main)
