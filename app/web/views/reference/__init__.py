"""What the templates of the reference get: pitfalls, and what works here. Called by the pages."""
