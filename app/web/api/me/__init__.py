"""The routes below `/api/me`: what is stored of a learner. Called by the app."""
