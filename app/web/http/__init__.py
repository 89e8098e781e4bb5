"""Answers, errors, languages and static files, for all routes."""
