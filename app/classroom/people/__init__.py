"""People who sign in: their names, passwords, links and sessions, and the audit table. It knows no HTTP; functions take a Connection."""
