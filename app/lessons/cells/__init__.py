"""Cells: their tables and files, what they are declared to show, edits to try, and recorded results."""
