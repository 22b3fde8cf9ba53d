"""Compact networks: small value-and-policy networks, stored in safetensors files and evaluated by the engine.

>>> from plyground.networks import names
>>> names("chess") == sorted(names("chess"))
True
"""

from plyground.networks.network import (
    BEST,
    CompactNetwork,
    engine_network,
    load,
    load_file,
    names,
    register_source,
    save,
)

__all__ = ["BEST", "CompactNetwork", "engine_network", "load", "load_file", "names", "register_source", "save"]
