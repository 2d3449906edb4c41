"""A program run apart has nothing of ours, says no more than it may, and leaves nobody behind."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from jmem.errors import NotFound
from jmem.storage import processes
from jmem.storage.processes import Finished

PATH = {"PATH": os.environ["PATH"]}


def python(
    program: str, *, stdin: str = "", timeout: float = 20.0, max_bytes: int = 1_000_000
) -> Finished:
    return processes.run_apart(
        [sys.executable, "-I", "-c", program],
        stdin=stdin,
        timeout=timeout,
        environment=PATH,
        max_bytes=max_bytes,
    )


def gone(pid: int) -> bool:
    """Whether a process has ended: it may take the kernel a moment after the signal."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat")
            if state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def test_it_reads_a_long_text_and_may_answer_while_it_does() -> None:
    text = "名前 and more\n" * 50_000
    done = python("import sys\nfor line in sys.stdin: sys.stdout.write(line)", stdin=text)
    assert done == Finished(0, text, "")


def test_it_need_not_read_what_it_is_told() -> None:
    assert python("print('no')", stdin="x" * 1_000_000).output == "no\n"


def test_its_code_and_its_complaints_are_reported() -> None:
    assert python("import sys; sys.exit('cannot')") == Finished(1, "", "cannot\n")


def test_it_sits_in_an_empty_directory_that_goes_away() -> None:
    done = python("import os; print(os.getcwd(), os.listdir()); open('left', 'w').close()")
    place, _, listing = done.output.strip().partition(" ")
    assert listing == "[]"
    assert Path(place).name.startswith(processes.APART_PREFIX)
    assert not Path(place).exists()


def test_it_is_given_no_variable_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOMETHING_OF_OURS", "1")
    assert "SOMETHING_OF_OURS" not in python("import os; print(dict(os.environ))").output


def test_it_ends_at_the_deadline_with_all_it_started(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    program = (
        "import os, time\n"
        "child = os.fork()\n"
        f"if child: open({str(file)!r}, 'w').write(str(child))\n"
        "time.sleep(600)"
    )
    with pytest.raises(processes.TimedOut):
        python(program, timeout=1.0)
    assert gone(int(file.read_text()))


def test_a_child_that_keeps_its_pipes_open_is_not_waited_for() -> None:
    program = (
        "import os, time\n"
        "child = os.fork()\n"
        "if child: print(child, flush=True)\n"
        "else: time.sleep(600)"
    )
    assert gone(int(python(program, timeout=60.0).output))


def test_it_may_close_its_output_and_still_work() -> None:
    assert python("import os, time; os.close(1); os.close(2); time.sleep(0.3)").code == 0


def test_it_is_stopped_when_it_says_too_much() -> None:
    done = python("while True: print('x' * 1000)", max_bytes=10_000, timeout=60.0)
    assert (done.cut, len(done.output)) == (True, 10_000)


def test_endless_complaints_are_dropped_until_the_deadline() -> None:
    with pytest.raises(processes.TimedOut):
        python("import sys\nwhile True: sys.stderr.write('x' * 1000)", timeout=0.7)


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(NotFound):
        processes.run_apart(
            ["/nowhere/agent"], stdin="", timeout=1.0, environment=PATH, max_bytes=10
        )
