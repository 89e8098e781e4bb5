"""Uses the generated client as somebody's program would. Run by test_clients.py in the environment of the generators.

python use_client.py http://127.0.0.1:PORT
"""

import sys

from client import Client
from client.api.exercises import post_solution, post_submission
from client.api.lessons import get_lesson, get_lessons
from client.api.runs import post_run
from client.api.what_is_kept_about_me import get_export, get_holdings, put_draft
from client.models import DraftBody, ErrorBody, LessonAnswer, RunRequest, RunResult, SubmissionAnswer, SubmissionRequest

with Client(base_url=sys.argv[1], raise_on_unexpected_status=True) as client:
    course = get_lessons.sync(client=client)
    [chapter] = course.chapters
    [entry] = chapter.lessons
    lesson = get_lesson.sync("one", "first", client=client)
    assert isinstance(lesson, LessonAnswer)
    assert lesson.path == entry.path == "one/first"

    result = post_run.sync(client=client, body=RunRequest(source="print(2)"))
    assert isinstance(result, RunResult), result
    assert (result.outcome, result.stdout) == ("finished", "2\n")
    assert isinstance(post_run.sync(client=client, body=RunRequest(source="x", cell="none")), ErrorBody)

    early = post_solution.sync("one", "first", "fix", client=client)
    assert isinstance(early, ErrorBody)
    assert early.error.code == "solution_withheld"
    answer = post_submission.sync("one", "first", "fix", client=client, body=SubmissionRequest(source="x = 1"))
    assert isinstance(answer, SubmissionAnswer), answer
    assert answer.receipt
    assert not isinstance(post_solution.sync("one", "first", "fix", client=client), ErrorBody)

    put_draft.sync("one", "first", "use", client=client, body=DraftBody(source="y", version=0))
    held = get_holdings.sync(client=client)
    assert not isinstance(held, ErrorBody), held
    assert (held.attempts, held.drafts) == (1, 1)
    exported = get_export.sync(client=client)
    assert exported.payload.read(2) == b"PK"
