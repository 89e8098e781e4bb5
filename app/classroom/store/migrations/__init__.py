"""Alembic's environment, and the changes of the tables from version to version. Only app.classroom.store.migrating calls it."""
