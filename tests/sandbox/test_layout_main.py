"""The layout process lays graphs out, and no number in a request harms it."""

import random
import socket
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest

from app.protocol.geometry import LAYOUT_NODES, Answer, Geometry, LayoutLink, LayoutReady, LayoutRequest, Refused
from app.runner.drawing.layout_process import spawn
from app.sandbox.layout.layout_main import draw

BOX = (100.0, 30.0)


def lay_out(count: int, *links: LayoutLink) -> Geometry:
    geometry = draw(LayoutRequest(nodes=[BOX] * count, links=list(links)))
    assert isinstance(geometry, Geometry)
    return geometry


def test_a_head_is_under_its_tail_and_the_arrow_ends_at_its_border() -> None:
    geometry = lay_out(2, LayoutLink(0, 1))
    (x0, y0), (x1, y1) = geometry.centres
    curve = geometry.curves[0]
    assert y1 > y0 + BOX[1]
    assert x0 == x1
    assert curve.tip is not None
    assert curve.tip[1] == pytest.approx(y1 - BOX[1] / 2, abs=1)
    assert len(curve.points) % 3 == 1


def test_a_node_beside_its_tail_is_in_the_same_row_and_its_curve_has_no_tip() -> None:
    geometry = lay_out(2, LayoutLink(0, 1, "beside"))
    assert geometry.centres[0][1] == geometry.centres[1][1]
    assert geometry.curves[0].tip is None


def test_a_ghost_orders_rows_and_has_no_curve() -> None:
    geometry = lay_out(3, LayoutLink(0, 1), LayoutLink(0, 2, "ghost"))
    assert geometry.centres[1][1] == geometry.centres[2][1]
    assert geometry.curves[1].points == []


def test_everything_lies_on_the_canvas() -> None:
    geometry = lay_out(9, *(LayoutLink(i, j) for i in range(8) for j in range(i + 1, 9, 2)))
    for x, y in geometry.centres:
        assert BOX[0] / 2 - 1 <= x <= geometry.width - BOX[0] / 2 + 1
        assert BOX[1] / 2 - 1 <= y <= geometry.height - BOX[1] / 2 + 1


def test_the_same_graph_gives_the_same_geometry() -> None:
    links = (LayoutLink(0, 1), LayoutLink(0, 2), LayoutLink(2, 3), LayoutLink(1, 3), LayoutLink(3, 4, "beside"))
    assert lay_out(5, *links) == lay_out(5, *links)


def test_loops_and_duplicate_links_are_laid_out() -> None:
    geometry = lay_out(2, LayoutLink(0, 0), LayoutLink(0, 1), LayoutLink(0, 1), LayoutLink(1, 0))
    assert [bool(curve.points) for curve in geometry.curves] == [False, True, True, True]


HOSTILE = {
    "no nodes": {"nodes": [], "links": []},
    "too many nodes": {"nodes": [BOX] * (LAYOUT_NODES + 1), "links": []},
    "not a number": {"nodes": [(float("nan"), 1.0)], "links": []},
    "infinity": {"nodes": [(float("inf"), 1.0)], "links": []},
    "negative": {"nodes": [(-1.0, 1.0)], "links": []},
    "zero": {"nodes": [(0.0, 1.0)], "links": []},
    "huge": {"nodes": [(1e308, 1.0)], "links": []},
    "a dangling end": {"nodes": [BOX], "links": [(0, 1, "down")]},
    "a negative end": {"nodes": [BOX], "links": [(0, -1, "down")]},
    "an unknown way": {"nodes": [BOX], "links": [(0, 0, "sideways")]},
    "text for a number": {"nodes": [("<b>", 1.0)], "links": []},
    "more fields": {"nodes": [BOX], "links": [], "label": "x"},
}


@contextmanager
def process() -> Iterator[socket.socket]:
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            child = spawn(theirs, None)
        ours.settimeout(60)
        try:
            assert isinstance(receive(ours), LayoutReady)
            yield ours
        finally:
            ours.close()
            end(child)


def end(child: "subprocess.Popen[bytes]") -> None:
    """Close the socket, which ends the process."""
    assert child.wait(30) == 0


def send(channel: socket.socket, body: bytes) -> None:
    channel.sendall(struct.pack(">I", len(body)) + body)


def receive(channel: socket.socket) -> Answer:
    with channel.makefile("rb") as stream:
        (length,) = struct.unpack(">I", stream.read(4))
        answer: Answer = msgspec.msgpack.decode(stream.read(length), type=Answer)
        return answer


def test_hostile_numbers_are_refused_and_the_process_lives_on() -> None:
    with process() as channel:
        for name, fields in HOSTILE.items():
            send(channel, msgspec.msgpack.encode({"frame": "layout", **fields}))
            assert isinstance(receive(channel), Refused), name
        for body in (b"", b"\xc1", b"\x91" * 5000, b"\xdd\xff\xff\xff\xff"):
            send(channel, body)
            assert isinstance(receive(channel), Refused), body[:8]
        send(channel, msgspec.msgpack.encode(LayoutRequest(nodes=[BOX, BOX], links=[LayoutLink(0, 1)])))
        assert isinstance(receive(channel), Geometry)


def random_request(source: random.Random) -> LayoutRequest:
    count = source.choice((1, 2, 3, 5, 8, 13, 21, 34))
    sizes = [(source.uniform(20, 300), source.choice((15.0, 30.0, 45.0, 1e-9, 4000.0))) for _ in range(count)]
    ways = ("down", "down", "beside", "ghost")
    links = [LayoutLink(source.randrange(count), source.randrange(count), source.choice(ways)) for _ in range(source.randrange(3 * count))]
    return LayoutRequest(nodes=sizes, links=links)


@pytest.mark.parametrize("count", [300, pytest.param(2000, marks=pytest.mark.nightly)])
def test_random_graphs_are_laid_out_without_a_fault(count: int) -> None:
    source = random.Random(20)
    with process() as channel:
        for number in range(count):
            request = random_request(source)
            send(channel, msgspec.msgpack.encode(request))
            answer = receive(channel)
            assert isinstance(answer, Geometry), f"graph {number}: {answer}"
            assert len(answer.centres) == len(request.nodes)
            assert len(answer.curves) == len(request.links)


def test_the_process_is_confined_before_its_first_request() -> None:
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            child = spawn(theirs, None)
        ours.settimeout(60)
        receive(ours)
        with open(f"/proc/{child.pid}/status") as file:
            status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
        ours.close()
        child.wait(30)
    assert (status["NoNewPrivs"], status["Seccomp"], status["Threads"]) == ("1", "2", "1")
    assert int(status["CapEff"], 16) == 0
