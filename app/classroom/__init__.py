"""What is stored of learners. Called by app.web and app.serving; knows nothing of HTTP."""
