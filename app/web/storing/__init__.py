"""Reads and writes learners' work through app.classroom, for the rest of web."""
