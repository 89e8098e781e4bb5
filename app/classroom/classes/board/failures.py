"""Why an attempt did not pass: a recognised mistake, or else the first check that failed."""

from collections import OrderedDict
from collections.abc import Iterable

import msgspec
from sqlalchemy import Connection, select

from app.classroom.store.schema.tables import AttemptRow
from app.protocol.grading import Verdict

RUNS = "runs"  # the check that fails if the program does not run to its end
MOST_CACHED = 5_000


class Failure(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why an attempt did not pass: a mistake of the exercise, or else a check. `code` is the code of its message if the check is RUNS."""

    mistake: str = ""
    check: str = ""
    code: str = ""

    @property
    def key(self) -> str:
        """Return a text that is the same for two attempts that fail in the same way."""
        return f"mistake:{self.mistake}" if self.mistake else f"check:{self.check}:{self.code}"


verdicts = msgspec.json.Decoder(Verdict)


class Failures:
    """Reads and caches the failures of attempts, which never change. Threads may share an object."""

    def __init__(self) -> None:
        self._known: OrderedDict[int, Failure | None] = OrderedDict()

    def read(self, connection: Connection, attempt_ids: Iterable[int]) -> dict[int, Failure]:
        """Return the failures of attempts that did not pass, by their ids, without those that are not known."""
        wanted = set(attempt_ids)
        unknown = {one for one in wanted if one not in self._known}
        if unknown:
            columns = AttemptRow.id, AttemptRow.mistake, AttemptRow.verdict
            for row in connection.execute(select(*columns).where(AttemptRow.id.in_(unknown))):
                self._known[row.id] = find_failure(row.mistake, row.verdict)
        found = {one: failure for one in wanted if (failure := self._known.get(one)) is not None}
        while len(self._known) > MOST_CACHED:
            self._known.popitem(last=False)
        return found


def find_failure(mistake: str | None, verdict: str) -> Failure | None:
    """Return the failure that a stored mistake or verdict describes, or None if the verdict cannot be read."""
    if mistake:
        return Failure(mistake=mistake)
    try:
        checks = verdicts.decode(verdict).checks
    except msgspec.DecodeError:  # stored by another version
        return None
    for check in checks:
        if not check.passed and not check.reported:
            code = check.message.code if check.message and check.id == RUNS else ""
            return Failure(check=check.id, code=code)
    return Failure()
