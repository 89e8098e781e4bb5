"""Migrates the tables: Alembic's environment, the migrations, and the module that runs them. Only commands use it."""
