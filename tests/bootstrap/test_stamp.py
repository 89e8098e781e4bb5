"""A step is done for one content only."""

from pathlib import Path

from bootstrap.stamp import Stamp, digest_of_files


def test_a_stamp_holds_for_the_content_it_was_written_for(tmp_path: Path) -> None:
    Stamp(tmp_path / "stamp", "one", {"two": 2}).write()
    assert Stamp(tmp_path / "stamp", "one", {"two": 2}).holds()
    assert not Stamp(tmp_path / "stamp", "one", {"two": 3}).holds()


def test_a_step_that_was_broken_off_is_not_taken_for_done(tmp_path: Path) -> None:
    stamp = Stamp(tmp_path / "stamp", "one")
    stamp.write()
    stamp.remove()
    assert not stamp.holds()


def test_a_digest_knows_names_and_contents_but_no_order(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("1")
    two.write_text("2")
    digest = digest_of_files([one, two])
    assert digest == digest_of_files([two, one])
    one.write_text("2")
    two.write_text("1")
    assert digest != digest_of_files([one, two])
