"""One run, also that of a submission, from its ticket to its result: it takes a child, talks to it, has pictures drawn, explains errors."""
