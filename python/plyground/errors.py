"""Exceptions. Each message says what was wrong, where, and what is accepted."""

from __future__ import annotations

from collections.abc import Iterable

MAX_LISTED = 40
"""Maximum number of available names in a message."""


class PlygroundError(Exception):
    """Base class of all Plyground errors."""

    exit_code = 2
    http_status = 400


class ParseError(PlygroundError, ValueError):
    """The input is invalid, for example a malformed position, move, spec, option or file."""


class IllegalMoveError(PlygroundError, ValueError):
    """The move is well-formed but not legal in the position."""

    exit_code = 3
    http_status = 409


class GameOverError(PlygroundError):
    """The game is over, but the operation requires an unfinished game."""

    exit_code = 3
    http_status = 409


class UnknownNameError(PlygroundError, KeyError):
    """The name is unknown; the message lists the available names."""

    http_status = 404

    __str__ = PlygroundError.__str__  # KeyError.__str__ would quote the message


class TablesError(PlygroundError):
    """The endgame tables are missing, corrupted or incompatible, or do not cover the position."""


class WeightsError(PlygroundError):
    """The weights are corrupted, for another game, or of the wrong kind or shape."""


class StoreError(PlygroundError):
    """The store cannot be opened, or an operation on it failed."""

    exit_code = 4
    http_status = 503


class ChangedError(StoreError):
    """A stored value was changed by another process in the meantime."""

    exit_code = 3
    http_status = 409


class Interrupted(PlygroundError):  # noqa: N818  control flow
    """A user game was not called because the time was up or the search was stopped."""

    http_status = 503


class UciEngineError(PlygroundError):
    """An external UCI engine could not be started, crashed or did not answer."""

    exit_code = 1
    http_status = 503


class WorkerError(PlygroundError):
    """A worker process died or raised an unexpected exception."""

    exit_code = 1
    http_status = 500


def unknown_name(kind: str, name: str, available: Iterable[str], *, scope: str = "") -> UnknownNameError:
    """Return the error for an unknown name; its message suggests similar names and lists the available ones.

    >>> str(unknown_name("game", "Chekers", ["checkers", "chess"]))
    "unknown game 'Chekers' (did you mean checkers?); available: checkers, chess"
    >>> str(unknown_name("option", "size", [], scope="for agent random"))
    "unknown option 'size' for agent random; available: none"
    """
    known = list(available)
    place = f" {scope}" if scope else ""
    listed = ", ".join(known[:MAX_LISTED] + ["..."] * (len(known) > MAX_LISTED)) or "none"
    return UnknownNameError(f"unknown {kind} {name[:80]!r}{place}{did_you_mean(name, known)}; available: {listed}")


def did_you_mean(name: str, available: Iterable[str]) -> str:
    """Return a suggestion of similar names, in parentheses, or an empty string if there are none.

    >>> did_you_mean("hrad", ["Easy", "Hard"])
    ' (did you mean Hard?)'
    """
    close = _similar_names(name, available)
    return f" (did you mean {' or '.join(close)}?)" if close else ""


def _similar_names(name: str, available: Iterable[str]) -> list[str]:
    from difflib import get_close_matches  # imported here because only errors need it

    known = {one.lower(): one for one in available}
    return [known[match] for match in get_close_matches(name.lower()[:80], known, n=3, cutoff=0.7)]


def describe(error: BaseException) -> str:
    """Return the message and notes of an error, prefixed with its type if it is not a `PlygroundError`.

    The notes of an exception raised in a user game give the file and line.

    >>> describe(ParseError("depth must be positive")), describe(ZeroDivisionError("division by zero"))
    ('depth must be positive', 'ZeroDivisionError: division by zero')
    """
    notes = getattr(error, "__notes__", [])
    message = str(error) if isinstance(error, PlygroundError) else f"{type(error).__name__}: {error}"
    return "; ".join([message, *notes])


def is_of_user_game(error: BaseException) -> bool:
    """Whether an exception was raised by a user game or an evaluator."""
    return any(note.startswith("raised by ") for note in getattr(error, "__notes__", []))
