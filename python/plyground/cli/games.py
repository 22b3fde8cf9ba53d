"""`plyground games`: what is in the store."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyground import ParseError, PlygroundError
from plyground.cli.options import JsonOption, StoreOption
from plyground.drawing import draw
from plyground.records import Record
from plyground.records.files import write_text
from plyground.records.json import to_data

if TYPE_CHECKING:
    from plyground.store import Filter, Kept, Store

app = typer.Typer(no_args_is_help=True, help="List, show, import, export, tag and delete the games of the store.")

SHOWN_BROKEN = 20
"""Broken games of a file that are printed; --json has all."""

Ids = Annotated[list[int] | None, typer.Argument(metavar="ID", help="The numbers of the games.", min=1)]
Game = Annotated[str | None, typer.Option("--game", metavar="GAME", help="Only of this game: its id or spec.")]
Agent = Annotated[str | None, typer.Option("--agent", metavar="SPEC", help="Only games in which this agent plays.")]
Result = Annotated[
    str | None, typer.Option("--result", metavar="SIDE", help="Only games that this side won; or draw, or unfinished.")
]
Tag = Annotated[str | None, typer.Option("--tag", metavar="WORD", help="Only games with this word on them.")]
Since = Annotated[str | None, typer.Option("--since", metavar="DATE", help="Stored then (UTC) or later: 2026-01-31.")]
Until = Annotated[str | None, typer.Option("--until", metavar="DATE", help="Stored before.")]
FormatName = Annotated[
    str | None, typer.Option("--format", metavar="NAME", help="json, pdn or pgn.", show_default="by the file's suffix")
]


@app.command("list")
def list_games(
    game: Game = None,
    agent: Agent = None,
    result: Result = None,
    tag: Tag = None,
    since: Since = None,
    until: Until = None,
    limit: Annotated[int, typer.Option(metavar="N", min=1, max=100_000, help="At most so many.")] = 20,
    before: Annotated[int | None, typer.Option(metavar="ID", help="Only those before this one: the next page.")] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """List games, the newest first."""
    with _open(store) as opened:
        which = _filter(game, agent, result, tag, since, until)
        found = opened.records.find(which, limit=limit, before=before)
        total = opened.records.count(which)
    if as_json:
        typer.echo(json.dumps({"total": total, "games": [_report(kept) for kept in found]}))
    elif not found:
        typer.echo("No game is there." if total == 0 else "There are no more.")
    else:
        _print_table(found, total)


@app.command("show")
def show_game(
    id: Annotated[int, typer.Argument(metavar="ID", min=1)],  # noqa: A002
    boards: Annotated[bool, typer.Option("--boards", help="Draw the board after every move.")] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print one game."""
    with _open(store) as opened:
        kept = opened.records.get(id)
    if as_json:
        typer.echo(json.dumps(_report(kept)))
        return
    record = kept.record
    for line in _about(kept):
        typer.echo(line)
    last = record.to_position()
    if not boards:
        typer.echo(f"\n{' '.join(last.history_notation) or 'No move was played.'}\n\n{draw(last)}")
        return
    typer.echo(f"\n{draw(last.replay(0))}")
    for ply, move in enumerate(last.history_notation, start=1):
        typer.echo(f"\n{ply}. {last.replay(ply - 1).turn} plays {move}\n{draw(last.replay(ply))}")


@app.command("import")
def import_games(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="JSON, PDN or PGN.")],
    format: FormatName = None,  # noqa: A002
    tag: Annotated[list[str] | None, typer.Option(metavar="WORD", help="Put this word on each game.")] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bring the games of files into the store.

    A game that is there already is not stored twice. A broken one is told with its place in the file, and the others
    are imported; the exit code is then 1.
    """
    from rich.console import Console
    from rich.markup import escape

    reports = []
    with _open(store) as opened, Console(stderr=True).status("Importing") as status:
        for file in files:
            status.update(f"Importing {escape(str(file))}")
            reports.append(_import(opened, file, format, tag or []))
    if as_json:
        typer.echo(json.dumps(reports))
    else:
        for report in reports:
            _print_report(report)
    if any(report["error"] or report["broken"] for report in reports):
        raise typer.Exit(1)


@app.command("export")
def export_games(
    ids: Ids = None,
    game: Game = None,
    agent: Agent = None,
    result: Result = None,
    tag: Tag = None,
    since: Since = None,
    until: Until = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", show_default="standard output")
    ] = None,
    format: FormatName = None,  # noqa: A002
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    store: StoreOption = None,
) -> None:
    """Write games to a file: those with these numbers, else those for which the options hold; the oldest first."""
    from plyground.records.formats import format_of

    if output is not None and output.exists() and not force:
        raise ParseError(f"{output} exists already; --force writes over it")
    chosen = format_of(output or Path("-.json"), format)
    with _open(store) as opened:
        numbers = _numbers(opened, ids, _filter(game, agent, result, tag, since, until))
        text = chosen.write(_named(opened, number) for number in numbers)
    if output is None:
        typer.echo(text, nl=False)
    else:
        write_text(output, text)
        typer.echo(f"{_games(len(numbers))} written to {output}.", err=True)


@app.command("delete")
def delete_games(
    ids: Ids = None,
    game: Game = None,
    agent: Agent = None,
    result: Result = None,
    tag: Tag = None,
    since: Since = None,
    until: Until = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    store: StoreOption = None,
) -> None:
    """Delete games: those with these numbers, else those for which the options hold."""
    with _open(store) as opened:
        numbers = _numbers(opened, ids, _some(_filter(game, agent, result, tag, since, until), ids))
        if not yes and numbers:
            if not sys.stdin or not sys.stdin.isatty():
                raise ParseError(f"{_games(len(numbers))} would be deleted; --yes does it")
            typer.confirm(f"Delete {_games(len(numbers))}?", abort=True)
        opened.records.delete(numbers)
    typer.echo(f"{_games(len(numbers))} deleted.")


@app.command("tag")
def tag_games(
    ids: Ids = None,
    add: Annotated[list[str] | None, typer.Option(metavar="WORD", help="Put this word on the games.")] = None,
    remove: Annotated[list[str] | None, typer.Option(metavar="WORD", help="Take this word off.")] = None,
    game: Game = None,
    agent: Agent = None,
    result: Result = None,
    tag: Tag = None,
    since: Since = None,
    until: Until = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put words on games and take them off; without --add and --remove, list the words there are."""
    with _open(store) as opened:
        if add or remove:
            numbers = _numbers(opened, ids, _some(_filter(game, agent, result, tag, since, until), ids))
            opened.records.tag(numbers, add=add or [], remove=remove or [])
        words = opened.records.tags()
    if as_json:
        typer.echo(json.dumps(words))
    else:
        typer.echo(
            "\n".join(f"{word}: {_games(count)}" for word, count in words.items()) or "No game has a word on it."
        )


def _open(where: str | None) -> Store:
    from plyground.store import Store

    return Store(where)


def _filter(
    game: str | None, agent: str | None, result: str | None, tag: str | None, since: str | None, until: str | None
) -> Filter:
    from plyground.store import Filter

    return Filter(game, agent, result, tag, _moment(since), _moment(until))


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ParseError(f"{text[:80]!r} is no date; accepted is one such as 2026-01-31 or 2026-01-31T12:00") from error


def _some(which: Filter, ids: list[int] | None) -> Filter:
    if not ids and not any(vars(which).values()):
        raise ParseError("say which games: their numbers, or options such as --tag")
    return which


def _numbers(store: Store, ids: list[int] | None, which: Filter) -> list[int]:
    """The numbers given, else those of the filter, the oldest first."""
    if ids and any(vars(which).values()):
        raise ParseError("say the numbers of games or what holds for them, not both")
    return list(dict.fromkeys(ids)) if ids else store.records.ids(which)[::-1]


def _named(store: Store, number: int) -> Record:
    return store.records.get(number).record


def _import(store: Store, file: Path, format_name: str | None, tags: list[str]) -> dict[str, Any]:
    from plyground.records.formats import read_file

    report: dict[str, Any] = {"file": str(file), "imported": 0, "known": 0, "broken": [], "notes": [], "error": None}
    try:
        reading = read_file(file, format_name)
    except PlygroundError as error:
        return {**report, "error": str(error)}
    added = store.records.add_all(reading.records, tags=tags)
    new = sum(one.is_new for one in added)
    broken = [{"where": one.where, "reason": one.reason} for one in reading.broken]
    return {**report, "imported": new, "known": len(added) - new, "broken": broken, "notes": list(reading.notes)}


def _print_report(report: dict[str, Any]) -> None:
    if report["error"]:
        typer.echo(report["error"], err=True)
        return
    known, broken = report["known"], report["broken"]
    parts = [f"{_games(report['imported'])} imported"]
    parts += [f"{known} there already"] if known else []
    parts += [f"{len(broken)} broken"] if broken else []
    typer.echo(f"{report['file']}: {', '.join(parts)}.")
    for note in report["notes"]:
        typer.echo(f"  {note}")
    for one in broken[:SHOWN_BROKEN]:
        typer.echo(f"  {one['where']}: {one['reason']}", err=True)
    if len(broken) > SHOWN_BROKEN:
        typer.echo(f"  and {len(broken) - SHOWN_BROKEN} more; --json tells all", err=True)


def _report(kept: Kept) -> dict[str, Any]:
    head = {"id": kept.id, "created": kept.created.isoformat(), "tags": list(kept.tags)}
    return {**head, **to_data(kept.record)}


def _about(kept: Kept) -> list[str]:
    record = kept.record
    lines = [f"Game {kept.id}: {record.game}, {record.outcome or 'unfinished'}"]
    lines += [f"{side}: {player}" for side, player in record.players.items()]
    lines += [f"{name}: {value}" for name, value in record.headers.items()]
    lines += [f"began {record.started}"] if record.started else []
    lines += [f"seed {record.seed}"] if record.seed is not None else []
    lines += [f"from {record.start}"] if record.start else []
    return [*lines, *([f"tags: {', '.join(kept.tags)}"] if kept.tags else [])]


def _print_table(found: list[Kept], total: int) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=f"{len(found)} of {_games(total)}", title_justify="left", title_style="")
    table.add_column("ID", justify="right", no_wrap=True)
    for name in ("Game", "Players", "Result", "Tags"):
        table.add_column(name, overflow="fold")
    table.add_column("Plies", justify="right")
    table.add_column("Stored", no_wrap=True)
    for kept in found:
        record = kept.record
        players = ", ".join(f"{side} {player}" for side, player in record.players.items())
        texts = (record.game, players, str(record.outcome or "unfinished"), ", ".join(kept.tags))
        stored = f"{kept.created:%Y-%m-%d %H:%M}"
        table.add_row(str(kept.id), *map(Text, texts), str(len(record.moves)), stored)
    Console().print(table)
    if len(found) < total:
        typer.echo(f"The next page: --before {found[-1].id}")


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"
