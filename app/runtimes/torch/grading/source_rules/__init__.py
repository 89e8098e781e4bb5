"""Finds what the source of a submission may not contain, and lines that are allowed but marked because nobody can tell what they do."""
