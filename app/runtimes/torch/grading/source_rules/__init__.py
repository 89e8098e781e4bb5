"""Finds what a submission's source must not contain, and marks lines whose effect nobody can tell from the source."""
