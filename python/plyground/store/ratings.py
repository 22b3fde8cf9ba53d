"""Ratings in the store."""

from __future__ import annotations

import math
from collections.abc import Iterable

from sqlalchemy import delete, select

from plyground.errors import ParseError
from plyground.store.database import Database
from plyground.store.entries import Rating
from plyground.store.models import RatingRow
from plyground.store.records import agent_numbers


class Ratings:
    """What agents are worth in a pool: a tournament's name, or any other word for who was compared with whom."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, pool: str, game: str, ratings: Iterable[Rating]) -> None:
        """Put these in the place of all that the pool had for the game."""
        new = list(ratings)
        for one in new:
            if not all(map(math.isfinite, (one.rating, one.low, one.high))):
                raise ParseError(f"the rating of {one.agent[:80]} is {one.rating}; accepted are finite numbers")
        with self._database.writing() as session:
            session.execute(delete(RatingRow).where(RatingRow.pool == pool, RatingRow.game == game))
            agents = agent_numbers(session, {one.agent for one in new})
            session.add_all(
                RatingRow(
                    pool=pool,
                    game=game,
                    agent_id=agents[one.agent],
                    rating=one.rating,
                    low=one.low,
                    high=one.high,
                    games=one.games,
                )
                for one in new
            )

    def get(self, pool: str, game: str) -> list[Rating]:
        """The ratings of a pool, the best first; none where it has none."""
        query = select(RatingRow).where(RatingRow.pool == pool, RatingRow.game == game)
        with self._database.reading() as session:
            rows = session.scalars(query.order_by(RatingRow.rating.desc(), RatingRow.agent_id))
            return [Rating(row.agent.spec, row.rating, row.low, row.high, row.games) for row in rows]
