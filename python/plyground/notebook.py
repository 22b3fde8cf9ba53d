"""HTML for notebooks, in the colours of the notebook so that it is readable in light and dark themes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def table(header: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """Return a table. Cells are shown as text; None is an empty cell.

    >>> table(["move"], [["<4>"]])
    '<table><thead><tr><th>move</th></tr></thead><tbody><tr><td>&lt;4&gt;</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' if cell is not None else '<td></td>' for cell in row)}</tr>"
        for row in rows
    )
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def paragraph(text: str) -> str:
    """Return a paragraph of text."""
    return f"<p>{escape(text)}</p>"


def outline(text: str, items: Sequence[str], *, is_open: bool) -> str:
    """Return a line of text that can be expanded to show HTML items below it."""
    if not items:
        return f'<div style="margin-left:1.2em">{escape(text)}</div>'
    state = ' open="open"' if is_open else ""
    summary = f"<summary>{escape(text)}</summary>"
    return f'<details style="margin-left:1.2em"{state}>{summary}{"".join(items)}</details>'


def side_by_side(*parts: str) -> str:
    """Return HTML parts side by side, or stacked if the page is too narrow."""
    cells = "".join(f"<div>{part}</div>" for part in parts)
    return f'<div style="display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start">{cells}</div>'


def percent(value: float | None) -> str:
    """Return a fraction as a percentage, or an empty string for None.

    >>> percent(0.614)
    '61.4%'
    """
    return "" if value is None else f"{value:.1%}"


def signed(value: float) -> str:
    """Return an Elo difference with its sign, rounded to an integer.

    >>> signed(12.3), signed(-float("inf"))
    ('+12', '-∞')
    """
    return f"{value:+.0f}".replace("inf", "∞")
