"""A course of one lesson that has each kind of prediction and exercise, an edit to try, and a rule, in both languages."""

from collections.abc import Mapping

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.exercise import CheckFacts, Exercise, ExerciseText
from app.lessons.model.model import (
    Block,
    Cell,
    CellEdit,
    CellPlace,
    Chapter,
    Course,
    ExercisePlace,
    Lesson,
    LessonText,
    PredictionPlace,
    Prose,
    RulePlace,
    TryIt,
    TryPlace,
)
from app.lessons.model.prediction import Answer, Asks, Prediction, PredictionText
from app.lessons.model.shows import Shows
from app.protocol.run import Lang

PATH = "tasks/square"
SQUARE = """import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_output
"""
USE = """x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
out = Square.apply(x)
out.sum().backward()
print("x.grad:", x.grad)
"""
NOTHING = Shows(lines={})
BLANK = SQUARE.replace("return 2 * x * grad_output", "return ____ * grad_output")
CHECK = """def check(square):
    x = torch.tensor(2.0, dtype=torch.double, requires_grad=True)
    return torch.autograd.gradcheck(square, x)
"""


def say(english: str, chinese: str) -> Mapping[Lang, str]:
    return {"en": english, "zh-Hans": chinese}


def predict(name: str, asks: Asks, answer: Answer, question: Mapping[Lang, str], **fields: object) -> Prediction:
    choices: Mapping[Lang, tuple[str, ...]] = fields.pop("words", {"en": (), "zh-Hans": ()})  # type: ignore[assignment]
    secret = say("Because SECRET-WHY.", "因为 SECRET-WHY。")
    texts = {
        lang: PredictionText(question=f"<p>{question[lang]}</p>", choices=choices[lang], wrong={1: "SECRET-WRONG"}, why=secret[lang])
        for lang in question
    }
    return Prediction(id=name, cell_id="use", asks=asks, answer=answer, line=1, texts=texts, **fields)  # type: ignore[arg-type]


PREDICTIONS = (
    predict(
        "grad",
        "choice",
        2,
        say("What does the last line print?", "最后一行会打印什么？"),
        words={
            "en": (
                "<code>tensor([1., 4., 9.])</code>, the squares",
                "<code>tensor([2., 4., 6.])</code>, twice the inputs",
                "It raises: <code>Square</code> is no module.",
            ),
            "zh-Hans": (
                "<code>tensor([1., 4., 9.])</code>，即各数的平方",
                "<code>tensor([2., 4., 6.])</code>，即输入的两倍",
                "会抛出异常：<code>Square</code> 不是模块。",
            ),
        },
        choices=(NOTHING, NOTHING, NOTHING),
    ),
    predict(
        "value",
        "value",
        2.718,
        say("What is the third derivative of <code>exp</code> at 1?", "<code>exp</code> 在 1 处的三阶导数是多少？"),
        tolerance=0.01,
    ),
    predict("shape", "shape", (2, 3), say("Which shape has <code>x.grad</code>?", "<code>x.grad</code> 的形状是什么？")),
    predict("verdict", "verdict", "fails", say("Does gradgradcheck pass?", "gradgradcheck 会通过吗？")),
    predict("line", "line", 3, say("Which line raises?", "哪一行会抛出异常？")),
    predict("box", "isolated", "grad_x", say("Which box stays isolated?", "哪个节点是孤立的？"), names=("x", "grad_x", "out")),
    predict("nodes", "nodes", 5, say("How many nodes has the graph?", "计算图有多少个节点？")),
)


def explain(
    title: Mapping[Lang, str], task: Mapping[Lang, str], checks: Mapping[Lang, Mapping[str, str]], mutants: Mapping[str, str]
) -> Mapping[Lang, ExerciseText]:
    hints = {
        "en": ("<p>What is the derivative of x²?</p>", "<p>Multiply it by <code>grad_output</code>: the chain rule.</p>"),
        "zh-Hans": ("<p>x² 的导数是什么？</p>", "<p>根据链式法则，再乘以 <code>grad_output</code>。</p>"),
    }
    return {
        lang: ExerciseText(
            title=title[lang],
            html=f"<p>{task[lang]}</p>",
            hints=hints[lang],
            mistakes={"forgot-chain": "SECRET-MISTAKE"},
            checks=checks[lang],
            mutants=mutants,
            after="SECRET-AFTER",
        )
        for lang in title
    }


TITLES: Mapping[Lang, Mapping[str, str]] = {
    "en": {"values": "The values are right", "gradient": "The gradient is right"},
    "zh-Hans": {"values": "函数值正确", "gradient": "梯度正确"},
}
FACTS = (CheckFacts(id="values"), CheckFacts(id="gradient"), CheckFacts(id="strides", hidden=True), CheckFacts(id="second", hidden=True))
EXERCISES = (
    Exercise(
        id="square-blank",
        kind="blank",
        filename="square_blank.py",
        starter=BLANK,
        solutions={"solution": SQUARE + "# SECRET-SOLUTION\n"},
        checks_source="SECRET-CHECKS",
        checks=FACTS,
        texts=explain(
            say("The derivative of a square", "平方的导数"),
            say(
                "Fill in what <code>backward</code> multiplies the incoming gradient by.",
                "补全 <code>backward</code> 中与上游梯度相乘的因子。",
            ),
            TITLES,
            {},
        ),
    ),
    Exercise(
        id="square-test",
        kind="test",
        filename="square_test.py",
        after=("square",),
        starter=CHECK,
        solutions={"solution": CHECK},
        examines="check",
        subject="Square",
        right={"plain": SQUARE},
        mutants={"once": SQUARE, "scaled": SQUARE},
        texts=explain(
            say("A check that finds wrong second derivatives", "能发现错误二阶导数的检查"),
            say(
                "Write <code>check(square)</code>: it raises, or returns <code>False</code>, when <code>square</code> is wrong.",
                "编写 <code>check(square)</code>：当 <code>square</code> 有错时抛出异常或返回 <code>False</code>。",
            ),
            {"en": {}, "zh-Hans": {}},
            {"once": "SECRET-MUTANT", "scaled": "SECRET-MUTANT"},
        ),
    ),
)
TRY = TryIt(id="detached", cell_id="use", line=1, edits=(CellEdit("square", "2 * x * grad_output", "2 * x.detach() * grad_output"),))
PROSE: Mapping[Lang, tuple[str, ...]] = {
    "en": (
        "<p>An operation of your own says itself how gradients flow back through it.</p>",
        '<h2 id="more">More questions</h2><p>Each of these is about the cell above.</p>',
        "<p>Multiply by <code>x.detach()</code> instead. Which second derivative is lost?</p>",
        "<p>The one that leads through <code>x</code>.</p>",
        "<p><strong>Save the input and compute with it: the second derivative comes by itself.</strong></p>",
    ),
    "zh-Hans": (
        "<p>自定义的运算要自己说明梯度如何回传。</p>",
        '<h2 id="more">更多问题</h2><p>下面的问题都针对上面的单元格。</p>',
        "<p>改为乘以 <code>x.detach()</code>。哪个二阶导数会丢失？</p>",
        "<p>经过 <code>x</code> 的那一个。</p>",
        "<p><strong>保存输入，并用它来计算：二阶导数自然就有了。</strong></p>",
    ),
}


def make_text(lang: Lang) -> LessonText:
    opening, more, tried, outcome, rule = PROSE[lang]
    blocks: tuple[Block, ...] = (
        Prose(opening),
        CellPlace("square"),
        PredictionPlace("grad"),
        CellPlace("use"),
        TryPlace("detached", tried, outcome),
        Prose(more),
        *(PredictionPlace(one.id) for one in PREDICTIONS[1:]),
        ExercisePlace("square-blank"),
        ExercisePlace("square-test"),
        RulePlace(rule),
    )
    title = {"en": "A square of your own", "zh-Hans": "自己写一个平方"}[lang]
    return LessonText(title=title, title_html=title, lede_html=f"{title}.", summary=title, blocks=blocks)


def make_catalogue() -> Catalogue:
    cells = (
        Cell(id="square", filename="square.py", source=SQUARE, line=1),
        Cell(id="use", filename="use_square.py", source=USE, line=2, after=("square",)),
    )
    lesson = Lesson(
        id="square",
        chapter_id="tasks",
        minutes=9,
        runtime="torch",
        cells=cells,
        predictions=PREDICTIONS,
        exercises=EXERCISES,
        tries=(TRY,),
        texts={lang: make_text(lang) for lang in ("en", "zh-Hans")},
    )
    return Catalogue(Course((Chapter(id="tasks", number=1, title={"en": "Tasks", "zh-Hans": "任务"}, lessons=(lesson,)),)))
