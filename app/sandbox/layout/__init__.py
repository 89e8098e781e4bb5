"""Runs in the layout process, which is confined like a child: draws graphs, copies PNGs."""
