"""What only SQLite needs: one thread that makes all changes, and the upkeep of the file and its log."""
