"""The learning methods and their settings.

>>> [method.name for method in METHODS.values()]
['td', 'tdleaf', 'fit', 'qlearning', 'network', 'dqn']
>>> make_learner("td", "tictactoe", {"games": 20}, seed=1).total_games
20
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from plyground._engine import features, pattern_count
from plyground.errors import ParseError, unknown_name
from plyground.games import game
from plyground.learn import dqn, network
from plyground.learn.dqn import DqnLearner, DqnSettings
from plyground.learn.fit import FitLearner, FitSettings
from plyground.learn.network import NetworkLearner, NetworkSettings
from plyground.learn.qlearning import QLearner, QSettings
from plyground.learn.settings import Setting, declared_settings
from plyground.learn.td import TdLearner, TdSettings
from plyground.learn.training import Learner
from plyground.networks import CompactNetwork
from plyground.spec import Spec, parse_spec


@dataclass(frozen=True)
class Method:
    """A learning method."""

    name: str
    title: str
    description: str
    settings: type[Any]
    """A dataclass whose fields are declared with `setting`."""
    make: Callable[..., Learner]
    """Creates a learner from a game, settings and a seed."""
    can_learn: Callable[[str], bool]
    """Whether the method can learn weights for the game with a given spec."""
    fixed: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """Settings with a fixed value, which users cannot change."""
    needs_pytorch: bool = False
    """Whether the method requires PyTorch (extra `learn`)."""
    player: str = "alphabeta(depth=5)"
    """The spec of the agent that plays with what the method learned."""
    option: Literal["weights", "network"] = "weights"
    """The option of that agent which takes it."""
    read_network: Callable[[bytes, str, Mapping[str, Any], int], CompactNetwork] | None = None
    """Returns the network of a checkpoint, given the game, settings and seed, without restoring the learner."""
    help: str = ""
    """The help of the command; the description if empty."""

    def player_spec(self, source: object) -> Spec:
        """Return the agent that plays with learned weights or a learned network, by name or file."""
        spec = parse_spec(self.player)
        return Spec(spec.name, {self.option: str(source), **spec.options})

    def options(self) -> list[Setting]:
        """Return the settings that users can choose."""
        return [option for option in declared_settings(self.settings).values() if option.name not in self.fixed]


def _has_features(spec: str) -> bool:
    return bool(features(game(spec).start()))


def _has_patterns(spec: str) -> bool:
    return pattern_count(game(spec).start()) > 0


METHODS = {
    method.name: method
    for method in (
        Method(
            "td",
            "TD(λ)",
            "Learns feature weights from its own games, like Samuel's checkers program.",
            TdSettings,
            TdLearner,
            _has_features,
            {"variant": "td"},
            help="Learn feature weights by temporal-difference learning, like Samuel's checkers program.\n\n"
            "The first games are played against a random opponent, the rest against an earlier version of the "
            "learner. Sides alternate.",
        ),
        Method(
            "tdleaf",
            "TDLeaf(λ)",
            "TD learning at the leaves of principal variations, as in KnightCap.",
            TdSettings,
            TdLearner,
            _has_features,
            {"variant": "tdleaf"},
        ),
        Method(
            "fit",
            "Regression",
            "Fits pattern weights to self-play games.",
            FitSettings,
            FitLearner,
            _has_patterns,
            help="Learn pattern weights by regression on self-play games.",
        ),
        Method(
            "qlearning",
            "Q-learning",
            "Learns the values of moves by playing against itself, a random opponent and earlier copies.",
            QSettings,
            QLearner,
            lambda spec: True,  # noqa: ARG005  every position has a key
            player="qlearning",
            help="Learn the values of moves by Q-learning: a table of positions in small games, hashed tuples in "
            "others.\n\nThe learner plays against itself, a random opponent and earlier copies. Sides alternate.",
        ),
        Method(
            "network",
            "Network",
            "Trains a small neural network on self-play games: results, search values and chosen moves.",
            NetworkSettings,
            NetworkLearner,
            lambda spec: True,  # noqa: ARG005  networks need only input features, which every game has
            needs_pytorch=True,
            option="network",
            read_network=network.checkpoint_network,
            help="Train a compact network on self-play games (requires PyTorch).",
        ),
        Method(
            "dqn",
            "DQN",
            "Trains a small neural network that plays without search, by deep Q-learning.",
            DqnSettings,
            DqnLearner,
            lambda spec: True,  # noqa: ARG005  networks need only input features, which every game has
            needs_pytorch=True,
            player="dqn",
            option="network",
            read_network=dqn.checkpoint_network,
            help="Train a compact network that plays without search, by deep Q-learning (requires PyTorch).",
        ),
    )
}


def make_learner(name: str, spec: str, settings: Mapping[str, Any], seed: int) -> Learner:
    """Create a new learner; unknown methods and settings raise `UnknownNameError`."""
    method = METHODS.get(name)
    if method is None:
        raise unknown_name("learning method", name, METHODS)
    declared = declared_settings(method.settings)
    values: dict[str, Any] = {}
    for key, value in {**settings, **method.fixed}.items():
        if key not in declared:
            raise unknown_name("setting", key, declared, scope=f"for {name}")
        values[key] = _convert(type(declared[key].default), key, value)
    return method.make(game(spec).spec, method.settings(**values), seed)


def _convert(kind: type, key: str, value: object) -> object:
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, kind) or isinstance(value, bool):
        expected = {"int": "an integer", "float": "a number", "str": "a string"}[kind.__name__]
        raise ParseError(f"setting {key} must be {expected}, got {str(value)[:80]!r}")
    return value
