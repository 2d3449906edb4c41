"""What each command does, in a line: neither help nor completion has to load it for that.

Written by ``scripts/tables.py``, from the commands themselves.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SUMMARIES: Mapping[str, str] = {
    "init": "Connect jmem to the agents on this machine: memory tools, hooks and a command.",
    "note": "Write one fact into the inbox: readable at once, distilled at night.",
    "notes": "List the notes that wait in the inbox, newest first.",
    "distill": "Turn notes and ended sessions into curated memory, and commit it.",
    "sync": "Turn notes and ended sessions into curated memory, and commit it.",
    "recall": "Show the memories that help with PROMPT; nothing where none does.",
    "search": (
        "List the memories and waiting notes that hold all of WORDS, in any order, best first."
    ),
    "inject": "Print what a new session in this project is given; nothing where nothing is known.",
    "import": (
        "Take over what other memories hold: each fact becomes a note, and waits in the inbox."
    ),
    "list": "List the memories of a scope, best first.",
    "show": "Show a memory or a waiting note whole, as its file stands.",
    "edit": "Change the words of a memory or a waiting note, its kind or its topic.",
    "export": "Take memory out of jmem.",
    "forget": "Forget a memory or a waiting note, for good.",
    "restore": "Bring a memory back that was forgotten, superseded or expired.",
    "supersede": "Put a new statement, or another memory, in the place of an old one.",
    "merge": "Make one memory of two that say the same: KEEP, with what both rest on.",
    "tag": "Give a memory tags.",
    "untag": "Take tags from a memory.",
    "link": "Relate two memories to each other.",
    "unlink": "Take the relation between two memories away.",
    "related": "Show what a memory is related to, and how; then what is near.",
    "history": "Tell the story of one memory, from git: what happened to it, when, and why.",
    "undo": "Take a run back: the newest distillation, or RUN, an id or a commit of `jmem log`.",
    "review": "Give your word on what waits for it.",
    "purge": "Remove a memory, a note or a text from everything that jmem keeps, history included.",
    "scan": "Find credentials that stand in memory already: where, and of what kind, never which.",
    "diff": "Show what a run made of each memory: the newest one, or RUN of `jmem log`.",
    "stats": (
        "Show how memory grew, what was decided, what models cost, and how often recall helped."
    ),
    "log": "Show what each run decided and why, newest first: distillations, changes, undoings.",
    "status": "Show what is remembered, what waits, and how the last distillation went.",
    "sessions": "List the sessions that were found, each as read, waiting, or skipped and why.",
    "explain": "Tell why a memory is known: the words that it rests on, who decided and why.",
    "skills": "Show the workflows that became skills, and link them for an agent.",
    "path": "Show where this project's memory is, and how that was decided.",
    "remote": "Share memory over a git repository: your other machines, or your team.",
    "push": "Send what is remembered here to where it is shared, after merging what is there.",
    "pull": "Merge what other machines shared into what is remembered here.",
    "clear": "Delete everything that is remembered in a scope, its history included.",
    "config": "Show all settings, or one; with VALUE, set it in config.yaml.",
    "cron": "Install, remove or look at the scheduled distillation.",
    "index": "Bring the search index up to date.",
    "hook": "Answer an agent's hook: the payload on standard input, the reply on standard output.",
    "mcp": "Serve memory to an agent: the MCP server, on standard input and output.",
    "ui": "Look through memory in the browser, and put it right.",
    "doctor": "Check the installation and every scope; each problem comes with its remedy.",
    "completion": (
        "Print the completion script of a shell: commands, options, ids, kinds, settings."
    ),
}
