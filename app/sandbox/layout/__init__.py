"""The layout process, which is confined like a child: it lays out graphs and copies PNGs."""
