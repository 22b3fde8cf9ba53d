"""Positions as self-contained SVG images."""

from __future__ import annotations

from xml.sax.saxutils import escape

from plyground._engine import Game, Position

CELL = 60
MARGIN = 26
LIGHT, DARK, INK, HIGHLIGHT = "#f0dcb8", "#a97a52", "#2b2622", "#e8c547"
BACKGROUND, FRAME = "#fbfaf6", "#2f62a8"
FILLS = {"black": "#2a2623", "white": "#f7f2e8", "red": "#c8443a", "yellow": "#e9bf3c", "x": "#2f5d9c", "o": "#b2452f"}
CHESS_GLYPHS = {"king": "♚", "queen": "♛", "rook": "♜", "bishop": "♝", "knight": "♞", "pawn": "♟"}


def draw_svg(position: Position, flip: bool = False) -> str:
    """Return an SVG image of a position, or of its text for games without a board."""
    game = position.game
    if not game.rows:
        return _draw_text(position)
    width, height = game.columns * CELL + 2 * MARGIN, game.rows * CELL + 2 * MARGIN
    last_squares = set(position.undo().path(position.history[-1])) if position.ply else set()
    parts = [f'<rect width="{width}" height="{height}" fill="{BACKGROUND}"/>']
    if game.id == "connect4":
        parts.append(
            f'<rect x="{MARGIN}" y="{MARGIN}" width="{game.columns * CELL}" height="{game.rows * CELL}" rx="10" '
            f'fill="{FRAME}"/>'
        )
    for row, names in enumerate(game.squares):
        for column, name in enumerate(names):
            x, y = (column, row) if not flip else (game.columns - 1 - column, game.rows - 1 - row)
            left, top = MARGIN + x * CELL, MARGIN + y * CELL
            parts.append(_square(game, row, column, left, top))
            if name in last_squares and game.id != "connect4":
                parts.append(
                    f'<rect x="{left}" y="{top}" width="{CELL}" height="{CELL}" fill="{HIGHLIGHT}" opacity="0.45"/>'
                )
            letter = position.cells.get(name or "")
            if letter is not None:
                parts.append(_piece(game, letter, left + CELL / 2, top + CELL / 2))
    parts += _labels(game, flip)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>{escape(game.title)}: {escape(position.text)}</title>{"".join(parts)}</svg>\n'
    )


def _square(game: Game, row: int, column: int, left: int, top: int) -> str:
    if game.id == "connect4":
        return f'<circle cx="{left + CELL / 2}" cy="{top + CELL / 2}" r="{CELL * 0.4}" fill="{BACKGROUND}"/>'
    if game.id in ("checkers", "chess"):
        fill = DARK if (row + column) % 2 else LIGHT
        return f'<rect x="{left}" y="{top}" width="{CELL}" height="{CELL}" fill="{fill}"/>'
    return (
        f'<rect x="{left}" y="{top}" width="{CELL}" height="{CELL}" fill="none" stroke="{INK}" stroke-opacity="0.4"/>'
    )


def _piece(game: Game, letter: str, x: float, y: float) -> str:
    side, name = game.pieces[letter]
    if game.id == "chess":
        fill = FILLS[side]
        return (
            f'<text x="{x}" y="{y + CELL * 0.28}" font-size="{CELL * 0.8}" text-anchor="middle" fill="{fill}" '
            f'stroke="{INK}" stroke-width="1.2">{CHESS_GLYPHS[name]}</text>'
        )
    if game.id == "tictactoe":
        arm = CELL * 0.28
        if side == game.sides[0]:
            return (
                f'<path d="M{x - arm} {y - arm}L{x + arm} {y + arm}M{x + arm} {y - arm}L{x - arm} '
                f'{y + arm}" stroke="{FILLS["x"]}" stroke-width="6" stroke-linecap="round"/>'
            )
        return f'<circle cx="{x}" cy="{y}" r="{arm}" fill="none" stroke="{FILLS["o"]}" stroke-width="6"/>'
    fill = FILLS.get(side) or FILLS["black" if side == game.sides[0] else "white"]
    disc = f'<circle cx="{x}" cy="{y}" r="{CELL * 0.4}" fill="{fill}" stroke="{INK}" stroke-width="1.5"/>'
    if name == "king":
        points = [(-14, 9), (-16, -8), (-7, 0), (0, -12), (7, 0), (16, -8), (14, 9)]
        crown = " ".join(f"{x + dx},{y + dy}" for dx, dy in points)
        disc += f'<polygon points="{crown}" fill="{HIGHLIGHT}" stroke="{INK}"/>'
    elif game.id not in ("checkers", "connect4"):
        ink = BACKGROUND if fill == FILLS["black"] else INK
        disc += f'<text x="{x}" y="{y + 7}" font-size="20" text-anchor="middle" fill="{ink}">{escape(letter)}</text>'
    return disc


def _labels(game: Game, flip: bool) -> list[str]:
    columns, rows = list(game.column_labels), list(game.row_labels)
    if flip:
        columns, rows = columns[::-1], rows[::-1]
    style = f'font-size="14" font-family="sans-serif" text-anchor="middle" fill="{INK}"'
    bottom = MARGIN + game.rows * CELL + 18
    return [
        f'<text x="{MARGIN + (index + 0.5) * CELL}" y="{bottom}" {style}>{escape(label)}</text>'
        for index, label in enumerate(columns)
    ] + [
        f'<text x="{MARGIN / 2}" y="{MARGIN + (index + 0.5) * CELL + 5}" {style}>{escape(label)}</text>'
        for index, label in enumerate(rows)
    ]


def _draw_text(position: Position) -> str:
    text = escape(position.text[:200])
    width = max(200, 9 * len(text) + 40)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 60" width="{width}" height="60" role="img">'
        f'<rect width="{width}" height="60" fill="{BACKGROUND}"/><text x="20" y="36" font-family="monospace" '
        f'font-size="15" fill="{INK}">{text}</text></svg>\n'
    )
