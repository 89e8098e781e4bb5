"""Observes matplotlib and draws its figures for the page. Called by the runtimes."""
