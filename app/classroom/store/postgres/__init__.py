"""What only PostgreSQL needs: the threads that make changes, the connection that listens, and limits that all web processes share."""
