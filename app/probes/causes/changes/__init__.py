"""Small changes of a syntax tree, each of which undoes one kind of mistake."""
