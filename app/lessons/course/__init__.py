"""Whole lessons, and the courses that they make up: the outline, and the catalogue that app.web asks."""
