"""The course as data, read from the folder lessons/. Called by app.web and app.authoring; runs nothing."""
