"""The board of a class: its rows, the rule that decides who is stuck, clusters, one member's work, and the matrix of progress."""
