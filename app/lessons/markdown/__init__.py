"""Parses the Markdown of texts, checks it, renders it as HTML, and finds its directives. Called by the other packages of app.lessons."""
