"""Training runs in the store: what they were asked, what they reported, what they learned."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from plyground.errors import ParseError, UnknownNameError
from plyground.store.data import to_json
from plyground.store.database import Database
from plyground.store.entries import Checkpoint, Metric, Run
from plyground.store.models import CheckpointRow, MetricRow, RunRow


class Runs:
    """Beginning, following and ending training runs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, method: str, game: str, settings: Mapping[str, Any], seed: int) -> Run:
        """A new run."""
        row = RunRow(method=method, game=game, settings=to_json(dict(settings)), seed=seed, created=datetime.now(UTC))
        with self._database.writing() as session:
            session.add(row)
            session.flush()
            return _told(row)

    def finish(self, run: int) -> Run:
        """Say that a run ended."""
        with self._database.writing() as session:
            row = _row(session, run)
            row.finished = datetime.now(UTC)
            return _told(row)

    def get(self, run: int) -> Run:
        """A run by its number."""
        with self._database.reading() as session:
            return _told(_row(session, run))

    def all(self) -> list[Run]:
        """Every run, the newest first."""
        with self._database.reading() as session:
            return [_told(row) for row in session.scalars(select(RunRow).order_by(RunRow.id.desc()))]

    def report(self, run: int, metrics: Iterable[Metric]) -> None:
        """Keep numbers; one of the same step and name is replaced, as when a run goes on from a checkpoint."""
        new = {(one.name, one.step): one.value for one in metrics}
        for (name, step), value in new.items():
            if not math.isfinite(value):
                raise ParseError(f"metric {name[:80]} of step {step} is {value}; accepted are finite numbers")
        with self._database.writing() as session:
            _row(session, run)
            for (name, step), value in new.items():
                session.merge(MetricRow(run_id=run, name=name, step=step, value=value))

    def metrics(self, run: int, name: str | None = None) -> list[Metric]:
        """What a run reported, by name and step."""
        query = select(MetricRow).where(MetricRow.run_id == run).order_by(MetricRow.name, MetricRow.step)
        if name is not None:
            query = query.where(MetricRow.name == name)
        with self._database.reading() as session:
            _row(session, run)
            return [Metric(row.step, row.name, row.value) for row in session.scalars(query)]

    def keep(self, run: int, checkpoint: Checkpoint) -> None:
        """Keep learned parameters, in the place of those of the same step."""
        if (checkpoint.path is None) == (checkpoint.data is None):
            raise ParseError("a checkpoint has either the path of its file or its data")
        with self._database.writing() as session:
            _row(session, run)
            session.merge(
                CheckpointRow(
                    run_id=run,
                    step=checkpoint.step,
                    header=to_json(dict(checkpoint.header)),
                    path=checkpoint.path,
                    data=checkpoint.data,
                )
            )

    def checkpoint(self, run: int, step: int | None = None) -> Checkpoint:
        """Learned parameters of a step, else the latest ones."""
        query = select(CheckpointRow).where(CheckpointRow.run_id == run).order_by(CheckpointRow.step.desc())
        if step is not None:
            query = query.where(CheckpointRow.step == step)
        with self._database.reading() as session:
            row = session.scalars(query.limit(1)).first()
            if row is None:
                raise UnknownNameError(f"run {run} has no checkpoint{'' if step is None else f' of step {step}'}")
            return Checkpoint(row.step, json.loads(row.header), row.path, row.data)

    def steps(self, run: int) -> list[int]:
        """The steps of which there are checkpoints."""
        with self._database.reading() as session:
            return list(
                session.scalars(
                    select(CheckpointRow.step).where(CheckpointRow.run_id == run).order_by(CheckpointRow.step)
                )
            )

    def delete(self, run: int) -> None:
        """Forget a run and everything of it; files of checkpoints stay."""
        with self._database.writing() as session:
            session.execute(delete(RunRow).where(RunRow.id == _row(session, run).id))


def _row(session: Session, run: int) -> RunRow:
    row = session.get(RunRow, run) if 0 < run < 2**63 else None
    if row is None:
        raise UnknownNameError(f"no training run has the number {run}")
    return row


def _told(row: RunRow) -> Run:
    return Run(row.id, row.method, row.game, json.loads(row.settings), row.seed, row.created, row.finished)
