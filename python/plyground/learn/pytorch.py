"""PyTorch, which is optional and slow to import."""

from __future__ import annotations

from importlib.util import find_spec

from plyground.errors import ParseError

INSTALL = "pip install 'plyground[learn]' (about 5 GB), or run make learn in a checkout"
NEEDED = f"training networks requires PyTorch; install it with: {INSTALL}"


def has_pytorch() -> bool:
    """Whether PyTorch is installed."""
    return find_spec("torch") is not None


def require_pytorch() -> None:
    """Raise `ParseError` if PyTorch is missing."""
    if not has_pytorch():
        raise ParseError(NEEDED)
