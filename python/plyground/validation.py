"""Messages for pydantic validation errors."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # pydantic is slow to import
    from pydantic_core import ErrorDetails

MAX_SHOWN = 80
"""Maximum length of the rejected value in a message."""


def requirement(error: ErrorDetails) -> str:
    """Return the violated requirement and the rejected value, as text that follows the name of the field.

    >>> requirement({"type": "greater_than", "loc": ("x",), "msg": "Input should be greater than 0", "input": -3})
    'must be greater than 0, got -3'
    """
    if error["type"] == "missing":
        return "is required"
    text = re.sub(r"^\w+ should ", "must ", error["msg"])
    text = re.split(" after validation| or instance of ", text)[0]
    text = text.replace("tuple", "list").replace("dictionary", "object")
    try:
        shown = json.dumps(error["input"], default=str)
    except RecursionError:
        shown = "a deeply nested value"
    return f"{text}, got {shown if len(shown) <= MAX_SHOWN else shown[: MAX_SHOWN - 3] + '...'}"
