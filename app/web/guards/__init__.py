"""Who sends a request, how often they may, over how many connections, and how much they may store."""
