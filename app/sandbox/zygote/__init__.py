"""Inside a zygote: imports one framework, forks children, most of them before a run needs one, and finds out what its host allows."""
