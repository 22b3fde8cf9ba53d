"""Networks with random weights."""

from __future__ import annotations

from array import array
from math import prod

import plyground
from plyground.networks import CompactNetwork
from plyground.weights.safetensors import Tensor


def random_network(spec: str, width: int = 32, hidden: int = 16, buckets: int = 2, seed: int = 1) -> CompactNetwork:
    """Return a network for a game."""
    game = plyground.game(spec)
    shapes = {
        "features.weight": (game.features, width),
        "features.bias": (width,),
        "value.weight": (buckets, 3, 2 * width),
        "value.bias": (buckets, 3),
    }
    if hidden:
        shapes |= {"hidden.weight": (hidden, 2 * width), "hidden.bias": (hidden,)}
        shapes |= {"policy.weight": (game.actions, hidden), "policy.bias": (game.actions,)}
    rng = plyground.Rng(seed)
    tensors = {}
    for name, shape in shapes.items():
        values = array("f", (0.6 * rng.unit() - 0.3 for _ in range(prod(shape))))
        tensors[name] = Tensor("F32", shape, values.tobytes())
    return CompactNetwork(game.spec, tensors, 8, method="random", seed=seed, description="random weights")
