"""Speed of compact networks on one core, compared with the hand-written evaluation and with ONNX Runtime."""

from __future__ import annotations

import numpy as np
from onnxruntime import InferenceSession, SessionOptions
from plyground.networks.export import export_onnx

import plyground
from figures import Figures
from plyground._engine import AlphaBeta, Network, Position, Rng
from plyground.bench.timing import Batch, Effort, Workload, interleave
from plyground.networks import BEST, CompactNetwork, engine_network, load

WIDTH = 256
POSITIONS = 16
NODES = 50_000
"""Nodes per alpha-beta search."""


def network_speed(effort: float) -> Figures:
    """Return the figures of chess with a network of the width of the shipped one."""
    network = load(BEST, "chess")
    positions = list(_positions())
    ours = engine_network(network, positions[0])
    rounds = max(3, round(9 * effort))
    heuristic, incremental = interleave([_searches(positions, None), _searches(positions, ours)], Effort(0.5, rounds))
    single, onnx = interleave([_predictions(positions, ours), _onnx_runs(positions, network)], Effort(0.2, rounds))
    return {
        "alpha-beta, slowdown": heuristic.per_second / incremental.per_second,
        "alpha-beta, nodes": incremental.per_second,
        "one position, ratio to ONNX Runtime": single.per_second / onnx.per_second,
        "one position": single.per_second,
    }


def _positions() -> list[Position]:
    """Return positions of random games that are neither over nor trivial."""
    rng, found = Rng(1), list[Position]()
    while len(found) < POSITIONS:
        position = plyground.game("chess").start()
        for _ in range(8 + 4 * len(found) // POSITIONS):
            position = position if position.outcome is not None else position.play_random(rng)
        if position.outcome is None and len(position.moves) > 10:
            found.append(position)
    return found


def _searches(positions: list[Position], network: Network | None) -> Workload:
    """Return searches of the same positions; the unit of work is a node."""

    def workload(count: int, seed: int) -> Batch:  # noqa: ARG001  every round is the same
        def batch() -> int:
            nodes = 0
            for index in range(count):
                search = AlphaBeta(positions[index % len(positions)], [], weights=network, mebibytes=4, threads=1)
                nodes += search.run(nodes=NODES)["nodes"]
            return nodes

        return batch

    return workload


def _predictions(positions: list[Position], network: Network) -> Workload:
    """Return evaluations of single positions, computed from scratch."""

    def workload(count: int, seed: int) -> Batch:  # noqa: ARG001
        def batch() -> int:
            for index in range(count):
                network.predict(positions[index % len(positions)])
            return count

        return batch

    return workload


def _onnx_runs(positions: list[Position], network: CompactNetwork) -> Workload:
    """Return evaluations of single positions by ONNX Runtime with one thread; its inputs are prepared in advance."""
    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = InferenceSession(export_onnx(network), options, providers=["CPUExecutionProvider"])
    features = positions[0].game.features
    inputs = []
    for position in positions:
        rows = {name: np.zeros((1, features), np.float32) for name in ("own", "other")}
        rows["own"][0, position.active_features] = 1
        rows["other"][0, position.opponent_features] = 1
        inputs.append(rows)

    def workload(count: int, seed: int) -> Batch:  # noqa: ARG001
        def batch() -> int:
            for index in range(count):
                session.run(None, inputs[index % len(inputs)])
            return count

        return batch

    return workload
