"""Ordinary programs work under the full filter, and what cannot work fails with a plain message."""

import asyncio

import msgspec
import pytest

from app.protocol.outcome import Outcome
from app.protocol.run import Lang, Program, RunResult, Source
from tests.programs import Programs, order_of

WORKS = {
    "torch.func": """
        from torch.func import functional_call, grad, jacrev, vmap
        x = torch.tensor([1.0, 2.0])
        print(grad(lambda x: (x**3).sum())(x), vmap(grad(lambda x: x**2))(x), jacrev(torch.square)(x))
        print(functional_call(torch.nn.Linear(2, 1), {"weight": torch.ones(1, 2), "bias": torch.zeros(1)}, x))
        >>> tensor([ 3., 12.]) tensor([2., 4.]) tensor([[2., 0.],
        >>>         [0., 4.]])
        >>> tensor([3.])
    """,
    "torch.library": """
        @torch.library.custom_op("mine::double", mutates_args=())
        def double(x: torch.Tensor) -> torch.Tensor:
            return x * 2
        double.register_fake(lambda x: torch.empty_like(x))
        double.register_autograd(lambda ctx, grad: grad * 2)
        x = torch.ones(2, requires_grad=True)
        double(x).sum().backward()
        print(x.grad, set(torch.library.opcheck(double, (torch.randn(3, requires_grad=True),)).values()))
        >>> tensor([2., 2.]) {'SUCCESS'}
    """,
    "torch.autograd.functional": """
        from torch.autograd.functional import hessian, hvp, jacobian, jvp, vhp, vjp
        x, cube = torch.tensor([1.0, 2.0]), lambda x: x.pow(3).sum()
        print(jacobian(cube, x), hessian(cube, x).diag(), *(product(cube, x, x)[1] for product in (jvp, hvp, vhp)), vjp(cube, x)[1])
        >>> tensor([ 3., 12.]) tensor([ 6., 12.]) tensor(27.) tensor([ 6., 24.]) tensor([ 6., 24.]) tensor([ 3., 12.])
    """,
    "forward mode": """
        import torch.autograd.forward_ad as forward
        with forward.dual_level():
            print(forward.unpack_dual(forward.make_dual(torch.tensor(2.0), torch.tensor(1.0)) ** 3).tangent)
        print(torch.autograd.gradcheck(torch.sin, torch.ones(2, dtype=torch.double, requires_grad=True), check_forward_ad=True))
        >>> tensor(12.)
        >>> True
    """,
    "torch.linalg": """
        a = torch.tensor([[4.0, 1.0], [1.0, 3.0]])
        print(torch.linalg.det(a), torch.linalg.solve(a, torch.tensor([5.0, 4.0])), torch.linalg.eigvalsh(torch.diag(a.diag())))
        b = torch.rand(200, 200) + 200 * torch.eye(200)
        print(torch.allclose(torch.linalg.cholesky(b @ b.T).square().sum(), (b @ b.T).trace()), torch.linalg.svdvals(b).shape)
        >>> tensor(11.) tensor([1., 1.]) tensor([3., 4.])
        >>> True torch.Size([200])
    """,
    "numpy.linalg": """
        import numpy
        a = numpy.random.rand(300, 300)
        print(numpy.allclose(numpy.linalg.inv(a) @ a, numpy.eye(300)), numpy.linalg.eig(a)[0].shape, numpy.linalg.svd(a)[1].shape)
        print(numpy.linalg.lstsq(a, a[:, 0], rcond=None)[0].round(6)[0] + 0.0)
        >>> True (300,) (300,)
        >>> 1.0
    """,
    "an optimiser": """
        model = torch.nn.Linear(1, 1)
        optimiser = torch.optim.Adam(model.parameters(), lr=0.3)
        for _ in range(60):
            optimiser.zero_grad()
            loss = (model(torch.ones(1)) - 3).square().sum()
            loss.backward()
            optimiser.step()
        print(loss.item() < 0.1)
        >>> True
    """,
    "saving and loading": """
        import numpy
        torch.save({"weight": torch.arange(3.0)}, "weights.pt")
        numpy.save("a.npy", numpy.arange(3))
        numpy.savez("b.npz", x=numpy.ones(2))
        print(torch.load("weights.pt"), torch.load("weights.pt", mmap=True)["weight"].sum(), sorted(os.listdir()))
        print(numpy.load("a.npy"), numpy.load("a.npy", mmap_mode="r+"), numpy.load("b.npz")["x"])
        >>> {'weight': tensor([0., 1., 2.])} tensor(3.) ['a.npy', 'b.npz', 'weights.pt']
        >>> [0 1 2] [0 1 2] [1. 1.]
    """,
    "temporary files": """
        import tempfile
        with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile("w+") as named, tempfile.TemporaryFile("w+") as file:
            print(folder.startswith(os.getcwd()), named.name.startswith(os.getcwd()), file.write("four"))
        print(os.listdir())
        >>> True True 4
        >>> []
    """,
    "paths, copies and moves": """
        import pathlib, shutil
        pathlib.Path("a/b").mkdir(parents=True)
        pathlib.Path("a/b/file").write_text("x")
        shutil.copytree("a", "c")
        shutil.copy2("a/b/file", "copy")
        shutil.move("copy", "moved")
        shutil.rmtree("a")
        print(sorted(map(str, pathlib.Path().rglob("*"))), pathlib.Path("~").expanduser() == pathlib.Path.cwd())
        >>> ['c', 'c/b', 'c/b/file', 'moved'] True
    """,
    "sqlite": """
        import sqlite3
        with sqlite3.connect("numbers.db") as database:
            database.execute("create table numbers (n)")
            database.executemany("insert into numbers values (?)", [(n,) for n in range(10)])
        print(sqlite3.connect("numbers.db").execute("select sum(n) from numbers").fetchone())
        >>> (45,)
    """,
    "sqlite with a log beside it": """
        import sqlite3
        writer, reader = sqlite3.connect("logged.db"), sqlite3.connect("logged.db")
        print(writer.execute("pragma journal_mode = wal").fetchone())
        with writer: writer.execute("create table numbers (n)")
        with writer: writer.executemany("insert into numbers values (?)", [(n,) for n in range(10)])
        print(reader.execute("select sum(n) from numbers").fetchone())
        >>> ('wal',)
        >>> (45,)
    """,
    "joining a thread of C": """
        import ctypes, threading, time
        libc, thread, done = ctypes.CDLL(None), ctypes.c_ulong(), []
        work = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(lambda _: (time.sleep(0.05), done.append(1))[0])
        print(libc.pthread_create(ctypes.byref(thread), None, work, None), libc.pthread_join(thread, None), done)
        >>> 0 0 [1]
    """,
    "a mapped file": """
        import mmap
        open("file", "wb").write(bytes(4096))
        with open("file", "r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
            mapped[:2] = b"hi"
        print(open("file", "rb").read(2))
        >>> b'hi'
    """,
    "archives": """
        import gzip, zipfile
        with gzip.open("a.gz", "wt") as file: file.write("in a.gz")
        with zipfile.ZipFile("a.zip", "w") as file: file.write("a.gz")
        print(gzip.open("a.gz", "rt").read(), zipfile.ZipFile("a.zip").namelist())
        >>> in a.gz ['a.gz']
    """,
    "threads": """
        import concurrent.futures, queue, threading
        done = queue.Queue()
        threads = [threading.Thread(target=done.put, args=(n,)) for n in range(20)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        def gradient(n):
            x = torch.tensor(float(n), requires_grad=True)
            (x * x).backward()
            return x.grad.item()
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            print(sorted(done.get() for _ in threads) == list(range(20)), list(pool.map(gradient, range(5))))
        >>> True [0.0, 2.0, 4.0, 6.0, 8.0]
    """,
    "asyncio": """
        import asyncio
        async def main():
            async def number(n):
                await asyncio.sleep(0.01)
                return n
            async with asyncio.timeout(5):
                print(await asyncio.gather(number(1), number(2)), await asyncio.to_thread(lambda: 3))
        asyncio.run(main())
        >>> [1, 2] 3
    """,
    "time.sleep": """
        import time
        before = time.monotonic()
        time.sleep(0.1)
        print(time.monotonic() - before >= 0.1)
        >>> True
    """,
    "an alarm": """
        import signal, time
        def ring(*_): raise TimeoutError("it rang")
        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        try: time.sleep(5)
        except TimeoutError as error: print(error)
        >>> it rang
    """,
    "dates and places": """
        import calendar, datetime, locale, zoneinfo
        summer = datetime.datetime(2024, 7, 1, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin"))
        print(summer.utcoffset(), datetime.datetime.now(zoneinfo.ZoneInfo("Asia/Shanghai")).tzname(), locale.setlocale(locale.LC_ALL, ""))
        print(calendar.month_name[2], locale.getpreferredencoding())
        >>> 2:00:00 CST C.UTF-8
        >>> February UTF-8
    """,
    "a class's own source": """
        import dataclasses, inspect, pickle
        @dataclasses.dataclass
        class Point:
            x: int = 1
        print(inspect.getsource(Point), inspect.signature(Point), dataclasses.replace(pickle.loads(pickle.dumps(Point(2))), x=3))
        >>> @dataclasses.dataclass
        >>> class Point:
        >>>     x: int = 1
        >>>  (x: int = 1) -> None Point(x=3)
    """,
    "compilation that needs no compiler": """
        print(torch.compile(lambda x: x + 1, backend="eager")(torch.ones(1)), torch.jit.script(torch.nn.Linear(1, 1))(torch.ones(1)).shape)
        >>> tensor([2.]) torch.Size([1])
    """,
    "a loader without workers": """
        from torch.utils.data import DataLoader, TensorDataset
        print([batch[0].tolist() for batch in DataLoader(TensorDataset(torch.arange(4.0)), batch_size=2)])
        >>> [[0.0, 1.0], [2.0, 3.0]]
    """,
    "a progress bar": """
        import time, tqdm.auto
        for step in tqdm.auto.trange(3, file=sys.stdout, bar_format="{n}/{total}", mininterval=0): time.sleep(0.01)
        >>> ␍0/3␍1/3␍2/3␍3/3␍3/3
    """,
    "an empty folder at the start": """
        print(os.listdir("."), sys.stdin.read() == "")
        >>> [] True
    """,
    "measuring": """
        import cProfile, gc, timeit, tracemalloc
        tracemalloc.start()
        print(timeit.timeit("1 + 1", number=10) < 1, tracemalloc.get_traced_memory()[0] >= 0, gc.collect() >= 0)
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile: torch.ones(10).sum()
        print(len(profile.key_averages()) > 0)
        >>> True True True
        >>> True
    """,
}


def unfold(text: str) -> tuple[str, str]:
    """Parse a program and what it prints."""
    lines = [line.removeprefix("        ") for line in text.strip("\n").splitlines()[:-1]]
    source = [line for line in lines if not line.startswith(">>>")]
    printed = [line.removeprefix(">>>").removeprefix(" ") for line in lines if line.startswith(">>>")]
    return "import os, sys, torch\n" + "\n".join(source), "".join(f"{line}\n" for line in printed)


@pytest.mark.parametrize("name", WORKS)
def test_what_ordinary_programs_do_works(programs: Programs, name: str) -> None:
    source, printed = unfold(WORKS[name])
    result = programs.run(source)
    assert (result.outcome, result.error) == (Outcome.FINISHED, None)
    assert result.stdout == printed


REFUSED = {
    "import subprocess; subprocess.run(['ls'])": "Operation not permitted",
    "import subprocess; subprocess.run('ls', shell=True)": "Operation not permitted",
    "import os; os.popen('ls').read()": "Operation not permitted",
    "import os; os.system('ls')": "os.system is not available here: a lesson may not start other programs",
    "import os; os.execv('/bin/ls', ['ls'])": "Operation not permitted",
    "import multiprocessing; multiprocessing.Process(target=print).start()": "Operation not permitted",
    "import multiprocessing; multiprocessing.Pool(2)": "multiprocessing is not available here",
    "import multiprocessing; multiprocessing.Queue()": "multiprocessing is not available here",
    "import concurrent.futures; list(concurrent.futures.ProcessPoolExecutor(2).map(abs, [1]))": "multiprocessing is not available here",
    "import torch.multiprocessing; torch.multiprocessing.spawn(print, nprocs=2)": "Operation not permitted",
    "import torch; torch.compile(lambda x: x)": "torch.compile is not available here: it needs a C++ compiler",
    "import torch; torch.nn.Linear(1, 1).compile()": "torch.compile is not available here: it needs a C++ compiler",
    "import torch.utils.cpp_extension as cpp; cpp.load_inline('x', 'int f();')": "load_inline is not available here: it needs a C++",
    "import torch.utils.data as data, torch\nnext(iter(data.DataLoader(data.TensorDataset(torch.ones(4)), num_workers=2)))": (
        "DataLoader(num_workers=2) is not available here: its workers are processes (num_workers=0 needs none)"
    ),
    "import urllib.request; urllib.request.urlopen('http://example.org')": "name resolution",
}


@pytest.mark.parametrize("source", REFUSED)
def test_what_cannot_work_is_refused_in_words(programs: Programs, source: str) -> None:
    result = programs.run(source)
    assert result.outcome == Outcome.FORBIDDEN
    assert result.error is not None
    assert REFUSED[source] in result.error.message
    assert result.error.pitfall or "may not start other programs" in (result.error.explanation or "")
    assert result.stderr == ""


@pytest.mark.parametrize(("lang", "words"), [("en", "Nobody can type an answer"), ("zh-Hans", "不能从键盘输入")])
def test_nobody_answers_input(programs: Programs, lang: Lang, words: str) -> None:
    result = in_language(programs, "name = input('Your name? ')", lang)
    assert result.error is not None
    assert (result.outcome, result.error.type, result.error.line) == (Outcome.RAISED, "EOFError", 1)
    assert result.error.message == "there is no input here"
    assert words in (result.error.explanation or "")


def test_nobody_answers_a_debugger(programs: Programs) -> None:
    result = programs.run("x = 1\nbreakpoint()\nx = 2")
    assert result.error is not None
    assert (result.outcome, result.error.type) == (Outcome.RAISED, "BdbQuit")
    assert result.error.pitfall == "no-input"


def test_an_error_that_only_looks_like_the_end_of_input_is_not_explained(programs: Programs) -> None:
    result = programs.run("raise EOFError('the file is too short')")
    assert result.error is not None
    assert result.error.explanation is None


def test_more_threads_than_a_run_may_use_are_clamped_with_a_warning(programs: Programs) -> None:
    result = programs.run(
        "import torch\ntorch.set_num_threads(512)\nprint(torch.get_num_threads(), torch.ones(500, 500).mm(torch.ones(500, 500)).sum())"
    )
    assert (result.outcome, result.stdout) == (Outcome.FINISHED, "1 tensor(1.2500e+08)\n")
    assert "torch.set_num_threads(512): a run may use 1 here" in result.stderr


def test_random_numbers_and_hashes_are_the_same_in_every_run_and_follow_the_seed(programs: Programs) -> None:
    source = "import random, numpy, torch\nprint(random.random(), numpy.random.rand(), torch.rand(2), hash('a'), {'a', 'b', 'c'})"
    first, second = programs.run(source).stdout, programs.run(source).stdout
    other = programs.run("", program=Program(source=Source(text=source), seed=1)).stdout
    assert first == second
    assert first != other
    assert first.split()[-4:] == other.split()[-4:]  # the hash seed is always the same


def test_warnings_name_the_learners_line(programs: Programs) -> None:
    result = programs.run("import warnings\n\nwarnings.warn('careful')")
    assert (result.outcome, result.stdout) == (Outcome.FINISHED, "")
    assert result.stderr == "<source>:3: UserWarning: careful\n  warnings.warn('careful')\n"


def test_an_anomaly_is_traced_to_the_learners_lines_and_no_further(programs: Programs) -> None:
    source = "import torch\ndef root(x):\n    return torch.sqrt(x)\ny = root(torch.tensor(-1.0, requires_grad=True))\ny.backward()"
    result = programs.run(f"import torch\ntorch.autograd.set_detect_anomaly(True)\n{source}")
    assert result.error is not None
    assert result.error.message == "Function 'SqrtBackward0' returned nan values in its 0th output."
    assert 'File "<source>", line 5, in root' in result.stderr
    assert "app/" not in result.stderr


def in_language(programs: Programs, text: str, lang: Lang) -> RunResult:
    last = asyncio.run(programs.collect(msgspec.structs.replace(order_of(text), lang=lang)))[-1]
    assert isinstance(last, RunResult)
    return last
