"""Reads the course from the folder lessons/ and checks it. Called by app.web and app.authoring. It runs no code of lessons."""
