"""The pages for looking things up: reference, pitfalls and search. app.main includes their routes."""
