"""The database: its connections, its changes and its limits. The rest of app.classroom uses it."""
