"""The exceptions of classes. Web maps each to an answer.

ClassFault
├── NoClass              there is no such class, or who asks does not teach it
│   └── NoMember         there is no such member or note in the class
├── AssistantOnly        who asks is an assistant of the class, who sees and helps, and changes nothing
├── WrongCode            nothing has this code
├── CodeTooEarly         after wrong codes from an address, the next one must wait
├── JoiningClosed        nobody can join the class now
├── ClassFull            the class has as many members as a class can have
├── NumberNeeded         the class asks for a student number
├── NumberTaken          another member of the class has this number
├── BadClassValue        a value is wrong
└── BadRoster            a line of a roster is wrong
"""


class ClassFault(Exception):
    """What is asked of a class cannot be done."""


class NoClass(ClassFault):
    """There is no such class, or who asks does not teach it and is not in it."""


class NoMember(NoClass):
    """There is no such member, or no such note, in the class."""


class AssistantOnly(ClassFault):
    """Who asks is an assistant of the class, who sees and helps, and changes nothing."""


class WrongCode(ClassFault):
    """No class has this join code, or no member this resume code."""


class CodeTooEarly(ClassFault):
    """After wrong codes from an address, the next one must wait for so many seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class JoiningClosed(ClassFault):
    """The code is right, and nobody can join the class now."""


class ClassFull(ClassFault):
    """The class has as many members as a class can have."""


class NumberNeeded(ClassFault):
    """The class asks for a student number."""


class NumberTaken(ClassFault):
    """Another member of the class has this number."""


class BadClassValue(ClassFault, ValueError):
    """A value is wrong. `expected` is a msgid that completes the phrase "expected …", in which the names of `values` are filled in."""

    def __init__(self, field: str, expected: str, **values: object) -> None:
        super().__init__(f"{field}: expected {expected.format(**values)}")
        self.field, self.expected, self.values = field, expected, values


class BadRoster(BadClassValue):
    """A line of a roster is wrong. `line` counts from 1."""

    def __init__(self, line: int, expected: str, **values: object) -> None:
        super().__init__("roster", expected, **values)
        self.line = line
