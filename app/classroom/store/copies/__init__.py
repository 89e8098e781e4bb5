"""Copies of a whole database: backups, and the move to PostgreSQL. Only commands use it."""
