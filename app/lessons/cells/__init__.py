"""Cells: their tables and code, what a run of a cell is declared to show, suggested edits, and recorded results."""
