"""The pages on which people sign in, look after their account, or operate the server. app.main includes their routes."""
