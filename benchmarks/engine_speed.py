"""Engine speed compared with OpenSpiel and BitBully, and the speed of endgame table probes."""

from __future__ import annotations

from figures import Figures
from plyground import game
from plyground.bench import Effort, measure_set
from plyground.bench.openspiel import EQUIVALENTS
from plyground.bench.playouts import Playouts
from plyground.bench.probes import Probes
from plyground.bench.search import TreeSearch
from plyground.bench.solver import SolverSets


def openspiel_simulations(effort: float) -> Figures:
    """Return simulations per CPU second divided by those of OpenSpiel's MCTSBot, by game."""
    results = {name: TreeSearch().run(game(name), "openspiel", _bench_effort(effort)) for name in EQUIVALENTS}
    return {name: result.ratio or 0 for name, result in results.items()}


def openspiel_playouts(effort: float) -> Figures:
    """Return playouts per CPU second divided by OpenSpiel's, and the difference in game length in percent, by game."""
    figures: Figures = {}
    for name in EQUIVALENTS:
        result = Playouts().run(game(name), "openspiel", _bench_effort(effort))
        figures[name] = result.ratio or 0
        ours, theirs = (float(result.details[f"{who}_mean_plies"]) for who in ("ours", "peer"))
        figures[f"{name}, difference in game length"] = 100 * abs(ours / theirs - 1)
    return figures


def bitbully_solver(effort: float) -> Figures:  # noqa: ARG001
    """Return solved positions per CPU second divided by BitBully's, by set; the sets are fixed."""
    return {result.game: result.ratio or 0 for result in measure_set(SolverSets.name, "bitbully")}


def table_probes(effort: float) -> Figures:
    """Return endgame table probes per CPU second from Python."""
    return {"checkers": Probes().run(game("checkers"), None, _bench_effort(effort)).ours.per_second}


def _bench_effort(effort: float) -> Effort:
    return Effort(seconds=Effort.seconds * effort)
