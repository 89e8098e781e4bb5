"""What the source of a submission may not contain, and what is marked in it."""
