"""The same invented conversation where it is no file of JSON: a database, a tree, Markdown.

The classes are mixed with the common writer, which counts and stamps the lines.
"""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

Line = dict[str, Any]
SESSION = "ses_5e550001"
CWD = "/srv/orchard"
WRITTEN = 1_783_300_000
"""When the histories were written last, in seconds: some hours after the conversation."""
SCHEMA = """
CREATE TABLE project (id text PRIMARY KEY, worktree text NOT NULL);
CREATE TABLE session (
    id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL,
    directory text NOT NULL, title text NOT NULL, version text NOT NULL, revert text,
    time_created integer NOT NULL, time_updated integer NOT NULL
);
CREATE TABLE message (
    id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL
);
CREATE TABLE part (
    id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL
);
CREATE INDEX part_session_idx ON part (session_id);
"""
"""The tables of opencode 1.x, without the columns that nobody here reads."""


class OpenCodeLines:
    """Messages and parts as opencode stores them: a line is a message with its parts."""

    def line(self, role: str, *parts: Line, **fields: Any) -> Line:
        time = self.milliseconds()
        identity = f"msg_{self.count:06}"
        data = {"id": identity, "role": role, "time": {"created": time}, **fields}
        if role == "assistant":
            data = {"providerID": "acme", "modelID": "m-1", **data}
        numbered = [
            {"id": f"prt_{self.count:06}{n}", "messageID": identity, **part}
            for n, part in enumerate(parts)
        ]
        return {"message": data, "parts": numbered}

    def head(self) -> list[Line]:
        return []

    def user(self, text: str) -> list[Line]:
        read = {"type": "text", "text": "<file>apples</file>", "synthetic": True}
        return [self.line("user", {"type": "text", "text": text}, read)]

    def assistant(self, text: str) -> list[Line]:
        thought = {"type": "reasoning", "text": "hm"}
        return [self.line("assistant", thought, {"type": "text", "text": text})]

    def tool(self, command: str, output: str, *, failed: bool = False) -> list[Line]:
        state = {"status": "completed", "input": {"command": command}, "output": output}
        state["metadata"] = {"exit": int(failed)}
        return [
            self.line(
                "assistant",
                {"type": "tool", "tool": "bash", "callID": f"call-{self.count}", "state": state},
            )
        ]

    def compaction(self, summary: str) -> list[Line]:
        asked = self.line("user", {"type": "compaction", "auto": True})
        told = self.line("assistant", {"type": "text", "text": summary}, summary=True)
        return [asked, told]

    def context(self) -> list[Line]:
        hooked = {"type": "text", "text": "Memory of a plugin", "synthetic": True}
        return [self.line("user", hooked), self.line("user", {"type": "agent", "name": "plan"})]


class DatabaseLines(OpenCodeLines):
    """The database of opencode."""

    def save(self, folder: Path, *lines: Line) -> Path:
        """Write a database of this session and another one."""
        path = folder / "opencode.db"
        folder.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as db, db:
            db.executescript(SCHEMA)
            store(db, SESSION, lines)
        return path


def store(db: sqlite3.Connection, session: str, lines: tuple[Line, ...], **columns: Any) -> None:
    """Put a session into a database."""
    times = [line["message"]["time"]["created"] for line in lines] or [1_783_000_000_000]
    row = {"id": session, "project_id": "p", "slug": "s", "directory": CWD, "title": "t"}
    row |= {"version": "1.18.33", "time_created": times[0], "time_updated": times[-1], **columns}
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    db.execute(f"INSERT INTO session ({names}) VALUES ({marks})", list(row.values()))
    for line in lines:
        data = dict(line["message"])
        identity, time = data.pop("id"), data["time"]["created"]
        held = (identity, session, time, time, json.dumps(data))
        db.execute("INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?, ?)", held)
        for found in line["parts"]:
            part = dict(found)
            key = part.pop("id")
            part.pop("messageID")
            held = (key, identity, session, time, time, json.dumps(part))
            db.execute("INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?, ?)", held)


class TreeLines(OpenCodeLines):
    """The tree of JSON files of opencode."""

    def save(self, folder: Path, *lines: Line) -> Path:
        """Write the files of the session; its head is the session."""
        storage = folder / "storage"
        times = [line["message"]["time"]["created"] for line in lines]
        head = {"id": SESSION, "projectID": "p", "directory": CWD, "title": "t", "version": "1.1"}
        head["time"] = {"created": times[0], "updated": times[-1]} if times else {}
        for line in lines:
            message = line["message"]
            write(storage / "message" / SESSION / f"{message['id']}.json", message)
            for part in line["parts"]:
                write(storage / "part" / message["id"] / f"{part['id']}.json", part)
        return write(storage / "session" / "p" / f"{SESSION}.json", head)


def write(path: Path, content: Line) -> Path:
    """Write an object as a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


class AiderLines:
    """Lines as aider writes them."""

    def head(self) -> list[str]:
        return [
            "",
            "# aider chat started at 2026-07-04 10:00:00",
            "",
            "> Main model: m-1 with diff  ",
        ]

    def user(self, text: str) -> list[str]:
        return ["", *(f"#### {line}  " for line in text.split("\n")), ""]

    def assistant(self, text: str) -> list[str]:
        return [*text.split("\n"), "", "> Tokens: 2k sent, 1k received.  "]

    def tool(self, command: str, output: str, *, failed: bool = False) -> list[str]:
        return ["", f"#### /run {command}  ", *(f"> {line}  " for line in output.split("\n"))]

    def context(self) -> list[str]:
        return [
            *self.user("# Fix any errors below, if possible.\nE402 in shelf.py"),
            *self.user("/add shelf.py"),
            "> Added shelf.py to the chat  ",
        ]

    def save(self, folder: Path, *lines: str) -> Path:
        path = folder / ".aider.chat.history.md"
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="replace")
        return path

    def cwd(self, path: Path) -> str:
        return str(path.parent.resolve())


class SpecStoryLines:
    """Blocks as SpecStory writes them."""

    def told(self, who: str) -> list[str]:
        stamp = self.stamp().replace("T", " ")
        return ["---", "", f"_**{who}{stamp})**_", ""]

    def head(self) -> list[str]:
        return [
            "<!-- Generated by SpecStory, Markdown v2.1.0 -->",
            "",
            f"# {self.stamp().replace('T', ' ')}",
            "",
            "<!-- Some Agent Session 5e55-0001 (2026-07-04 10:00:00Z) -->",
            "",
        ]

    def user(self, text: str) -> list[str]:
        return [*self.told("User ("), *text.split("\n"), ""]

    def assistant(self, text: str) -> list[str]:
        thought = ["<think><details><summary>Thought</summary>", "hm", "</details></think>", ""]
        return [*self.told("Agent (m-1 "), *thought, *text.split("\n"), ""]

    def tool(self, command: str, output: str, *, failed: bool = False) -> list[str]:
        return [
            *self.told("Agent (m-1 "),
            '<tool-use data-tool-type="shell" data-tool-name="Bash"><details>',
            "<summary>Tool use: **Bash**</summary>",
            "",
            "```bash",
            command,
            "```",
            "",
            "```text",
            output,
            "```",
            "</details></tool-use>",
            "",
        ]

    def context(self) -> list[str]:
        return [
            *self.user("<command-message>shelf is running</command-message>"),
            *self.told("User - sidechain ("),
            "Look at the shelf for me",
        ]

    def save(self, folder: Path, *lines: str) -> Path:
        path = folder / ".specstory" / "history" / "2026-07-04_10-00-00Z-plant.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="replace")
        os.utime(path, (WRITTEN, WRITTEN))
        return path

    def cwd(self, path: Path) -> str:
        return str(path.parents[2].resolve())
