"""One client from ``jmem init`` to the last trace of it gone, step by step."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import story
from clients import Client
from conversation import Asked
from home import Failed, Home
from results import Step
from scripted_model import ScriptedModel
from story import Scene, Story

_RESIDENT_SECONDS = 20.0
"""How long what a hook left running may take: learning and preparing are given no longer."""


class Missed(Exception):
    """Something that must hold and does not."""


def play(client: Client, home: Home) -> list[Step]:
    """All steps in their order; one that does not hold does not keep the next from being tried."""
    home.remember({**dict.fromkeys(story.FACTS, "fact"), story.WARNING: "pitfall"})
    given = home.jmem("inject")
    known = tuple(fact for fact in story.FACTS if fact in given)
    surprise = next(fact for fact in story.FACTS if fact not in given)
    scenes = (
        Scene(story.GATE_PROMPT, "I cannot write it down.", note=story.UNTOLD),
        Scene(story.TESTS_PROMPT, "I wrote down how the tests are run.", note=story.TESTS),
        Scene(story.question_about(surprise), f"{surprise}."),
        Scene(story.WIPE_PROMPT, "That did not work.", command=story.WIPE),
        Scene(story.RULE_PROMPT, "Understood."),
        Scene(story.PRIVATE_PROMPT, "Understood.", note=story.PRIVATE_NOTE),
    )
    with ScriptedModel(Story(scenes).answer) as server:
        played = _Play(client, home, server, known, surprise)
        return [_tried(name, step) for name, step in played.steps()]


def _tried(name: str, step: Callable[[], str]) -> Step:
    began = time.monotonic()
    told = missed = ""
    try:
        told = step()
    except (Missed, Failed) as error:
        missed = str(error)
    return Step(name, time.monotonic() - began, told, missed)


class _Play:
    """``known``: the facts that a new session is given; ``surprise``: one that it is not."""

    def __init__(
        self,
        client: Client,
        home: Home,
        server: ScriptedModel,
        known: Sequence[str],
        surprise: str,
    ) -> None:
        self._client = client
        self._home = home
        self._server = server
        self._known = known
        self._surprise = surprise
        self._touched: dict[str, bytes | None] = {}
        self._first: list[Asked] = []

    def steps(self) -> Sequence[tuple[str, Callable[[], str]]]:
        alone = (("read-only", self.read_only),) if self._client.tells else ()
        return (
            ("set up", self.set_up),
            *alone,
            ("note", self.note),
            ("injected", self.injected),
            ("recalled", self.recalled),
            ("warned", self.warned),
            ("learned", self.learned),
            ("kept out", self.kept_out),
            ("removed", self.removed),
        )

    def set_up(self) -> str:
        """``init`` changes something, once; ``--remove`` leaves the very bytes that were there."""
        self._client.configure(self._home.user, self._server.url)
        before = self._home.files()
        self._init()
        after = self._home.files()
        self._touched = {
            name: before.get(name) for name in after if after[name] != before.get(name)
        }
        _must(bool(self._touched), "init changed nothing")
        self._init()
        _must(self._home.files() == after, "init changed more when it was run again")
        self._init("--remove")
        left = _differing(before, self._home.files())
        _must(not left, f"init --remove left other bytes in {', '.join(left)}")
        self._init()
        return ", ".join(self._touched)

    def read_only(self) -> str:
        """A run without a person writes nothing, for nobody has allowed it yet."""
        asked = self._prompt(story.GATE_PROMPT, goes_on=False)
        results = _results(asked)
        _must(bool(results), "the model had no memory_note to call")
        found = [path.name for path in self._memory_files() if story.UNTOLD in _text(path)]
        _must(not found, f"noted all the same in {found}")
        return results[-1]

    def note(self) -> str:
        """The model's call of the tool leaves a file in the inbox of the project."""
        self._home.jmem("config", "headless_writes", "true")
        self._first = self._prompt(story.TESTS_PROMPT, goes_on=False)
        notes = [path for path in self._inbox() if story.TESTS in _text(path)]
        _must(len(notes) == 1, f"{len(notes)} notes hold what the model noted")
        return notes[0].name

    def injected(self) -> str:
        """The first request of the session holds what ``jmem inject`` gives."""
        _must(bool(self._first), "there was no request")
        text = self._first[0].text
        missing = [fact for fact in self._known if fact not in text]
        _must(not missing, f"{len(missing)} of {len(self._known)} memories are not in the request")
        return f"{len(self._known)} memories"

    def recalled(self) -> str:
        """A later prompt is given the memory that it asks for, which the session had not seen."""
        _must(
            not any(self._surprise in asked.text for asked in self._first),
            "the session had been given it before",
        )
        asked = self._prompt(story.question_about(self._surprise), goes_on=True)
        _must(self._surprise in asked[0].text, "the memory is not in the request")
        return self._surprise

    def warned(self) -> str:
        """The pitfall is said again beside the command that it names."""
        asked = self._prompt(story.WIPE_PROMPT, goes_on=True)
        pieces = asked[-1].pieces
        called = [number for number, piece in enumerate(pieces) if piece.role == "call"]
        prompt = max(n for n, piece in enumerate(pieces) if story.WIPE_PROMPT in piece.text)
        _must(bool(called) and called[-1] > prompt, "the model had no tool to run the command with")
        beside = "\n".join(piece.text for piece in pieces[called[-1] :])
        _must(story.WARNING in beside, "the pitfall was not said again")
        return story.WARNING

    def learned(self) -> str:
        """What the user said is remembered, and nothing that jmem itself had said."""
        self._prompt(story.RULE_PROMPT, goes_on=True)
        self._home.jmem("distill", "--include-recent")
        memories = [_text(path) for path in (self._home.scope / "memories").glob("*.md")]
        summaries = [_text(path) for path in (self._home.scope / "session_summaries").glob("*.md")]
        rules = [text for text in memories if story.RULE in text]
        _must(len(rules) == 1, f"{len(rules)} memories hold what the user said")
        session = f"session:{self._client.name}:"
        _must(session in _evidence(rules[0]), "its evidence does not name the session")
        _must(any(story.RULE in text for text in summaries), "the session was not summed up")
        told = {*story.FACTS, story.WARNING, story.TESTS}
        known = sum(fact in text for fact in told for text in memories)
        _must(known == len(told), f"{known} memories of {len(told)} that jmem had told")
        _must(len(memories) == len(told) + 1, f"{len(memories)} memories are too many")
        backed = [text for text in memories if session in _evidence(text)]
        backed = [fact for fact in story.FACTS for text in backed if fact in text]
        _must(not backed, f"{len(backed)} memories rest on a session that was told of them")
        echoes = [fact for fact in told for text in summaries if fact in text]
        _must(not echoes, f"a session's summary repeats what jmem had told: {echoes[:2]}")
        return f"{len(memories)} memories"

    def kept_out(self) -> str:
        """A session that the user does not want to be remembered leaves nothing."""
        asked = self._prompt(story.PRIVATE_PROMPT, goes_on=False)
        results = _results(asked)
        _must(bool(results), "the model had no memory_note to call")
        self._home.jmem("distill", "--include-recent")
        found = [path.name for path in self._memory_files() if story.PRIVATE in _text(path)]
        _must(not found, f"remembered all the same in {found}")
        return results[-1]

    def removed(self) -> str:
        """Nothing of jmem is left where ``init`` had been, although the client wrote there too."""
        self._init("--remove")
        after = self._home.files()
        left = [name for name in self._touched if b"jmem" in after.get(name, b"")]
        _must(not left, f"jmem is still named in {', '.join(left)}")
        same = sum(after.get(name) == old for name, old in self._touched.items())
        return f"{same} of {len(self._touched)} files as they were"

    # -- what the steps are made of ---------------------------------------------------------

    def _init(self, *words: str) -> None:
        self._home.jmem("init", "--agent", self._client.name, "--yes", *words)

    def _prompt(self, prompt: str, *, goes_on: bool) -> list[Asked]:
        """The requests that hold this prompt and offer tools: side questions offer none.

        The user's next prompt comes when what the hooks started has come to its end.
        """
        before = len(self._server.asked)
        start = self._client.start(prompt, self._server.url, goes_on=goes_on)
        self._home.run(*start.words, more=start.variables)
        self._wait_for_residents()
        new = self._server.asked[before:]
        asked = [each for each in new if each.tools and prompt in each.text]
        _must(bool(asked), f"the model was asked {len(new)} times, never with the prompt")
        return asked

    def _inbox(self) -> list[Path]:
        return list((self._home.scope / "notes").glob("*.md"))

    def _memory_files(self) -> list[Path]:
        return [path for path in self._home.memory.rglob("*.md") if path.is_file()]

    def _wait_for_residents(self) -> None:
        """What the hooks started must come to its end by itself."""
        until = time.monotonic() + _RESIDENT_SECONDS
        while residents := self._home.processes():
            _must(time.monotonic() < until, f"still running: {residents}")
            time.sleep(0.1)


def _must(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Missed(otherwise)


def _results(asked: Sequence[Asked]) -> list[str]:
    """What the model was told that its calls came to."""
    return [piece.text for each in asked for piece in each.pieces if piece.role == "result"]


def _differing(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    names = sorted(one.keys() | other.keys())
    return [name for name in names if one.get(name) != other.get(name)]


def _evidence(memory: str) -> str:
    """What a memory rests on; that it was of use to a session is another line of its header."""
    return next(line for line in memory.splitlines() if line.startswith("evidence:"))


def _text(path: Path) -> str:
    return path.read_text("utf-8", "replace")
