"""Alembic's environment and the migrations of the tables. Only app.classroom.store.migrating calls it."""
