"""What is stored of learners. app.web and app.serving call it; it knows nothing of HTTP."""
