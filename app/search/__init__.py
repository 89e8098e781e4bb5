"""Finds places of the site by words, by names of the API and by pasted messages of errors. Used by app.web; it knows no HTTP."""
