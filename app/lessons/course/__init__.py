"""Lessons as a whole, and several of them as a course: the outline, and the catalogue that web asks."""
