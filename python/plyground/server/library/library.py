"""Stored games: those a visitor has played or imported, and tournament games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import PurePath

from plyground.errors import ParseError, PlygroundError, UnknownNameError
from plyground.games import game as make_game
from plyground.records import HUMAN, Record
from plyground.records.formats import FORMATS, common_formats
from plyground.records.parsed_games import ParsedGames
from plyground.server.errors import TooManyError
from plyground.server.library.models import (
    AnnotationsRequest,
    FileReport,
    ImportedFile,
    ImportReport,
    ImportRequest,
    LibraryExportRequest,
    LibraryPage,
    OpponentView,
    RecordView,
    TagChangeRequest,
    TournamentRef,
)
from plyground.server.library.parsing import detect_format, failed_game, search_texts
from plyground.server.library.views import check_registered, record_brief, record_view
from plyground.server.models import Format
from plyground.server.positions.trees import check_size, line_from_data
from plyground.store import AddResult, Filter, Store, StoredRecord

STOPPED = "the import was stopped"
BATCH_SIZE = 200
"""Number of games that an import stores per transaction, which blocks all other writes."""

MAX_EXPORT = 10_000
"""Maximum number of games in an exported file."""


class Library:
    """Finds, imports, tags and deletes stored games. Every visitor can see games without an owner."""

    def __init__(self, store: Store, max_games: int) -> None:
        """`max_games` is the maximum number of games in a visitor's library after an import."""
        self._store = store
        self._max_games = max_games

    def page(self, visitor: str, which: Filter, text: str, *, before: str | None, limit: int) -> LibraryPage:
        """Return a page of the visitor's games, or of a tournament's games, that match a filter and a search string."""
        chosen = self._selection(visitor, which, text)
        before_id = None if before is None else self._store.records.ids_of([before])[0]
        found = self._store.records.find(chosen, limit=limit + 1, before=before_id)
        shown = found[:limit]
        return LibraryPage(
            games=[record_brief(stored, visitor) for stored in shown],
            total=self._store.records.count(chosen),
            before=shown[-1].public_id if len(found) > limit else None,
            tags=self._store.records.tags(visitor),
            formats=common_formats(self._store.records.games(chosen)),
        )

    def opponents(self, visitor: str) -> list[OpponentView]:
        """Return the players in the visitor's games except the visitor, most games first."""
        players = self._store.records.players(Filter(owner=visitor))
        return [OpponentView(name=name, games=games) for name, games in players.items() if name != HUMAN]

    def exported(self, visitor: str, record_id: str, file_format: Format) -> Record:
        """Return a game for export; for PDN and PGN, with the names of the tournament and its players."""
        return self._for_file(self.get(visitor, record_id), file_format)

    def selected(self, visitor: str, which: Filter, request: LibraryExportRequest) -> Iterator[Record]:
        """Yield the games with the requested IDs or, without IDs, the visitor's games that match a filter."""
        if request.ids is not None:
            return (self.exported(visitor, record_id, request.format) for record_id in request.ids)
        ids = self._store.records.ids(self._selection(visitor, which, request.text))
        if len(ids) > MAX_EXPORT:
            raise TooManyError(f"at most {MAX_EXPORT} games can be exported at once, got {len(ids)}; narrow the filter")
        return (self._for_file(self._store.records.get(record_id), request.format) for record_id in ids)

    def _for_file(self, stored: StoredRecord, file_format: Format) -> Record:
        tournament = None if file_format == "json" else self.tournament(stored)
        if tournament is None:
            return stored.record
        headers = {"Event": tournament.name, **stored.record.headers}
        return replace(stored.record, players={**stored.record.players, **tournament.players}, headers=headers)

    def _selection(self, visitor: str, which: Filter, text: str) -> Filter:
        owner = visitor if which.tournament is None else None
        return replace(which, owner=owner, texts=search_texts(text, which.game) if text.strip() else ())

    def get(self, visitor: str, record_id: str) -> StoredRecord:
        """Return a game the visitor may see: their own, or one without an owner whose ID they know."""
        stored = self._store.records.get(self._store.records.ids_of([record_id])[0])
        if stored.owner not in (None, visitor):
            raise UnknownNameError(f"game {record_id!r} not found")
        check_registered(stored.record)
        return stored

    def view(self, visitor: str, record_id: str) -> RecordView:
        """Return a game with its moves."""
        stored = self.get(visitor, record_id)
        return record_view(stored.record, stored, visitor, self.tournament(stored))

    def tournament(self, stored: StoredRecord) -> TournamentRef | None:
        """Return the tournament in which a game was played."""
        found = self._store.tournaments.of_record(stored.id) if stored.owner is None else None
        if found is None:
            return None
        tournament, payload = found
        entrants = [one["name"] for one in tournament.settings.get("agents", [])]
        sides = make_game(stored.record.game).sides
        players = {
            side: entrants[index]
            for side, index in zip(sides, payload.get("agents", ()), strict=False)
            if 0 <= index < len(entrants)
        }
        return TournamentRef(name=tournament.name, players=players)

    def tag(self, visitor: str, record_id: str, tags: list[str]) -> RecordView:
        """Replace the tags of a game."""
        ids = self._store.records.ids_of([record_id], owner=visitor)
        old = self._store.records.get(ids[0]).tags
        self._store.records.tag(ids, add=tags, remove=[tag for tag in old if tag not in tags])
        return self.view(visitor, record_id)

    def annotate(self, visitor: str, record_id: str, request: AnnotationsRequest) -> RecordView:
        """Replace the comments, NAGs and variations of a game."""
        check_size(request)
        (stored_id,) = self._store.records.ids_of([record_id], owner=visitor)
        record, line = self._store.records.get(stored_id).record, line_from_data(request)
        if line.moves != record.moves:
            raise ParseError(f"moves must be the {len(record.moves)} moves of the stored game")
        self._store.records.replace(stored_id, replace(record, notes=line.notes, variations=line.variations))
        return self.view(visitor, record_id)

    def change_tags(self, visitor: str, request: TagChangeRequest) -> None:
        """Add and remove tags; if any of the games is not found, none is changed."""
        ids = self._store.records.ids_of(request.ids, owner=visitor)
        self._store.records.tag(ids, add=request.add, remove=request.remove)

    def delete(self, visitor: str, record_ids: list[str]) -> None:
        """Delete games; if any of them is not found, none is deleted."""
        self._store.records.delete(self._store.records.ids_of(record_ids, owner=visitor))

    def import_files(
        self, visitor: str, request: ImportRequest, is_stopped: Callable[[], bool] = lambda: False
    ) -> ImportReport:
        """Import files. A file or game with errors does not affect the others."""
        return ImportReport(files=[self._import(visitor, file, request.tags, is_stopped) for file in request.files])

    def _check_space(self, visitor: str, new_games: int) -> None:
        stored = self._store.records.count(Filter(owner=visitor))
        if stored + new_games > self._max_games:
            raise TooManyError(
                f"your library has {stored} games, so {new_games} more would exceed the limit of {self._max_games}; "
                "delete games first"
            )

    def _import(self, visitor: str, file: ImportedFile, tags: list[str], is_stopped: Callable[[], bool]) -> FileReport:
        report = FileReport(name=file.name, added=[], duplicates=[], failed=[], warnings=[])
        if is_stopped():
            report.error = STOPPED
            return report
        try:
            parsed = _parse(file)
            self._check_space(visitor, len(parsed.records))
            added: list[AddResult] = []
            for start in range(0, len(parsed.records), BATCH_SIZE):
                if is_stopped():
                    report.error = f"{STOPPED} after {start} of {len(parsed.records)} games"
                    break
                batch = parsed.records[start : start + BATCH_SIZE]
                added += self._store.records.add_all(batch, tags=tags, owner=visitor)
        except PlygroundError as error:
            report.error = str(error)
            return report
        report.added = [one.public_id for one in added if one.is_new]
        report.duplicates = [one.public_id for one in added if not one.is_new]
        report.failed = [failed_game(one) for one in parsed.failed]
        report.warnings = list(parsed.warnings)
        return report


def _parse(file: ImportedFile) -> ParsedGames:
    suffix = PurePath(file.name).suffix.lower().removeprefix(".")
    file_format = FORMATS.get(suffix) or detect_format(file.text)
    if file_format is None:
        raise ParseError(f"{file.name}: unknown file format; supported formats: {', '.join(FORMATS)}")
    return file_format.read(file.text)
