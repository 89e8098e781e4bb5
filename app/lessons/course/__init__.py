"""Whole lessons, and the courses that contain them: the outline, and the catalogue from which app.web gets lessons."""
