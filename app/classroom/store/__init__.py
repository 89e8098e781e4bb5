"""The database: its connections, its changes and its limits. Each part below has one idea. The rest of app.classroom uses it."""
