"""Migrates the tables: Alembic's environment, the migrations, and the module that runs them. Commands use it, and no server."""
