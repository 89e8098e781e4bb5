"""The rules, grouped by what they are about. Each takes the tree of a program and yields what it finds."""
