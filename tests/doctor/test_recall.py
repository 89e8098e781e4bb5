"""What the doctor finds in the corpora of mistakes, with the table of what it does not find: each change of the rules shows here."""

import pytest

from tests.doctor.score import FOLDER, paths_of, score
from tests.runtimes.children import Children
from tests.sample import sample

# What is not found, or not at the line that the program's header names. Whoever finds one takes it from the table.
NOT_FOUND = {
    "functions/dice_loss/fault_1": "as wrong-gradient in the line of the return",
    "functions/fake_quant/fault_2": "in the line of the return, not in that of the gradient",
    "functions/fft_convolution/fault_1": "in the line below",
    "functions/lstm_cell/fault_2": "in the heading of backward, or at the line if the search has time",
    "programs/auxiliary-output-unmarked/first": "in the line of the gradient that lacks a term, not in the heading of backward",
    "programs/grad-accumulated/second": "nothing is said",
    "programs/option-ignored-in-backward/second": "in the line of the gradient, not in that of the missing option",
    "programs/wrong-dtype/second": "in the line of the return, not in that of the conversion",
    "programs/wrong-shape/second": "as wrong-shape or wrong-factor in another line",
}
NAMES = {corpus: [str(path.relative_to(FOLDER).with_suffix("")) for path in paths_of(corpus)] for corpus in ("programs", "functions")}


@pytest.mark.parametrize("name", sample(NAMES["programs"] + NAMES["functions"]))
def test_a_mistake_is_found_at_its_line_unless_the_table_says_so(children: Children, name: str) -> None:
    scored = score(children, (FOLDER / name).with_suffix(".py"))
    assert not [each for each in scored.seen if each.code == "fault"]
    assert scored.is_good(name.partition("/")[0]) or name in NOT_FOUND, scored.seen


def test_the_table_names_programs_of_the_corpora() -> None:
    assert set(NOT_FOUND) <= {name for names in NAMES.values() for name in names}
    assert {corpus: len(names) - len([name for name in names if name in NOT_FOUND]) for corpus, names in NAMES.items()} == {
        "programs": 95,
        "functions": 56,
    }
