"""Exercises: their tables, files, texts and promises."""
