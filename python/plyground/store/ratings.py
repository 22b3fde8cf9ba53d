"""Ratings in the store."""

from __future__ import annotations

import math
from collections.abc import Iterable

from sqlalchemy import delete, select

from plyground.errors import ParseError
from plyground.store.database import Database
from plyground.store.entries import Rating
from plyground.store.models import RatingRow
from plyground.store.records import agent_ids


class Ratings:
    """Ratings of agents within pools. A pool is usually a tournament and has its name."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, pool: str, game: str, ratings: Iterable[Rating]) -> None:
        """Replace all ratings of a pool for a game."""
        new = list(ratings)
        for rating in new:
            if not all(map(math.isfinite, (rating.rating, rating.low, rating.high))):
                raise ParseError(
                    f"the rating of {rating.agent[:80]} and its interval must be finite, "
                    f"got {rating.rating} ({rating.low} to {rating.high})"
                )
        with self._database.writing() as session:
            session.execute(delete(RatingRow).where(RatingRow.pool == pool, RatingRow.game == game))
            agents = agent_ids(session, {rating.agent for rating in new})
            session.add_all(
                RatingRow(
                    pool=pool,
                    game=game,
                    agent_id=agents[rating.agent],
                    rating=rating.rating,
                    low=rating.low,
                    high=rating.high,
                    games=rating.games,
                )
                for rating in new
            )

    def get(self, pool: str, game: str) -> list[Rating]:
        """Return the ratings of a pool for a game, highest first."""
        query = select(RatingRow).where(RatingRow.pool == pool, RatingRow.game == game)
        with self._database.reading() as session:
            rows = session.scalars(query.order_by(RatingRow.rating.desc(), RatingRow.agent_id))
            return [Rating(row.agent.spec, row.rating, row.low, row.high, row.games) for row in rows]
