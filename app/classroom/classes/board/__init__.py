"""What a class's board shows: rows, the rule by which somebody is stuck, clusters, one member's work, the matrix of progress."""
