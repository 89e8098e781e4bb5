"""Checks lessons by running their cells, predictions, edits and exercises, and compares what was shown with what is declared."""
