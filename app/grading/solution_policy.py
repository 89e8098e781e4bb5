"""When a learner may see the solution of an exercise: `always`, `after-try`, `after-N-tries`, or `never`."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

FORM = re.compile(r"always|after-try|after-([1-9]\d{0,2})-tries|never")


class BadPolicy(ValueError):
    """The text is not a policy."""


@dataclass(frozen=True)
class SolutionPolicy:
    """`tries` is the number of graded submissions after which the solution may be seen, or None for never."""

    tries: int | None

    def missing_tries(self, attempts: int) -> int | None:
        """Return how many more submissions are needed after `attempts`, 0 for none, or None if the solution is never shown."""
        return None if self.tries is None else max(0, self.tries - attempts)


def parse_policy(text: str) -> SolutionPolicy:
    """Parse a policy. Raises BadPolicy."""
    found = FORM.fullmatch(text)
    if found is None:
        raise BadPolicy("expected always, after-try, after-N-tries (such as after-3-tries) or never")
    words = {"always": SolutionPolicy(0), "after-try": SolutionPolicy(1), "never": SolutionPolicy(None)}
    return words.get(text) or SolutionPolicy(int(found[1]))


def find_strictest(policies: Iterable[SolutionPolicy]) -> SolutionPolicy:
    """Return the policy that asks for most. There is at least one."""
    return max(policies, key=lambda policy: (policy.tries is None, policy.tries or 0))
