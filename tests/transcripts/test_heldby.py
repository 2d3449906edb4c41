"""Who answered in a session, and whether a person asked."""

from __future__ import annotations

import pytest

from jmem import sessions
from jmem.state import State
from jmem.transcripts import heldby
from jmem.transcripts.catalogue import Catalogue
from jmem.transcripts.reader import Found


@pytest.mark.parametrize(
    "name",
    [
        *("ollama", "lmstudio", "lm-studio", "llama.cpp", "local", "oss", "my-ollama", "localhost"),
        *("http://127.0.0.1:8080/v1", "http://[::1]:1234", "Ollama-launch"),
    ],
)
def test_a_local_provider_is_known_by_its_name_or_address(name):
    assert heldby.is_local(name)


@pytest.mark.parametrize("name", ["", "openai", "openrouter", "localized", "boss", "anthropic"])
def test_another_provider_is_not_local(name):
    assert not heldby.is_local(name)


@pytest.mark.parametrize(
    ("model", "provider"),
    [
        ("ollama/qwen3", "ollama"),
        ("qwen3-coder:30b", "ollama"),
        ("qwen3:latest", "ollama"),
        ("qwen2.5-coder:7b-instruct-q4_K_M", "ollama"),
        ("big-model:480b-cloud", ""),
        ("vendor/model:free", ""),
        ("us.vendor.claude-3-5-v2:0", ""),
        ("claude-opus-4", ""),
    ],
)
def test_a_models_name_may_give_its_provider_away(model, provider):
    assert heldby.provider_of(model) == provider


def test_codex_says_who_answered(codex, save):
    path = save(
        codex.line("session_meta", id="s1", cwd="/srv/orchard", model_provider="openai"),
        codex.line("turn_context", model="m-large"),
        *codex.user("Water the trees"),
        codex.line("turn_context", model="qwen3:8b"),
    )
    info = codex.info(path)
    assert (info.model, info.provider) == ("m-large", "ollama")


def test_claude_code_says_which_model_answered(claude, save):
    lines = claude.assistant("Done.")
    lines[0]["message"]["model"] = "ollama/qwen3"
    blank = claude.assistant("No answer.")
    blank[0]["message"]["model"] = "<synthetic>"
    info = claude.info(save(*claude.user("Water the trees"), *blank, *lines))
    assert (info.model, info.provider) == ("ollama/qwen3", "ollama")


def test_jmems_own_question_is_known_by_its_first_line(writer, save, memory_home):
    path = save(*writer.head(), *writer.user(f"{heldby.DISTILLATION_MARK}\n\nYou distil."))
    catalogue = Catalogue(memory_home / "sessions.json")
    catalogue.look_up(path)
    catalogue.save()
    (found,) = Catalogue(memory_home / "sessions.json").look_up(path)
    assert isinstance(found, Found)
    later = found.info.ended.replace(year=found.info.ended.year + 1)
    wanted = sessions.Wanted(max_age_days=0)
    (candidate,) = sessions.select([found], State(), wanted, later)
    assert candidate.skipped == "jmem's own question to a model"


def test_a_person_may_speak_of_the_mark(writer, save):
    text = f"What does {heldby.DISTILLATION_MARK} mean?\n{heldby.DISTILLATION_MARK}\n"
    assert not writer.info(save(*writer.head(), *writer.user(text))).distillation


def test_a_session_in_the_directory_of_a_child_is_jmems_own(claude, save):
    (line,) = claude.user("Hello")
    line["cwd"] = "/var/tmp/jmem-child-x1y2"
    found = Found(reader=claude.reader, info=claude.info(save(line)))
    assert found.info.distillation
    listing = sessions.by_scope([found], sessions.Settings())
    assert not listing.by_scope and "own question" in listing.rejected[0].reason
