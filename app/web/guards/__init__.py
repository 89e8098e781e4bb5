"""Who is asking, how often, and over how many connections."""
