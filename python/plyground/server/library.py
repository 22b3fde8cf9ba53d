"""The games that a visitor has played or imported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath

from plyground.errors import ParseError, PlygroundError, UnknownNameError
from plyground.records.formats import FORMATS
from plyground.records.reading import Reading
from plyground.server.reading import guess_format, spellings
from plyground.server.record_views import check_known, record_brief, record_view
from plyground.server.views.library import (
    BrokenGame,
    FileReport,
    ImportedFile,
    ImportReport,
    ImportWanted,
    LibraryPage,
    RecordView,
)
from plyground.store import Filter, Kept, Store


class Library:
    """Finds, takes in, tags and deletes games of visitors. Games without an owner are everybody's to see."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def page(self, visitor: str, which: Filter, text: str, *, before: int | None, limit: int) -> LibraryPage:
        """A visitor's games that a filter and a text let through, or those of a tournament."""
        owner = visitor if which.tournament is None else None
        chosen = replace(which, owner=owner, texts=spellings(text, which.game) if text.strip() else ())
        found = self._store.records.find(chosen, limit=limit + 1, before=before)
        shown = found[:limit]
        return LibraryPage(
            games=[record_brief(kept, visitor) for kept in shown],
            total=self._store.records.count(chosen),
            before=shown[-1].id if len(found) > limit else None,
            tags=self._store.records.tags(visitor),
        )

    def get(self, visitor: str, number: int) -> Kept:
        """A game that a visitor may see: an own one, or one of a tournament or of the command line."""
        kept = self._store.records.get(number)
        if kept.owner not in (None, visitor):
            raise UnknownNameError(f"no game has the number {number}")
        check_known(kept.record)
        return kept

    def view(self, visitor: str, number: int) -> RecordView:
        """A game with its moves."""
        kept = self.get(visitor, number)
        return record_view(kept.record, kept, visitor)

    def own(self, visitor: str, number: int) -> Kept:
        """A game that a visitor may change."""
        kept = self._store.records.get(number)
        if kept.owner != visitor:
            raise UnknownNameError(f"no game of yours has the number {number}")
        return kept

    def tag(self, visitor: str, number: int, tags: list[str]) -> RecordView:
        """Put these tags on a game in the place of those it had."""
        old = self.own(visitor, number).tags
        self._store.records.tag([number], add=tags, remove=[tag for tag in old if tag not in tags])
        return self.view(visitor, number)

    def delete(self, visitor: str, numbers: list[int]) -> None:
        """Forget games, all or none."""
        for number in numbers:
            self.own(visitor, number)
        self._store.records.delete(numbers)

    def take(self, visitor: str, wanted: ImportWanted) -> ImportReport:
        """Take files in; what is wrong with one is told and leaves the others alone."""
        return ImportReport(files=[self._take(visitor, file, wanted.tags) for file in wanted.files])

    def _take(self, visitor: str, file: ImportedFile, tags: list[str]) -> FileReport:
        report = FileReport(name=file.name, added=[], already=[], broken=[], notes=[])
        try:
            reading = _read(file)
            added = self._store.records.add_all(reading.records, tags=tags, owner=visitor)
        except PlygroundError as error:
            report.error = str(error)
            return report
        report.added = [one.id for one in added if one.is_new]
        report.already = [one.id for one in added if not one.is_new]
        report.broken = [BrokenGame(where=one.where, reason=one.reason) for one in reading.broken]
        report.notes = list(reading.notes)
        return report


def _read(file: ImportedFile) -> Reading:
    suffix = PurePath(file.name).suffix.lower().removeprefix(".")
    chosen = FORMATS.get(suffix) or guess_format(file.text)
    if chosen is None:
        raise ParseError(f"{file.name}: it is no file of games; accepted are {', '.join(FORMATS)}")
    return chosen.read(file.text)
