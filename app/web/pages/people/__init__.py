"""The pages on which people sign in, change their account, or operate the server. app.main includes their routes."""
