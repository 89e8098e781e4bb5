"""Alembic's entry: runs migrations on the connection that `migrating` gives it, all of them in one transaction."""

from alembic import context

from app.classroom.store.schema.tables import StoreTable

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=StoreTable.metadata,
    render_as_batch=True,  # SQLite changes a table by replacing it
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
