"""Match between our tree search and OpenSpiel's C++ MCTSBot with its solver, every opening played from both sides.

python benchmarks/openspiel_match.py connect4 --games 100 --simulations 1000
python benchmarks/openspiel_match.py checkers --games 100 --seconds 0.1

With --seconds, our search stops by the clock. The bot can only be limited by simulations, so it gets as many per move
as it can run in 1.1 times that time, based on its speed in the previous move. The mean time per move of both sides is
printed to show that the bot had at least as much time.
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

from figures import Figures, scaled
from match_runner import add_points, format_score
from plyground import Position, split_seed
from plyground import game as make_game
from plyground.agents import Limit, agent
from plyground.arena import Score
from plyground.arena.elo import elo_from_score, wilson_interval
from plyground.arena.openings import openings, shuffled
from plyground.bench.openspiel import EQUIVALENTS

WARM_UP_SIMULATIONS = 200
"""Number of simulations that measure the bot's speed before its first move."""
TIME_FACTOR = 1.1
"""The bot's time per move relative to ours."""
MEBIBYTES = 4096
EXPLORATION = 1.4
"""The bot's exploration constant, as in OpenSpiel's examples."""


@dataclass
class Clock:
    """Time spent on moves."""

    seconds: float = 0.0
    moves: int = 0

    def add(self, seconds: float) -> None:
        """Add one move."""
        self.seconds += seconds
        self.moves += 1

    @property
    def mean(self) -> float:
        """Mean seconds per move."""
        return self.seconds / max(self.moves, 1)


@dataclass
class Peer:
    """OpenSpiel's bot with its own copy of the game."""

    spiel: Any
    game: Any
    state: Any
    seed: int
    simulations: int | None
    seconds: float | None
    clock: Clock
    speed: float = field(default=0.0)
    """Simulations per second in the last search."""

    def search(self, simulations: int, seed: int) -> int:
        """Search the current state, update `speed` and return the best action."""
        evaluator = self.spiel.RandomRolloutEvaluator(1, seed % 2**31)
        # Solver on, not verbose.
        bot = self.spiel.MCTSBot(self.game, evaluator, EXPLORATION, simulations, MEBIBYTES, True, seed % 2**31, False)
        started = time.perf_counter()
        root = bot.mcts_search(self.state)
        # The solver may finish with fewer simulations.
        self.speed = root.explore_count / (time.perf_counter() - started)
        return int(root.best_child().action)

    def play_move(self) -> list[str]:
        """Play a complete move and return its actions; each jump of a capture is searched for the full time."""
        mover, actions = self.state.current_player(), []
        if self.seconds is not None and not self.speed:
            self.search(WARM_UP_SIMULATIONS, self.seed)
        started = time.perf_counter()
        while not self.state.is_terminal() and self.state.current_player() == mover:
            count = self.simulations or max(1, round((self.seconds or 0) * TIME_FACTOR * self.speed))
            action = self.search(count, split_seed(self.seed, len(self.state.history())))
            actions.append(self.state.action_to_string(mover, action))
            self.state.apply_action(action)
        self.clock.add(time.perf_counter() - started)
        return actions

    def apply(self, name: str) -> None:
        """Apply the action with this name."""
        mover = self.state.current_player()
        actions = {self.state.action_to_string(mover, action): action for action in self.state.legal_actions()}
        self.state.apply_action(actions[name])


def peer_actions(position: Position, move: str, name: str) -> list[str]:
    """Return the names of OpenSpiel's actions for one of our moves."""
    if name == "connect4":
        return [f"{'xo'[position.ply % 2]}{int(move) - 1}"]
    squares = [peer_square(position, square) for square in position.path(move)]
    return [start + end for start, end in pairwise(squares)]


def peer_square(position: Position, square: str) -> str:
    """Return OpenSpiel's name for a checkers square: chess coordinates from the other side, so our 1 is its g1."""
    index = [name for row in position.game.squares for name in row].index(square)
    return "hgfedcba"[index % 8] + str(index // 8 + 1)


def our_move(position: Position, actions: list[str], name: str) -> str:
    """Return the Plyground move that corresponds to these OpenSpiel actions."""
    for move in position.moves:
        if peer_actions(position, move, name) == actions:
            return move
    if name == "checkers":  # a capture with several paths
        numbers = {peer_square(position, square): square for row in position.game.squares for square in row if square}
        route = [actions[0][:2], *(action[2:] for action in actions)]
        return "x".join(numbers[square] for square in route)
    raise ValueError(f"no legal move consists of the actions {actions}")


def play(name: str, deck: str, index: int, limit: Limit, spec: str, seed: int, clocks: tuple[Clock, Clock]) -> float:
    """Play one game and return our points."""
    spiel = importlib.import_module("pyspiel")
    equivalent = EQUIVALENTS[name]
    peer_game = spiel.load_game(equivalent.theirs)
    position = make_game(equivalent.ours).start()
    game_seed = split_seed(seed, index)
    state = peer_game.new_initial_state()
    peer = Peer(spiel, peer_game, state, game_seed, limit.simulations, limit.seconds, clocks[1])
    player, starts = agent(spec), shuffled(openings(make_game(name), deck), seed)
    opening = starts[index // 2 % len(starts)]
    our_side = position.game.sides[index % 2]
    while position.outcome is None:
        if position.ply < len(opening):
            move = opening[position.ply]
        elif position.turn == our_side:
            started = time.perf_counter()
            move = player.analyse(position, limit, seed=split_seed(game_seed, position.ply)).best.move
            clocks[0].add(time.perf_counter() - started)
        else:
            position = position.play(our_move(position, peer.play_move(), name))
            continue
        for action in peer_actions(position, move, name):
            peer.apply(action)
        position = position.play(move)
    if not peer.state.is_terminal():
        raise ValueError(f"the game is over for us ({position.outcome}), but not for OpenSpiel")
    return 0.5 if position.outcome.winner is None else float(position.outcome.winner == our_side)


def play_match(
    name: str, games: int, limit: Limit, spec: str = "mcts", deck: str = "deck", seed: int = 1
) -> tuple[Score, tuple[Clock, Clock]]:
    """Return our score and the clocks of both sides."""
    clocks, score = (Clock(), Clock()), Score()
    for index in track(range(games), f"Playing {name}", console=Console(stderr=True), transient=True):
        score = add_points(score, play(name, deck, index, limit, spec, seed, clocks))
    return score, clocks


def openspiel_match(effort: float) -> Figures:
    """Return our score in percent at equal simulations and at equal time."""
    games = scaled(100, effort, minimum=2)
    limits = {"1,000 simulations": Limit(simulations=1000), "0.1 s": Limit(seconds=0.1)}
    return {
        f"{name}, {title}": 100 * play_match(name, games, limit)[0].share
        for name in ("checkers", "connect4")
        for title, limit in limits.items()
    }


def main(
    game: Annotated[str, typer.Argument(help="connect4 or checkers.")],
    games: Annotated[int, typer.Option(min=2, help="Number of games; sides alternate.")] = 100,
    simulations: Annotated[int | None, typer.Option(min=1, help="Simulations per move, for both sides.")] = None,
    seconds: Annotated[
        float | None, typer.Option(help="Our time per move, in seconds; the bot gets at least as much.")
    ] = None,
    spec: Annotated[str, typer.Option("--agent", help="Our agent.")] = "mcts",
    deck: Annotated[str, typer.Option("--openings", help="start, deck or a file of openings.")] = "deck",
    seed: Annotated[int, typer.Option(help="Seed of the match.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Play a match and print our score with its interval."""
    if game not in ("connect4", "checkers"):
        raise typer.BadParameter(f"unknown game {game!r}; available games: connect4, checkers")
    if (simulations is None) == (seconds is None):
        raise typer.BadParameter("give either --simulations or --seconds")
    limit = Limit(simulations=simulations, seconds=seconds)
    score, clocks = play_match(game, games, limit, spec, deck, seed)
    ours, theirs = (clock.mean for clock in clocks)
    low, high = wilson_interval(score.share, score.games)
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
    elo = elo_from_score(score.share)
    difference = "unbounded" if elo is None else f"{elo:+.0f}"
    typer.echo(f"{game}, {spec} v OpenSpiel: {format_score(score)}, {difference} Elo")
    typer.echo(f"time per move: {1000 * ours:.1f} ms, OpenSpiel {1000 * theirs:.1f} ms")


if __name__ == "__main__":
    typer.run(main)
