"""Cells: their tables and files, what they declare that they show, try-its, and recorded results."""
