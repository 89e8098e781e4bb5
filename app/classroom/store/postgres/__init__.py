"""What only PostgreSQL needs: threads that make changes, and limits that hold for all web processes together."""
