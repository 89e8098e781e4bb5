"""The tables of the database, their version, and their triggers. app.classroom uses the tables; the store uses all of it."""
