"""The same invented conversation in the formats that are JSON, each as its client writes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from jmem.transcripts.entries import Entry, Report, Role, SessionInfo, Turn
from jmem.transcripts.reader import Reader

Line = dict[str, Any]
BEGIN = datetime(2026, 7, 4, 10, tzinfo=UTC)
IDENTITY = "5e55-0001"
CWD = "/srv/orchard"


@dataclass
class Writer:
    """A writer of one format, and the reader that must understand it.

    ``lacks``: what the format does not tell (times, compactions, failures, ids of lines).
    """

    reader: Reader
    count: int = 0
    identity: str = IDENTITY
    lacks: frozenset[str] = frozenset()
    name: str = "session.jsonl"

    def stamp(self) -> str:
        self.count += 1
        return f"{BEGIN + timedelta(seconds=self.count):%Y-%m-%dT%H:%M:%SZ}"

    def milliseconds(self) -> int:
        self.count += 1
        return int((BEGIN + timedelta(seconds=self.count)).timestamp() * 1000)

    def save(self, folder: Path, *lines: Line) -> Path:
        """Write the lines into a folder; the file that is the session."""
        path = folder / self.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return path

    def cwd(self, path: Path) -> str:
        """The directory that the session was held in."""
        return CWD

    def info(self, path: Path) -> SessionInfo:
        """What can be said of the one session in a file."""
        (info,) = self.reader.sessions(path)
        return info

    def entries(self, path: Path, report: Report | None = None) -> Iterator[Entry]:
        """The entries of the one session in a file."""
        return self.reader.entries(self.info(path), report)

    def said(self, path: Path) -> list[str]:
        """What the user said in a file."""
        turns = [entry for entry in self.entries(path) if isinstance(entry, Turn)]
        return [turn.text for turn in turns if turn.role is Role.USER]


@dataclass
class ClaudeWriter(Writer):
    """Lines as Claude Code writes them."""

    def line(self, kind: str, **fields: Any) -> Line:
        stamp = self.stamp()
        return {
            "type": kind,
            "uuid": f"u-{self.count}",
            "sessionId": IDENTITY,
            "cwd": CWD,
            "version": "2.1.40",
            "timestamp": stamp,
            **fields,
        }

    def head(self) -> list[Line]:
        return [{"type": "summary", "summary": "Older title", "leafUuid": "x"}]

    def user(self, text: str, **fields: Any) -> list[Line]:
        return [self.line("user", message={"role": "user", "content": text}, **fields)]

    def assistant(self, text: str) -> list[Line]:
        content = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": text}]
        return [self.line("assistant", message={"role": "assistant", "content": content})]

    def tool(self, command: str, output: str, *, failed: bool = False) -> list[Line]:
        call_id = f"call-{self.count}"
        use = {"type": "tool_use", "name": "Bash", "id": call_id, "input": {"command": command}}
        result = {"type": "tool_result", "tool_use_id": call_id, "content": output}
        if failed:
            result["is_error"] = True
        return [
            self.line("assistant", message={"role": "assistant", "content": [use]}),
            self.line("user", message={"role": "user", "content": [result]}),
        ]

    def compaction(self, summary: str) -> list[Line]:
        return [
            self.line("system", subtype="compact_boundary"),
            *self.user(summary, isCompactSummary=True),
        ]

    def context(self) -> list[Line]:
        return [
            *self.user("<local-command-caveat>not yours</local-command-caveat>", isMeta=True),
            *self.user("<system-reminder>be brief</system-reminder>"),
            self.line("attachment", attachment={"type": "hook_additional_context", "content": "x"}),
        ]


@dataclass
class CodexWriter(Writer):
    """Lines as Codex writes them, every message on both of its sides."""

    def line(self, kind: str, **payload: Any) -> Line:
        return {"timestamp": self.stamp(), "type": kind, "payload": payload}

    def head(self) -> list[Line]:
        return [
            self.line(
                "session_meta",
                id=IDENTITY,
                cwd=CWD,
                originator="codex_cli_rs",
                cli_version="0.146.0",
                source="cli",
            )
        ]

    def user(self, text: str) -> list[Line]:
        part = {"type": "input_text", "text": text}
        return [
            self.line("response_item", type="message", role="user", content=[part]),
            self.line("event_msg", type="user_message", message=text),
        ]

    def assistant(self, text: str) -> list[Line]:
        part = {"type": "output_text", "text": text}
        return [
            self.line("event_msg", type="agent_message", message=text),
            self.line("response_item", type="message", role="assistant", content=[part]),
        ]

    def tool(self, command: str, output: str, *, failed: bool = False) -> list[Line]:
        call_id = f"call-{self.count}"
        arguments = json.dumps({"command": ["bash", "-lc", command]})
        result = json.dumps({"output": output, "metadata": {"exit_code": int(failed)}})
        return [
            self.line(
                "response_item",
                type="function_call",
                name="shell",
                arguments=arguments,
                call_id=call_id,
            ),
            self.line("event_msg", type="token_count", info=None),
            self.line("response_item", type="function_call_output", call_id=call_id, output=result),
        ]

    def compaction(self, summary: str) -> list[Line]:
        again = [{"type": "message", "role": "user", "content": "again"}]
        return [self.line("compacted", message=summary, replacement_history=again)]

    def context(self) -> list[Line]:
        texts = (
            "<environment_context><cwd>/srv</cwd></environment_context>",
            "# AGENTS.md instructions for /srv",
        )
        parts = [[{"type": "input_text", "text": text}] for text in texts]
        hooked = [{"type": "input_text", "text": "Memory of a hook"}]
        return [
            *(
                self.line("response_item", type="message", role="user", content=part)
                for part in parts
            ),
            self.line("response_item", type="message", role="developer", content=hooked),
        ]


@dataclass
class GeminiWriter(Writer):
    """Objects as Gemini CLI writes them since 0.40: an answer comes again with its tool calls."""

    def line(self, kind: str, content: object, **fields: Any) -> Line:
        stamp = self.stamp()
        return {
            "id": f"m-{self.count}",
            "timestamp": stamp,
            "type": kind,
            "content": content,
            **fields,
        }

    def head(self) -> list[Line]:
        return [
            {
                "sessionId": IDENTITY,
                "projectHash": "0" * 64,
                "startTime": self.stamp(),
                "kind": "main",
                "directories": [CWD],
            }
        ]

    def user(self, text: str) -> list[Line]:
        return [self.line("user", [{"text": text}]), {"$set": {"lastUpdated": self.stamp()}}]

    def assistant(self, text: str) -> list[Line]:
        line = self.line("gemini", text, model="gemini-x", thoughts=[{"description": "hm"}])
        return [line, {**line, "tokens": {"total": 7}}]

    def tool(self, command: str, output: str, *, failed: bool = False) -> list[Line]:
        line = self.line("gemini", "", model="gemini-x")
        call = {"id": f"call-{self.count}", "name": "run_shell_command", "status": "executing"}
        call["args"] = {"command": command}
        response = {"functionResponse": {"response": {"output": output}}}
        done = {**call, "status": "error" if failed else "success", "result": [response]}
        return [line, {**line, "toolCalls": [call]}, {**line, "toolCalls": [done]}]

    def compaction(self, summary: str) -> list[Line]:
        text = f"<state_snapshot>{summary}"
        return [{"$set": {"messages": [self.line("user", [{"text": text}])]}}]

    def context(self) -> list[Line]:
        return [
            self.line("info", "Update available"),
            self.line("user", [{"text": "<hook_context>be brief</hook_context>"}]),
            self.line("user", "System: Please continue."),
        ]


@dataclass
class OldGeminiWriter(GeminiWriter):
    """The one object of Gemini CLI until 0.39, written over many lines."""

    name: str = "session.json"

    def save(self, folder: Path, *lines: Line) -> Path:
        """Write the one object: what a line was, as a message of it."""
        heads = [line for line in lines if "sessionId" in line]
        messages = {line["id"]: line for line in lines if "id" in line}
        inner = [line["$set"].get("messages", []) for line in lines if "$set" in line]
        whole = {**(heads[0] if heads else {}), "messages": list(messages.values())}
        whole["messages"] += [message for each in inner for message in each]
        path = folder / self.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(whole, indent=2), encoding="utf-8")
        return path


@dataclass
class CursorWriter(Writer):
    """Lines as Cursor's agent writes them: nothing but roles and blocks."""

    lacks: frozenset[str] = frozenset({"times", "compactions", "ids", "cwd", "version"})
    name: str = f"{IDENTITY}.jsonl"

    def cwd(self, path: Path) -> str:
        return ""

    def line(self, role: str, *blocks: Line) -> Line:
        return {"role": role, "message": {"content": list(blocks)}}

    def head(self) -> list[Line]:
        return []

    def user(self, text: str) -> list[Line]:
        typed = f"<timestamp>Saturday</timestamp>\n<user_query>\n{text}\n</user_query>"
        return [self.line("user", {"type": "text", "text": typed})]

    def assistant(self, text: str) -> list[Line]:
        hidden = {"type": "text", "text": "[REDACTED]"}
        spoken = self.line("assistant", hidden, {"type": "text", "text": text})
        return [spoken, {"type": "turn_ended", "status": "success"}]

    def tool(self, command: str, output: str, *, failed: bool = False) -> list[Line]:
        self.count += 1
        use = {"type": "tool_use", "id": f"call-{self.count}", "name": "Shell"}
        result: Line = {"type": "tool_result", "tool_use_id": f"call-{self.count}"}
        result |= {"content": output, "is_error": failed}
        called = self.line("assistant", use | {"input": {"command": command}})
        return [called, self.line("user", result)]

    def context(self) -> list[Line]:
        text = "<system-reminder>be brief</system-reminder>"
        return [self.line("user", {"type": "text", "text": text})]


@dataclass
class CopilotWriter(Writer):
    """Events as Copilot CLI writes them: a tool call is announced, started and completed."""

    def line(self, kind: str, **data: Any) -> Line:
        stamp = self.stamp()
        identity = f"e-{self.count}"
        return {"type": kind, "data": data, "id": identity, "timestamp": stamp, "parentId": None}

    def head(self) -> list[Line]:
        held = {"sessionId": IDENTITY, "copilotVersion": "1.0.79", "context": {"cwd": CWD}}
        return [self.line("session.start", **held)]

    def user(self, text: str) -> list[Line]:
        sent = f"<current_datetime>now</current_datetime>\n{text}\n<reminder>x</reminder>"
        return [self.line("user.message", content=text, transformedContent=sent)]

    def assistant(self, text: str) -> list[Line]:
        return [self.line("assistant.message", content=text, toolRequests=[])]

    def tool(self, command: str, output: str, *, failed: bool = False) -> list[Line]:
        call = {"toolCallId": f"call-{self.count}", "arguments": {"command": command}}
        result = {"content": output}
        return [
            self.line("assistant.message", content="", toolRequests=[{**call, "name": "bash"}]),
            self.line("tool.execution_start", toolName="bash", **call),
            self.line(
                "tool.execution_complete",
                toolCallId=call["toolCallId"],
                success=not failed,
                result=result,
            ),
        ]

    def compaction(self, summary: str) -> list[Line]:
        return [self.line("session.compaction_complete", success=True, summaryContent=summary)]

    def context(self) -> list[Line]:
        return [
            self.line("system.message", content="You are an agent"),
            self.line("hook.end", output={"additionalContext": "Memory of a hook"}),
            self.line("user.message", content="How to write a PDF", source="skill-pdf"),
            self.line("assistant.message", content="I am another", parentToolCallId="call-9"),
        ]


@dataclass
class RustJCodeWriter(Writer):
    """The one object of the jcode in Rust; what came after its head was saved is the journal."""

    name: str = f"{IDENTITY}.json"
    lacks: frozenset[str] = frozenset({"version"})

    def line(self, role: str, *content: Line, **fields: Any) -> Line:
        stamp = self.stamp()
        message = {"id": f"message_{self.count}", "role": role, "content": list(content)}
        return {**message, "timestamp": stamp, **fields}

    def head(self) -> list[Line]:
        times = {"created_at": self.stamp(), "updated_at": self.stamp()}
        return [{"id": IDENTITY, "working_dir": CWD, "model": "m-1", **times}]

    def user(self, text: str) -> list[Line]:
        return [self.line("user", {"type": "text", "text": text})]

    def assistant(self, text: str) -> list[Line]:
        thought = {"type": "reasoning_trace", "text": "hm"}
        return [self.line("assistant", thought, {"type": "text", "text": text})]

    def tool(self, command: str, output: str, *, failed: bool = False) -> list[Line]:
        call_id = f"call-{self.count}"
        use = {"type": "tool_use", "id": call_id, "name": "bash", "input": {"command": command}}
        result = {"type": "tool_result", "tool_use_id": call_id, "content": output}
        return [self.line("assistant", use), self.line("user", {**result, "is_error": failed})]

    def compaction(self, summary: str) -> list[Line]:
        return [{"compaction": {"summary_text": summary, "compacted_count": 0}}]

    def context(self) -> list[Line]:
        reminder = {"type": "text", "text": "<system-reminder>be brief</system-reminder>"}
        notice = {"type": "text", "text": "The server was restarted"}
        return [self.line("user", reminder), self.line("user", notice, display_role="system")]

    def save(self, folder: Path, *lines: Line) -> Path:
        """Write the first half of the messages as the session, the second as its journal."""
        head: Line = {"id": IDENTITY, "created_at": "x", "updated_at": "x"}
        for line in lines:
            head |= {key: value for key, value in line.items() if "role" not in line}
        messages = [line for line in lines if "role" in line]
        half = len(messages) // 2
        meta = {"working_dir": CWD, "model": "m-1"}
        path = folder / self.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({**head, "messages": messages[:half]}), encoding="utf-8")
        journal = [{"meta": meta, "append_messages": [message]} for message in messages[half:]]
        text = "".join(json.dumps(line) + "\n" for line in journal)
        (folder / f"{IDENTITY}.journal.jsonl").write_text(text, encoding="utf-8")
        return path


@dataclass
class GoJCodeWriter(Writer):
    """Lines as the jcode in Go writes them, in a ``.json`` file."""

    name: str = f"{IDENTITY}.json"
    lacks: frozenset[str] = frozenset({"version", "ids"})

    def line(self, kind: str, **fields: Any) -> Line:
        return {"type": kind, **fields, "timestamp": self.stamp()}

    def head(self) -> list[Line]:
        return [self.line("session_start", uuid=IDENTITY, project=CWD, model="m-1")]

    def user(self, text: str) -> list[Line]:
        return [self.line("user", content=text)]

    def assistant(self, text: str) -> list[Line]:
        return [self.line("assistant", content=text)]

    def tool(self, command: str, output: str, *, failed: bool = False) -> list[Line]:
        identity, error = f"call-{self.count}", "exit status 1" if failed else ""
        arguments = json.dumps({"command": command})
        return [
            self.line("tool_call", name="execute", args=arguments, tool_call_id=identity),
            self.line("tool_result", output=output, error=error, tool_call_id=identity),
        ]

    def compaction(self, summary: str) -> list[Line]:
        return [self.line("compact", summary=summary, compacted_n=3)]

    def context(self) -> list[Line]:
        return [
            self.line("system_prompt", content="You are an agent"),
            self.line("user", content="<system-reminder>be brief</system-reminder>"),
            self.line("subagent_result", output="I am another"),
        ]
