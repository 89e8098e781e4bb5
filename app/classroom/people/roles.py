"""The roles of people on a server. app.web.guards.access says what each role may do."""

from enum import StrEnum


class Role(StrEnum):
    """A role. People who sign in have one of the first three; a learner is a browser with a learner's cookie."""

    OPERATOR = "operator"
    INSTRUCTOR = "instructor"
    ASSISTANT = "assistant"
    LEARNER = "learner"
    ANONYMOUS = "anonymous"
