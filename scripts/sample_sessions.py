"""Writes two invented Claude Code sessions for the demo: DIRECTORY PROJECT DAY."""

from __future__ import annotations

import json
import sys
from pathlib import Path


def line(project: str, session: str, number: int, time: str, **fields: object) -> str:
    return json.dumps(
        {
            "uuid": f"{session}-{number}",
            "sessionId": session,
            "cwd": project,
            "timestamp": time,
            "version": "2.1.0",
            **fields,
        }
    )


def user(text: str) -> dict[str, object]:
    return {"type": "user", "message": {"role": "user", "content": text}}


def assistant(text: str) -> dict[str, object]:
    content = [{"type": "text", "text": text}]
    return {"type": "assistant", "message": {"role": "assistant", "content": content}}


def call(identity: str, command: str) -> dict[str, object]:
    use = {"type": "tool_use", "id": identity, "name": "Bash", "input": {"command": command}}
    return {"type": "assistant", "message": {"role": "assistant", "content": [use]}}


def result(identity: str, text: str, *, failed: bool = False) -> dict[str, object]:
    block = {"type": "tool_result", "tool_use_id": identity, "content": text, "is_error": failed}
    return {"type": "user", "message": {"role": "user", "content": [block]}}


SESSIONS = {
    "0d1e2f30-0000-4000-8000-000000000001": [
        user("The checkout page times out under load. Can you find out why?"),
        assistant("The pool in db.py has five connections; the page opens three each."),
        user("Remember that the staging database listens on port 5433, not on the default one."),
        call("t1", "pytest tests/checkout"),
        result("t1", "error: unrecognized arguments: tests/checkout", failed=True),
        call("t2", "make test-fast ONLY=checkout"),
        result("t2", "12 passed"),
        user("Good. From now on always run the tests with `make test-fast`, never plain pytest."),
        assistant("Understood. The pool is now sized from the settings and the tests pass."),
    ],
    "0d1e2f30-0000-4000-8000-000000000002": [
        user("Rename the helper in cart.ts, please."),
        assistant("Renamed, and its three callers too."),
        call("t3", "make test-fast"),
        result("t3", "214 passed"),
        user("Thanks, that is all."),
        assistant("You are welcome."),
    ],
}


def main() -> None:
    directory, project, day = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    directory.mkdir(parents=True, exist_ok=True)
    for number, (session, entries) in enumerate(SESSIONS.items()):
        lines = [
            line(project, session, i, f"{day}T{9 + number:02}:{i:02}:00.000Z", **entry)
            for i, entry in enumerate(entries)
        ]
        (directory / f"{session}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
