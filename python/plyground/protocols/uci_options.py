"""The options of the UCI engine: their declarations and values.

>>> print(find("move overhead").declaration)
option name Move Overhead type spin default 30 min 0 max 5000
>>> find("Threads").parse("2")
2
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from plyground.errors import ParseError, unknown_name

EMPTY = "<empty>"
"""How the protocol writes an empty string."""
MAX_TEXT = 1000
"""Maximum length of a text option."""


@dataclass(frozen=True)
class UciOption:
    """An option that a GUI can set."""

    name: str
    kind: Literal["check", "spin", "combo", "button", "string"]
    default: bool | int | str | None = None
    minimum: int = 0
    maximum: int = 0
    choices: tuple[str, ...] = ()

    @property
    def declaration(self) -> str:
        """The line that declares the option."""
        text = f"option name {self.name} type {self.kind}"
        match self.kind:
            case "check":
                return f"{text} default {str(self.default).lower()}"
            case "spin":
                return f"{text} default {self.default} min {self.minimum} max {self.maximum}"
            case "combo":
                return f"{text} default {self.default}" + "".join(f" var {choice}" for choice in self.choices)
            case "string":
                return f"{text} default {self.default or EMPTY}"
            case "button":
                return text

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        match self.kind:
            case "check":
                return "true or false"
            case "spin":
                return f"an integer between {self.minimum} and {self.maximum}"
            case "combo":
                return f"one of {', '.join(self.choices)}"
            case "string":
                return f"a text of at most {MAX_TEXT} characters"
            case "button":
                return "used without a value"

    def parse(self, text: str) -> Any:
        """Convert the value in a setoption command; raise `ParseError` if it is not allowed."""
        key = text.lower()
        match self.kind:
            case "check" if key in ("true", "false"):
                return key == "true"
            case "spin" if text.isascii() and text.isdecimal() and len(text) < 10:
                if self.minimum <= int(text) <= self.maximum:
                    return int(text)
            case "combo" if key in self.choices:
                return key
            case "string" if len(text) <= MAX_TEXT:
                return "" if key in (EMPTY, "<none>") else text
            case "button":
                return None
        raise ParseError(f"option {self.name} must be {self.allowed}, got {text[:80]!r}")


HASH = UciOption("Hash", "spin", 64, 1, 65536)
THREADS = UciOption("Threads", "spin", 1, 1, 256)
MULTI_PV = UciOption("MultiPV", "spin", 1, 1, 256)
PONDER = UciOption("Ponder", "check", False)
CLEAR_HASH = UciOption("Clear Hash", "button")
MOVE_OVERHEAD = UciOption("Move Overhead", "spin", 30, 0, 5000)
SEARCH = UciOption("Search", "combo", "alphabeta", choices=("alphabeta", "mcts"))
NETWORK = UciOption("Network", "string", "")
SYZYGY_PATH = UciOption("SyzygyPath", "string", "")
SHOW_WDL = UciOption("UCI_ShowWDL", "check", False)
ANALYSE_MODE = UciOption("UCI_AnalyseMode", "check", False)

OPTIONS = (
    HASH,
    THREADS,
    MULTI_PV,
    PONDER,
    CLEAR_HASH,
    MOVE_OVERHEAD,
    SEARCH,
    NETWORK,
    SYZYGY_PATH,
    SHOW_WDL,
    ANALYSE_MODE,
)
"""All options, in the order in which they are declared."""

_BY_NAME = {option.name.lower(): option for option in OPTIONS}


def find(name: str) -> UciOption:
    """Return an option by name, ignoring case."""
    option = _BY_NAME.get(name.lower())
    if option is None:
        raise unknown_name("option", name, [option.name for option in OPTIONS])
    return option


def parse_setoption(text: str) -> tuple[UciOption, Any]:
    """Return the option and value of ``name ... [value ...]``.

    >>> option, value = parse_setoption("name Clear Hash")
    >>> option.name, value
    ('Clear Hash', None)
    """
    words = text.split()
    if not words or words[0].lower() != "name":
        raise ParseError("expected: setoption name NAME [value VALUE]")
    keys = [word.lower() for word in words]
    at = keys.index("value") if "value" in keys else len(words)
    option = find(" ".join(words[1:at]))
    return option, option.parse(" ".join(words[at + 1 :]))


class Settings:
    """The current values of the options."""

    def __init__(self) -> None:
        self._values: dict[UciOption, Any] = {option: option.default for option in OPTIONS}

    def __getitem__(self, option: UciOption) -> Any:
        return self._values[option]

    def set(self, option: UciOption, value: Any) -> None:
        """Set a value that `UciOption.parse` returned; raise `ParseError` if it cannot be used."""
        if option is SYZYGY_PATH and value and not Path(value).is_dir():
            raise ParseError(f"option {option.name} must be a folder of Syzygy files, got {value[:80]!r}")
        if option is NETWORK and value:
            from plyground.networks import load

            load(value, "chess")
        self._values[option] = value
