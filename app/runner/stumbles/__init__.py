"""Common mistakes, recognised in a program's source and its error, each with its words."""
