"""What a child does from the fork to the first line of the program."""
