"""What can go wrong by the caller's doing. Each message says what was wrong, where, and what is accepted."""

from __future__ import annotations


class PlygroundError(Exception):
    """The mother of all errors of this package."""

    exit_code = 2
    http_status = 400


class ParseError(PlygroundError, ValueError):
    """A text that is not what it should be: a position, a move, a spec, a file."""


class IllegalMoveError(PlygroundError, ValueError):
    """A well-formed move that the position does not allow."""

    exit_code = 3
    http_status = 409


class GameOverError(PlygroundError):
    """Something asked of a game that has ended."""

    exit_code = 3
    http_status = 409


class UnknownNameError(PlygroundError, KeyError):
    """A name that is in no list; the message gives the list."""

    http_status = 404

    __str__ = PlygroundError.__str__  # KeyError's would put the message in quotes


class TablesError(PlygroundError):
    """Endgame tables that are missing, damaged, or of another version."""


class WeightsError(PlygroundError):
    """Learned parameters that cannot be used: wrong game, wrong kind, wrong shape, or damaged."""


class StoreError(PlygroundError):
    """A store that cannot be reached, read or written."""

    exit_code = 4
    http_status = 503
