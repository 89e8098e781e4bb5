"""Compares what the server confirmed to learners with what is in the database."""

from hashlib import sha256

from sqlalchemy import Connection, text

from app.classroom.store.engine import make_engine
from tests.load.kill_learners import Told

KEPT_VERSIONS = 45  # of the texts of a cell the newest 50 are stored


def find_untrue(url: str, told: Told) -> list[str]:
    """Return what the server confirmed to learners but the database contradicts."""
    engine = make_engine(url, writes=False)
    with engine.connect() as connection:
        untrue = [*find_untrue_receipts(connection, told), *find_lost_drafts(connection, told)]
    engine.dispose()
    return untrue


def ask(connection: Connection, statement: str, **values: object) -> list[tuple[object, ...]]:
    return [tuple(row) for row in connection.execute(text(statement), values)]


def find_untrue_receipts(connection: Connection, told: Told) -> list[str]:
    untrue = []
    for receipt in told.receipts:
        columns = "SELECT learner.name, attempt.source, attempt.sha256, attempt.key FROM attempt JOIN learner ON learner.id = learner_id"
        rows = ask(connection, f"{columns} WHERE receipt = :receipt", receipt=receipt.id)
        if rows != [(receipt.learner, receipt.source, sha256(receipt.source.encode()).hexdigest(), receipt.key)]:
            untrue.append(f"receipt {receipt.id}: {rows}")
    told_learners = {*told.saved, *(receipt.learner for receipt in told.receipts)}  # others may be attackers
    groups = "SELECT name, key, count(*) FROM attempt JOIN learner ON learner.id = learner_id GROUP BY name, key"
    counts = {key: count for name, key, count in ask(connection, groups) if name in told_learners}
    if counts != {receipt.key: 1 for receipt in told.receipts}:
        untrue.append(f"keys: {counts}")
    return untrue


def find_lost_drafts(connection: Connection, told: Told) -> list[str]:
    untrue = []
    of_learner = "JOIN learner ON learner.id = learner_id WHERE learner.name = :learner"
    for learner, texts in told.saved.items():
        drafts = ask(connection, f"SELECT version, source FROM draft {of_learner}", learner=learner)
        if drafts != [(len(texts), texts[-1])]:
            untrue.append(f"draft of {learner}: {drafts}")
        kept = {source for (source,) in ask(connection, f"SELECT source FROM draft_version {of_learner}", learner=learner)}
        newest = list(enumerate(texts))[-KEPT_VERSIONS:]
        untrue += [f"text {number} of {learner} is lost" for number, source in newest if source not in kept]
        counted = ask(connection, f"SELECT attempts FROM standing {of_learner}", learner=learner)
        if counted != [(len(texts),)]:
            untrue.append(f"{learner} is counted {counted} submissions in place of {len(texts)}")
    return untrue
