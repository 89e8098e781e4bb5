"""The tables, and the version and triggers of a database that has them. app.classroom uses the tables, the store all of it."""
