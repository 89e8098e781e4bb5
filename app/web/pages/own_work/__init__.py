"""What pages show of a learner's own stored work, and the page "My work". Other pages of app.web.pages use it, too."""
