"""The compact network in PyTorch, its training data and its training loop.

The arithmetic is that of `plyground._engine.Network`, which documents the architecture; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from plyground._engine import Position
from plyground.weights.safetensors import Tensor

MAX_FEATURE_WEIGHT = 1.98
"""Maximum absolute value of a feature weight, so that accumulators of 16 bits do not overflow."""
MAX_HEAD_WEIGHT = 63.0
"""Maximum absolute value of a weight of the heads, which the engine stores in 16 bits."""
MAX_HEAD_SUM = 512.0
"""Maximum sum of the absolute values of a row of weights of the heads, so that sums of 32 bits do not overflow."""
INITIAL_SPREAD = 0.1
VALIDATION_SHARE = 20
"""The last of this many parts of the positions is held out for validation: other games than those of the training."""
VALIDATION_BATCH = 4096
RESULT_LOSS = 0.25
"""Weight of the cross-entropy of win, draw and loss beside that of the expected score."""
CENTIPAWNS_PER_DECADE = 400.0
"""Centipawns that multiply the odds by ten."""


class PolicyHead(nn.Module):
    """The hidden layer and the logits of actions."""

    def __init__(self, inputs: int, hidden: int, actions: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(inputs, hidden)
        self.output = nn.Linear(hidden, actions)

    def forward(self, activations: torch.Tensor, actions: torch.Tensor) -> torch.Tensor:
        """Return the logits of lists of actions, padded with -1, for which they are minus infinity."""
        hidden = self.hidden(activations).clamp(0, 1)
        # Computing only the logits of the listed actions is several times as fast as computing those of all actions.
        is_listed = actions >= 0
        listed, owners = actions[is_listed], is_listed.nonzero()[:, 0]
        products = functional.embedding(listed, self.output.weight) * hidden.index_select(0, owners)
        logits = products.sum(1) + functional.embedding(listed, self.output.bias[:, None])[:, 0]
        return torch.full(actions.shape, -torch.inf).masked_scatter(is_listed, logits)


class CompactModel(nn.Module):
    """A compact network with floating-point weights."""

    def __init__(
        self, features: int, actions: int, width: int, buckets: int, hidden: int, spread: float = INITIAL_SPREAD
    ) -> None:
        """`spread` is the standard deviation of the initial feature weights."""
        super().__init__()
        # The last row is the padding of short feature lists.
        self.features = nn.EmbeddingBag(features + 1, width, mode="sum", padding_idx=features)
        self.bias = nn.Parameter(torch.zeros(width))
        self.value = nn.Linear(2 * width, 3 * buckets)
        self.policy = PolicyHead(2 * width, hidden, actions) if hidden else None
        nn.init.normal_(self.features.weight, std=spread)
        with torch.no_grad():
            self.features.weight[features].zero_()
            self.bias.fill_(0.1)

    def activations(self, own: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
        """Return the activations of both accumulators, the mover's first."""
        both = torch.cat([self.features(own) + self.bias, self.features(other) + self.bias], dim=1)
        return torch.square(both.clamp(0, 1))

    def value_logits(self, activations: torch.Tensor, buckets: torch.Tensor) -> torch.Tensor:
        """Return the logits of win, draw and loss for the bucket of each position."""
        logits: torch.Tensor = self.value(activations).view(len(buckets), -1, 3)
        return logits[torch.arange(len(buckets)), buckets]

    def clip(self) -> None:
        """Keep the weights within the range of the engine."""
        with torch.no_grad():
            for weights in (self.features.weight, self.bias):
                weights.clamp_(-MAX_FEATURE_WEIGHT, MAX_FEATURE_WEIGHT)
            for layer in (self.value, *(() if self.policy is None else (self.policy.hidden, self.policy.output))):
                limit = min(MAX_HEAD_WEIGHT, MAX_HEAD_SUM / layer.in_features)
                layer.weight.clamp_(-limit, limit)

    def tensors(self) -> dict[str, Tensor]:
        """Return the arrays of a `CompactNetwork`."""
        buckets = self.value.out_features // 3
        arrays = {
            "features.weight": self.features.weight[:-1],
            "features.bias": self.bias,
            "value.weight": self.value.weight.view(buckets, 3, -1),
            "value.bias": self.value.bias.view(buckets, 3),
        }
        if self.policy is not None:
            for name, layer in (("hidden", self.policy.hidden), ("policy", self.policy.output)):
                arrays |= {f"{name}.weight": layer.weight, f"{name}.bias": layer.bias}
        found = {name: array.detach().numpy().astype("<f4") for name, array in arrays.items()}
        return {name: Tensor("F32", array.shape, array.tobytes()) for name, array in found.items()}


class _Lists:
    """Lists of integers of different lengths."""

    def __init__(self, values: bytes, ends: bytes) -> None:
        """`values` are the concatenated lists and `ends` the end of each list, as integers of 32 bits."""
        self._values = np.frombuffer(values, "<u4")
        stops = np.frombuffer(ends, "<u4").astype(np.int64)
        self.lengths = np.diff(stops, prepend=0)
        self._starts = stops - self.lengths

    def rows(self, chosen: np.ndarray, padding: int) -> np.ndarray:
        """Return some lists as the rows of a matrix, padded to the same length."""
        columns = np.arange(self.lengths[chosen].max(initial=1))
        inside = columns < self.lengths[chosen, None]
        rows = np.full(inside.shape, padding, np.int64)
        rows[inside] = self._values[(self._starts[chosen, None] + columns)[inside]]
        return rows


class Samples:
    """Training positions as arrays."""

    def __init__(self, data: Mapping[str, bytes], position: Position) -> None:
        """`data` comes from `SelfPlay.samples`."""
        game = position.game
        self.feature_count, self.action_count = game.features, game.actions
        self._own = _Lists(data["own"], data["feature_offsets"])
        self._other = _Lists(data["other"], data["feature_offsets"])
        self.pieces = self._own.lengths
        self._legal = _Lists(data["legal"], data["legal_offsets"])
        self.scores = np.frombuffer(data["scores"], "<i2")
        self.results = np.frombuffer(data["results"], "i1")
        self.actions = np.frombuffer(data["actions"], "<u4").astype(np.int64)
        self.quiet = np.frombuffer(data["quiet"], "?")
        self.symmetric = np.frombuffer(data["symmetric"], "?")
        symmetries = position.symmetries
        self.symmetry_count = len(symmetries)
        """Number of symmetries of the game other than the identity."""
        features = [list(range(game.features)), *(features for features, _ in symmetries)]
        actions = [list(range(game.actions)), *(actions for _, actions in symmetries)]
        # The last entries are those of the padding.
        self._features = np.pad(np.array(features, np.int64), ((0, 0), (0, 1)), constant_values=game.features)
        self._actions = np.pad(np.array(actions, np.int64), ((0, 0), (0, 1)), constant_values=-1)

    def __len__(self) -> int:
        return len(self.scores)

    def use_scores_as_results(self) -> None:
        """Replace the results of the games by those that exact scores imply."""
        self.results = np.sign(self.scores).astype(np.int8)

    def random_symmetries(self, chosen: np.ndarray, random: np.random.Generator) -> np.ndarray:
        """Return a random symmetry for each position; 0 is the identity."""
        symmetries: np.ndarray = random.integers(0, self.symmetry_count + 1, len(chosen)) * self.symmetric[chosen]
        return symmetries

    def batch(
        self, chosen: np.ndarray, bucket_pieces: int, buckets: int, symmetries: np.ndarray | None = None
    ) -> dict[str, torch.Tensor]:
        """Return some positions as tensors, each changed by its symmetry."""
        symmetry = np.zeros(len(chosen), np.int64) if symmetries is None else symmetries
        own, other = (lists.rows(chosen, self.feature_count) for lists in (self._own, self._other))
        expected = 1 / (1 + 10 ** (-self.scores[chosen] / CENTIPAWNS_PER_DECADE))
        bucket = np.minimum(np.maximum(self.pieces[chosen] - 1, 0) // bucket_pieces, buckets - 1)
        return {
            "own": torch.from_numpy(self._features[symmetry[:, None], own]),
            "other": torch.from_numpy(self._features[symmetry[:, None], other]),
            "bucket": torch.from_numpy(bucket),
            "expected": torch.from_numpy(expected.astype(np.float32)),
            "result": torch.from_numpy(1 - self.results[chosen].astype(np.int64)),
            "quiet": torch.from_numpy(self.quiet[chosen].astype(np.float32)),
            "legal": torch.from_numpy(self._actions[symmetry[:, None], self._legal.rows(chosen, -1)]),
            "action": torch.from_numpy(self._actions[symmetry, self.actions[chosen]]),
        }

    @property
    def max_pieces(self) -> int:
        """The largest number of pieces on a board."""
        return int(self.pieces.max(initial=1))


def losses(
    model: CompactModel, batch: Mapping[str, torch.Tensor], search_weight: float, noisy_weight: float = 0.0
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the mean losses of the value and of the policy."""
    activations = model.activations(batch["own"], batch["other"])
    logits = model.value_logits(activations, batch["bucket"])
    probabilities = logits.softmax(1)
    predicted = (probabilities[:, 0] + probabilities[:, 1] / 2).clamp(1e-6, 1 - 1e-6)
    target = search_weight * batch["expected"] + (1 - search_weight) * (1 - batch["result"] / 2)
    each = functional.binary_cross_entropy(predicted, target, reduction="none")
    each = each + RESULT_LOSS * functional.cross_entropy(logits, batch["result"], reduction="none")
    weights = batch["quiet"] + noisy_weight * (1 - batch["quiet"])
    value = (each * weights).sum() / weights.sum().clamp(min=1)
    if model.policy is None:
        return value, torch.zeros(())
    policy = model.policy(activations, batch["legal"])
    chosen = (batch["legal"] == batch["action"][:, None]).float().argmax(1)
    return value, functional.cross_entropy(policy, chosen)


def train(
    samples: Samples,
    *,
    seed: int,
    width: int,
    hidden: int,
    bucket_pieces: int,
    epochs: int,
    batch: int,
    learning_rate: float,
    search_weight: float,
    noisy_weight: float,
    spread: float,
) -> tuple[dict[str, Tensor], dict[str, float]]:
    """Train a network and return its arrays and its validation losses. The same seed gives the same network."""
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True)
    buckets = max(1, -(-samples.max_pieces // bucket_pieces))
    model = CompactModel(samples.feature_count, samples.action_count, width, buckets, hidden, spread)
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate, weight_decay=0.0)
    training, validation = np.split(np.arange(len(samples)), [len(samples) - len(samples) // VALIDATION_SHARE])
    steps = max(1, epochs * -(-len(training) // batch))
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    random = np.random.default_rng(seed)
    for _ in range(epochs):
        shuffled = random.permutation(training)
        for start in range(0, len(shuffled), batch):
            chosen = shuffled[start : start + batch]
            data = samples.batch(chosen, bucket_pieces, buckets, samples.random_symmetries(chosen, random))
            value, policy = losses(model, data, search_weight, noisy_weight)
            optimizer.zero_grad()
            (value + policy).backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
            model.clip()

    def batches() -> Iterator[dict[str, torch.Tensor]]:
        for start in range(0, len(validation), VALIDATION_BATCH):
            yield samples.batch(validation[start : start + VALIDATION_BATCH], bucket_pieces, buckets)

    return model.tensors(), _validate(model, batches(), search_weight)


def _validate(
    model: CompactModel, batches: Iterable[Mapping[str, torch.Tensor]], search_weight: float
) -> dict[str, float]:
    """Return the mean losses of batches, the value's for quiet positions only."""
    found = []
    with torch.no_grad():
        for batch in batches:
            value, policy = losses(model, batch, search_weight)
            found.append((float(value), float(policy)))
    if not found:
        return {}
    value, policy = (sum(values) / len(found) for values in zip(*found, strict=True))
    return {"loss": value} if model.policy is None else {"loss": value, "policy_loss": policy}
