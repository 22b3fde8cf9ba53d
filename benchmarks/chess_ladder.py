"""Rating of a chess agent from matches against Stockfish 15.1 limited by nodes, which does not depend on the machine.

python benchmarks/chess_ladder.py alphabeta "mcts(network=best)" --output chess_ladder.jsonl       plays what is missing
python benchmarks/chess_ladder.py alphabeta "mcts(network=best)" --output chess_ladder.jsonl --table

Each agent plays the same number of games against every rung, at a fixed time per move, from openings that are played
with both colours. The ratings of the rungs are on a scale like CCRL's; those of Stockfish limited only by nodes are
good to about 150 points.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import log, sqrt
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from figures import Figures, scaled
from match_runner import PairedMatch, format_score
from plyground import game
from plyground.agents import Agent, Limit, agent
from plyground.agents.uci import UciAgent
from plyground.arena import Score

COMMANDS = ("stockfish", "/usr/games/stockfish")
PLAYERS = ("alphabeta", "mcts")


@dataclass(frozen=True)
class Rung:
    """An opponent of known rating: Stockfish limited by nodes and, if `elo` is set, by its option UCI_Elo."""

    rating: int
    nodes: int
    elo: int | None = None

    @property
    def name(self) -> str:
        """The name in options and tables."""
        return f"{self.nodes}-nodes" if self.elo is None else f"elo-{self.elo}"

    def make(self) -> UciAgent:
        """Return the opponent."""
        command = next((one for one in COMMANDS if shutil.which(one)), COMMANDS[0])
        elo = {} if self.elo is None else {"elo": self.elo}
        return UciAgent(command=command, nodes=self.nodes, hash=16, threads=1, **elo)


RUNGS = {
    rung.name: rung
    for rung in (
        Rung(1350, 20_000, 1350),
        Rung(1550, 100),
        Rung(2240, 1_000),
        Rung(2270, 20_000, 1900),
        Rung(2720, 60_000, 2200),
        Rung(2830, 10_000),
        Rung(2980, 250_000, 2500),
        Rung(3100, 100_000),
    )
}
DEFAULT_RUNGS = ("1000-nodes", "elo-2200", "10000-nodes")


@dataclass(frozen=True)
class Pairing:
    """A match to play."""

    player: str
    rung: str
    games: int
    seconds: float
    """Time per move of the player."""
    seed: int


@dataclass(frozen=True)
class Rating:
    """A rating with its 95% confidence interval."""

    rating: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.rating:.0f} ({self.low:.0f}\N{EN DASH}{self.high:.0f})"


def play(pairing: Pairing, opponent: Agent) -> Score:
    """Return the player's score. The match has no limit of its own, so that each side has its own one."""
    player = agent(pairing.player, seconds=pairing.seconds)
    match = PairedMatch(game("chess"), player, opponent, Limit(), pairing.seed)
    title, score = f"{pairing.player} v {pairing.rung}", Score()
    for score in track(match.play(pairing.games), title, pairing.games, console=Console(stderr=True), transient=True):  # noqa: B007
        pass
    return score


def estimate(results: Mapping[int, Score]) -> Rating:
    """Return the rating that makes the results against opponents of these ratings most likely.

    >>> print(estimate({2000: Score(20, 0, 20)}))
    2000 (1892–2108)
    """

    def expected(rating: float) -> float:
        return sum(score.games * _share(rating - opponent) for opponent, score in results.items())

    points = sum(score.games * score.share for score in results.values())
    low, high = min(results) - 800.0, max(results) + 800.0  # a perfect score counts as this much better
    while high - low > 0.01:
        middle = (low + high) / 2
        low, high = (middle, high) if expected(middle) < points else (low, middle)
    shares = [(score.games, _share(low - opponent)) for opponent, score in results.items()]
    information = sum(games * share * (1 - share) for games, share in shares) * (log(10) / 400) ** 2
    margin = 1.96 / sqrt(information)
    return Rating(low, low - margin, low + margin)


def _share(difference: float) -> float:
    """Return the expected score of a player who is this much stronger, in Elo."""
    return 1 / (1 + 10 ** (-difference / 400))


def read_results(path: Path) -> dict[Pairing, Score]:
    """Return the results in a file."""
    rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return {
        Pairing(*(row[name] for name in Pairing.__dataclass_fields__)): Score(row["wins"], row["draws"], row["losses"])
        for row in rows
    }


def play_missing(pairings: Sequence[Pairing], results: dict[Pairing, Score], output: Path | None) -> None:
    """Play the pairings without a result and append each result to the file."""
    for pairing in pairings:
        if pairing in results:
            continue
        opponent = RUNGS[pairing.rung].make()
        try:
            score = results[pairing] = play(pairing, opponent)
        finally:
            opponent.close()
        if output is not None:
            with output.open("a") as file:
                file.write(
                    json.dumps({**asdict(pairing), "wins": score.wins, "draws": score.draws, "losses": score.losses})
                )
                file.write("\n")


def ratings(pairings: Sequence[Pairing], results: Mapping[Pairing, Score]) -> dict[str, Rating]:
    """Return the rating of each player that has results."""
    found = {}
    for player in dict.fromkeys(pairing.player for pairing in pairings):
        scores = {RUNGS[one.rung].rating: results[one] for one in pairings if one.player == player and one in results}
        if scores:
            found[player] = estimate(scores)
    return found


def chess_ladder(effort: float) -> Figures:
    """Return the ratings of alpha-beta and tree search at 1 s per move, from 40 games against each of three rungs."""
    games = 2 * scaled(20, effort)
    pairings = [Pairing(player, rung, games, 1.0, 1) for player in PLAYERS for rung in DEFAULT_RUNGS]
    results: dict[Pairing, Score] = {}
    play_missing(pairings, results, None)
    return {player: rating.rating for player, rating in ratings(pairings, results).items()}


def main(
    players: Annotated[list[str] | None, typer.Argument(metavar="AGENT...", help="Agents to rate.")] = None,
    rungs: Annotated[
        list[str] | None, typer.Option("--rung", help=f"Opponent: {', '.join(RUNGS)}. Repeatable.")
    ] = None,
    games: Annotated[int, typer.Option(min=2, help="Games against each rung.")] = 40,
    seconds: Annotated[float, typer.Option(min=0.001, help="Time per move of the agents.")] = 1.0,
    seed: Annotated[int, typer.Option(help="Seed of the openings.")] = 1,
    output: Annotated[Path, typer.Option(metavar="FILE", help="File that results are appended to.")] = Path(
        "chess_ladder.jsonl"
    ),
    as_table: Annotated[bool, typer.Option("--table", help="Print the results without playing.")] = False,
) -> None:
    """Play missing matches and print the ratings."""
    chosen = rungs or list(DEFAULT_RUNGS)
    if unknown := [name for name in chosen if name not in RUNGS]:
        raise typer.BadParameter(f"unknown rung {unknown[0]!r}; available rungs: {', '.join(RUNGS)}")
    pairings = [Pairing(player, rung, games, seconds, seed) for player in players or PLAYERS for rung in chosen]
    results = read_results(output)
    if not as_table:
        play_missing(pairings, results, output)
    for pairing in pairings:
        if pairing in results:
            typer.echo(f"{pairing.player} v {pairing.rung}: {format_score(results[pairing])}")
    for player, rating in ratings(pairings, results).items():
        typer.echo(f"{player}: {rating}")


if __name__ == "__main__":
    typer.run(main)
