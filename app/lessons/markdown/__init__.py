"""Turns Markdown into HTML and into the parts of a lesson. Called by the packages of app.lessons that read texts."""
