"""What the gate is measured on: real prompts, and real memories that help them or do not.

Memories: lines and topic files of `memory_files`, lines of `memory_ops`, learnings of
`distill_gold`, and conclusions (below). Prompts: what people typed in `distill_gold/pool`,
`transcripts/claude_code/selected`, `transcripts/codex/real` and `transcripts/aider`.

Nobody labelled which memory helps which prompt, so it is known from where both come:

- *empty*: a prompt against memories of projects from which no prompt comes. A few of them hold all
  the same, such as how to review a pull request; that counts against the gate.
- *filled*: a prompt that says what it is about, against the same store with what the sessions of
  its own project taught. What helps is the *conclusion* of its turn: the first two sentences about
  code of the agent's last words, since who asks this again is helped by the answer. What else its
  session taught (conclusions of other turns, and learnings that a model wrote of it) is right to
  surface too. Whether another session of the project helps is not known: it counts neither way.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from jmem.retrieval import focus
from jmem.retrieval.commonwords import usual_share
from jmem.retrieval.searchtext import query_terms
from jmem.transcripts.entries import Role, Turn
from jmem.transcripts.reader import Found, inspect

EMPTY = 120
FILLED = 80
LEAST_TERMS = 5
"""Search terms beyond the usual ones with which a prompt says what it is about."""
_ENTIRE = "entireio/cli"
_SHARE = {"short": 1 / 3, "middle": 1 / 3, "long": 1 / 3}
_MEMORY_CHARACTERS = 1200
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")
_HEADER = re.compile(r"---\n(.*?)\n---\n(.*)", re.DOTALL)
_DESCRIPTION = re.compile(r"^description:\s*\"?(.*?)\"?\s*$", re.MULTILINE)
_SLASH_COMMAND = re.compile(r"/(?:ask|code|architect) (.*)", re.DOTALL)
_CODE_BLOCK = re.compile(r"```.*?```", re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[.!])\s+(?=[A-Z`*])")
_TALK = re.compile(
    r"(?:let|now|here|done|perfect|great|good|i'(?:ll|ve|m)|i |yes|no|you|the user|both|all|this"
    r"|that|would|want|should|next|ok|looking|summary|changes?|created|added|updated|fixed"
    r"|removed|pr|commit)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Remembered:
    """A memory: what it says, of which project it is, and which session taught it, if any did.

    ``prompt`` is the text of the prompt that a conclusion answers.
    """

    text: str
    project: str
    session: str = ""
    prompt: str = ""


@dataclass(frozen=True)
class Prompt:
    """What somebody typed, in which project and session."""

    text: str
    project: str
    session: str

    @property
    def terms(self) -> list[str]:
        """The search terms of its focused query."""
        return query_terms(focus.of_prompt(self.text))

    @property
    def size(self) -> str:
        """Short (``continue``), middle, or long (a plan, a pasted log)."""
        count = len(self.terms)
        return "short" if count < 4 else "middle" if count < 20 else "long"

    @property
    def says_what(self) -> bool:
        """Whether it says what it is about."""
        return sum(usual_share(term) == 0 for term in self.terms) >= LEAST_TERMS

    @property
    def order(self) -> str:
        """Where it stands in an order that has nothing to do with what it says."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True)
class Corpus:
    """``foreign``: memories of projects without prompts; ``own``: of projects with prompts."""

    foreign: list[Remembered]
    own: list[Remembered]
    prompts: list[Prompt]

    def empty(self, count: int = EMPTY) -> list[Prompt]:
        """Prompts that no foreign memory helps: of each size a third."""
        chosen: list[Prompt] = []
        for size, share in _SHARE.items():
            some = sorted((p for p in self.prompts if p.size == size), key=lambda p: p.order)
            chosen += some[: round(count * share)]
        return chosen

    def filled(self, count: int = FILLED) -> list[Prompt]:
        """Prompts that say what they are about, and whose turn came to a conclusion."""
        helped = {memory.prompt for memory in self.own if memory.prompt}
        fit = [p for p in self.prompts if p.text in helped and p.says_what]
        return sorted(fit, key=lambda prompt: prompt.order)[:count]


def load(data: Path) -> Corpus:
    """The corpus of a data folder."""
    prompts, conclusions = _sessions(data)
    prompts += [Prompt(text, "aider", "") for text in _aider(data)]
    prompts = list({" ".join(p.text.lower().split()): p for p in reversed(prompts)}.values())[::-1]
    memories = [*_files(data), *_lines(data), *_learnings(data), *conclusions]
    memories = list({" ".join(m.text.lower().split()): m for m in memories}.values())
    busy = {prompt.project for prompt in prompts}
    own = [memory for memory in memories if _same(memory.project, busy)]
    foreign = [memory for memory in memories if not _same(memory.project, busy)]
    return Corpus(foreign=foreign, own=own, prompts=prompts)


def _same(repository: str, projects: Iterable[str]) -> bool:
    """Whether a repository is one of the projects: transcripts give only part of a name."""
    name = repository.rpartition("/")[2].lower()
    return any(repository == project or name.startswith(project.lower()) for project in projects)


def _sessions(data: Path) -> tuple[list[Prompt], list[Remembered]]:
    prompts: list[Prompt] = []
    conclusions: list[Remembered] = []
    for path, project in _session_files(data):
        found = inspect(path)
        if not isinstance(found, Found):
            continue
        asked: Prompt | None = None
        said: list[str] = []
        for entry in [*found.entries(), None]:
            if entry is None or (isinstance(entry, Turn) and entry.role is Role.USER):
                if asked is not None:
                    conclusions += _concluded(asked, said)
                if entry is not None:
                    asked, said = Prompt(entry.text, project, found.info.id), []
                    prompts.append(asked)
            elif isinstance(entry, Turn):
                said.append(entry.text)
    return prompts, conclusions


def _session_files(data: Path) -> Iterator[tuple[Path, str]]:
    for folder in ("distill_gold/pool", "transcripts/claude_code/selected"):
        for path in sorted((data / folder).glob("*.jsonl*")):
            yield path, _ENTIRE
    for path in sorted((data / "transcripts/codex/real").glob("*.jsonl*")):
        yield path, path.name.partition("__")[0]


def _concluded(asked: Prompt, said: list[str]) -> list[Remembered]:
    for reply in reversed(said[-2:]):
        sentences = list(_sentences(reply))[:2]
        if sentences:
            return [
                Remembered(text, asked.project, asked.session, asked.text) for text in sentences
            ]
    return []


def _sentences(reply: str) -> Iterator[str]:
    """What a reply states about code: no talk, no question, no heading."""
    for line in _CODE_BLOCK.sub("", reply).splitlines():
        if line.lstrip().startswith(("#", "|", ">", "---")):
            continue
        for piece in _SENTENCE_END.split(_BULLET.sub("", line)):
            text = piece.replace("**", "").strip(" *")
            stated = "`" in text and not text.endswith((":", "?")) and not _TALK.match(text)
            if stated and 8 <= len(text.split()) <= 45:
                yield text


def _aider(data: Path) -> Iterator[str]:
    """The prompts in aider's chat history: lines that begin with ####."""
    path = data / "transcripts/aider/chat-history.md"
    prompt: list[str] = []
    for line in path.read_text("utf-8", "replace").splitlines() if path.is_file() else ():
        if line.startswith("####"):
            prompt.append(line.removeprefix("####").removeprefix(" ").rstrip())
        elif prompt:
            text = "\n".join(prompt).strip()
            prompt = []
            if command := _SLASH_COMMAND.fullmatch(text):
                yield command[1]
            elif text and not text.startswith("/"):
                yield text


def _files(data: Path) -> Iterator[Remembered]:
    """Topic files as they are, of every other file of memories or instructions its bullets."""
    root = data / "memory_files"
    for path in sorted(root.rglob("*.md*")):
        parts = path.relative_to(root).parts
        if len(parts) < 3:
            continue
        project = parts[1].replace("__", "/")
        text = path.read_text("utf-8", "replace")
        if parts[0] == "claude_auto_memory" and path.name != "MEMORY.md":
            yield Remembered(_topic(text), project)
            continue
        for line in text.splitlines():
            if _BULLET.match(line) and 6 <= len(line.split()) <= 80:
                yield Remembered(_BULLET.sub("", line).strip(), project)


def _topic(text: str) -> str:
    header = _HEADER.match(text)
    if header is None:
        return text.strip()[:_MEMORY_CHARACTERS]
    description = _DESCRIPTION.search(header[1])
    parts = (description[1] if description else "", header[2].strip())
    return "\n\n".join(filter(None, parts))[:_MEMORY_CHARACTERS]


def _lines(data: Path) -> Iterator[Remembered]:
    for row in _rows(data / "memory_ops/decision_cases.jsonl"):
        for entry in row["existing"]:
            if len(entry["text"].split()) >= 6:
                yield Remembered(entry["text"][:_MEMORY_CHARACTERS], row["repo"])


def _learnings(data: Path) -> Iterator[Remembered]:
    for row in _rows(data / "distill_gold/summaries.jsonl"):
        for some in (row["summary"].get("learnings") or {}).values():
            for each in some or ():
                text = each if isinstance(each, str) else f"{each['path']}: {each['finding']}"
                yield Remembered(text, _ENTIRE, row["session_id"])


def _rows(path: Path) -> Iterator[dict]:  # type: ignore[type-arg]
    for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
        yield json.loads(line)
