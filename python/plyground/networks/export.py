"""Export of compact networks to ONNX; requires the extra `onnx`.

The model evaluates with floating-point numbers. Its inputs have a row per position and a column per feature of the
game, 1 for an active feature and 0 otherwise: `own` from the point of view of the side to move
(`Position.active_features`) and `other` from that of its opponent (`Position.opponent_features`). Its outputs are
`results`, the probabilities of a win, a draw and a loss of the side to move, and, if the network has a policy, `logits`
with a column per action of the game.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from plyground.errors import ParseError
from plyground.networks.network import CompactNetwork
from plyground.weights.metadata import format_metadata

if TYPE_CHECKING:
    from onnx import ModelProto

INSTALL = "pip install 'plyground[onnx]'"
OPSET = 17
IR_VERSION = 8
"""The versions that ONNX Runtime 1.13 and all later ones read."""


def export_onnx(network: CompactNetwork) -> bytes:
    """Return a network as an ONNX model; equal networks give equal bytes."""
    if find_spec("onnx") is None:
        raise ParseError(f"export to ONNX requires the onnx package; install it with: {INSTALL}")
    model: Any = _Builder(network).model()
    data: bytes = model.SerializeToString(deterministic=True)
    return data


class _Builder:
    """Collects the nodes and constants of a model."""

    def __init__(self, network: CompactNetwork) -> None:
        import numpy as np

        self._network = network
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {
            name: np.frombuffer(tensor.data, "<f4").reshape(tensor.shape) for name, tensor in network.tensors.items()
        }
        self._np = np

    def model(self) -> ModelProto:
        """Return the model."""
        from onnx import TensorProto, checker, helper, numpy_helper

        tensors = self._network.tensors
        features, _ = tensors["features.weight"].shape
        self._add_activations()
        self._add_results()
        outputs = [helper.make_tensor_value_info("results", TensorProto.FLOAT, ["positions", 3])]
        if "policy.weight" in tensors:
            self._add_policy()
            actions = tensors["policy.weight"].shape[0]
            outputs.append(helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["positions", actions]))
        graph = helper.make_graph(
            self._nodes,
            "network",
            [helper.make_tensor_value_info(n, TensorProto.FLOAT, ["positions", features]) for n in ("own", "other")],
            outputs,
            [numpy_helper.from_array(array, name) for name, array in self._constants.items()],
        )
        made = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION, producer_name="plyground"
        )
        helper.set_model_props(made, {"game": self._network.game, "made": format_metadata(self._network)})
        checker.check_model(made)
        return made

    def _add_activations(self) -> None:
        """Add the squared clipped accumulators of both sides."""
        self._constant("zero", 0.0)
        self._constant("one", 1.0)
        for side in ("own", "other"):
            self._add("MatMul", [side, "features.weight"], f"{side}.sums")
            self._add("Add", [f"{side}.sums", "features.bias"], f"{side}.accumulator")
        self._add("Concat", ["own.accumulator", "other.accumulator"], "accumulators", axis=1)
        self._add("Clip", ["accumulators", "zero", "one"], "clipped")
        self._add("Mul", ["clipped", "clipped"], "activations")

    def _add_results(self) -> None:
        """Add the value head: the bucket of a position depends on the number of its active features."""
        np, network = self._np, self._network
        weight = self._constants.pop("value.weight")
        buckets = len(weight)
        self._constants["value.weight"] = weight.reshape(buckets * 3, -1)
        self._constants["value.bias"] = self._constants["value.bias"].reshape(buckets * 3)
        self._add("Gemm", ["activations", "value.weight", "value.bias"], "value.all", transB=1)
        self._constants["value.shape"] = np.array([-1, buckets, 3], np.int64)
        self._add("Reshape", ["value.all", "value.shape"], "value.buckets")
        self._constants["columns"] = np.array([1], np.int64)
        self._constant("bucket.pieces", float(network.bucket_pieces))
        self._constant("bucket.last", float(buckets - 1))
        self._add("ReduceSum", ["own", "columns"], "pieces", keepdims=1)
        self._add("Sub", ["pieces", "one"], "bucket.position")
        self._add("Div", ["bucket.position", "bucket.pieces"], "bucket.fraction")
        self._add("Floor", ["bucket.fraction"], "bucket.floor")
        self._add("Clip", ["bucket.floor", "zero", "bucket.last"], "bucket")
        self._constants["bucket.indices"] = np.arange(buckets, dtype=np.float32)
        self._add("Equal", ["bucket", "bucket.indices"], "bucket.equal")
        self._add("Cast", ["bucket.equal"], "bucket.mask", to=1)  # 1: float
        self._constants["last"] = np.array([2], np.int64)
        self._add("Unsqueeze", ["bucket.mask", "last"], "bucket.column")
        self._add("Mul", ["value.buckets", "bucket.column"], "value.masked")
        self._add("ReduceSum", ["value.masked", "columns"], "value.logits", keepdims=0)
        self._add("Softmax", ["value.logits"], "results", axis=1)

    def _add_policy(self) -> None:
        """Add the policy head."""
        self._add("Gemm", ["activations", "hidden.weight", "hidden.bias"], "hidden.sums", transB=1)
        self._add("Clip", ["hidden.sums", "zero", "one"], "hidden")
        self._add("Gemm", ["hidden", "policy.weight", "policy.bias"], "logits", transB=1)

    def _add(self, operator: str, inputs: list[str], output: str, **attributes: Any) -> None:
        from onnx import helper

        self._nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))

    def _constant(self, name: str, value: float) -> None:
        self._constants[name] = self._np.array(value, self._np.float32)
