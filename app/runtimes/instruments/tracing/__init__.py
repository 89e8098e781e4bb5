"""What the instruments named `trace` of several frameworks share."""
