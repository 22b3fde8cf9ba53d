"""Agents that play the best move of a compact network without search.

>>> import plyground
>>> from plyground.agents import agent
>>> position = plyground.game("tictactoe").position("xx./oo./...")
>>> agent("dqn").analyse(position).best.move
'c3'
"""

from __future__ import annotations

from dataclasses import replace
from math import exp
from typing import ClassVar

from plyground._engine import Game, Network, Position, Rng
from plyground.agents.agent import Agent
from plyground.agents.analysis import Analysis, MoveAnalysis
from plyground.agents.budget import Budget
from plyground.agents.options import NETWORK
from plyground.errors import ParseError, UnknownNameError
from plyground.networks import BEST, CompactNetwork, engine_network, names
from plyground.networks.network import checked_network

DQN = "dqn"
"""Name of the network that deep Q-learning trained, and of the agent that plays it."""


class NetworkAgent(Agent):
    """Plays the move with the highest logit; the seed chooses between equal ones. It ignores its limit.

    The value is that of the value head, and the shares are the softmax of the logits.
    """

    name = "network"
    is_learned = True
    description = "plays the best move of a compact network, without search"
    default_network: ClassVar[str] = BEST
    options = (replace(NETWORK, description="compact network: a name or a file", default=BEST),)

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        self._network: str | CompactNetwork | None = checked_network(self.values.get("network"))
        self._loaded: tuple[str, Network] | None = None
        """The spec of a game and the network for it."""

    def can_play(self, game: Game) -> bool:
        """Whether there is a network for a game: the one given, or a shipped one."""
        # Shipped networks are for games with their default options.
        return self._network is not None or (game.spec == game.id and self.default_network in names(game.id))

    def engine_policy(self, position: Position) -> Network:
        """Return the network."""
        return self._engine_network(position)

    def _analyse(self, position: Position, budget: Budget, seed: int) -> Analysis:
        (win, draw, _), logits = self._engine_network(position).predict(position)
        moves = position.moves
        if not logits:
            raise ParseError(f"agent {self.name} needs a network with a policy, and this one has none")
        highest = max(logits)
        weights = [exp(logit - highest) for logit in logits]
        best = [index for index, logit in enumerate(logits) if logit == highest]
        chosen = best[Rng(seed).below(len(best))]
        shares = (weight / sum(weights) for weight in weights)
        return Analysis(
            position,
            tuple(MoveAnalysis(move, share, prior=share) for move, share in zip(moves, shares, strict=True)),
            best_index=chosen,
            value=win + draw / 2,
            nodes=1,
            seconds=budget.elapsed,
        )

    def _engine_network(self, position: Position) -> Network:
        """Return the network for the position's game, which is loaded once."""
        spec = position.game.spec
        if self._loaded is None or self._loaded[0] != spec:
            self._loaded = spec, self._load(position)
        return self._loaded[1]

    def _load(self, position: Position) -> Network:
        if self._network is not None:
            return engine_network(self._network, position)
        game = position.game.id
        if self.default_network not in names(game):
            method = DQN if self.default_network == DQN else "network"
            raise UnknownNameError(
                f"{game} has no network {self.default_network!r}; set the option network to a file from: plyground "
                f"train {method} {game}"
            )
        return engine_network(self.default_network, position)


class DqnAgent(NetworkAgent):
    """Plays a network that deep Q-learning trained: the move with the highest Q."""

    name = DQN
    description = "plays the best move of a network trained by deep Q-learning, without search"
    default_network = DQN
    options = (replace(NETWORK, description="compact network: a name or a file", default=DQN),)
