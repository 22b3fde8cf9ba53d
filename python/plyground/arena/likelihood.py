"""Maximum-likelihood fit of the rating model in `plyground.arena.rating`, with numpy.

The parameters are the strengths of the agents, then the first-move advantage (if fitted), then log(nu) (if there are
draws). The log-likelihood is concave, so Newton's method finds the maximum if there is one.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_MAX_PARAMETER = 15.0
"""A larger parameter (2600 Elo points) means that the likelihood has no maximum and Newton's method diverges."""
_MAX_ITERATIONS = 100
_TOLERANCE = 1e-9
"""Newton's method has converged when no parameter changes by more than this."""
_MIN_STEP_FACTOR = 1e-6
"""If even this fraction of a step does not increase the likelihood, the maximum has been found to machine precision."""
_MIN_PROBABILITY = 1e-300


class Model:
    """The log-likelihood of results as a function of the parameters."""

    def __init__(
        self, agents: int, results: Mapping[tuple[int, int], tuple[int, int, int]], *, advantage: bool, draws: bool
    ) -> None:
        self.agents = agents
        self.has_draws = draws
        self.size = agents + advantage + draws
        self.counts = np.array(list(results.values()), dtype=float).reshape(-1, 3)
        self.games = self.counts.sum(axis=1)
        pairs = np.array(list(results), dtype=int).reshape(-1, 2)
        rows = np.arange(len(pairs))
        self.design = np.zeros((len(pairs), self.size))
        """One row per pairing; its product with the parameters is the first player's advantage d."""
        self.design[rows, pairs[:, 0]] = 1.0
        self.design[rows, pairs[:, 1]] = -1.0
        if advantage:
            self.design[:, agents] = 1.0

    def maximize(self, prior: float) -> tuple[Array, Array] | None:
        """Return the maximum-likelihood parameters and their information matrix; None if there is no maximum.

        `prior` is the inverse variance of a normal prior on all parameters, or 0.
        """
        point = np.zeros(self.size)
        value = self.log_likelihood(point, prior)
        for _ in range(_MAX_ITERATIONS):
            gradient, information = self.derivatives(point, prior)
            step = _solve(information, gradient)
            if step is None or np.abs(point).max() > _MAX_PARAMETER:
                return None
            if np.abs(step).max() < _TOLERANCE:
                return point, information
            factor = 1.0
            while (new := self.log_likelihood(point + factor * step, prior)) < value and factor >= _MIN_STEP_FACTOR:
                factor /= 2
            if factor < _MIN_STEP_FACTOR:
                return point, information
            point, value = point + factor * step, new
        return None

    def log_likelihood(self, point: Array, prior: float) -> float:
        """Return the log-likelihood minus penalties for the prior and for strengths that do not sum to 0."""
        penalty = prior / 2 * point @ point + point[: self.agents].sum() ** 2 / 2
        return float((self.counts * np.log(self.probabilities(point))).sum() - penalty)

    def probabilities(self, point: Array) -> Array:
        """Return the probabilities of a win, draw and loss for the first player, one row per pairing."""
        half = self.design @ point / 2
        log_nu = np.full_like(half, point[-1] if self.has_draws else -np.inf)
        logits = np.stack([half, log_nu, -half], axis=1)
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(np.maximum(weights / weights.sum(axis=1, keepdims=True), _MIN_PROBABILITY))

    def derivatives(self, point: Array, prior: float) -> tuple[Array, Array]:
        """Return the gradient of the log-likelihood and the information matrix (its negated Hessian)."""
        wins, draws, losses = self.counts.T
        win, draw, loss = self.probabilities(point).T
        is_strength = np.arange(self.size) < self.agents
        gradient = -prior * point - is_strength * point[: self.agents].sum()
        information = prior * np.eye(self.size) + np.outer(is_strength, is_strength)
        gradient += self.design.T @ ((wins - losses) - self.games * (win - loss)) / 2
        variance = self.games * ((win + loss) - (win - loss) ** 2) / 4
        information += self.design.T @ (variance[:, None] * self.design)
        if self.has_draws:
            covariance = self.design.T @ (-self.games * draw * (win - loss) / 2)
            gradient[-1] += (draws - self.games * draw).sum()
            information[-1] += covariance
            information[:, -1] += covariance
            information[-1, -1] += (self.games * draw * (1 - draw)).sum()
        return gradient, information


def _solve(matrix: Array, right: Array) -> Array | None:
    """Solve a symmetric linear system; return None unless the matrix is positive definite."""
    try:
        pivots = np.linalg.cholesky(matrix).diagonal() ** 2
    except np.linalg.LinAlgError:
        return None
    if (pivots <= 1e-11 * np.maximum(1.0, matrix.diagonal())).any():
        return None
    return np.asarray(np.linalg.solve(matrix, right))
