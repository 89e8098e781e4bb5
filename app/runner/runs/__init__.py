"""One run, from its ticket to its result: it takes a child, talks to it, has pictures drawn, and explains a common mistake."""
