"""Options of agents as typed data: name, type, bounds, default and help text, declared once for each agent.

The spec parser, the keyword constructor, the command-line help, the forms of the web UI and the limits of web visitors
are all derived from these declarations.

>>> depth = Option("depth", "integer", "search depth in plies", default="8", minimum=1, maximum=99)
>>> depth.parse("3"), depth.parse(5)
(3, 5)
>>> depth.parse("-3")
Traceback (most recent call last):
plyground.errors.ParseError: option depth must be an integer between 1 and 99, got '-3'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, Literal

from plyground.errors import ParseError, unknown_name
from plyground.networks import CompactNetwork
from plyground.spec import SEPARATOR, split_list
from plyground.weights import WeightSet

Kind = Literal[
    "boolean",
    "integer",
    "real",
    "choice",
    "agent",
    "agents",
    "evaluator",
    "weights",
    "network",
    "folder",
    "command",
]
"""Type of an option. An agent is a spec, and agents are specs joined by +; an evaluator is a registered name, a spec or
a callable; weights are a name, a file or a `WeightSet`."""

MAX_INTEGER = 2**63 - 1
MAX_SECONDS = 1e9
MAX_AGENTS = 12
"""Maximum number of agents of an option of kind `agents`."""
MAX_TEXT = 1000
"""Maximum length of a name or spec."""


@dataclass(frozen=True)
class Option:
    """An option of an agent."""

    name: str
    kind: Kind
    description: str
    default: str = ""
    """The default as text; empty if there is none or if it depends on the game or on other options."""
    minimum: float = 0
    """Smallest number allowed."""
    maximum: float = inf
    """Largest number allowed."""
    choices: tuple[str, ...] = ()
    visitor_setting: str = ""
    """Server setting with the maximum that a web visitor may request; empty if `maximum` applies to everyone."""

    @property
    def is_number(self) -> bool:
        """Whether values are numbers."""
        return self.kind in ("integer", "real")

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        match self.kind:
            case "boolean":
                return "true or false"
            case "choice":
                return f"one of {', '.join(self.choices)}"
            case "integer" | "real":
                return allowed_numbers(self.minimum, self.maximum, is_integer=self.kind == "integer")
            case "agent":
                return "the spec of an agent"
            case "agents":
                return f"up to {MAX_AGENTS} specs of agents joined by {SEPARATOR}"
            case "evaluator":
                return "a registered evaluator or the spec of an agent"
            case "weights":
                return "the name of a weight set or a .safetensors file"
            case "network":
                return "the name of a network or a .safetensors file"
            case "folder":
                return "a folder"
            case "command":
                return "a command"

    def parse(self, value: object) -> Any:
        """Convert text from a spec, or a Python value, to a value of the option; raise `ParseError` if not allowed."""
        parsed = _PARSERS[self.kind](value)
        if parsed is None or (self.is_number and not self.minimum <= float(parsed) <= self.maximum):
            raise self.error(value)
        if self.choices and parsed not in self.choices:
            raise self.error(value)
        return parsed

    def error(self, value: object) -> ParseError:
        """Return the error for a value that is not allowed."""
        shown = repr(value)
        return ParseError(
            f"option {self.name} must be {self.allowed}, got {shown if len(shown) <= 80 else shown[:77] + '...'}"
        )


def allowed_numbers(minimum: float, maximum: float, *, is_integer: bool) -> str:
    """Describe a range of numbers.

    >>> allowed_numbers(1, inf, is_integer=True), allowed_numbers(0, 2.5, is_integer=False)
    ('a positive integer', 'between 0 and 2.5')
    >>> allowed_numbers(1e-6, 60, is_integer=False)
    'a positive number up to 60'
    """
    if is_integer and minimum == 1 and maximum >= MAX_INTEGER:
        return "a positive integer"
    noun = "an integer " if is_integer else ""
    if 0 < minimum <= 1e-6:
        return f"a positive number up to {maximum:.10g}"
    if maximum < inf:
        return f"{noun}between {minimum:g} and {maximum:.10g}"
    return f"{'an integer and ' if is_integer else ''}at least {minimum:g}"


def format_value(value: object) -> str:
    """Return the text of a value in a spec.

    >>> format_value(True), format_value(3.0), format_value(0.7), format_value("uct")
    ('true', '3', '0.7', 'uct')
    >>> format_value(("dqn", "qlearning"))
    'dqn+qlearning'
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if isinstance(value, str | int | Path):
        return str(value)
    if isinstance(value, tuple | list):
        return SEPARATOR.join(map(format_value, value))
    if isinstance(value, WeightSet | CompactNetwork):
        return value.label
    return str(getattr(value, "spec", None) or getattr(value, "__name__", None) or type(value).__name__)


def parse_options(agent: str, declared: Iterable[Option], given: Mapping[str, object]) -> dict[str, Any]:
    """Parse the options of an agent; unknown names raise `UnknownNameError`."""
    by_name = {option.name: option for option in declared}
    for name in given:
        if name not in by_name:
            raise unknown_name("option", name, by_name, scope=f"for agent {agent}")
    return {name: by_name[name].parse(value) for name, value in given.items()}


EngineFacts = tuple[str, str, str, tuple[float, float] | None, list[str], str]
"""Name, kind, default, bounds, choices and description of an option of the engine."""


def engine_options(facts: Iterable[EngineFacts]) -> tuple[Option, ...]:
    """Convert the option declarations of the engine (see `_engine.search_options`)."""
    options = []
    for name, kind, default, bounds, choices, description in facts:
        minimum, maximum = bounds or (0, inf)
        options.append(Option(name, kind, description, default, minimum, maximum, tuple(choices)))  # type: ignore[arg-type]
    return tuple(options)


def _boolean(value: object) -> bool | None:
    return {"true": True, "false": False, True: True, False: False}.get(value if isinstance(value, str | bool) else "")


def _integer(value: object) -> int | None:
    if isinstance(value, str):
        return int(value) if value.isdecimal() and len(value) < 20 and int(value) <= MAX_INTEGER else None
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_INTEGER else None


def _real(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if abs(number) < inf else None


def _text(value: object) -> str | None:
    text = value if isinstance(value, str) else getattr(value, "spec", None)
    return text if isinstance(text, str) and 0 < len(text) <= MAX_TEXT else None


def _choice(value: object) -> str | None:
    return format_value(value) if isinstance(value, bool) else _text(value)


def _agents(value: object) -> tuple[str, ...] | None:
    """Return the specs of a list, or of text in which they are joined."""
    if isinstance(value, str):
        parts: list[object] = [*split_list(value)] if len(value) <= MAX_TEXT else []
    elif isinstance(value, list | tuple):
        parts = [*value]
    else:
        return None
    specs = tuple(text for text in map(_text, parts) if text)
    return specs if 0 < len(specs) == len(parts) <= MAX_AGENTS else None


def _evaluator(value: object) -> object:
    return value if callable(value) else _text(value)


def _weights(value: object) -> str | WeightSet | None:
    return value if isinstance(value, WeightSet) else _path(value)


def _network(value: object) -> str | CompactNetwork | None:
    return value if isinstance(value, CompactNetwork) else _path(value)


def _path(value: object) -> str | None:
    return str(value) if isinstance(value, str | Path) and 0 < len(str(value)) <= MAX_TEXT else None


_PARSERS: dict[str, Callable[[object], Any]] = {
    "boolean": _boolean,
    "integer": _integer,
    "real": _real,
    "choice": _choice,
    "agent": _text,
    "agents": _agents,
    "evaluator": _evaluator,
    "weights": _weights,
    "network": _network,
    "folder": _path,
    "command": _text,
}

# Options that several agents share.
SIMULATIONS = Option(
    "simulations", "integer", "simulations per move, unless another limit is given", "1000", 1, MAX_INTEGER
)
SECONDS = Option("seconds", "real", "seconds per move, unless another limit is given", "", 1e-6, MAX_SECONDS)
THREADS = Option("threads", "integer", "number of threads", "1", 1, 256, visitor_setting="threads")
WEIGHTS = Option("weights", "weights", "evaluation weights: a name or a file")
NETWORK = Option("network", "network", "compact network: a name, such as best, or a file")


def mebibytes(description: str, default: int) -> Option:
    """Return the option for a memory limit in MiB."""
    return Option("mebibytes", "integer", description, str(default), 1, 2**20, visitor_setting="search_mebibytes")


def depth(description: str, default: str) -> Option:
    """Return the option for a search depth in plies."""
    return Option("depth", "integer", description, default, 1, MAX_DEPTH)


MAX_DEPTH = 200
"""Maximum search depth in plies."""
