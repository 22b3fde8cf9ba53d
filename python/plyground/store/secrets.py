"""Secrets that a server generates once and keeps in the store."""

from __future__ import annotations

import secrets

from sqlalchemy import select

from plyground.store.database import Database, insert_new
from plyground.store.models import SecretRow

SECRET_BYTES = 32


class Secrets:
    """Random strings by name. Servers that share a store share its secrets."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, name: str) -> str:
        """Return a secret, generating it on first use."""
        query = select(SecretRow.value).where(SecretRow.name == name)
        with self._database.reading() as session:
            found = session.scalar(query)
        if found is not None:
            return found
        with self._database.writing() as session:
            insert_new(session, SecretRow, ["name"], [{"name": name, "value": secrets.token_urlsafe(SECRET_BYTES)}])
            return session.scalars(query).one()
