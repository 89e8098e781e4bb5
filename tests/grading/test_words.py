"""Every code with which a check can fail has words, and these can always be formatted."""

import ast

import pytest

from app.grading.words import UNKNOWN, WORDS, said_value, word
from app.locale.messages import translator
from app.protocol.grading import Message
from app.settings import PROJECT
from tests.one_test import in_one_test

CODED = ("NotPassed", "compare_gradients", "_compare_pulled", "_failed")


REFUSING = {  # functions of app/runtimes/torch/calls that raise why a learner's value is not compared
    "tensor_data.py": ("encode_tensor", "encode_value", "encode_plain"),
    "call_server.py": ("_store", "_graph"),
}


def codes_in_source() -> set[str]:
    """Return the texts that are given as codes in the source."""
    found = set()
    for file in (PROJECT / "app/runtimes/torch/grading").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CODED:
                found |= {
                    argument.value for argument in node.args if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
                }
    return found


def refusals_in_source() -> list[str]:
    """Return the messages that these functions raise, with "x" for every value."""
    found = []
    for file, functions in REFUSING.items():
        for node in ast.walk(ast.parse((PROJECT / "app/runtimes/torch/calls" / file).read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name in functions:
                found += [raised_text(inner.exc) for inner in ast.walk(node) if isinstance(inner, ast.Raise)]
    return found


def raised_text(raised: ast.expr | None) -> str:
    assert isinstance(raised, ast.Call)
    (said,) = raised.args
    parts = said.values if isinstance(said, ast.JoinedStr) else [said]
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in parts)


def test_every_code_has_words() -> None:
    assert len(codes_in_source()) > 30
    assert codes_in_source() - set(WORDS) == set()


@in_one_test("code", [*WORDS, "never-heard-of"])
@in_one_test("lang", ["en", "zh-Hans"])
def test_a_message_without_its_values_still_says_something(code: str, lang: str) -> None:
    assert word(Message(code=code), lang)  # type: ignore[arg-type]


def test_values_stand_as_they_are() -> None:
    said = word(Message(code="raised", values={"type": "{0.__class__}", "message": "<b>{x}\x1b[1m"}), "en")
    assert said == "It raised {0.__class__}: <b>{x}␛[1m"


def test_a_value_that_is_a_word_of_the_interface_too_is_not_translated() -> None:
    assert translator("zh-Hans")("autograd") != "autograd"
    said = word(Message(code="ban-used", values={"name": "torch.autograd", "line": "1", "written": "autograd"}), "zh-Hans")
    assert said == "整个程序都不能使用 torch.autograd，你自己写的测试也不例外；而第 1 行用了 autograd。"


def test_a_kind_of_value_is_said_in_the_language_of_the_request() -> None:
    said = word(Message(code="output-kind", values={"expected": "a tensor"}), "zh-Hans")
    assert "张量" in said and "a tensor" not in said


def test_the_shape_of_a_large_tensor_is_said_in_the_language_of_the_request() -> None:
    values = "[0, 1, …] (shape [4, 2]), 3, [0.5, …] (shape [10])"
    assert said_value(values, "en") == values
    assert said_value(values, "zh-Hans") == "[0, 1, …]（形状 [4, 2]）, 3, [0.5, …]（形状 [10]）"
    assert said_value("my own (shape [2])", "zh-Hans") == "my own (shape [2])"


def test_an_author_has_words_of_ones_own() -> None:
    message = Message(code="expected", values={"said.en": "no", "said.zh-Hans": "不"})
    assert (word(message, "en"), word(message, "zh-Hans")) == ("no", "不")
    assert word(Message(code="expected"), "en") == UNKNOWN


def test_what_is_saved_is_said_in_both_languages() -> None:
    message = Message(code="saved", values={"tensors": "3", "size": "12 MiB"})
    assert word(message, "en") == "Tensors kept by one call: 3, together 12 MiB, as reported by your program."
    assert word(message, "zh-Hans") == "据你的程序报告，调用一次留下 3 个张量，共 12 MiB。"


def test_what_was_special_about_the_arguments_is_added() -> None:
    said = word(Message(code="output-dtype", values={"case": "float32"}), "zh-Hans")
    assert said.endswith(translator("zh-Hans")("This was with arguments in single precision."))


@pytest.mark.parametrize("said", refusals_in_source())
def test_why_a_value_is_not_compared_is_said_in_both_languages(said: str) -> None:
    message = Message(code="raised", values={"type": "TypeError", "message": said})
    assert word(message, "en") == f"It raised TypeError: {said}"
    chinese = word(message, "zh-Hans").removeprefix("抛出了 TypeError：")
    assert any("\u4e00" <= character <= "\u9fff" for character in chinese)


def test_a_refusal_names_what_was_refused() -> None:
    assert len(refusals_in_source()) > 5
    said = "a Root cannot be given to the checks; tensors, numbers, texts and lists of these can"
    message = Message(code="raised", values={"type": "TypeError", "message": said})
    assert word(message, "zh-Hans").startswith("抛出了 TypeError：检查不接受 Root 类型的值")
    own = Message(code="raised", values={"type": "TypeError", "message": f"my own: {said}"})
    assert word(own, "zh-Hans").endswith(said)


@pytest.mark.parametrize(
    ("code", "expected", "got", "said"),
    [
        ("output-kind", "a tensor", "None", "F 的第 1 个输出应当是张量，实际是 None。"),
        ("output-kind", "a value of type float", "a tensor", "F 的第 1 个输出应当是 float 类型的值，实际是张量。"),
        ("output-sequence", "a tensor", "2", "F 应当返回张量，实际返回的是含 2 项的元组或列表。"),
        ("output-sequence", "a value of type float", "2", "F 应当返回 float 类型的值，实际返回的是含 2 项的元组或列表。"),
    ],
)
def test_chinese_has_a_space_beside_latin_letters_alone(code: str, expected: str, got: str, said: str) -> None:
    values = {"function": "F", "output": "1", "expected": expected, "got": got, "arguments": "x"}
    assert word(Message(code=code, values=values), "zh-Hans") == said


def test_english_has_a_space_beside_a_chinese_value() -> None:
    message = Message(code="raised-at", values={"type": "TypeError", "line": "1", "message": "不对"})
    assert word(message, "en") == "It raised TypeError in line 1: 不对"
