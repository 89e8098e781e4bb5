"""The process of one run, from the fork to the first line of the program."""
