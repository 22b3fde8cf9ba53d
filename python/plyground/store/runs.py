"""Training runs in the store: settings, metrics and checkpoints."""

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
from plyground.store.database import Database, replace_rows
from plyground.store.entries import Checkpoint, Metric, Run
from plyground.store.models import CheckpointRow, MetricRow, RunRow


class Runs:
    """Creates, updates and finds training runs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, method: str, game: str, settings: Mapping[str, Any], seed: int) -> Run:
        """Store a new run."""
        row = RunRow(method=method, game=game, settings=to_json(dict(settings)), seed=seed, created=datetime.now(UTC))
        with self._database.writing() as session:
            session.add(row)
            session.flush()
            return _to_run(row)

    def finish(self, run: int) -> Run:
        """Mark a run as finished."""
        with self._database.writing() as session:
            row = _row(session, run)
            row.finished = datetime.now(UTC)
            return _to_run(row)

    def get(self, run: int) -> Run:
        """Return a run by id."""
        with self._database.reading() as session:
            return _to_run(_row(session, run))

    def all(self) -> list[Run]:
        """Return all runs, newest first."""
        with self._database.reading() as session:
            return [_to_run(row) for row in session.scalars(select(RunRow).order_by(RunRow.id.desc()))]

    def save(self, run: int, metrics: Iterable[Metric] = (), checkpoints: Iterable[Checkpoint] = ()) -> None:
        """Store metrics and checkpoints in one transaction, replacing those of the same steps.

        A resumed run saves the same ones again.
        """
        metric_rows, checkpoint_rows = [], []
        for (name, step), value in {(metric.name, metric.step): metric.value for metric in metrics}.items():
            if not math.isfinite(value):
                raise ParseError(f"metric {name[:80]} at step {step} must be finite, got {value}")
            metric_rows.append({"run_id": run, "name": name, "step": step, "value": value})
        for one in checkpoints:
            if (one.path is None) == (one.data is None):
                raise ParseError("a checkpoint must have either a path or data")
            values = {"header": to_json(dict(one.header)), "path": one.path, "data": one.data}
            checkpoint_rows.append({"run_id": run, "step": one.step, **values})
        with self._database.writing() as session:
            _row(session, run)
            replace_rows(session, MetricRow, ("run_id", "name", "step"), metric_rows)
            replace_rows(session, CheckpointRow, ("run_id", "step"), checkpoint_rows)

    def metrics(self, run: int, name: str | None = None) -> list[Metric]:
        """Return the metrics of a run, ordered by name and step."""
        query = select(MetricRow).where(MetricRow.run_id == run).order_by(MetricRow.name, MetricRow.step)
        if name is not None:
            query = query.where(MetricRow.name == name)
        with self._database.reading() as session:
            _row(session, run)
            return [Metric(row.step, row.name, row.value) for row in session.scalars(query)]

    def checkpoint(self, run: int, step: int | None = None) -> Checkpoint:
        """Return the checkpoint at a step, by default the latest."""
        query = select(CheckpointRow).where(CheckpointRow.run_id == run).order_by(CheckpointRow.step.desc())
        if step is not None:
            query = query.where(CheckpointRow.step == step)
        with self._database.reading() as session:
            row = session.scalars(query.limit(1)).first()
            if row is None:
                raise UnknownNameError(f"run {run} has no checkpoint{'' if step is None else f' at step {step}'}")
            return Checkpoint(row.step, json.loads(row.header), row.path, row.data)

    def steps(self, run: int) -> list[int]:
        """Return the steps of all checkpoints of a run, in ascending order."""
        with self._database.reading() as session:
            return list(
                session.scalars(
                    select(CheckpointRow.step).where(CheckpointRow.run_id == run).order_by(CheckpointRow.step)
                )
            )

    def delete(self, run: int) -> None:
        """Delete a run with its metrics and checkpoints, but not the files of its checkpoints."""
        with self._database.writing() as session:
            session.execute(delete(RunRow).where(RunRow.id == _row(session, run).id))


def _row(session: Session, run: int) -> RunRow:
    row = session.get(RunRow, run) if 0 < run < 2**63 else None
    if row is None:
        raise UnknownNameError(f"training run {run} not found")
    return row


def _to_run(row: RunRow) -> Run:
    return Run(row.id, row.method, row.game, json.loads(row.settings), row.seed, row.created, row.finished)
