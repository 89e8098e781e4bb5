"""The exceptions of classes. Web maps each to an answer.

ClassFault
├── NoClass              there is no such class, or the person does not teach it
│   └── NoMember         there is no such member or note in the class
├── AssistantOnly        only an instructor of the class may do this, and the person is an assistant
├── WrongCode            nothing has this code
├── CodeTooEarly         after wrong codes, an address must wait before it sends the next one
├── JoiningClosed        nobody can join the class now
├── ClassFull            the class has as many members as a class can have
├── NumberNeeded         the class asks for a student number
├── NumberTaken          another member of the class has this number
├── BadClassValue        a value is wrong
└── BadRoster            a line of a roster is wrong
"""


class ClassFault(Exception):
    """A request about a class cannot be fulfilled."""


class NoClass(ClassFault):
    """There is no such class, or the person neither teaches it nor is in it."""


class NoMember(NoClass):
    """There is no such member, or no such note, in the class."""


class AssistantOnly(ClassFault):
    """Only an instructor of the class may do this, and the person is an assistant."""


class WrongCode(ClassFault):
    """No class has this join code, or no member this resume code."""


class CodeTooEarly(ClassFault):
    """After wrong codes, an address must wait `seconds` before it sends the next one."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class JoiningClosed(ClassFault):
    """The code is right, but nobody can join the class now."""


class ClassFull(ClassFault):
    """The class has as many members as a class can have."""


class NumberNeeded(ClassFault):
    """The class asks for a student number."""


class NumberTaken(ClassFault):
    """Another member of the class has this number."""


class BadClassValue(ClassFault, ValueError):
    """A value is wrong. `expected` is a msgid that completes the phrase "expected …". It is formatted with `values`."""

    def __init__(self, field: str, expected: str, **values: object) -> None:
        super().__init__(f"{field}: expected {expected.format(**values)}")
        self.field, self.expected, self.values = field, expected, values


class BadRoster(BadClassValue):
    """A line of a roster is wrong. `line` counts from 1."""

    def __init__(self, line: int, expected: str, **values: object) -> None:
        super().__init__("roster", expected, **values)
        self.line = line
