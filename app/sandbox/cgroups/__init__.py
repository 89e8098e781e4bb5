"""Control groups: where they may be made, and one for each slot."""
