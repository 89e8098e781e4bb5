"""When a learner may see solutions: the policy of the learner's class, or the server's."""

from app.classroom.classes.memberships import find_policy
from app.classroom.store.database import Database
from app.grading.solution_policy import SolutionPolicy
from app.web.guards.principal import Principal


async def read_policy(database: Database, principal: Principal, lesson: str, servers: SolutionPolicy) -> SolutionPolicy:
    """Return the policy for a lesson. `servers` is the server's policy. Raises StoreFault."""
    if principal.learner is None:
        return servers
    return await database.read(find_policy, principal.learner, lesson, servers)
