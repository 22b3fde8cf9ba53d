"""Deep Q-learning of a compact network in PyTorch: double, duelling, with a target network.

The heads of the network give the value Q of each legal move (Wang et al. 2016, with the mean weighted by the policy):

    Q(s, a) = V(s) + ADVANTAGE_SCALE * (logit(s, a) - sum_b softmax(logits)(s, b) * logit(s, b))

V is the probability of a win minus that of a loss, so the value head is the mean of Q when playing the softmax of the
policy, and the move with the highest logit is the one with the highest Q. Targets are those of double Q-learning
(van Hasselt et al. 2016). Moves of a teacher also train the policy directly, as in Hester et al. (2018), but with the
cross-entropy in place of a margin.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional

from plyground._engine import split_seed
from plyground.learn.network_model import CompactModel, PolicyHead
from plyground.learn.replay import Positions, ReplayBuffer
from plyground.weights.safetensors import Tensor

ADVANTAGE_SCALE = 0.2
"""Difference in Q between two moves per difference in their logits."""
IMPORTANCE = 0.4
"""Exponent of the importance weights at the start of a run; it rises to 1 (Schaul et al. 2016)."""


class QModel(CompactModel):
    """A compact network that gives the value of each legal move."""

    policy: PolicyHead

    def __init__(self, features: int, actions: int, width: int, buckets: int, hidden: int) -> None:
        super().__init__(features, actions, width, buckets, hidden)
        with torch.no_grad():
            self.policy.hidden.bias.fill_(0.25)  # away from the clipped ends, where the gradient is 0
            self.policy.output.bias.zero_()

    def load_tensors(self, tensors: Mapping[str, Tensor]) -> None:
        """Set the weights to the arrays that `tensors` returns."""
        parameters = {
            "features.weight": self.features.weight.detach()[:-1],
            "features.bias": self.bias,
            "value.weight": self.value.weight,
            "value.bias": self.value.bias,
            "hidden.weight": self.policy.hidden.weight,
            "hidden.bias": self.policy.hidden.bias,
            "policy.weight": self.policy.output.weight,
            "policy.bias": self.policy.output.bias,
        }
        for name, parameter in parameters.items():
            parameter.detach().copy_(_array(tensors[name], parameter.shape))

    def forward(
        self, own: torch.Tensor, other: torch.Tensor, buckets: torch.Tensor, legal: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return Q and the logits of the legal moves; both are minus infinity at the padding."""
        activations = self.activations(own, other)
        results = self.value_logits(activations, buckets).softmax(1)
        is_padding, actions = legal < 0, legal.clamp(min=0)
        hidden = self.policy.hidden(activations).clamp(0, 1)
        # Only the rows of legal moves are computed: a position has few of the game's actions.
        rows = functional.embedding(actions, self.policy.output.weight)
        biases = functional.embedding(actions, self.policy.output.bias[:, None]).squeeze(2)
        logits = (rows @ hidden[:, :, None]).squeeze(2) + biases
        masked = logits.masked_fill(is_padding, -torch.inf)
        mean = (masked.softmax(1) * logits).sum(1)
        values = (results[:, 0] - results[:, 2])[:, None] + ADVANTAGE_SCALE * (logits - mean[:, None])
        return values.masked_fill(is_padding, -torch.inf), masked


@dataclass(frozen=True)
class Update:
    """Settings of an update."""

    batch: int
    bucket_pieces: int
    priority: float
    """Exponent of the errors in the priorities."""
    teacher_weight: float
    """Weight of the loss on the teacher's moves."""
    learning_rate: float
    progress: float
    """Fraction of the run that is over."""


class Trainer:
    """The network, its target network and the optimiser."""

    def __init__(self, features: int, actions: int, *, width: int, buckets: int, hidden: int, seed: int) -> None:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(split_seed(seed, 0) >> 1)
            self.model = QModel(features, actions, width, buckets, hidden)
        self._buckets = buckets
        self._target = QModel(features, actions, width, buckets, hidden)
        self.copy_to_target()
        self._optimizer = torch.optim.Adam(self.model.parameters(), foreach=False)

    def copy_to_target(self) -> None:
        """Make the target network equal to the network."""
        self._target.load_state_dict(self.model.state_dict())

    def update(self, buffer: ReplayBuffer, random: np.random.Generator, settings: Update) -> tuple[float, float]:
        """Learn from one batch of positions; return the loss and the mean of Q of the moves played."""
        rows, probabilities = buffer.draw(settings.batch, random)
        found = buffer.targets(rows)
        values, logits = self.model(*self._tensors(buffer.positions(rows), settings.bucket_pieces))
        with torch.no_grad():
            later = self._tensors(buffer.positions(found.later), settings.bucket_pieces)
            best = self.model(*later)[0].argmax(1, keepdim=True)
            value = self._target(*later)[0].gather(1, best).squeeze(1).clamp(-1, 1)
        target = torch.from_numpy(found.result) + torch.from_numpy(found.factor) * value
        move = torch.from_numpy(found.move.astype(np.int64))
        chosen = values.gather(1, move[:, None]).squeeze(1)
        exponent = IMPORTANCE + (1 - IMPORTANCE) * settings.progress
        weights = (len(buffer) * probabilities) ** -exponent
        each = functional.smooth_l1_loss(chosen, target, reduction="none", beta=0.25)
        loss = (each * torch.from_numpy((weights / weights.max()).astype(np.float32))).mean()
        total = loss
        if settings.teacher_weight > 0 and found.is_taught.any():
            is_taught = torch.from_numpy(found.is_taught)
            taught = functional.cross_entropy(logits[is_taught], move[is_taught], reduction="sum")
            total = loss + settings.teacher_weight * taught / settings.batch
        for group in self._optimizer.param_groups:
            group["lr"] = settings.learning_rate
        self._optimizer.zero_grad()
        total.backward()  # type: ignore[no-untyped-call]
        self._optimizer.step()
        self.model.clip()
        buffer.set_errors(rows, (chosen.detach() - target).numpy(), settings.priority)
        return float(loss.detach()), float(chosen.detach().mean())

    def _tensors(self, positions: Positions, bucket_pieces: int) -> list[torch.Tensor]:
        """Return the arguments of the model."""
        bucket = np.minimum(np.maximum(positions.pieces - 1, 0) // bucket_pieces, self._buckets - 1)
        arrays = (positions.own, positions.other, bucket, positions.legal)
        return [torch.from_numpy(array.astype(np.int64)) for array in arrays]

    def save(self) -> dict[str, Tensor]:
        """Return the state as arrays; those of the network begin with ``network.``."""
        network = {f"network.{name}": array for name, array in self.model.tensors().items()}
        target = {f"target.{name}": array for name, array in self._target.tensors().items()}
        moments = {
            name: Tensor("F32", tuple(array.shape), array.numpy().tobytes()) for name, array in self._moments().items()
        }
        return network | target | moments

    def load(self, tensors: Mapping[str, Tensor]) -> None:
        """Restore a saved state."""
        for prefix, model in (("network.", self.model), ("target.", self._target)):
            model.load_tensors({name.removeprefix(prefix): array for name, array in tensors.items()})
        if not any(name.startswith("step.") for name in tensors):  # before the first update
            return
        for parameter in self.model.parameters():
            parameter.grad = torch.zeros_like(parameter)
        for group in self._optimizer.param_groups:
            group["lr"] = 0.0
        self._optimizer.step()  # creates the moments
        for name, array in self._moments().items():
            array.copy_(_array(tensors[name], array.shape))

    def _moments(self) -> dict[str, torch.Tensor]:
        """Return the state of the optimiser."""
        state = {name: self._optimizer.state[parameter] for name, parameter in self.model.named_parameters()}
        return {f"{kind}.{name}": moments[kind] for name, moments in state.items() for kind in moments}


def _array(tensor: Tensor, shape: torch.Size) -> torch.Tensor:
    return torch.from_numpy(np.frombuffer(tensor.data, "<f4").copy()).view(shape)


@contextmanager
def reproducible() -> Iterator[None]:
    """Use one thread and deterministic algorithms, so that equal seeds give equal results."""
    threads, is_deterministic = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
        torch.use_deterministic_algorithms(is_deterministic)
