"""opencode's plugin in a real JavaScript engine, with a ``jmem`` that says what it was told."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jmem.agents.opencode import plugin

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")

_SESSION = """
import { JmemPlugin } from "./jmem.mjs"
const hooks = await JmemPlugin({ directory: process.cwd() })
const system = { system: ["base"] }
const message = { message: { id: "msg_1" }, parts: [{ type: "text", text: "run the tests" }] }
const call = { tool: "bash", sessionID: "ses_1", callID: "c1" }
const result = { output: "ok", metadata: {} }
await hooks.event({ event: { type: "session.created", properties: { info: { id: "ses_1" } } } })
await hooks["chat.message"]({ sessionID: "ses_1" }, message)
await hooks["experimental.chat.system.transform"]({ sessionID: "ses_1" }, system)
await hooks["experimental.chat.system.transform"]({ sessionID: "ses_1" }, system)
await hooks["tool.execute.before"](call, { args: { command: "make" } })
await hooks["tool.execute.after"](call, result)
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "ses_1" } } })
console.log(JSON.stringify({ system: system.system, parts: message.parts, result }))
"""


_MANY = """
import { JmemPlugin } from "./jmem.mjs"
const hooks = await JmemPlugin({ directory: process.cwd() })
for (let n = 1; n <= 7; n++) {
  const info = n == 7 ? { id: "ses_7", parentID: "ses_1" } : { id: `ses_${n}` }
  await hooks.event({ event: { type: "session.created", properties: { info } } })
  await hooks["experimental.chat.system.transform"]({ sessionID: info.id }, { system: [] })
}
await hooks.dispose()
console.log("null")
"""


def _run(tmp_path: Path, script: str, session: str = _SESSION) -> Any:
    (tmp_path / "jmem.mjs").write_text(plugin(script))
    (tmp_path / "session.mjs").write_text(session)
    done = subprocess.run(
        ["node", "session.mjs"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_what_the_hooks_answer_reaches_the_model(tmp_path: Path) -> None:
    script = tmp_path / "jm em"
    script.write_text(
        f"#!{sys.executable}\n"
        "import json, sys\n"
        "told = json.load(sys.stdin)\n"
        "assert sys.argv[1:3] == ['hook', 'opencode'] and told['session_id'] == 'ses_1'\n"
        "assert told['hook_event_name'] == sys.argv[3]\n"
        "said = told.get('prompt') or told.get('tool_input', {}).get('command') or told['source']\n"
        "print(json.dumps({'additionalContext': f'{sys.argv[3]}: {said}'}))\n"
    )
    script.chmod(0o755)
    seen = _run(tmp_path, str(script))
    assert seen["system"] == ["base", *["session.created: startup"] * 2]
    assert [part["text"] for part in seen["parts"]] == [
        "run the tests",
        "chat.message: run the tests",
    ]
    assert seen["parts"][1]["synthetic"] is True
    assert seen["parts"][1]["messageID"] == "msg_1"
    assert seen["result"]["output"] == "ok\n\ntool.execute.before: make"


def test_a_script_that_is_gone_disturbs_nothing(tmp_path: Path) -> None:
    seen = _run(tmp_path, str(tmp_path / "gone"))
    assert seen["system"] == ["base"]
    assert len(seen["parts"]) == 1
    assert seen["result"]["output"] == "ok"


def test_the_end_waits_for_a_few_sessions_and_for_no_sub_agent(tmp_path: Path) -> None:
    script = tmp_path / "jmem"
    script.write_text(f'#!/bin/sh\ntest "$3" = dispose && cat >> "{tmp_path}/told"\n')
    script.chmod(0o755)
    _run(tmp_path, str(script), _MANY)
    told = (tmp_path / "told").read_text()
    assert [f"ses_{n}" for n in range(1, 8) if f'"ses_{n}"' in told] == [
        f"ses_{n}" for n in range(2, 7)
    ]
