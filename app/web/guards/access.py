"""The rules that say who may do what. Every route names one of them; docs/people.md lists what each role may do.

A rule is checked when the route is found, before anything of the body is read. What a person or a learner owns is always looked up by its
owner: no address names a learner or a person.
"""

import hmac
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from fastapi.routing import APIRoute
from pydantic import SecretStr
from starlette.requests import HTTPConnection
from starlette.routing import BaseRoute, Mount
from starlette.types import ASGIApp, Receive, Scope, Send

from app.classroom.people.roles import Role
from app.locale.messages import mark
from app.web.guards.principal import NOBODY, Principal
from app.web.http.errors import NoLearner, NotAllowed

RULE = "access_rule"  # the attribute of an endpoint that has its rule
INSTRUCTORS = (Role.INSTRUCTOR, Role.OPERATOR)
Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])


class RouteWithoutRule(Exception):
    """A route does not say who may use it; the message is its address."""


@dataclass(frozen=True, kw_only=True)
class AccessRule:
    """`allows` decides whether the sender of a request may do what the route does. `refusal` is raised if not."""

    name: str
    allows: Callable[[Principal], bool]
    refusal: Callable[[], NotAllowed]


ANYONE = AccessRule(name="anyone", allows=lambda sender: True, refusal=NotAllowed)
OWN_WORK = AccessRule(name="own work", allows=lambda sender: sender.learner is not None, refusal=NoLearner)
SIGNED_IN = AccessRule(
    name="signed in",
    allows=lambda sender: sender.person is not None,
    refusal=partial(NotAllowed, "not_signed_in", mark("Nobody is signed in here, or no longer."), 401),
)
# a class belongs to people, and the operator's token is no person, so it gives no access to classes
TEACHING = AccessRule(
    name="teaching",
    allows=lambda sender: sender.person is not None,
    refusal=partial(NotAllowed, "teachers_only", mark("This is for people who teach a class. They sign in.")),
)
INSTRUCTOR = AccessRule(
    name="instructor",
    allows=lambda sender: bool(sender.person and sender.role in INSTRUCTORS),
    refusal=partial(NotAllowed, "instructors_only", mark("This is for instructors, who sign in.")),
)
OPERATOR = AccessRule(
    name="operator",
    allows=lambda sender: sender.role is Role.OPERATOR,
    refusal=partial(NotAllowed, "operators_only", mark("This is for operators, who sign in or have a token.")),
)
# only the author can reach a server in author mode, because of the address on which it listens
AUTHOR = AccessRule(name="author", allows=lambda sender: True, refusal=NotAllowed)
RULES = (ANYONE, OWN_WORK, SIGNED_IN, TEACHING, INSTRUCTOR, OPERATOR, AUTHOR)


def allow(rule: AccessRule) -> Callable[[Endpoint], Endpoint]:
    """Return a decorator that names the rule of an endpoint."""

    def name_rule(endpoint: Endpoint) -> Endpoint:
        setattr(endpoint, RULE, rule)
        return endpoint

    return name_rule


def has_token(request: HTTPConnection, token: SecretStr | None) -> bool:
    """Return whether a request has the operator's token."""
    if token is None:
        return False
    given = request.headers.get("authorization", "")
    return hmac.compare_digest(given.encode(), f"Bearer {token.get_secret_value()}".encode())


def require(rule: AccessRule, scope: Scope) -> None:
    """Raise the rule's refusal unless the sender of the request is allowed.

    If the store could not say who is signed in, raise its fault instead, because signing in again would not help.
    """
    state = scope.get("state", {})
    if not rule.allows(state.get("principal", NOBODY)):
        raise state.get("sign_in_fault") or rule.refusal()


class GuardedRoute(APIRoute):
    """A route that checks its rule. A subclass whose endpoints name no rule sets `fixed_rule`."""

    fixed_rule: AccessRule | None = None

    @property
    def rule(self) -> AccessRule | None:
        return self.fixed_rule or getattr(self.endpoint, RULE, None)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.rule is None:
            raise RouteWithoutRule(self.path)
        if scope["method"] in (self.methods or ()):  # another method is answered with 405
            require(self.rule, scope)
        await super().handle(scope, receive, send)


class AuthorRoute(GuardedRoute):
    """A route of author mode."""

    fixed_rule = AUTHOR


class GuardedApp:
    """A mounted app that checks its rule."""

    def __init__(self, app: ASGIApp, rule: AccessRule) -> None:
        self.app, self.rule = app, rule

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        require(self.rule, scope)
        await self.app(scope, receive, send)


def list_rules(routes: Iterable[BaseRoute]) -> Iterator[tuple[BaseRoute, AccessRule]]:
    """Yield every route, also of included routers, with its rule. Raises RouteWithoutRule."""
    for route in routes:
        included = getattr(route, "original_router", None)
        if included is not None:
            yield from list_rules(included.routes)
            continue
        guarded = route.app if isinstance(route, Mount) else route
        rule = guarded.rule if isinstance(guarded, GuardedRoute | GuardedApp) else None
        if rule is None:
            raise RouteWithoutRule(getattr(route, "path", str(route)))
        yield route, rule


def check_rules(routes: Iterable[BaseRoute]) -> None:
    """Raise RouteWithoutRule unless every route names its rule."""
    for _ in list_rules(routes):
        pass
