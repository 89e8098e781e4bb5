"""FigurePainter with a real layout process: what becomes of a figure's drawing and of its PNGs, hostile ones among them."""

import asyncio
import io
import os
import struct
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

import msgspec
import pytest
from PIL import Image

from app.protocol.limits import Limits
from app.protocol.records.figure import FigureElement, FigureRecord
from app.protocol.records.value import ValueRecord
from app.protocol.run import Lang
from app.runner.drawing.layout_workers import LayoutWorkers
from app.runner.drawing.pictures import Pictures

UID = 65_001 if os.geteuid() == 0 else None
NOTE = "This figure could not be drawn. Your code is not the cause."


class Complete(Protocol):
    """The records, completed one after another for one run."""

    def __call__(self, *records: FigureRecord, limits: Limits | None = None, lang: Lang = "en") -> list[FigureRecord]: ...


@pytest.fixture(scope="module")
def complete() -> Iterator[Complete]:
    """Return a function that completes records, with one layout process for all tests."""
    layout = LayoutWorkers(UID)

    async def complete_all(pictures: Pictures, records: Iterable[FigureRecord]) -> list[FigureRecord]:
        completed = [await pictures.complete(record) for record in records]
        return [record for record in completed if isinstance(record, FigureRecord)]

    with asyncio.Runner() as loop:
        loop.run(layout.start())
        yield lambda *records, limits=None, lang="en": loop.run(complete_all(Pictures(layout, limits or Limits(), lang), records))
        loop.run(layout.close())


def of_png(png: bytes) -> FigureRecord:
    return FigureRecord(width=10, height=10, png=b64encode(png).decode(), texts=["kept\x00"])


def of_drawing(*drawing: FigureElement) -> FigureRecord:
    return FigureRecord(width=10, height=10, drawing=list(drawing), texts=["kept\x00"])


def make_png(mode: str = "RGBA", size: tuple[int, int] = (3, 2), **options: object) -> bytes:
    file = io.BytesIO()
    Image.new(mode, size, 1).save(file, "PNG", **options)  # type: ignore[arg-type]
    return file.getvalue()


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def header(width: int, height: int, depth: int = 8, colour: int = 6) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))


END = chunk(b"IEND", b"")
ZEROS = zlib.compress(bytes(50_000_000), 9)

HOSTILE = {
    "no PNG": b"<svg onload='alert(1)'/>",
    "nothing": b"",
    "a GIF": b"GIF89a" + bytes(20),
    "a signature alone": b"\x89PNG\r\n\x1a\n",
    "cut off": make_png(size=(300, 300))[:80],
    "too wide": header(5000, 1) + chunk(b"IDAT", ZEROS) + END,
    "a bomb of pixels": header(60_000, 60_000) + chunk(b"IDAT", ZEROS) + END,
    "a bomb of text": header(1, 1) + chunk(b"zTXt", b"a\0\0" + ZEROS) * 80 + chunk(b"IDAT", zlib.compress(bytes(5))) + END,
    "no size": header(0, 0) + chunk(b"IDAT", zlib.compress(b"")) + END,
    "a wrong checksum": make_png().replace(b"IHDR", b"IHDQ"),
}


def test_a_png_is_decoded_and_encoded_anew(complete: Complete) -> None:
    (completed,) = complete(of_png(make_png(pnginfo=None, dpi=(1, 1)) + b"<script>after the end</script>"))
    png = b64decode(completed.png or "")
    assert b"script" not in png
    assert b"pHYs" not in png
    image = Image.open(io.BytesIO(png))
    assert (image.size, image.mode, image.getpixel((0, 0))) == ((3, 2), "RGBA", (1, 0, 0, 0))
    assert (completed.svg, completed.note, completed.drawing, completed.texts) == (None, None, msgspec.UNSET, ["kept␀"])


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "I;16"])
def test_every_kind_of_png_is_taken(complete: Complete, mode: str) -> None:
    (completed,) = complete(of_png(make_png(mode)))
    assert completed.png


def test_hostile_pngs_become_a_note_and_the_next_figure_is_drawn(complete: Complete) -> None:
    completed = complete(*map(of_png, HOSTILE.values()), of_png(make_png()))
    *hostile, last = completed
    told = {name: (record.png, record.note) for name, record in zip(HOSTILE, hostile, strict=True)}
    assert {name: what for name, what in told.items() if what != (None, NOTE)} == {}
    assert last.png


def test_a_drawing_becomes_an_svg_and_is_sent_no_further(complete: Complete) -> None:
    image = FigureElement("image", {"width": "3"}, png=b64encode(make_png()).decode())
    (completed,) = complete(of_drawing(FigureElement("g", {}, [image, FigureElement("text", {"x": "1"}, text="<b>")])))
    assert completed.svg is not None
    assert "&lt;b&gt;" in completed.svg
    assert completed.svg.count("data:image/png;base64,iVBOR") == 1
    assert (completed.note, completed.drawing, completed.texts) == (None, msgspec.UNSET, ["kept␀"])


@pytest.mark.parametrize(
    "record",
    [
        of_drawing(FigureElement("use", {"href": "#a"})),
        of_drawing(FigureElement("image", {}, png="no base64")),
        of_drawing(FigureElement("image", {}, png=b64encode(HOSTILE["a bomb of pixels"]).decode())),
        of_drawing(),
        FigureRecord(width=1, height=1, svg="<svg onload='alert(1)'/>", note="<script>", texts=["kept\x00"]),
        FigureRecord(width=1, height=1, png="é" * 10, texts=["kept\x00"]),
    ],
)
def test_what_cannot_be_drawn_is_a_note_and_its_texts_remain(complete: Complete, record: FigureRecord) -> None:
    (completed,) = complete(record)
    assert (completed.svg, completed.png, completed.note, completed.texts) == (None, None, NOTE, ["kept␀"])


def test_the_note_comes_in_the_runs_language(complete: Complete) -> None:
    assert "原因不在你的代码" in (complete(of_png(b""), lang="zh-Hans")[0].note or "")


def test_figures_share_the_time_for_pictures(complete: Complete) -> None:
    large = make_png(size=(4000, 4000))
    first, *_, last = complete(*[of_png(large)] * 8, limits=Limits(layout_seconds=0.5))
    assert (last.png, last.note) == (None, "This run has used up the time for drawing pictures.")
    assert first.texts == last.texts


@contextmanager
def pictures_without_layout() -> Iterator[Pictures]:
    yield Pictures(LayoutWorkers(UID), Limits(), "en")


def test_a_figure_whose_run_is_ended_is_left_out() -> None:
    with pictures_without_layout() as pictures:
        left = pictures.leave_out(of_png(make_png()))
        assert isinstance(left, FigureRecord)
        assert (left.png, left.note) == (None, "The run ended before this figure was drawn.")


def test_a_record_without_a_picture_is_passed_on() -> None:
    value = ValueRecord(text="1")
    with pictures_without_layout() as pictures:
        assert not pictures.draws(value)
        assert asyncio.run(pictures.complete(value)) is value
        assert pictures.leave_out(value) is value


def noisy(pixels: int) -> FigureRecord:
    """A figure whose PNG is as large as its pixels, whoever encodes it."""
    file = io.BytesIO()
    Image.frombytes("L", (pixels, 1), os.urandom(pixels)).save(file, "PNG")
    return of_png(file.getvalue())


def test_pictures_that_are_too_large_together_are_left_out_and_smaller_ones_still_shown(complete: Complete) -> None:
    figures = [noisy(500), noisy(4000), noisy(500)]
    completed = complete(*figures, limits=Limits(records_bytes=3000))
    assert [record.png is not None for record in completed] == [True, False, True]
    assert "too large together" in (completed[1].note or "")
    assert completed[1].texts == ["kept␀"]
