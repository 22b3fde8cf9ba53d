"""`plyground games`: manages stored games."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyground import ParseError, PlygroundError
from plyground.board_text import draw
from plyground.cli.options import MAX_ID, JsonOption, StoreOption
from plyground.cli.text_table import label, number, print_table, text, without_empty_columns
from plyground.cli.verbs import new_group
from plyground.files import write_text
from plyground.formatting import count_of
from plyground.opening_names import Opening, opening_of
from plyground.records.json import to_data

if TYPE_CHECKING:
    from plyground.store import Filter, Store, StoredRecord
    from plyground.store.records import Records

app = new_group("games")

MAX_FAILURES_SHOWN = 20
"""Maximum number of invalid games printed per file; --json lists all."""

Ids = Annotated[list[int] | None, typer.Argument(metavar="ID", help="Game IDs.", min=1, max=MAX_ID)]
Game = Annotated[
    str | None,
    typer.Option("--game", metavar="GAME", help="Only this game: an ID such as chess, or a complete spec."),
]
Agent = Annotated[str | None, typer.Option("--agent", metavar="SPEC", help="Only games played by this agent.")]
Result = Annotated[
    str | None,
    typer.Option("--result", metavar="RESULT", help="Only games with this result: a winning side, draw or unfinished."),
]
Tag = Annotated[str | None, typer.Option("--tag", metavar="TAG", help="Only games with this tag.")]
Since = Annotated[
    str | None,
    typer.Option("--since", metavar="DATE", help="Only games stored on or after this date (UTC), such as 2026-01-31."),
]
Until = Annotated[str | None, typer.Option("--until", metavar="DATE", help="Only games stored before this date (UTC).")]
FormatName = Annotated[
    str | None,
    typer.Option("--format", metavar="NAME", help="json, pdn or pgn.", show_default="from the file extension"),
]


@app.command("list")
def list_games(
    game: Game = None,
    agent: Agent = None,
    result: Result = None,
    tag: Tag = None,
    since: Since = None,
    until: Until = None,
    limit: Annotated[int, typer.Option(metavar="N", min=1, max=100_000, help="Maximum number of games listed.")] = 20,
    before: Annotated[
        int | None,
        typer.Option(
            metavar="ID", min=1, max=MAX_ID, help="Only games with an ID below this one, to get the next page."
        ),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """List games, newest first."""
    with _open(store) as opened:
        selection = _filter(game, agent, result, tag, since, until)
        games = opened.records.find(selection, limit=limit, before=before)
        total = opened.records.count(selection)
        if total == 0:
            _check_filter(opened.records, selection)
    if as_json:
        typer.echo(json.dumps({"total": total, "games": [_report(stored) for stored in games]}))
    elif not games:
        typer.echo("No games found." if total == 0 else "No more games.")
    else:
        _print_table(games, total)


@app.command("show")
def show_game(
    id: Annotated[int, typer.Argument(metavar="ID", min=1, max=MAX_ID)],  # noqa: A002
    boards: Annotated[bool, typer.Option("--boards", help="Draw the board after every move.")] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print one game."""
    with _open(store) as opened:
        stored = opened.records.get(id)
    if as_json:
        typer.echo(json.dumps(_report(stored)))
        return
    record = stored.record
    for line in _summary(stored):
        typer.echo(line)
    last = record.to_position()
    if not boards:
        typer.echo(f"\n{' '.join(last.history_notation) or 'No moves played.'}\n\n{draw(last)}")
        return
    typer.echo(f"\n{draw(last.replay(0))}")
    for ply, move in enumerate(last.history_notation, start=1):
        typer.echo(f"\n{ply}. {last.replay(ply - 1).turn} plays {move}\n{draw(last.replay(ply))}")


@app.command("import")
def import_games(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="JSON, PDN or PGN files.")],
    format: FormatName = None,  # noqa: A002
    tag: Annotated[list[str] | None, typer.Option(metavar="TAG", help="Add this tag to each game.")] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Import games from files into the store.

    Duplicates are skipped. Invalid games are reported with their location, the others are imported, and the exit
    code is 1.
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
    if any(report["error"] or report["failed"] for report in reports):
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
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    store: StoreOption = None,
) -> None:
    """Export games, oldest first, selected by ID or by the filter options."""
    from plyground.records.formats import format_of

    if output is not None and output.exists() and not force:
        raise ParseError(f"{output} already exists; use --force to overwrite it")
    chosen = format_of(output or Path("-.json"), format)
    with _open(store) as opened:
        selected = _select_ids(opened, ids, _filter(game, agent, result, tag, since, until))
        text = chosen.write(opened.records.get(record_id).record for record_id in selected)
    if output is None:
        typer.echo(text, nl=False)
    else:
        write_text(output, text)
        typer.echo(f"{count_of(len(selected), 'game')} written to {output}.", err=True)


@app.command("delete")
def delete_games(
    ids: Ids = None,
    game: Game = None,
    agent: Agent = None,
    result: Result = None,
    tag: Tag = None,
    since: Since = None,
    until: Until = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    store: StoreOption = None,
) -> None:
    """Delete games selected by ID or by the filter options."""
    with _open(store) as opened:
        selected = _select_ids(opened, ids, _require_selection(_filter(game, agent, result, tag, since, until), ids))
        if not yes and selected:
            if not sys.stdin or not sys.stdin.isatty():
                raise ParseError(f"{count_of(len(selected), 'game')} would be deleted; confirm with --yes")
            typer.confirm(f"Delete {count_of(len(selected), 'game')}?", abort=True)
        opened.records.delete(selected)
    typer.echo(f"{count_of(len(selected), 'game')} deleted.")


@app.command("tag")
def tag_games(
    ids: Ids = None,
    add: Annotated[list[str] | None, typer.Option(metavar="TAG", help="Tag to add.")] = None,
    remove: Annotated[list[str] | None, typer.Option(metavar="TAG", help="Tag to remove.")] = None,
    game: Game = None,
    agent: Agent = None,
    result: Result = None,
    tag: Tag = None,
    since: Since = None,
    until: Until = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add and remove tags. Without --add and --remove, list all tags."""
    with _open(store) as opened:
        if add or remove:
            selected = _select_ids(
                opened, ids, _require_selection(_filter(game, agent, result, tag, since, until), ids)
            )
            opened.records.tag(selected, add=add or [], remove=remove or [])
        tags = opened.records.tags()
    if as_json:
        typer.echo(json.dumps(tags))
    else:
        typer.echo("\n".join(f"{name}: {count_of(count, 'game')}" for name, count in tags.items()) or "No tags.")


def _open(address: str | None) -> Store:
    from plyground.store import Store

    return Store(address)


def _filter(
    game: str | None, agent: str | None, result: str | None, tag: str | None, since: str | None, until: str | None
) -> Filter:
    from plyground.store import Filter

    return Filter(game, agent, result, tag, _parse_date(since), _parse_date(until))


def _check_filter(records: Records, which: Filter) -> None:
    from plyground.cli.game_filter import check_filter

    check_filter(records, which)


def _parse_date(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        date = datetime.fromisoformat(text)
        return date.replace(tzinfo=UTC) if date.tzinfo is None else date.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ParseError(f"invalid date {text[:80]!r}; use a format such as 2026-01-31 or 2026-01-31T12:00") from error


def _require_selection(selection: Filter, ids: list[int] | None) -> Filter:
    if not ids and not any(vars(selection).values()):
        raise ParseError("select games by ID or with options such as --tag")
    return selection


def _select_ids(store: Store, ids: list[int] | None, selection: Filter) -> list[int]:
    """Return the given IDs, or those matching the filter, oldest first."""
    if ids and any(vars(selection).values()):
        raise ParseError("select games either by ID or by filter options, not both")
    if ids:
        return list(dict.fromkeys(ids))
    found = store.records.ids(selection)[::-1]
    if not found:
        _check_filter(store.records, selection)
    return found


def _import(store: Store, file: Path, format_name: str | None, tags: list[str]) -> dict[str, Any]:
    from plyground.records.formats import read_file

    report: dict[str, Any] = {
        "file": str(file),
        "imported": 0,
        "duplicates": 0,
        "failed": [],
        "warnings": [],
        "error": None,
    }
    try:
        reading = read_file(file, format_name)
    except PlygroundError as error:
        return {**report, "error": str(error)}
    added = store.records.add_all(reading.records, tags=tags)
    new = sum(result.is_new for result in added)
    failed = [{"location": failure.place, "reason": failure.reason} for failure in reading.failed]
    return {
        **report,
        "imported": new,
        "duplicates": len(added) - new,
        "failed": failed,
        "warnings": list(reading.warnings),
    }


def _print_report(report: dict[str, Any]) -> None:
    if report["error"]:
        typer.echo(report["error"], err=True)
        return
    duplicates, failed = report["duplicates"], report["failed"]
    parts = [f"{count_of(report['imported'], 'game')} imported"]
    parts += [f"{duplicates} already stored"] if duplicates else []
    parts += [f"{len(failed)} invalid"] if failed else []
    typer.echo(f"{report['file']}: {', '.join(parts)}.")
    for warning in report["warnings"]:
        typer.echo(f"  {warning}")
    for failure in failed[:MAX_FAILURES_SHOWN]:
        typer.echo(f"  {failure['location']}: {failure['reason']}", err=True)
    if len(failed) > MAX_FAILURES_SHOWN:
        typer.echo(f"  and {len(failed) - MAX_FAILURES_SHOWN} more; --json lists all", err=True)


def _opening(stored: StoredRecord) -> Opening | None:
    """Return the opening of a chess game."""
    return opening_of(stored.record.game, stored.record.start, stored.record.moves)


def _report(stored: StoredRecord) -> dict[str, Any]:
    opening = _opening(stored)
    head = {
        "id": stored.id,
        "created": stored.created.isoformat(),
        "tags": list(stored.tags),
        "opening": None if opening is None else {"eco": opening.eco, "name": opening.name},
    }
    return {**head, **to_data(stored.record)}


def _summary(stored: StoredRecord) -> list[str]:
    record = stored.record
    lines = [f"Game {stored.id}: {record.game}, {record.outcome or 'unfinished'}"]
    lines += [f"{side}: {player}" for side, player in record.players.items()]
    lines += [f"opening: {opening.eco} {opening.name}"] if (opening := _opening(stored)) else []
    lines += [f"{name}: {value}" for name, value in record.headers.items()]
    lines += [f"started: {record.started}"] if record.started else []
    lines += [f"seed: {record.seed}"] if record.seed is not None else []
    lines += [f"start position: {record.start}"] if record.start else []
    return [*lines, *([f"tags: {', '.join(stored.tags)}"] if stored.tags else [])]


def _print_table(games: list[StoredRecord], total: int) -> None:
    rows = [
        (
            str(stored.id),
            stored.record.game,
            ", ".join(f"{side} {player}" for side, player in stored.record.players.items()),
            str(stored.record.outcome or "unfinished"),
            "" if (opening := _opening(stored)) is None else f"{opening.eco} {opening.name}",
            ", ".join(stored.tags),
            str(len(stored.record.moves)),
            f"{stored.created:%Y-%m-%d %H:%M}",
        )
        for stored in games
    ]
    columns = (
        number("ID"),
        text("Game"),
        text("Players"),
        text("Result"),
        text("Opening"),
        text("Tags"),
        number("Plies"),
        label("Stored"),
    )
    print_table(*without_empty_columns(columns, rows), title=f"{len(games)} of {count_of(total, 'game')}")
    if len(games) < total:
        typer.echo(f"Next page: --before {games[-1].id}")
