"""Checks lessons: runs their cells, suggested edits and exercises, and compares the results with what the lessons declare."""
