"""What Alembic runs: migrations on the connection, and in the transaction, of whoever asks."""

from alembic import context

from plyground.store.migrate import VERSION_TABLE
from plyground.store.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    version_table=VERSION_TABLE,
)
context.run_migrations()
