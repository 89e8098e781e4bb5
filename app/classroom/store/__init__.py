"""The database: its tables, its connections, its faults, its limits, its backups and its migrations. The rest of app.classroom uses it."""
