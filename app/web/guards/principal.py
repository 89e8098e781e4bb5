"""Who sends a request."""

from dataclasses import dataclass

from app.classroom.people.people import Person
from app.classroom.people.roles import Role


@dataclass(frozen=True, kw_only=True)
class Principal:
    """The sender of a request. `learner` is the name in the cookie; if it is None, nothing is stored. `address` is used for limits.

    `newcomer` is the name that a sender without a cookie gets with the answer, or None if the address has got too many.
    `person` is signed in, in the session `session_id`. `has_token` says whether the request has the operator's token.
    """

    learner: str | None
    address: str
    newcomer: str | None = None
    person: Person | None = None
    session_id: int | None = None
    has_token: bool = False

    @property
    def role(self) -> Role:
        if self.has_token:
            return Role.OPERATOR
        if self.person:
            return self.person.role
        return Role.LEARNER if self.learner else Role.ANONYMOUS

    @property
    def counts_as(self) -> str:
        """The name that a run counts against: the learner, the newcomer, or else the address.

        Thus learners of a class at one address do not count against each other in their first requests, which have no cookies.
        """
        return self.learner or self.newcomer or self.address


NOBODY = Principal(learner=None, address="")
