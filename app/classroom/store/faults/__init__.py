"""Why the store cannot store or read something, and what is logged of it. Whoever calls the store may catch these exceptions."""
