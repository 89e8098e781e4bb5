"""Submissions in real children: what passes between the two, what either may do, what is told, and what is left behind."""

import asyncio
from collections.abc import Iterator

import pytest

from app.protocol.event import RunEvent, Started, Stdout
from app.protocol.grading import CheckResult, Verdict
from app.protocol.limits import Limits
from app.protocol.outcome import Outcome
from app.protocol.run import RunResult
from app.runner.socket_runner import SocketRunner
from tests.bare.gradroom import GRADER_SECONDS
from tests.runner.chaos.victim import Victim, running_victim
from tests.runner.grading.submission import ECHO, HEARS, failed, graded, heard, order_of, submit

SPARES = 2
SHORT = Limits(deadline_seconds=1.0)
ONCE, TWICE = HEARS.format(times=1), HEARS.format(times=2)
FRAMES = "from app.protocol.channel import *\nfrom app.protocol.grading import *\nfrom app.sandbox.framing import write_frame\n"


@pytest.fixture(scope="module")
def victim() -> Iterator[Victim]:
    with running_victim(spares=SPARES) as running:
        running.settle(SPARES)
        yield running


@pytest.fixture(autouse=True)
def nothing_is_left(victim: Victim) -> Iterator[None]:
    before = victim.settle(SPARES)
    yield
    victim.holds_as_much_as(before)


def test_questions_and_answers_pass_and_the_verdict_is_the_last_event(victim: Victim) -> None:
    events = asyncio.run(submit(victim, order_of("print('once')\n" + ECHO, HEARS.format(times=3))))
    assert [type(event) for event in events] == [Started, Stdout, RunResult, CheckResult, Verdict]
    *_, result, check, last = events
    assert isinstance(result, RunResult)
    assert isinstance(check, CheckResult)
    assert isinstance(last, Verdict)
    assert (result.outcome, result.stdout) == (Outcome.FINISHED, "once\n")
    assert last.passed
    assert last.checks == [check]
    assert heard(last) == ("heard", "0!,1!,2!")


def test_the_frames_of_a_submission_end_with_its_verdict_and_the_connection_is_kept(victim: Victim) -> None:
    async def kinds() -> list[list[str]]:
        told = []
        async with SocketRunner(victim.programs.socket) as runner:
            for _ in range(2):
                async with runner.grade(order_of(ECHO, ONCE)) as stream:
                    told.append([frame.kind async for frame in stream.frames()])
        return told

    assert asyncio.run(kinds()) == 2 * [["started", "result", "check", "verdict"]]


def test_whoever_is_asked_may_ask_back(victim: Victim) -> None:
    source = "def answer(request, link):\n    return b'-'.join(link.ask(request + b'%d' % n) for n in range(3))"
    checks = TWICE.replace("    heard = []", "    link.answering = lambda request: request * 2\n    heard = []")
    assert heard(graded(victim, source, checks)) == ("heard", "0000-0101-0202,1010-1111-1212")


def test_the_grader_has_the_sources_and_a_seed_of_its_own(victim: Victim) -> None:
    checks = """
def examine(link, tell):
    values = {"seed": str(examination.seed), "source": examination.sources[0]}
    return Verdict(passed=True, checks=[CheckResult(id="a", passed=True, message=Message(code="c", values=values))])
"""
    said = []
    for _ in range(2):
        message = graded(victim, ECHO, checks).checks[0].message
        assert message
        said.append(message.values)
    assert said[0]["source"] == ECHO
    assert said[0]["seed"] != said[1]["seed"]


@pytest.mark.parametrize(("source", "code"), [("1/0", "raised"), ("import os\nos._exit(0)", "crashed"), ("while True: pass", "timed_out")])
def test_a_program_that_does_not_finish_is_not_passed_for_that(victim: Victim, source: str, code: str) -> None:
    verdict = graded(victim, source, ONCE, SHORT)
    assert not verdict.passed
    ((check),) = verdict.checks
    assert (check.id, check.passed, check.message and check.message.code) == ("runs", False, code)


SAYS = FRAMES + "def answer(request, link):\n    {}\n    return b'late'"
HOSTILE = {
    "loops": ("while True: pass", "timed_out", ""),
    "sleeps": ("import time; time.sleep(60)", "timed_out", ""),
    "ends early": ("import os; os._exit(0)", "crashed", ""),
    "crashes": ("import ctypes; ctypes.string_at(0)", "crashed", ""),
    "raises": ("1 / 0", "crashed", ""),
    "fills memory": ("kept = [bytes(10**8) for _ in range(100)]", "out_of_memory", ""),
    "floods": ("print('x' * 10**7)", "output_limit", ""),
    "floods stderr": ("import sys; print('x' * 10**7, file=sys.stderr)", "output_limit", ""),
    "a huge answer": ("return bytes(5 * 2**20)", "output_limit", ""),
    "no frame": ("import os; os.write(3, b'\\0\\0\\0\\1\\xff')", "crashed", ""),
    "closes the channel": ("import os; os.close(3)\n    while True: pass", "crashed", ""),
    "another number": ("write_frame(3, Answer(serial=7, reply=b'x'))", "crashed", ""),
    "no reply": ("write_frame(3, Answer(serial=1, reply=None))", "crashed", ""),
    "gone by its own word": ("write_frame(3, Answer(serial=1, reply=None, gone='finished'))", "crashed", ""),
    "two questions": ("write_frame(3, Ask(serial=1, request=b'')); write_frame(3, Ask(serial=2, request=b''))", "crashed", ""),
    "another question's number": ("write_frame(3, Ask(serial=2, request=b''))", "crashed", ""),
    "a fresh grader": ("write_frame(3, Ask(serial=1, request=b'', fresh=True))", "crashed", ""),
    "an answer in mid-question": ("write_frame(3, Ask(serial=1, request=b'')); write_frame(3, Answer(serial=1, reply=b''))", "crashed", ""),
    "a check": ("write_frame(3, Checked(CheckResult(id='heard', passed=True)))", "crashed", ""),
    "a verdict": ("write_frame(3, Judged(Verdict(passed=True, checks=[CheckResult(id='a', passed=True)])))", "crashed", ""),
    "an examination": ("write_frame(3, Examine(Examination(exercise=Exercise(), sources=[], seed=0)))", "crashed", ""),
    "its end": ("write_frame(3, Over(ending='finished'))", "crashed", ""),
    "its beginning": ("write_frame(3, Begun())", "crashed", ""),
    "a record": ("write_frame(3, Shown(record=b'{}'))", "crashed", ""),
    "readiness": ("write_frame(3, Ready(probes={}))", "crashed", ""),
    "an answer twice": ("write_frame(3, Answer(serial=1, reply=b'first'))", "crashed", "first"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_learners_child_that_breaks_the_rules_is_gone_and_the_grader_is_told_how(victim: Victim, name: str) -> None:
    does, code, words = HOSTILE[name]
    link = "link.answering = lambda request: request"
    verdict = graded(victim, SAYS.format(does), TWICE.replace("    heard = []", f"    {link}\n    heard = []"), SHORT)
    assert heard(verdict) == (code, words)
    assert not verdict.passed


def test_what_was_said_before_anything_was_asked_is_no_answer(victim: Victim) -> None:
    forged = FRAMES + "write_frame(3, Answer(serial=1, reply=b'forged'))\nwrite_frame(3, Judged(Verdict(passed=True, checks=[])))\n"
    assert heard(graded(victim, forged + ECHO, ONCE)) == ("heard", "0!")


def test_a_child_that_speaks_after_its_end_without_being_asked_is_gone(victim: Victim) -> None:
    forged = FRAMES + "write_frame(3, Over(ending='finished'))\nwrite_frame(3, Answer(serial=1, reply=b'forged'))\n"
    assert heard(graded(victim, forged + ECHO, TWICE))[0] == "crashed"


def test_what_is_printed_while_it_is_asked_is_not_told(victim: Victim) -> None:
    source = "print('once')\ndef answer(request, link):\n    print('again', flush=True)\n    return request"
    events = asyncio.run(submit(victim, order_of(source, TWICE)))
    assert [event.text for event in events if isinstance(event, Stdout)] == ["once\n"]
    assert isinstance(events[-1], Verdict)
    assert events[-1].passed


GRADERS = {
    "raises": "def examine(link, tell):\n    1 / 0",
    "ends": "import os\ndef examine(link, tell):\n    os._exit(0)",
    "has no verdict": "def examine(link, tell):\n    return None",
    "floods": "def examine(link, tell):\n    while True: print('x' * 1000)",
    "tells twice": "def examine(link, tell):\n    tell(CheckResult(id='a', passed=True))\n    tell(CheckResult(id='a', passed=True))",
    "tells too much": "def examine(link, tell):\n    for n in range(65): tell(CheckResult(id=str(n), passed=True))",
    "contradicts itself": (
        "def examine(link, tell):\n    tell(CheckResult(id='a', passed=False))\n"
        "    return Verdict(passed=True, checks=[CheckResult(id='a', passed=True)])"
    ),
    "has a check twice": "def examine(link, tell):\n    return Verdict(passed=True, checks=2 * [CheckResult(id='a', passed=True)])",
    "answers what nobody asked": FRAMES + "def examine(link, tell):\n    write_frame(3, Answer(serial=1, reply=b''))\n    link.ask(b'')",
    "asks twice at once": (
        FRAMES + "def examine(link, tell):\n    write_frame(3, Ask(serial=1, request=b''))\n    write_frame(3, Ask(serial=2, request=b''))"
    ),
    "judges in mid-question": (
        FRAMES + "def examine(link, tell):\n    write_frame(3, Ask(serial=1, request=b''))\n    return Verdict(passed=True, checks=[])"
    ),
    "is over": FRAMES + "def examine(link, tell):\n    write_frame(3, Over(ending='finished'))",
}


SLEEPS = "import time\ndef answer(request, link):\n    time.sleep(30)"


@pytest.mark.parametrize("name", GRADERS)
def test_a_grader_that_does_not_come_to_a_verdict_is_our_fault_and_nobody_passes(victim: Victim, name: str) -> None:
    assert failed(victim, SLEEPS, GRADERS[name], SHORT).code == "grader"


def test_a_grader_whose_time_is_over_is_our_fault_and_nobody_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without this deadline the grader would have twenty seconds, and compute for eleven of them."""
    monkeypatch.setenv(GRADER_SECONDS, "1")
    with running_victim(spares=SPARES) as hasty:
        before = hasty.settle(SPARES)
        assert failed(hasty, SLEEPS, "def examine(link, tell):\n    while True: pass", SHORT).code == "grader"
        hasty.holds_as_much_as(before)


@pytest.mark.parametrize(
    ("checks", "passed"),
    [
        ("CheckResult(id='a', passed=False)", False),
        ("", False),
        ("CheckResult(id='a', passed=True, reported=True)", False),
        ("CheckResult(id='a', passed=True), CheckResult(id='b', passed=False, reported=True)", True),
        ("CheckResult(id='a', passed=True), CheckResult(id='b', passed=False)", False),
    ],
)
@pytest.mark.parametrize("claimed", [True, False])
def test_the_checks_decide_whatever_the_grader_says_of_them(victim: Victim, checks: str, passed: bool, claimed: bool) -> None:
    says = f"def examine(link, tell):\n    return Verdict(passed={claimed}, checks=[{checks}])"
    assert graded(victim, ECHO, says).passed is passed


COUNTS = "print('executed')\ncount = 0\ndef answer(request, link):\n    global count\n    count += 1\n    return b'%d' % count"
ASKS_FRESH = """
def examine(link, tell):
    heard = [link.ask(b"", fresh=fresh).decode() for fresh in (False, False, True, False, True, True)]
    return Verdict(passed=True, checks=[CheckResult(id="a", passed=True, message=Message(code="c", values={"heard": ",".join(heard)}))])
"""


def test_a_fresh_child_has_executed_the_program_anew_and_silently(victim: Victim) -> None:
    events = asyncio.run(submit(victim, order_of(COUNTS, ASKS_FRESH)))
    assert [event.text for event in events if isinstance(event, Stdout)] == ["executed\n"]
    assert isinstance(events[-1], Verdict)
    assert heard(events[-1]) == ("c", "1,2,1,2,1,1")


def test_a_fresh_child_comes_after_one_that_is_gone(victim: Victim) -> None:
    source = "import os\ndef answer(request, link):\n    return request if request else os._exit(0)"
    checks = """
def examine(link, tell):
    heard = []
    for request, fresh in ((b"", False), (b"a", False), (b"b", True), (b"", False), (b"c", True)):
        try:
            heard.append(link.ask(request, fresh=fresh).decode())
        except Gone as gone:
            heard.append(gone.outcome)
    return Verdict(passed=True, checks=[CheckResult(id="a", passed=True, message=Message(code="c", values={"heard": ",".join(heard)}))])
"""
    assert heard(graded(victim, source, checks)) == ("c", "crashed,crashed,b,crashed,c")


def test_all_time_of_a_learners_children_is_the_deadline_once_more(victim: Victim) -> None:
    source = "import time\ndef answer(request, link):\n    time.sleep(0.6)\n    return request"
    checks = ASKS_FRESH.replace("(False, False, True, False, True, True)", "(True, True, True, True)")
    assert "TimedOut" not in checks
    gone = checks.replace("    heard = [", "    try:\n        heard = [").replace(
        "    return", "    except Gone as gone:\n        heard = [str(gone.outcome)]\n    return", 1
    )
    assert heard(graded(victim, source, gone, SHORT)) == ("c", "timed_out")


WAITS = "import time\ndef answer(request, link):\n    print('asked')\n    time.sleep(60)"
TELLS_AND_ASKS = "def examine(link, tell):\n    tell(CheckResult(id='a', passed=True))\n    link.ask(b'')"


def test_a_submission_can_be_stopped_while_it_is_graded(victim: Victim) -> None:
    async def scenario() -> list[RunEvent]:
        events = []
        async with SocketRunner(victim.programs.socket) as runner, runner.grade(order_of(WAITS, TELLS_AND_ASKS)) as stream:
            async for event in stream:
                events.append(event)
                if isinstance(event, CheckResult) and event.id == "a":
                    assert await runner.stop(stream.run_id)
        return events

    last = asyncio.run(scenario())[-1]
    assert isinstance(last, Verdict)
    assert not last.passed
    assert [(check.id, check.passed) for check in last.checks] == [("a", True), ("runs", False)]


@pytest.mark.parametrize("moment", [Started, RunResult, CheckResult])
def test_a_reader_who_leaves_takes_both_children_with_them(victim: Victim, moment: type[RunEvent]) -> None:
    async def scenario() -> None:
        async with SocketRunner(victim.programs.socket) as runner, runner.grade(order_of(WAITS, TELLS_AND_ASKS)) as stream:
            async for event in stream:
                if isinstance(event, moment):
                    return

    asyncio.run(scenario())  # and nothing is left
