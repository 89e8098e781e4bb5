"""Answers, errors, languages and files, for all routes."""
