"""The work of learners that is stored. app.web and app.serving call this package, which knows nothing of HTTP."""
