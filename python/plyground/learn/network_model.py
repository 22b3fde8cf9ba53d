"""The compact network in PyTorch, its training data and its training loop.

The arithmetic is that of `plyground._engine.Network`, which documents the architecture; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from plyground._engine import Position
from plyground.learn.padding import padded
from plyground.weights.safetensors import Tensor

MAX_FEATURE_WEIGHT = 1.98
"""Maximum absolute value of a feature weight, so that accumulators of 16 bits do not overflow."""
VALIDATION_INTERVAL = 20
"""One position in this many is held out for validation."""
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
        logits: torch.Tensor = self.output(self.hidden(activations).clamp(0, 1))
        return logits.gather(1, actions.clamp(min=0)).masked_fill(actions < 0, -torch.inf)


class CompactModel(nn.Module):
    """A compact network with floating-point weights."""

    def __init__(self, features: int, actions: int, width: int, buckets: int, hidden: int) -> None:
        super().__init__()
        # The last row is the padding of short feature lists.
        self.features = nn.EmbeddingBag(features + 1, width, mode="sum", padding_idx=features)
        self.bias = nn.Parameter(torch.zeros(width))
        self.value = nn.Linear(2 * width, 3 * buckets)
        self.policy = PolicyHead(2 * width, hidden, actions) if hidden else None
        nn.init.normal_(self.features.weight, std=0.1)
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
        """Keep the feature weights within the range of the engine."""
        with torch.no_grad():
            self.features.weight.clamp_(-MAX_FEATURE_WEIGHT, MAX_FEATURE_WEIGHT)
            self.bias.clamp_(-MAX_FEATURE_WEIGHT, MAX_FEATURE_WEIGHT)

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


class Samples:
    """Training positions as padded arrays."""

    def __init__(self, data: Mapping[str, bytes], position: Position) -> None:
        """`data` comes from `SelfPlay.samples`."""
        game = position.game
        self.feature_count, self.action_count = game.features, game.actions
        offsets = np.frombuffer(data["feature_offsets"], "<u4").astype(np.int64)
        self.own = padded(data["own"], offsets, game.features)
        self.other = padded(data["other"], offsets, game.features)
        self.pieces = np.diff(offsets, prepend=0)
        self.legal = padded(data["legal"], np.frombuffer(data["legal_offsets"], "<u4").astype(np.int64), -1)
        self.scores = np.frombuffer(data["scores"], "<i2")
        self.results = np.frombuffer(data["results"], "i1")
        self.actions = np.frombuffer(data["actions"], "<u4").astype(np.int64)
        self.quiet = np.frombuffer(data["quiet"], "?")

    def __len__(self) -> int:
        return len(self.scores)

    def batch(self, chosen: np.ndarray, bucket_pieces: int, buckets: int) -> dict[str, torch.Tensor]:
        """Return some positions as tensors."""
        expected = 1 / (1 + 10 ** (-self.scores[chosen] / CENTIPAWNS_PER_DECADE))
        bucket = np.minimum(np.maximum(self.pieces[chosen] - 1, 0) // bucket_pieces, buckets - 1)
        return {
            "own": torch.from_numpy(self.own[chosen].astype(np.int64)),
            "other": torch.from_numpy(self.other[chosen].astype(np.int64)),
            "bucket": torch.from_numpy(bucket),
            "expected": torch.from_numpy(expected.astype(np.float32)),
            "result": torch.from_numpy(1 - self.results[chosen].astype(np.int64)),
            "quiet": torch.from_numpy(self.quiet[chosen].astype(np.float32)),
            "legal": torch.from_numpy(self.legal[chosen].astype(np.int64)),
            "action": torch.from_numpy(self.actions[chosen]),
        }

    @property
    def max_pieces(self) -> int:
        """The largest number of pieces on a board."""
        return int(self.pieces.max(initial=1))


def losses(
    model: CompactModel, batch: Mapping[str, torch.Tensor], search_weight: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the mean losses of the value and of the policy."""
    activations = model.activations(batch["own"], batch["other"])
    logits = model.value_logits(activations, batch["bucket"])
    probabilities = logits.softmax(1)
    predicted = (probabilities[:, 0] + probabilities[:, 1] / 2).clamp(1e-6, 1 - 1e-6)
    target = search_weight * batch["expected"] + (1 - search_weight) * (1 - batch["result"] / 2)
    each = functional.binary_cross_entropy(predicted, target, reduction="none")
    each = each + RESULT_LOSS * functional.cross_entropy(logits, batch["result"], reduction="none")
    value = (each * batch["quiet"]).sum() / batch["quiet"].sum().clamp(min=1)
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
) -> tuple[dict[str, Tensor], dict[str, float]]:
    """Train a network and return its arrays and its validation losses. The same seed gives the same network."""
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True)
    buckets = max(1, -(-samples.max_pieces // bucket_pieces))
    model = CompactModel(samples.feature_count, samples.action_count, width, buckets, hidden)
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate, weight_decay=0.0)
    order = np.arange(len(samples))
    is_validation = order % VALIDATION_INTERVAL == 0
    training, validation = order[~is_validation], order[is_validation]
    steps = max(1, epochs * -(-len(training) // batch))
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    random = np.random.default_rng(seed)
    for _ in range(epochs):
        shuffled = random.permutation(training)
        for start in range(0, len(shuffled), batch):
            data = samples.batch(shuffled[start : start + batch], bucket_pieces, buckets)
            value, policy = losses(model, data, search_weight)
            optimizer.zero_grad()
            (value + policy).backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
            model.clip()
    return model.tensors(), _validate(model, samples, validation, bucket_pieces, buckets, search_weight)


def _validate(
    model: CompactModel,
    samples: Samples,
    chosen: np.ndarray,
    bucket_pieces: int,
    buckets: int,
    search_weight: float,
) -> dict[str, float]:
    """Return the losses on the validation positions."""
    if len(chosen) == 0:
        return {}
    with torch.no_grad():
        value, policy = losses(model, samples.batch(chosen, bucket_pieces, buckets), search_weight)
    found = {"loss": float(value)}
    return found if model.policy is None else {**found, "policy_loss": float(policy)}
