"""Words for the messages of checks, in the language of the request. app.runtimes.torch.grading sends a code for each message.

The values in a message come from the grader's child and partly from the learner's program, so the words must be escaped when shown.
"""

import re
from collections import defaultdict
from collections.abc import Mapping

from app.locale.messages import mark, translator
from app.protocol.grading import Message
from app.protocol.harmless import harmless
from app.protocol.outcome import Outcome
from app.protocol.run import Lang

WORDS: dict[str, str] = {  # code → msgid, with the message's values in braces
    # of the source
    "syntax": mark("The source cannot be read: there is a syntax error in line {line}."),
    "function-missing": mark("The program ends without a class {function} at top level."),
    "function-base": mark("What the program calls {function} in the end is no class that is derived from torch.autograd.Function."),
    "function-forward": mark("The class {function} has no forward of its own that is written with def."),
    "function-backward": mark("The class {function} has no backward of its own that is written with def."),
    "function-apply": mark("The class {function} has an apply of its own. Leave that to PyTorch; write forward and backward."),
    "function-changed": mark(
        "Something in the class {function} or in torch.autograd.Function has been replaced, or what it returns comes from elsewhere. "
        "Leave both as PyTorch makes them."
    ),
    "ban-used": mark("The whole program, your own tests included, must do without {name}; line {line} uses {written}."),
    "ban-called": mark("While the program worked on this check, it called {operator}. This exercise does without {name}."),
    "autograd-run": mark(
        "While the program worked on this check, autograd went back through a graph. "
        "In this exercise the gradient is to be computed without it."
    ),
    "autograd-means": mark(
        "While the program worked on this check, it had PyTorch compute a derivative ({name}). "
        "In this exercise the gradient is to be computed by a formula of your own."
    ),
    "unseen": mark(
        "While the program worked on this check, it used {name}, so it cannot be seen what it computes with. This exercise does without it."
    ),
    "marked": mark(
        "Line {line} uses {name}. What the program computes has been checked; how, cannot be known of a program that uses this."
    ),
    "marked-again": mark(
        "Line {line} uses {name} (more of the kind: line {others}). What the program computes has been checked; how, cannot be known of a "
        "program that uses this."
    ),
    # of values
    "outputs-number": mark("{function} returns the wrong number of outputs."),
    "output-no-sequence": mark("{function} should return a tuple or list of {expected}, but it returned {got}."),
    "output-sequence": mark("{function} should return {expected}, but it returned a tuple or list of {got}."),
    "output-in-tuple": mark(
        "{function} should return one tensor, but it returned a tuple or list that holds one. Return the tensor itself."
    ),
    "output-kind": mark("Output {output} of {function} should be {expected}, but it is {got}."),
    "output-shape": mark("Output {output} of {function} should have the shape [{expected}], but it has [{got}]."),
    "output-dtype": mark("Output {output} of {function} should be {expected}, but it is {got}."),
    "output-value": mark("{function} returns another value than it should."),
    "outputs-value": mark("Output {output} of {outputs} of {function} has another value than it should."),
    "not-close": mark("The value of {function} differs by more than {atol}."),
    # of gradients
    "no-graph": mark("Output {output} of {function} has no gradient: nothing connects it to the arguments."),
    "gradient-value": mark("The gradient of input {input} is wrong."),
    "gradient-missing": mark("backward gives no gradient for input {input}."),
    "gradient-cut": mark("The gradient of input {input} is cut off from the graph, so the derivative of order {order} is lost."),
    "second-value": mark("The first derivative is right. The gradient of the gradient is wrong for input {input}."),
    "third-value": mark("The first two derivatives are right. The third is wrong for input {input}."),
    "nonlinear": mark("backward is not linear in the incoming gradient, which is 3a − 2b here."),
    "needs": mark("The gradient of input {input} is wrong when only these inputs require grad: {needed}."),
    "scale-gradient": mark("At the scale of {scale} the gradient of input {input} is wrong."),
    "gradcheck": mark("gradcheck of {function} says: {said}"),
    "gradgradcheck": mark("gradgradcheck of {function} says: {said}"),
    "gradcheck-mismatch": mark(
        "gradcheck of {function}: in the derivative of the output with respect to the input {failing} of {total} entries "
        "differ, most of all that of output {output} with respect to input {input}."
    ),
    "gradgradcheck-mismatch": mark(
        "gradgradcheck of {function}: in the derivative of the gradient {failing} of {total} entries differ, most of all that "
        "of the gradient of input {output} with respect to input {input}."
    ),
    "gradgradcheck-incoming": mark(
        "gradgradcheck of {function}: in the derivative of the gradient {failing} of {total} entries differ, most of all that "
        "of the gradient of input {output} with respect to the incoming gradient of output {incoming}."
    ),
    # of the contract
    "layout-gradient": mark("With an incoming gradient that is laid out differently in memory ({layout}) backward goes wrong: {got}"),
    "layout-argument": mark("With an argument that is laid out differently in memory ({layout}) {function} goes wrong: {got}"),
    "argument-changed": mark("{function} changes its argument: input {input} was {expected} before the call and is {got} after it."),
    "grad-output-changed": mark(
        "backward changes its incoming gradient in place, which others use as well: it was {expected} and became {got}."
    ),
    "second-pull": mark("A second backward through the same call gives another gradient: first {expected}, then {got}."),
    "interleaved": mark(
        "Two calls were made before their backwards, and got mixed up: a gradient should be {expected}, but it is {got}. "
        "What belongs to a call is kept on ctx."
    ),
    "not-changed": mark("Argument {input} should hold {expected} after the call, but it holds {got}."),
    "dirty-graph": mark(
        "The argument was changed in place, and the gradient that goes back through it should be {expected}, but it is {got}. Either "
        "backward is wrong, or the argument has not been marked with ctx.mark_dirty."
    ),
    "call-not-raised": mark("Calling {function} should raise {expected}, but nothing was raised."),
    "backward-not-raised": mark("backward of {function} should raise {expected}, but nothing was raised."),
    "second-not-raised": mark("A derivative of the gradient of {function} should raise {expected}, but nothing was raised."),
    "raised-other": mark("{function} should raise {expected} here, but it raised {type}: {message}"),
    # of anything else
    "value-kind": mark("{name} should be of type {expected}, but it is of type {got}."),
    "saved": mark("Tensors kept by one call: {tensors}, together {size}, as reported by your program."),
    "not-so": mark("What this check asks for is not the case yet."),
    "raised": mark("It raised {type}: {message}"),
    "raised-at": mark("It raised {type} in line {line}: {message}"),
    "raised-in-cell": mark("It raised {type} in line {line} of the lesson’s cell “{cell}”, which uses your program: {message}"),
    "raised-memory": mark(
        "The program raises MemoryError itself, in line {line}. That does not show that it used too much: it may use {mebibytes} MiB."
    ),
    "unreadable": mark("What the program answered cannot be read."),
    "gone": mark("The program ended before this could be checked."),
    "gone-timed_out": mark(
        "The program did not finish in time: for all checks together it has {seconds} seconds. Is there a loop that never ends, or one "
        "that takes very long?"
    ),
    "gone-judging": mark(
        "Your check did not finish in time: for all the functions together, about {judgements} judgements, it has {seconds} seconds. Is "
        "there a loop that never ends, or does the check compute more than it needs?"
    ),
    "gone-out_of_memory": mark("Here the program needed more memory than the {mebibytes} MiB that it may use."),
    "gone-out_of_memory-before": mark("This could not be checked: the program had run out of its {mebibytes} MiB of memory before."),
    "gone-output_limit": mark("The program printed more than it may while it was checked."),
    "gone-asking": mark(
        "Your check asked or printed too much. For all the functions together it may make {questions} calls and get {mebibytes} MiB of "
        "results. Is there a loop that never ends?"
    ),
    "gone-crashed": mark("The program’s process ended while it was checked."),
    "gone-forbidden": mark("The program tried something that the sandbox does not allow while it was checked."),
    "broken": mark("This check itself does not work. That is a fault of the exercise, not of yours: {message}"),
    # of a learner's own check
    "right-refused": mark("Your check finds a fault where {function} has none: it returned False."),
    "right-raised": mark("Your check finds a fault where {function} has none: it raised {type} in line {line}: {message}"),
    "right-raised-elsewhere": mark("Your check finds a fault where {function} has none: it raised {type}: {message}"),
    "mutant-accepted": mark("This {function} is wrong, and your check accepts it."),
    "judged-otherwise": mark("Asked again in another order, your check came to another result. It must not depend on chance."),
}
RUNS = "runs"
OUTCOME_WORDS: dict[str, str] = {
    Outcome.RAISED: mark("The program ends with an error, so nothing more could be checked. Fix that first."),
    Outcome.TIMED_OUT: mark("The program did not finish in the time that it has, so nothing more could be checked."),
    Outcome.OUT_OF_MEMORY: mark(
        "The program needs more memory than the {mebibytes} MiB that it may use, so nothing more could be checked."
    ),
    Outcome.OUTPUT_LIMIT: mark("The program prints more than it may, so nothing more could be checked."),
    Outcome.FORBIDDEN: mark("The program does something that is not allowed here, so nothing more could be checked."),
    Outcome.CRASHED: mark("The program ended before its last line, so nothing more could be checked."),
    Outcome.STOPPED: mark("It was stopped before all was checked."),
}
UNKNOWN = mark("This check has not passed.")

_NAMED = {  # values that are translated as they are
    "transposed": mark("transposed"),
    "gaps": mark("with gaps between its entries"),
    "expanded": mark("expanded, so that entries share memory"),
    "a tensor": mark("a tensor"),
}
_SENTENCES = (  # values that app.runtimes.torch makes of these sentences, and that are translated
    mark("a value of type {type}"),
    mark("a {type} is not a plain tensor"),
    mark("a tensor must be dense and in memory, this one is {layout} on {device}"),
    mark("a tensor of {dtype} is not compared here"),
    mark("a tensor of {number} entries is too large to be compared"),
    mark("a {type} of {number} items is too long to be compared"),
    mark("a {type} cannot be given to the checks; tensors, numbers, texts and lists of these can"),
    mark("{number} outputs are too many to be compared"),
    mark("the outputs are too large to be compared"),
    mark("call {number} is not known any more"),
    mark("{entry} at index {index}"),
)
_PATTERNS = {re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>\\S+)", re.escape(sentence))): sentence for sentence in _SENTENCES}
_LARGE = re.compile(r"(?P<entries>\[[^][]*, …\]) \(shape (?P<shape>\[[\d, ]*\])\)")  # a tensor of which only the first entries are shown
_LARGE_WORDS = mark("{entries} (shape {shape})")
_CHINESE = re.compile("[\u4e00-\u9fff]")
_CASES = {  # what was special about the arguments, by the value `case`
    "float32": mark("This was with arguments in single precision."),
    "zero-dimensional": mark("This was with tensors that have no axes."),
    "empty": mark("This was with tensors that have no entries."),
    "non-leaf": mark("This was with arguments that are results of an operation."),
    "one-zero": mark("This was with a zero among the entries."),
    "zeros": mark("This was with an argument of zeros."),
    "ties": mark("This was with entries that are all equal."),
    "large": mark("This was with a large entry."),
    "low": mark("This was with a large negative entry."),
    "tiny": mark("This was with entries next to zero."),
    "far": mark("This was with entries of sizes between 12 and 32."),
    "all-large": mark("This was with entries of sizes between 10,000 and 1,000,000."),
    "incoming-zero": mark("This was with an incoming gradient of zeros."),
    "incoming-tiny": mark("This was with a tiny incoming gradient, of about 1e-12."),
    "incoming-large": mark("This was with a large incoming gradient, of about 1,000,000."),
    "incoming-expanded": mark("This was with an incoming gradient that is expanded, so that entries share memory."),
    "incoming-gaps": mark("This was with an incoming gradient that is transposed in memory, with gaps between its entries."),
    "small": mark("This was with small entries, of about 0.0001."),
    "one-row": mark("This was with a single row."),
    "many-rows": mark("This was with many rows."),
    "transposed": mark("This was with arguments that are transposed in memory."),
    "gaps": mark("This was with arguments that have gaps between their entries in memory."),
    "again": mark("This was a second call with the same arguments."),
}


def word(message: Message, lang: Lang) -> str:
    """Return a message as plain text. It consists of the author's words, or else the words for its code, or else UNKNOWN."""
    translate = translator(lang)
    values = {name: said_value(value, lang) for name, value in message.values.items()}
    own = values.get(f"said.{lang}") or values.get("said.en")
    if own:
        return own
    chinese = lang == "zh-Hans"
    words = translate(WORDS.get(message.code, UNKNOWN))
    said = fill(_close_up(words, values) if chinese else words, values).rstrip()
    if values.get("message") == "":
        said = said.rstrip(":：")
    case = _CASES.get(message.values.get("case", ""))
    between = "" if chinese else " "
    return f"{said}{between}{translate(case)}" if case else said


def _close_up(words: str, values: Mapping[str, str]) -> str:
    """Remove the space between Chinese words and a value where the value begins or ends with a Chinese character."""
    for name, value in values.items():
        brace = f"{{{name}}}"
        words = words.replace(f" {brace}", brace) if _CHINESE.match(value[:1]) else words
        words = words.replace(f"{brace} ", brace) if _CHINESE.match(value[-1:]) else words
    return words


def fill(words: str, values: Mapping[str, str]) -> str:
    """Return the words, with each name in braces replaced by the value of that name, or by a question mark if there is none."""
    return words.format_map(defaultdict(lambda: "?", values))


def said_value(value: str, lang: Lang) -> str:
    """Return a message's value as learners see it. It is translated only if it is one of Gradroom's own words or sentences."""
    value, translate = harmless(value), translator(lang)
    for pattern, sentence in _PATTERNS.items():
        if found := pattern.fullmatch(value):
            return fill(translate(sentence), found.groupdict())
    if value in _NAMED:
        return translate(_NAMED[value])
    return _LARGE.sub(lambda large: fill(translate(_LARGE_WORDS), large.groupdict()), value)  # a name of the program is never translated
