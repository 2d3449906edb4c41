"""What is known before, what the user types, and what the model answers. All of it is invented."""

from __future__ import annotations

from dataclasses import dataclass

from conversation import Answer, Asked, Call, Say

_SERVICES = (
    "billing", "search", "harvest", "ledger", "courier", "beacon", "atlas", "meadow", "quarry",
    "lantern", "anchor", "cobalt", "thistle", "juniper", "falcon", "marble", "saffron", "tundra",
    "willow", "ember", "walnut", "pelican", "granite", "velvet", "copper", "heron", "lagoon",
    "magnet", "nutmeg", "oyster",
)  # fmt: skip
_FORMS = (
    "The {service} service listens on port {port}",
    "Deploy the {service} service with `make ship-{service}` from the release branch",
    "The {service} service keeps its logs in /srv/{service}/log for {days} days",
)
FACTS = tuple(
    form.format(service=service, port=7100 + number, days=20 + number)
    for form in _FORMS
    for number, service in enumerate(_SERVICES)
)
"""What the project's memory holds before: more than a session is given at its start."""

NOTE_TOOL = "memory_note"
_SHELLS = {
    "Bash": ("command", "description"),
    "bash": ("command", "description"),
    "run_shell_command": ("command", "description"),
    "exec_command": ("cmd",),
}
"""The tool of each client that runs a command, and the arguments that are given the command."""
UNTOLD = "The orchard gate needs its hinges oiled every six weeks"
"""What the model tries to note where it may not."""
TESTS = "The orchard tests run with `make check-orchard` and need the ember service"
"""What the model notes for :data:`TESTS_PROMPT`; the user never types it."""
GATE_PROMPT = "How is the orchard gate kept working? Write it down for later."
TESTS_PROMPT = "How are the tests of this project run? Write it down for later."
RULE = "make lint-orchard"
RULE_PROMPT = f"From now on always run the linter with `{RULE}`, never by hand."

WIPE = "make wipe-orchard"
WARNING = f"Never run `{WIPE}`: it deletes the ledger of all seasons"
"""A pitfall that is known before, of a command that the model then runs."""
WIPE_PROMPT = "Tidy up the working tree of the orchard."
PRIVATE = "make shape-orchard"
PRIVATE_PROMPT = (
    f"Do not remember this session. From now on always format the code with `{PRIVATE}`."
)
PRIVATE_NOTE = f"The code of the orchard is formatted with `{PRIVATE}`"
"""What the model tries to note although the user does not want the session to be remembered."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A prompt and what the model does: it notes something or runs a command, where one of them is
    not empty, and then says its line."""

    prompt: str
    line: str
    note: str = ""
    command: str = ""

    def call(self, asked: Asked) -> Call | None:
        """What the model does before it speaks, as far as it is offered a tool for that."""
        if self.note and (tool := asked.tool(NOTE_TOOL)):
            return Call(tool, {"text": self.note})
        shell = next((tool for tool in asked.tools if tool.name in _SHELLS), None)
        if self.command and shell:
            return Call(shell, dict.fromkeys(_SHELLS[shell.name], self.command))
        return None


def question_about(fact: str) -> str:
    """What a user asks to whom this fact would help."""
    service = next(word for word in _SERVICES if f" {word} " in fact)
    if " port " in fact:
        return f"On which port does the {service} service listen?"
    if " logs " in fact:
        return f"Where does the {service} service keep its logs, and for how many days?"
    return f"How do I deploy the {service} service from the release branch?"


@dataclass(frozen=True, slots=True)
class Story:
    """The model of a run: it knows its scenes, and answers everything else with "Done."."""

    scenes: tuple[Scene, ...]

    def answer(self, asked: Asked) -> Answer:
        """The next act of the scene that the conversation is in."""
        begun = [
            (number, scene)
            for number, piece in enumerate(asked.pieces)
            for scene in self.scenes
            if piece.role == "user" and scene.prompt in piece.text
        ]
        if not begun:
            return Say("Done.")
        start, scene = begun[-1]
        acted = any(piece.role == "call" for piece in asked.pieces[start:])
        return (None if acted else scene.call(asked)) or Say(scene.line)
