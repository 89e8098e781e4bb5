"""Reads TOML and other files, and reports problems with file and line. Called by the rest of app.lessons and by app.authoring."""
