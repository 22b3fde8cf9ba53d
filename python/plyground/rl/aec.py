"""A PettingZoo AEC environment of a game.

>>> import plyground as pg
>>> env = pg.env("connect4")
>>> env.reset()
>>> observation, reward, termination, truncation, info = env.last()
>>> observation["observation"].shape, observation["action_mask"].tolist()
((2, 6, 7), [1, 1, 1, 1, 1, 1, 1])
>>> env.step(3)
>>> env.agent_selection, env.position.history
('yellow', ['4'])
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from plyground._engine import Game, Position
from plyground.board_text import draw
from plyground.errors import GameOverError, IllegalMoveError, ParseError
from plyground.games import game as make_game

Observation = dict[str, np.ndarray[Any, Any]]

RENDER_MODES = ("ansi", "svg")


class GameEnv(AECEnv):  # type: ignore[misc]
    """A game between two agents, which are named after the sides.

    An observation has the planes of the position from the point of view of the agent (`Position.planes`), and the
    action mask, with a 1 for each legal action of the side to move and only zeros for the other side. An action is the
    index of a move (`Position.action`); if several legal moves have the same index, the later ones in the order of
    `Position.moves` take the next free indices. The reward at the end of the game is 1 for the winner, -1 for the loser
    and 0 for a draw.
    """

    def __init__(
        self, game: str | Game, *, start: str | None = None, max_plies: int, render_mode: str | None = None
    ) -> None:
        super().__init__()
        chosen = make_game(game) if isinstance(game, str) else game
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ParseError(f"render_mode must be {' or '.join(RENDER_MODES)}, got {render_mode!r}")
        if max_plies < 1:
            raise ParseError(f"max_plies must be a positive integer, got {max_plies}")
        self.metadata = {"name": chosen.id, "render_modes": list(RENDER_MODES), "is_parallelizable": False}
        self.render_mode = render_mode
        self.game = chosen
        self.possible_agents = list(chosen.sides)
        self._start = chosen.position(start)
        if self._start.outcome is not None:
            raise GameOverError(f"the game is already over at the start ({self._start.outcome})")
        self._max_plies = max_plies
        shape = self._start.planes().shape
        self.observation_spaces = {
            side: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, shape, np.float32),
                    "action_mask": spaces.Box(0, 1, (chosen.actions,), np.int8),
                }
            )
            for side in chosen.sides
        }
        self.action_spaces = {side: spaces.Discrete(chosen.actions) for side in chosen.sides}
        self.position: Position = self._start
        """The current position."""

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of the observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of the actions of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Start a new game. The rules have no random element, so the seed has no effect."""
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._set_position(self._start)

    def observe(self, agent: str) -> Observation:
        """Return the planes and the action mask for an agent."""
        mask = np.zeros(self.game.actions, np.int8)
        if agent == self.position.turn:
            mask[list(self._moves)] = 1
        return {"observation": self.position.planes(agent), "action_mask": mask}

    def legal_moves(self) -> dict[int, str]:
        """Return the legal moves of the side to move, keyed by action."""
        return dict(self._moves)

    def step(self, action: int | None) -> None:
        """Play the move that an action stands for; raise `IllegalMoveError` for an action that the mask excludes."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        move = None if action is None else self._moves.get(int(action))
        if move is None:
            legal = ", ".join(f"{number} ({text})" for number, text in list(self._moves.items())[:12])
            raise IllegalMoveError(f"action {action} is illegal for {agent}; legal actions include {legal}")
        self._cumulative_rewards[agent] = 0.0
        self._set_position(self.position.play(move))
        outcome = self.position.outcome
        if outcome is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            if outcome.winner is not None:
                self.rewards = {side: 1.0 if side == outcome.winner else -1.0 for side in self.agents}
        elif self.position.ply >= self._max_plies:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the board in the render mode, or None if no render mode is set."""
        if self.render_mode is None:
            return None
        return draw(self.position, color=False) if self.render_mode == "ansi" else self.position._repr_svg_()

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""

    def _set_position(self, position: Position) -> None:
        self.position = position
        self.agent_selection = position.turn
        self._moves = assign_actions(position)


def assign_actions(position: Position) -> dict[int, str]:
    """Return the legal moves keyed by action, with a distinct action for each move.

    >>> assign_actions(make_game("tictactoe").position("x.o/.x./..o"))
    {0: 'a1', 1: 'b1', 3: 'a2', 5: 'c2', 7: 'b3'}
    """
    moves = position.moves
    actions, count = position.actions, position.game.actions
    if len(moves) > count:
        raise ParseError(f"{position.game.id} has {count} actions, but this position has {len(moves)} legal moves")
    assigned: dict[int, str] = {}
    for move, action in zip(moves, actions, strict=True):
        while action in assigned:
            action = (action + 1) % count
        assigned[action] = move
    return assigned
