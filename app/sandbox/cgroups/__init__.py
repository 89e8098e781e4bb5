"""Finds where this process may make control groups, and makes one for each slot."""
