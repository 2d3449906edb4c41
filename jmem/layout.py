"""The names of everything in a scope root and in the root above it."""

from __future__ import annotations

SUMMARY_FILE = "memory_summary.md"
INDEX_FILE = "MEMORY.md"
TOPICS_DIR = "topics"
NOTES_DIR = "notes"
SUMMARIES_DIR = "session_summaries"
MEMORIES_DIR = "memories"
SKILLS_DIR = "skills"
CACHE_DIR = ".cache"
GIT_DIR = ".git"
STATE_FILE = "state.json"
USAGE_FILE = ".usage.jsonl"
JOURNAL_FILE = ".journal.json"
VOUCHED_FILE = ".vouched"
FOREIGN_FILE = ".foreign"
FORGOTTEN_FILE = "forgotten.jsonl"
PROJECT_FILE = "project.yaml"
CONFIG_FILE = "config.yaml"
REPOSITORY_FILE = ".jmem.yaml"
"""What a repository may say for itself: that memory is off in it."""
GLOBAL_SCOPE = "global"
PROJECTS_DIR = "projects"
SESSIONS_DIR = "sessions"

SCOPE_DIRECTORIES = (NOTES_DIR, MEMORIES_DIR, SUMMARIES_DIR, TOPICS_DIR, SKILLS_DIR, CACHE_DIR)
KEPT_OUT_OF_GIT = (
    f"/{STATE_FILE}",
    f"/{STATE_FILE}.*",
    f"/{USAGE_FILE}*",
    f"/{JOURNAL_FILE}",
    f"/{VOUCHED_FILE}",
    f"/{FOREIGN_FILE}",
    f"/{CACHE_DIR}/",
    "*.lock",
    "*.jmem-tmp",
)
DOOMED_PREFIX = ".cleared-"
"""Before the name of a scope that is being deleted."""
CHILD_PREFIX = "jmem-child-"
"""How the name of the empty directory begins in which jmem runs another program."""
